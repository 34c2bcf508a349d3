"""Rates: a minute's worth at once, then one at a time, each caller by itself, over all processes together."""

from __future__ import annotations

from contextlib import asynccontextmanager

from lumbung.store.database import Database
from lumbung.store.rates import Rates


class Clock:
    now = 100.0

    def __call__(self):
        return self.now


@asynccontextmanager
async def opened(logins):
    people = Database(logins.people)
    await people.open()
    try:
        yield people
    finally:
        await people.close()


async def pass_by(people, seconds):
    """Time that passes for the callers; the other way round it is the database's clock that is set back."""
    async with people.transaction() as tx:
        await tx.run("update request_rate set due = due - make_interval(secs => %(seconds)s)", {"seconds": seconds})


async def test_a_minute_s_worth_passes_at_once_over_all_processes_and_the_next_is_told_how_long_to_wait(logins):
    async with opened(logins) as people, opened(logins) as others:
        one, other = Rates(people), Rates(others)
        assert [await each.wait_seconds("a", 2) for each in (one, other)] == [0.0, 0.0]
        assert 0 < await one.wait_seconds("a", 2) <= 30
        assert 0 < await other.wait_seconds("a", 2) <= 30
        assert await one.wait_seconds("b", 2) == 0.0
        await pass_by(people, 30)
        assert await other.wait_seconds("a", 2) == 0.0
        assert 0 < await one.wait_seconds("a", 2) <= 30
        await pass_by(people, 600)
        assert [await one.wait_seconds("a", 2) for _ in range(2)] == [0.0, 0.0]
        assert await one.wait_seconds("a", 2) > 0


async def test_a_clock_that_is_set_back_keeps_nobody_out_for_longer_than_a_step(logins):
    async with opened(logins) as people:
        rates = Rates(people)
        assert await rates.wait_seconds("a", 2) == 0.0
        await pass_by(people, -3600)
        assert 0 < await rates.wait_seconds("a", 2) <= 30


async def test_no_limit_is_no_limit_and_keeps_nothing(logins):
    async with opened(logins) as people:
        assert {await Rates(people).wait_seconds("a", 0) for _ in range(10)} == {0.0}
        async with people.transaction() as tx:
            assert await tx.value("select count(*) from request_rate") == 0


async def test_callers_of_long_ago_are_forgotten(logins):
    clock = Clock()
    async with opened(logins) as people:
        rates = Rates(people, clock)
        for number in range(5):
            await rates.wait_seconds(str(number), 60)
        await pass_by(people, 61)
        clock.now += 61
        await rates.wait_seconds("new", 60)
        async with people.transaction() as tx:
            assert await tx.value("select array_agg(caller) from request_rate") == ["new"]
