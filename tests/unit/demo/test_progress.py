from __future__ import annotations

from lumbung.demo.progress import Filling, outcome
from lumbung.governance.reports.funnel import FunnelReport

REPORT = FunnelReport(
    pages={"fetched": 279, "refused": 8, "failed": 11},
    frontier={"waiting": 4},
    hosts={},
    candidates={"live": 176, "parked": 12},
    decisions={"novelty net-new": 70, "novelty skip": 16, "novelty review": 65, "scope in": 167},
    entries={"human published": 91, "machine published": 89, "machine review": 57},
    jobs={},
    paused={},
    refusals={"crawl: gate: culture": 10, "crawl: gate: news": 4, "crawl: blocked: unavailable": 1},
)


def test_the_line_of_progress_tells_every_step_of_the_funnel_and_what_it_cost() -> None:
    assert Filling(REPORT.steps(), 1_250).line() == (
        "pages 298 · passed 265 · candidates 188 · duplicates 16 · decided 151 · published 89 · spent 0.0013"
    )


def test_the_outcome_tells_what_was_read_what_stands_and_what_waits_for_whom() -> None:
    assert outcome(REPORT) == [
        "298 addresses were asked and 279 pages read; the others failed or were refused, each with its reason.",
        "91 entries by people stand as they were written, 89 by machine beside them, every fact with its quote.",
        "57 more wait for a person, being sacred, unsure or weakly sourced, and 12 for a language model.",
    ]
