from __future__ import annotations

import pytest

from lumbung.errors import EngineUnavailable
from lumbung.model.job import Job
from lumbung.runtime.retry import RetryPolicy, wait_of


def test_the_rows_in_force_set_how_long_a_failed_job_waits_and_how_often_it_is_tried() -> None:
    rows = {"backoff.first_seconds": 5, "backoff.factor": 3, "backoff.cap_seconds": 40, "backoff.tries": 4}
    policy = RetryPolicy.from_rows(rows)
    assert policy == RetryPolicy(5.0, 3.0, 40.0, 4)
    assert RetryPolicy.from_rows({}) == RetryPolicy()
    jobs = [Job(1, "extract", "a", {}, attempts) for attempts in (0, 1, 2)]
    assert [wait_of(EngineUnavailable("gone"), job, policy) for job in jobs] == pytest.approx([5, 15, 40])
