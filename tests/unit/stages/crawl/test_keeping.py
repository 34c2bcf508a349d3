"""What becomes of a visit that is tried again."""

from __future__ import annotations

from types import SimpleNamespace

from lumbung.equations.backoff import Backoff
from lumbung.stages.crawl.keeping import wait_of


def visit(attempts: int, cooldown_seconds: float = 0.0):
    return SimpleNamespace(lease=SimpleNamespace(attempts=attempts), cooldown_seconds=cooldown_seconds)


def test_a_url_is_tried_again_by_the_rows_in_force() -> None:
    rows = {"backoff.first_seconds": 3.0, "backoff.factor": 10.0, "backoff.cap_seconds": 200.0, "backoff.tries": 8}
    governed = Backoff.from_rows(rows)
    assert [round(wait_of(visit(attempts), governed), 6) for attempts in (1, 2, 9)] == [30.0, 200.0, 200.0]
    assert Backoff.from_rows({}) == Backoff(2.0, 2.0, 3600.0)


def test_a_host_that_rests_is_waited_for() -> None:
    assert wait_of(visit(1, cooldown_seconds=900.0), Backoff()) == 900.0
