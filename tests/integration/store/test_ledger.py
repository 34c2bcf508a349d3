"""The ledger on a real database: exact caps under races, orphans, clocks that jump, and what the machine's login cannot do."""

from __future__ import annotations

import asyncio
import random
import re
from contextlib import asynccontextmanager

import psycopg
import pytest

from lumbung.errors import BudgetExhausted, CapabilityMissing
from lumbung.ports.ledger import Purpose
from lumbung.store import governed, ledger, stages
from lumbung.store.database import Database, named_queries
from lumbung.store.ledger import SharedLedger

PURPOSE = Purpose("extract", "local", "model-1", "job-1")
CAPS = {"hour": 1000, "day": 10_000, "month": 100_000}


@pytest.fixture
def people(logins):
    with psycopg.connect(logins.people, autocommit=True) as connection:
        for name, cap in CAPS.items():
            connection.execute("update budget_window set cap_micros = %s where name = %s", (cap, name))
        yield connection


@pytest.fixture
def machine(logins):
    with psycopg.connect(logins.machine, autocommit=True) as connection:
        yield connection


@pytest.fixture
def owner(logins):
    with psycopg.connect(logins.owner, autocommit=True) as connection:
        yield connection


def move_clock(owner, seconds):
    """The one clock of money, moved as the beats of a machine move it."""
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


def spent(machine):
    return machine.execute("select coalesce(sum(spent_micros), 0)::bigint from spend").fetchone()[0]


async def spend(book, micros, actual=None, purpose=PURPOSE):
    reservation = await book.reserve(purpose, micros, 60)
    assert await book.begin(reservation)
    await book.settle(reservation, micros if actual is None else actual, 10, 5)
    return reservation


async def test_sixteen_workers_use_one_cap_exactly(logins, people, machine):
    async with opened(logins, size=16) as database:
        book = SharedLedger(database)

        async def worker():
            made = 0
            while True:
                try:
                    await spend(book, 5)
                except BudgetExhausted:
                    return made
                made += 1

        assert sum(await asyncio.gather(*(worker() for _ in range(16)))) == 200
    assert spent(machine) == CAPS["hour"]


async def test_a_settlement_below_its_reservation_gives_the_rest_back(logins, people):
    async with opened(logins) as database:
        book = SharedLedger(database)
        await spend(book, 900, actual=100)
        await spend(book, 900)
        with pytest.raises(BudgetExhausted, match="hour"):
            await book.reserve(PURPOSE, 1, 60)


async def test_what_is_spent_leaves_each_window_in_its_own_time(logins, people, owner):
    async with opened(logins) as database:
        book = SharedLedger(database)
        for _ in range(10):
            await spend(book, 1000)
            with pytest.raises(BudgetExhausted, match="hour"):
                await book.reserve(PURPOSE, 1, 60)
            move_clock(owner, 3603)
        with pytest.raises(BudgetExhausted, match="day"):
            await book.reserve(PURPOSE, 1, 60)
        move_clock(owner, 24 * 3600)
        await spend(book, 1000)


async def test_no_position_of_the_window_ever_holds_more_than_the_cap(logins, people, owner, machine):
    rng = random.Random(20260717)
    async with opened(logins) as database:
        book = SharedLedger(database)
        flying = []
        for _ in range(400):
            move_clock(owner, rng.choice([0, 1, 30, 200, 400]))
            if rng.random() < 0.2:
                flying = [each for each in flying if rng.random() < 0.5]  # killed
            elif flying and rng.random() < 0.5:
                reservation, most = flying.pop(rng.randrange(len(flying)))
                await book.settle(reservation, rng.randint(most // 2, most))
            else:
                most = rng.randint(1, 200)
                try:
                    reservation = await book.reserve(PURPOSE, most, rng.choice([10, 100, 10_000]))
                except BudgetExhausted:
                    continue
                await book.begin(reservation)
                flying.append((reservation, most))
    rows = machine.execute(
        "select extract(epoch from spent_at)::float8, spent_micros from spend where spent_at is not null"
    ).fetchall()
    for name, cap in CAPS.items():
        width = {"hour": 3600, "day": 86400, "month": 2592000}[name]
        assert max(sum(micros for at, micros in rows if end - width < at <= end) for end, _ in rows) <= cap
    assert sum(micros for _, micros in rows) > CAPS["hour"]


async def test_an_orphan_whose_call_never_began_gives_its_room_back_within_a_tenth_of_the_window(logins, people, owner):
    async with opened(logins) as database:
        book = SharedLedger(database)
        orphan = await book.reserve(PURPOSE, 1000, 1_000_000)
        with pytest.raises(BudgetExhausted):
            await book.reserve(PURPOSE, 1, 60)
        move_clock(owner, 363)
        await book.reserve(PURPOSE, 1000, 60)
        assert not await book.begin(orphan)


async def test_an_orphan_whose_call_began_counts_as_spent_until_somebody_knows_better(logins, people, owner, machine):
    async with opened(logins) as database:
        book = SharedLedger(database)
        orphan = await book.reserve(PURPOSE, 1000, 60)
        await book.begin(orphan)
        move_clock(owner, 400)
        with pytest.raises(BudgetExhausted):
            await book.reserve(PURPOSE, 1, 60)
        assert spent(machine) == 1000
        await book.settle(orphan, 300)
        await spend(book, 700)
        assert spent(machine) == 1000


async def test_settling_twice_counts_once_and_a_release_counts_nothing(logins, people, machine):
    async with opened(logins) as database:
        book = SharedLedger(database)
        reservation = await spend(book, 600)
        await book.settle(reservation, 600)
        released = await book.reserve(PURPOSE, 400, 60)
        await book.begin(released)
        await book.release(released)
        await spend(book, 400)
        assert spent(machine) == 1000


async def test_a_settlement_above_its_reservation_is_recorded_alarms_and_pauses_the_stage(
    logins, people, owner, machine
):
    async with opened(logins) as database:
        book = SharedLedger(database)
        await spend(book, 10, actual=5000)
        assert spent(machine) == 5000
        async with database.transaction() as tx:
            (alarm,) = await ledger.alarms(tx)
            assert (alarm["kind"], alarm["subject"], alarm["detail"]["spent_micros"]) == (
                "budget.overrun",
                "extract",
                5000,
            )
            paused = {row["name"]: row["paused_reason"] for row in await stages.all_stages(tx)}
        assert "more than was reserved" in paused["extract"]
        assert paused["decide"] is None
        move_clock(owner, 3603)
        async with database.transaction() as tx:
            assert "extract" in await stages.resume_due(tx)
        await spend(book, 1000)


async def test_a_stage_keeps_to_its_share(logins, people):
    people_database = Database(logins.people)
    await people_database.open()
    async with people_database.transaction() as tx:
        action = await governed.append_action(tx, None, "set", "budget", "a test", {})
        await governed.set_value(tx, "budget.share.extract", 0.25, action)
    await people_database.close()
    async with opened(logins) as database:
        book = SharedLedger(database)
        await spend(book, 250)
        with pytest.raises(BudgetExhausted):
            await book.reserve(PURPOSE, 1, 60)
        await spend(book, 750, purpose=Purpose("decide", "local", "model-1", "job-2"))


async def test_a_governed_cap_wins_over_the_settings_and_holds_at_once(logins, people):
    people_database = Database(logins.people)
    await people_database.open()
    async with opened(logins) as database:
        book = SharedLedger(database)
        await spend(book, 400)
        async with people_database.transaction() as tx:
            action = await governed.append_action(tx, None, "set", "budget", "a test", {})
            await governed.set_value(tx, "budget.hour_micros", 500, action)
            await ledger.install_caps(tx, {"hour": 800})
        with pytest.raises(BudgetExhausted):
            await book.reserve(PURPOSE, 101, 60)
        await spend(book, 100)
    await people_database.close()


async def test_a_call_larger_than_the_whole_cap_waits_for_a_higher_one_and_holds_up_nobody(logins, people):
    async with opened(logins) as database:
        book = SharedLedger(database)
        with pytest.raises(CapabilityMissing, match="raise it"):
            await book.reserve(PURPOSE, 1001, 60)
        await spend(book, 1000)


async def test_a_free_model_is_never_stopped_by_the_cap_and_is_itemised_all_the_same(logins, people):
    async with opened(logins) as database:
        book = SharedLedger(database)
        await spend(book, 1000)
        await spend(book, 0, purpose=Purpose("decide", "local", "free", "job-9"))
        async with database.transaction() as tx:
            items = await ledger.itemised(tx, 3600)
        assert [(item["stage"], item["model"], item["job"], item["micros"]) for item in items] == [
            ("extract", "model-1", "job-1", 1000),
            ("decide", "free", "job-9", 0),
        ]


async def test_jumps_of_the_databases_wall_clock_open_no_window_twice(logins, people, owner):
    """A jump moves the reading by at most two seconds until the next beat; stepping back gives no room either."""
    async with opened(logins) as database:
        book = SharedLedger(database)
        await spend(book, 1000)
        for jump in ("-1 hour", "+1 hour", "-1 hour"):
            owner.execute("update clock set beat_at = beat_at + %s::interval", (jump,))
            with pytest.raises(BudgetExhausted):
                await book.reserve(PURPOSE, 1, 60)
        owner.execute("update clock set beat_at = clock_timestamp()")
        move_clock(owner, 3603)
        await spend(book, 1000)


@pytest.mark.parametrize(
    "statement",
    [
        "insert into spend (stage, provider, model, job, reserved_micros, reserved_at, expires_at) values ('extract', 'p', 'm', 'j', 5000, now(), now())",
        "update spend set spent_micros = 0",
        "delete from spend",
        "update budget_window set cap_micros = 1000000000",
        "update budget_tally set spent_micros = 0",
        "update budget_clock set reached = reached + interval '1 day'",
        "select budget_tally_add('extract', now(), -1000)",
        "select budget_expire(now() + interval '1 day')",
        "insert into governed (name, version, value, action) values ('budget.hour_micros', 1, '9999999', 1)",
    ],
)
def test_the_machines_login_has_no_other_way_to_money(people, machine, statement):
    assert machine.execute("select reservation from budget_reserve('extract', 'p', 'm', 'j', 1000, 60)").fetchone()[0]
    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        machine.execute(statement)


def test_the_database_refuses_a_reservation_above_a_cap_in_plain_sql(people, machine):
    reserve = "select reservation, full_window from budget_reserve('extract', 'p', 'm', 'j', %s, 60)"
    assert machine.execute(reserve, (1001,)).fetchone() == (None, "hour")
    assert machine.execute(reserve, (1000,)).fetchone()[0] is not None
    assert machine.execute(reserve, (1,)).fetchone() == (None, "hour")
    with pytest.raises(psycopg.errors.CheckViolation):
        machine.execute(reserve, (-1,))


def test_an_old_snapshot_cannot_reserve_what_is_gone(logins, people, machine):
    reserve = "select reservation from budget_reserve('extract', 'p', 'm', 'j', 800, 60)"
    with psycopg.connect(logins.machine) as stale:
        stale.isolation_level = psycopg.IsolationLevel.REPEATABLE_READ
        stale.execute("select count(*) from spend")
        assert machine.execute(reserve).fetchone()[0] is not None
        with pytest.raises(psycopg.errors.SerializationFailure):
            stale.execute(reserve)
        stale.rollback()


@pytest.mark.parametrize("aggregate", ["ledger", "breakers", "inference_cache"])
def test_every_named_query_can_be_planned(machine, people, aggregate):
    for name, query in named_queries(aggregate).items():
        places = {
            place: f"${number}" for number, place in enumerate(dict.fromkeys(re.findall(r"%\((\w+)\)s", query)), 1)
        }
        planned = re.sub(r"%\((\w+)\)s", lambda found: places[found[1]], query)
        login = people if name in {"install", "acknowledge"} else machine
        assert login.execute(f"explain (generic_plan) {planned}", prepare=False).fetchall(), name
