"""What the relay makes of outbox rows."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from lumbung.runtime.relay import JOBS_A_MESSAGE, merged
from lumbung.store.jobs import OutboxRow

ROWS = st.lists(st.tuples(st.sampled_from(sorted(JOBS_A_MESSAGE)), st.lists(st.integers(1, 10**9), min_size=1)))


@settings(derandomize=True, max_examples=60)
@given(ROWS)
def test_every_job_is_in_one_message_of_its_stage_and_no_message_is_larger_than_its_stage_allows(rows):
    messages = merged(OutboxRow(number, stage, jobs) for number, (stage, jobs) in enumerate(rows))
    for name, limit in JOBS_A_MESSAGE.items():
        sent = [list(jobs) for stage, jobs in messages if stage == name]
        assert sum(sent, []) == [job for stage, jobs in rows if stage == name for job in jobs]
        assert all(0 < len(jobs) <= limit for jobs in sent)
        assert sum(len(jobs) < limit for jobs in sent) <= 1
