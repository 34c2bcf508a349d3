"""Breakers shared by all workers: one probe a cooldown, failover within one call, work kept and woken."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from dataclasses import dataclass

import psycopg
import pytest

from lumbung.errors import (
    BudgetExhausted,
    CapabilityMissing,
    ContractError,
    PolicyRefused,
    ProviderDown,
    RateLimited,
    TransientError,
)
from lumbung.model.job import NewJob
from lumbung.ports.breaker import Barred, Permit
from lumbung.providers.guard import Guard, Status, Unusable
from lumbung.store import breakers, jobs
from lumbung.store.breakers import BreakerRules, SharedBreakers
from lumbung.store.database import Database

RULES = BreakerRules(failures=3, cooldown_seconds=30, hold_seconds=60)


@dataclass(frozen=True)
class Named:
    name: str


FIRST, SECOND = Named("first"), Named("second")


@pytest.fixture
def owner(logins):
    with psycopg.connect(logins.owner, autocommit=True) as connection:
        yield connection


def move_clock(owner, seconds):
    owner.execute(
        "update clock set logical = logical + make_interval(secs => %s), beat_at = clock_timestamp()", (seconds,)
    )


@asynccontextmanager
async def opened(logins, size=4):
    database = Database(logins.machine, size=size)
    await database.open()
    try:
        yield database
    finally:
        await database.close()


class Service:
    """Stands for the outside: fails with what it is told to, and counts its calls."""

    def __init__(self, **errors):
        self.errors = errors
        self.calls = []

    async def __call__(self, provider):
        self.calls.append(provider.name)
        await asyncio.sleep(0)
        if error := self.errors.get(provider.name):
            raise error
        return provider.name


async def fail_until_open(guard, service, providers=(FIRST,)):
    for _ in range(RULES.failures):
        with pytest.raises((TransientError, ProviderDown)):
            await guard.call(providers, service)


async def test_it_opens_after_so_many_failures_in_a_row_and_not_before(logins):
    async with opened(logins) as database:
        guard = Guard("inference", SharedBreakers(database, RULES))
        service = Service(first=TransientError("status 500"))
        for _ in range(RULES.failures - 1):
            with pytest.raises(TransientError):
                await guard.call([FIRST], service)
        service.errors = {}
        assert await guard.call([FIRST], service) == "first"
        service.errors = {"first": TransientError("status 500")}
        await fail_until_open(guard, service)
        before = len(service.calls)
        with pytest.raises(ProviderDown) as refused:
            await guard.call([FIRST], service)
        assert refused.value.capability == "inference"
        assert len(service.calls) == before


async def test_sixteen_workers_make_exactly_one_probe_a_cooldown(logins, owner):
    async with opened(logins, size=16) as database:
        shared = SharedBreakers(database, RULES)
        service = Service(first=TransientError("down"))
        await fail_until_open(Guard("inference", shared), service)
        for cooldown in range(1, 4):
            move_clock(owner, RULES.cooldown_seconds + 3)
            await asyncio.gather(
                *(Guard("inference", SharedBreakers(database, RULES)).call([FIRST], service) for _ in range(16)),
                return_exceptions=True,
            )
            assert len(service.calls) == RULES.failures + cooldown
        service.errors = {}
        move_clock(owner, RULES.cooldown_seconds + 3)
        results = await asyncio.gather(
            *(Guard("inference", shared).call([FIRST], service) for _ in range(16)), return_exceptions=True
        )
        assert "first" in results
        assert all(result == "first" or isinstance(result, ProviderDown) for result in results)
        assert await Guard("inference", shared).call([FIRST], service) == "first"


async def test_a_probe_that_never_reports_back_leaves_its_place_to_the_next(logins, owner):
    async with opened(logins) as database:
        shared = SharedBreakers(database, RULES)
        await fail_until_open(Guard("inference", shared), Service(first=TransientError("down")))
        move_clock(owner, RULES.cooldown_seconds + 3)
        killed = await shared.ask("inference", "first")
        assert isinstance(killed, Permit)
        assert killed.probe
        assert isinstance(await shared.ask("inference", "first"), Barred)
        move_clock(owner, RULES.hold_seconds + 3)
        following = await shared.ask("inference", "first")
        assert isinstance(following, Permit)
        await shared.succeeded(killed)
        assert isinstance(await shared.ask("inference", "first"), Barred), "a probe that lost its place closes nothing"
        await shared.succeeded(following)
        assert await shared.ask("inference", "first") == Permit("inference", "first")


async def test_a_cancelled_probe_is_given_back_at_once(logins, owner):
    async with opened(logins) as database:
        shared = SharedBreakers(database, RULES)
        guard = Guard("inference", shared)
        await fail_until_open(guard, Service(first=TransientError("down")))
        move_clock(owner, RULES.cooldown_seconds + 3)
        started = asyncio.Event()

        async def hangs(_):
            started.set()
            await asyncio.Event().wait()

        call = asyncio.create_task(guard.call([FIRST], hangs))
        await started.wait()
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call
        assert await guard.call([FIRST], Service()) == "first"


async def test_the_state_survives_a_restart(logins):
    async with opened(logins) as database:
        await fail_until_open(
            Guard("inference", SharedBreakers(database, RULES)), Service(first=TransientError("down"))
        )
    async with opened(logins) as database:
        with pytest.raises(ProviderDown):
            await Guard("inference", SharedBreakers(database, RULES)).call([FIRST], Service())


async def test_failover_happens_within_one_call_and_in_order(logins):
    async with opened(logins) as database:
        guard = Guard("inference", SharedBreakers(database, RULES))
        service = Service(first=TransientError("down"))
        for _ in range(RULES.failures + 2):
            assert await guard.call([FIRST, SECOND], service) == "second"
        assert service.calls.count("first") == RULES.failures


async def test_a_rate_limit_rests_the_provider_for_all_workers_and_opens_nothing(logins, owner):
    async with opened(logins) as database:
        guard = Guard("inference", SharedBreakers(database, RULES))
        service = Service(first=RateLimited("wait", 40.0))
        with pytest.raises(RateLimited) as limited:
            await guard.call([FIRST], service)
        assert limited.value.retry_after_seconds == 40.0
        service.errors = {}
        with pytest.raises(RateLimited) as limited:
            await Guard("inference", SharedBreakers(database, RULES)).call([FIRST], service)
        assert 30 < limited.value.retry_after_seconds <= 40
        assert service.calls == ["first"]
        assert await guard.call([FIRST, SECOND], service) == "second"
        move_clock(owner, 43)
        assert await guard.call([FIRST], service) == "first"


@pytest.mark.parametrize("error", [PolicyRefused("no"), ContractError("bad"), BudgetExhausted("empty")])
async def test_what_is_not_the_providers_fault_ends_the_call_and_counts_against_nobody(logins, error):
    async with opened(logins) as database:
        guard = Guard("inference", SharedBreakers(database, RULES))
        service = Service(first=error)
        for _ in range(RULES.failures + 1):
            with pytest.raises(type(error)):
                await guard.call([FIRST, SECOND], service)
        assert "second" not in service.calls
        service.errors = {}
        assert await guard.call([FIRST], service) == "first"


async def test_a_refused_key_opens_the_breaker_at_once(logins):
    async with opened(logins) as database:
        guard = Guard("inference", SharedBreakers(database, RULES))
        service = Service(first=Unusable("the key is refused"))
        for _ in range(3):
            with pytest.raises(ProviderDown):
                await guard.call([FIRST], service)
        assert service.calls == ["first"]


async def test_nothing_configured_is_a_missing_capability(logins):
    async with opened(logins) as database:
        with pytest.raises(CapabilityMissing):
            await Guard("translation", SharedBreakers(database, RULES)).call([], Service())


async def test_parked_work_sends_one_probe_a_cooldown_and_all_goes_on_when_the_provider_is_back(logins, owner):
    async with opened(logins) as database:
        shared = SharedBreakers(database, RULES)
        guard = Guard("inference", shared)
        service = Service(first=TransientError("down"))
        await fail_until_open(guard, service)
        async with database.transaction() as tx:
            await jobs.add(tx, [NewJob("extract", str(number)) for number in range(5)])
            for number in range(1, 6):
                await jobs.park(tx, number, "inference", "down")

        async def woken():
            async with database.transaction() as tx:
                await breakers.wake(tx, "inference", ["first"])
                return await tx.value("select count(*) from job where state = 'ready'")

        assert await woken() == 0
        move_clock(owner, RULES.cooldown_seconds + 3)
        assert await woken() == 1
        service.errors = {}
        assert await guard.call([FIRST], service) == "first"
        assert await woken() == 5


@pytest.mark.parametrize(
    ("status", "kind"),
    [
        (Status(429, 3.0), RateLimited),
        (Status(500), TransientError),
        (Status(503), TransientError),
        (Status(529), TransientError),
        (Status(408), TransientError),
        (Status(401), Unusable),
        (Status(402), Unusable),
        (Status(403), Unusable),
        (Status(404), Unusable),
        (Status(400), ContractError),
        (Status(400, moderated=True), PolicyRefused),
    ],
)
def test_each_status_has_one_meaning(status, kind):
    assert type(status.error("somewhere")) is kind
