"""An installation of any earlier schema is brought up to date with all it holds."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psycopg
import pytest
from psycopg.rows import DictRow, dict_row
from tests.conftest import Logins

from lumbung.errors import ContractError
from lumbung.library.exports import STATUSES, canonical_export
from lumbung.runtime.engines import RunningEngines
from lumbung.store import audits, governed, health
from lumbung.store.database import Database, Transaction
from lumbung.store.migrate import Migration, applied_numbers, migrate, migrations

NUMBERS = [step.number for step in migrations()]
EARLIER = NUMBERS[:-1]
LIBRARY_SINCE = 5
PLANTED = Path(__file__).with_name("planted_rows.sql")
LIBRARY = [
    ("Ritus", "human", "tombstone", []),
    ("Tari Piring", "machine", "published", [("asal", "Sumatera Barat", 0.9, "berasal dari Sumatera Barat")]),
    ("Tari Saman", "human", "published", []),
    ("Tari Saman", "machine", "review", [("asal", "Minangkabau", 0.8, "Minangkabau")]),
]
"""What the canonical export tells of the planted entries; the withdrawn one is not in it."""

GIVEN_UP = {
    10: {"host.robots", "host.robots_status", "host.robots_until", "frontier.leased_until"},
    20: {"index_block.indexed"},
    22: {"fact.approved_by"},
}
"""Columns that a migration took away: what they held is fetched, leased or built anew, or stands in the log."""

WRITTEN_ANEW = {
    20: {"entry_search.names", "entry_search.words"},
    30: {"frontier.state", "frontier.lease", "host.waiting"},
    40: {"action_head.seq", "action_head.hash"},
    48: {"action_head.seq", "action_head.hash"},
}
"""Columns that a migration writes anew: search by category and region, URLs whose lease nobody holds, the end of a log that seals or tells more."""

Short = tuple[str, str, str, list[tuple[str, str, float, str]]]
Rows = dict[str, dict[tuple[Any, ...], dict[str, Any]]]


def planted() -> dict[int, str]:
    """The statements of each schema's rows."""
    parts = re.split(r"^-- schema (\d+) --$", PLANTED.read_text(encoding="utf-8"), flags=re.MULTILINE)
    return {int(number): statements for number, statements in zip(parts[1::2], parts[2::2], strict=True)}


async def stored(tx: Transaction) -> Rows:
    """Every row of every table, by its primary key."""
    tables = await tx.rows(
        """select c.relname as name, array(select a.attname::text from pg_index i, unnest(i.indkey) k
               join pg_attribute a on a.attnum = k where i.indrelid = c.oid and i.indisprimary and a.attrelid = c.oid) as key
           from pg_class c where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace and c.relname <> 'schema_migration'"""
    )
    found: Rows = {}
    for table in tables:
        rows = [row["row"] for row in await tx.rows(f'select to_jsonb(t) as row from "{table["name"]}" t')]
        found[table["name"]] = {tuple(str(row[column]) for column in table["key"]): row for row in rows}
    return found


def differences(before: Rows, after: Rows) -> tuple[set[str], set[str], set[str]]:
    """Columns that are gone, columns whose values changed, and rows that are gone."""
    gone: set[str] = set()
    changed: set[str] = set()
    lost: set[str] = set()
    for table, rows in before.items():
        for key, row in rows.items():
            now = after.get(table, {}).get(key)
            if now is None:
                lost.add(f"{table} {key}")
                continue
            gone |= {f"{table}.{column}" for column in row.keys() - now.keys()}
            changed |= {f"{table}.{column}" for column in row.keys() & now.keys() if row[column] != now[column]}
    return gone, changed, lost


def since(columns: Mapping[int, set[str]], number: int, held: Rows) -> set[str]:
    """What the migrations after this one touch of the tables that there were."""
    later = (touched for step, touched in columns.items() if step > number)
    return {column for column in set().union(*later) if column.split(".")[0] in held}


SCHEMA = """
    with own as (
        select oid, relname, relacl, relrowsecurity, relforcerowsecurity from pg_class
        where relnamespace = 'public'::regnamespace and relkind in ('r', 'v', 'S') and relname !~ '^feature_graph_'
    )
    select 'relation ' || relname as object, array_to_string(array(select unnest(relacl)::text order by 1), ' ') || relrowsecurity || relforcerowsecurity as definition from own
    union all select 'column ' || own.relname || '.' || a.attname, format_type(a.atttypid, a.atttypmod) || a.attnotnull || coalesce(a.attacl::text, '')
        || coalesce((select pg_get_expr(d.adbin, d.adrelid) from pg_attrdef d where d.adrelid = a.attrelid and d.adnum = a.attnum), '')
        from own join pg_attribute a on a.attrelid = own.oid where a.attnum > 0 and not a.attisdropped
    union all select 'constraint ' || own.relname || '.' || c.conname, pg_get_constraintdef(c.oid) || c.convalidated from own join pg_constraint c on c.conrelid = own.oid
    union all select 'index ' || i.indexrelid::regclass::text, pg_get_indexdef(i.indexrelid) || i.indisvalid from own join pg_index i on i.indrelid = own.oid
    union all select 'trigger ' || own.relname || '.' || t.tgname, pg_get_triggerdef(t.oid) || t.tgenabled::text from own join pg_trigger t on t.tgrelid = own.oid where not t.tgisinternal
    union all select 'policy ' || tablename || '.' || policyname, roles::text || cmd || coalesce(qual, '') || coalesce(with_check, '') from pg_policies
    union all select 'function ' || p.oid::regprocedure::text, md5(pg_get_functiondef(p.oid)) || coalesce(p.proacl::text, '') from pg_proc p
        where p.pronamespace = 'public'::regnamespace and not exists (select 1 from pg_depend d where d.objid = p.oid and d.deptype = 'e')
"""


async def schema_of(tx: Transaction) -> dict[str, str]:
    """Tables, constraints, indexes, triggers, policies, functions and grants; a block's graph is data."""
    return {row["object"]: row["definition"] for row in await tx.rows(SCHEMA)}


def short(record: Mapping[str, Any]) -> Short:
    facts = [
        (each["attribute"], each["value"], each["confidence"], each["sources"][0]["quote"]) for each in record["facts"]
    ]
    return record["title"], record["owner"], record["status"], facts


@dataclass
class Upgrade:
    """What an installation holds, and what the migrations that came after it make of that."""

    held: Rows
    gone: set[str]
    changed: set[str]
    lost: set[str]
    schema: dict[str, str]
    faults: list[Any]
    leased: int
    library: list[Short]


async def take(tx: Transaction, steps: Sequence[Migration]) -> None:
    for step in steps:
        await tx.run(step.sql)
        await tx.run("set constraints all immediate")


async def upgrade(owner: psycopg.AsyncConnection[DictRow], number: int) -> Upgrade:
    """Brought up to date as an operator would, looked at, and rolled back for the next schema to be tried."""
    tx = Transaction(owner)
    async with owner.transaction(force_rollback=True):
        held = await stored(tx)
        await take(tx, [step for step in migrations() if step.number > number])
        await tx.run("update claim set quote = quote")  # its trigger looks for the quote in the page once more
        return Upgrade(
            held,
            *differences(held, await stored(tx)),
            await schema_of(tx),
            [*await governed.broken_links(tx), *await governed.unsealed_rows(tx)]
            + [*await audits.changed_humans(tx), *await audits.differing_digests(tx)],
            await tx.value("select count(*) from frontier where state = 'leased'"),
            sorted(short(record) for record in await canonical_export(tx, STATUSES)),
        )


async def lived(logins: Logins) -> dict[int, Upgrade]:
    """One database goes through the schemas and gathers rows in each; from each the newest is tried."""
    rows = planted()
    upgrades = {}
    async with await psycopg.AsyncConnection.connect(logins.owner, autocommit=True, row_factory=dict_row) as owner:
        for name in ("machine", "people"):
            await owner.execute(f"select set_config('lumbung.{name}_role', 'lumbung_{name}', false)")
        for step in migrations()[:-1]:
            async with owner.transaction():
                await take(Transaction(owner), [step])
                await owner.execute(
                    "insert into schema_migration (number, name) values (%s, %s)", (step.number, step.name)
                )
            async with owner.transaction():
                await owner.execute(rows.get(step.number, "select 1"))
            upgrades[step.number] = await upgrade(owner, step.number)
    return upgrades


@contextmanager
def database(engines: RunningEngines, name: str) -> Iterator[Logins]:
    """A database without a schema."""
    with psycopg.connect(engines.postgres_url("superuser", "postgres"), autocommit=True) as admin:
        admin.execute(f"create database {name} owner lumbung_owner")
        try:
            yield Logins(engines, name)
        finally:
            admin.execute(f"drop database {name} with (force)")


@dataclass
class Installation:
    """A database at the last schema but one, full of rows, and what became of it from every schema on the way."""

    logins: Logins
    upgrades: dict[int, Upgrade]


@pytest.fixture(scope="module")
def installation(engines: RunningEngines) -> Iterator[Installation]:
    with database(engines, "lived") as logins:
        with psycopg.connect(logins.owner) as owner:
            applied_numbers(owner)
        yield Installation(logins, asyncio.run(lived(logins)))


@pytest.fixture(scope="module")
def newest_schema(engines: RunningEngines, template: str) -> dict[str, str]:
    async def read() -> dict[str, str]:
        url = Logins(engines, template).owner
        async with await psycopg.AsyncConnection.connect(url, row_factory=dict_row) as owner:
            return await schema_of(Transaction(owner))

    return asyncio.run(read())


@pytest.mark.parametrize("number", EARLIER)
def test_each_table_of_an_earlier_schema_has_rows_to_keep(installation, number):
    assert [table for table, rows in installation.upgrades[number].held.items() if not rows] == []


@pytest.mark.parametrize("number", EARLIER)
def test_an_installation_of_an_earlier_schema_is_brought_up_to_date_with_all_it_holds(
    installation, newest_schema, number
):
    made = installation.upgrades[number]
    assert made.lost == set()
    assert made.gone == since(GIVEN_UP, number, made.held)
    assert made.changed == since(WRITTEN_ANEW, number, made.held)
    assert made.schema == newest_schema
    assert made.faults == []
    assert made.leased == 0
    assert made.library == (LIBRARY if number >= LIBRARY_SINCE else [])


async def test_both_logins_are_bound_after_an_upgrade_as_on_a_new_database(installation):
    logins = installation.logins
    assert migrate(logins.owner, logins.machine, logins.people) == [migrations()[-1].name]
    machine = Database(logins.machine)
    await machine.open()
    try:
        async with machine.transaction() as tx:
            assert await health.missing_migrations(tx) == []
            assert await health.login_faults(tx) == []
            assert await tx.run("update entry set body = 'x' where owner = 'human'") == 0
            assert await tx.run("update entry set status_reason = 'x' where identity = 'm'") == 1
    finally:
        await machine.close()


@pytest.fixture
def empty(engines: RunningEngines) -> Iterator[Logins]:
    with database(engines, "unmade") as logins:
        yield logins


def test_two_that_migrate_at_once_apply_each_migration_once(empty):
    with ThreadPoolExecutor(2) as pool:
        done = list(pool.map(lambda _: migrate(empty.owner, empty.machine, empty.people), range(2)))
    assert sorted(done) == [[], [step.name for step in migrations()]]
    assert migrate(empty.owner, empty.machine, empty.people) == []


def test_a_migration_that_fails_leaves_nothing_and_the_next_attempt_goes_on_from_there(empty, monkeypatch):
    first, second, *_ = migrations()
    broken = Migration(second.number, second.name, second.sql + "; insert into person (login) values (1 / 0);")
    monkeypatch.setattr("lumbung.store.migrate.migrations", lambda: [first, broken])
    with pytest.raises(ContractError, match="division by zero"):
        migrate(empty.owner, empty.machine, empty.people)
    with psycopg.connect(empty.owner) as owner:
        assert owner.execute("select to_regclass('job'), to_regclass('person')").fetchone() == ("job", None)
    monkeypatch.setattr("lumbung.store.migrate.migrations", lambda: [first, second])
    assert migrate(empty.owner, empty.machine, empty.people) == [second.name]
