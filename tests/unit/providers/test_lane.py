from __future__ import annotations

import asyncio
from contextlib import suppress

from lumbung.errors import TransientError
from lumbung.providers.lane import Lane


class Provider:
    """Serves by a clock of its own: every tick so many seconds pass, and all who wait are answered."""

    def __init__(self) -> None:
        self.now = 0.0
        self.under_way = 0
        self.most_under_way = 0
        self._waiting: list[asyncio.Future[None]] = []

    def clock(self) -> float:
        return self.now

    async def ask(self, lane: Lane, error: Exception | None = None) -> None:
        async with lane.place():
            self.under_way += 1
            self.most_under_way = max(self.most_under_way, self.under_way)
            turn = asyncio.get_running_loop().create_future()
            self._waiting.append(turn)
            try:
                await turn
                if error is not None:
                    raise error
            finally:
                self.under_way -= 1

    async def tick(self, seconds: float) -> int:
        """Answers all who were asking, and gives their number."""
        for _ in range(200):
            await asyncio.sleep(0)
        self.now += seconds
        answered, self._waiting = self._waiting, []
        for turn in answered:
            if not turn.done():
                turn.set_result(None)
        for _ in range(200):
            await asyncio.sleep(0)
        return len(answered)


async def drained(provider: Provider, seconds: float) -> list[int]:
    """How many were asked at a time, tick by tick, until nobody waits."""
    shown = []
    while answered := await provider.tick(seconds):
        shown.append(answered)
    return shown


async def test_it_begins_with_one_and_rises_with_what_waits_up_to_its_bound():
    provider = Provider()
    lane = Lane(most=16, clock=provider.clock)
    asking = [asyncio.create_task(provider.ask(lane)) for _ in range(200)]
    shown = await drained(provider, 2.0)
    await asyncio.gather(*asking)
    assert sum(shown) == 200
    assert shown[:4] == [1, 2, 4, 8]
    assert max(shown) == 13  # a backlog of nearly two hundred within half a minute, at two seconds each


async def test_the_bound_holds_whatever_waits():
    provider = Provider()
    lane = Lane(most=5, clock=provider.clock)
    asking = [asyncio.create_task(provider.ask(lane)) for _ in range(400)]
    await drained(provider, 3.0)
    await asyncio.gather(*asking)
    assert provider.most_under_way == 5


async def test_a_provider_that_slows_down_is_asked_less():
    provider = Provider()
    lane = Lane(most=32, clock=provider.clock)
    asking = [asyncio.create_task(provider.ask(lane)) for _ in range(3000)]
    while lane.allowed < 32:
        await provider.tick(2.0)
    for _ in range(6):
        await provider.tick(30.0)
    assert lane.allowed <= 4
    await drained(provider, 2.0)
    await asyncio.gather(*asking)


async def test_failures_are_no_measure_of_the_service():
    provider = Provider()
    lane = Lane(most=16, clock=provider.clock)
    asking = [asyncio.create_task(provider.ask(lane, TransientError("down"))) for _ in range(50)]
    while await provider.tick(0.5):
        assert lane.allowed == 1
    assert all(isinstance(each, TransientError) for each in await asyncio.gather(*asking, return_exceptions=True))


async def test_a_call_that_is_cancelled_gives_its_place_or_its_turn_to_the_next():
    provider = Provider()
    lane = Lane(most=1, clock=provider.clock)
    first, second, third = (asyncio.create_task(provider.ask(lane)) for _ in range(3))
    await asyncio.sleep(0)
    second.cancel()
    first.cancel()
    for each in (first, second):
        with suppress(asyncio.CancelledError):
            await each
    while not third.done():
        await provider.tick(1.0)
    assert provider.under_way == 0
    await asyncio.wait_for(asyncio.gather(provider.tick(1.0), third), 5)
