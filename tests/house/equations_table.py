"""Where each of the paper's 26 equations lives: as a formula with a caller, a constraint, or a property under test."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Equation:
    number: int
    name: str
    kind: str
    """formula: a pure function of `home` that the running system calls; constraint: schema or runtime refuse what breaks it; property: a law tested on the running system."""
    home: str
    function: str = ""
    test: str = ""
    repair: str = ""
    """Where we depart from the paper, and why."""


EQUATIONS = (
    Equation(
        1,
        "entry: a fact has a source",
        "constraint",
        "store/migrations",
        test="tests/integration/store/test_invariants.py::test_a_fact_without_a_source_is_refused",
    ),
    Equation(
        2,
        "objective",
        "property",
        "governance/reports/objective.py",
        test="tests/integration/governance/test_reports.py::test_the_objective_counts_what_was_published_and_says_what_stands_in_the_way",
    ),
    Equation(3, "funnel cost", "formula", "equations/funnel.py", "funnel_cost"),
    Equation(
        4,
        "filter order",
        "formula",
        "equations/funnel.py",
        "filter_order",
        repair="A filter that stops nothing comes last, a free one first; ties are broken by cost and name.",
    ),
    Equation(
        5,
        "priority",
        "formula",
        "equations/priority.py",
        "priority",
        repair="The weights are learned from what pages really yield; the denylist is policy and is not.",
    ),
    Equation(
        6,
        "politeness",
        "constraint",
        "store/sql/hosts.sql",
        test="tests/integration/stages/crawl/test_politeness.py::test_two_workers_and_a_kill_never_come_too_early_and_waste_little",
        repair="The delay counts from the end of the previous request, over all workers together.",
    ),
    Equation(7, "branching", "formula", "equations/branching.py", "mean_interval"),
    Equation(
        8,
        "extinction",
        "formula",
        "equations/branching.py",
        "extinction_probability",
        repair="A page that always yields exactly one link has m = 1 and q = 0: the smallest fixed point.",
    ),
    Equation(9, "re-seeding", "formula", "equations/reseed.py", "needs_tranche"),
    Equation(
        10,
        "extraction",
        "property",
        "text/extraction, stages/extract",
        test="tests/evaluation/test_extraction.py::test_no_fact_is_ungrounded",
    ),
    Equation(
        11,
        "features",
        "formula",
        "text/features.py",
        "content_vector",
        repair="The shape block is the partition key of the index and never enters the vector.",
    ),
    Equation(
        12,
        "blocking",
        "property",
        "store/sql/features.sql",
        test="tests/integration/store/test_features.py::test_only_related_blocks_are_searched_and_unknown_relates_to_all",
        repair="The region relation knows the hierarchy, several regions and the unknown.",
    ),
    Equation(
        13,
        "similarity",
        "formula",
        "equations/similarity.py",
        "similarity",
        repair="Of two empty attribute bags nothing can be said: their share goes to the other terms.",
    ),
    Equation(
        14,
        "neighbour search",
        "property",
        "store/sql/features.sql",
        test="tests/integration/store/test_features.py::test_a_graph_of_a_block_finds_what_exact_search_finds",
    ),
    Equation(
        15,
        "containment",
        "formula",
        "equations/containment.py",
        "containment",
        repair="An empty fact set is wholly contained; taken against the union of what is held and in flight.",
    ),
    Equation(
        16,
        "novelty",
        "formula",
        "equations/novelty.py",
        "decide",
        repair="If a human and a machine entry both match, the machine entry takes what neither holds; review where the outcome hangs on what may be held in other words.",
    ),
    Equation(
        17,
        "identity",
        "formula",
        "equations/identity.py",
        "identity",
        repair="Parts are prefixed with their length; an unknown region is written as a dash.",
    ),
    Equation(
        18,
        "odds",
        "formula",
        "equations/odds.py",
        "log_odds",
        repair="In logarithms, summed exactly; copy clusters count once; the extractor's own errors are kept apart.",
    ),
    Equation(
        19,
        "publication",
        "formula",
        "equations/publication.py",
        "may_publish",
        repair="The sensitive threshold is never below the ordinary one.",
    ),
    Equation(
        20,
        "idempotent upsert",
        "property",
        "store/sql/entries.sql",
        test="tests/integration/library/test_port.py::test_an_entry_is_written_once_whatever_is_repeated",
    ),
    Equation(
        21,
        "backoff",
        "formula",
        "equations/backoff.py",
        "delay_seconds",
        repair="Compared in logarithms: the power overflows near the thousandth attempt.",
    ),
    Equation(
        22,
        "budget",
        "constraint",
        "store/migrations",
        test="tests/integration/store/test_ledger.py::test_no_position_of_the_window_ever_holds_more_than_the_cap",
    ),
    Equation(
        23,
        "sample size",
        "formula",
        "equations/audit.py",
        "sample_size",
        repair="Times the design effect; estimates use inverse-probability weights, since boosted sampling biases a plain share.",
    ),
    Equation(24, "calibration error", "formula", "equations/calibration.py", "expected_calibration_error"),
    Equation(25, "coverage", "formula", "equations/coverage.py", "Coverage"),
    Equation(
        26,
        "greedy choice",
        "formula",
        "equations/coverage.py",
        "choose_by_number",
        repair="Under costs greedy alone has no bound: the better of it and the best single tranche, or all triples.",
    ),
)
