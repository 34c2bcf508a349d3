from __future__ import annotations

import pytest

from lumbung.equations.containment import containment
from lumbung.equations.novelty import Bounds, Outcome, decide, decide_between
from lumbung.errors import ContractError


def test_a_candidate_without_facts_is_wholly_contained_and_skipped() -> None:
    assert containment(0, 0) == 1.0
    assert decide(matched_human=True, matched_machine=False, kappa=containment(0, 0), tau=0.8) is Outcome.SKIP


@pytest.mark.parametrize(("held", "total"), [(3, 2), (-1, 2), (0, -1)])
def test_impossible_counts_are_refused(held: int, total: int) -> None:
    with pytest.raises(ContractError):
        containment(held, total)


@pytest.mark.parametrize(
    ("human", "machine", "kappa", "outcome"),
    [
        (False, False, 0.0, Outcome.NET_NEW),
        (False, False, 1.0, Outcome.NET_NEW),
        (True, False, 0.8, Outcome.SKIP),
        (False, True, 0.8, Outcome.SKIP),
        (True, True, 0.9, Outcome.SKIP),
        (True, False, 0.79, Outcome.SUPPLEMENT),
        (False, True, 0.79, Outcome.ENRICH),
        (True, True, 0.5, Outcome.ENRICH),
    ],
)
def test_the_tree_of_eq_16(human: bool, machine: bool, kappa: float, outcome: Outcome) -> None:
    assert decide(human, machine, kappa, 0.8) is outcome


@pytest.mark.parametrize(
    ("human", "machine", "least", "most", "outcome"),
    [
        (False, True, 0.5, 0.7, Outcome.ENRICH),
        (False, True, 0.8, 1.0, Outcome.SKIP),
        (False, True, 0.5, 0.8, Outcome.REVIEW),
        (True, False, 0.0, 1.0, Outcome.REVIEW),
        (False, False, 0.0, 1.0, Outcome.NET_NEW),
    ],
)
def test_where_kappa_is_only_known_to_lie_between_two_values_both_must_say_the_same(
    human, machine, least, most, outcome
):
    assert decide_between(human, machine, least, most, 0.8) is outcome


def test_a_share_below_the_grey_zone_is_new_and_one_above_it_is_held():
    bounds = Bounds(0.4, 0.6)
    assert [bounds.place(share) for share in (0.0, 0.39, 0.4, 0.59, 0.6, 1.0)] == [
        "new",
        "new",
        "grey",
        "grey",
        "held",
        "held",
    ]
