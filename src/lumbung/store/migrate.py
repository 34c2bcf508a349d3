"""Migrations: numbered SQL files, applied in order under an advisory lock by the owner's login."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import resources
from typing import cast

import psycopg
from psycopg.conninfo import conninfo_to_dict

from lumbung.errors import ContractError, SettingsError
from lumbung.store.database import check_version, unmet

LOCK = 7231000


@dataclass(frozen=True, slots=True)
class Migration:
    number: int
    name: str
    sql: str


def migrations() -> list[Migration]:
    folder = resources.files("lumbung.store").joinpath("migrations")
    files = sorted(file.name for file in folder.iterdir() if file.name.endswith(".sql"))
    return [
        Migration(int(name[:4]), name.removesuffix(".sql"), folder.joinpath(name).read_text(encoding="utf-8"))
        for name in files
    ]


def user_of(url: str) -> str:
    user = conninfo_to_dict(url).get("user")
    if not user:
        raise SettingsError("A database URL names no user; write it as postgresql://user:password@host/database.")
    return str(user)


def check_server(connection: psycopg.Connection[tuple[object, ...]]) -> None:
    check_version(connection.info.server_version)
    if not connection.execute("select 1 from pg_available_extensions where name = 'vector'").fetchone():
        raise SettingsError("The database server has no pgvector extension; install it there (package pgvector).")


def applied_numbers(connection: psycopg.Connection[tuple[object, ...]]) -> set[int]:
    connection.execute(
        "create table if not exists schema_migration "
        "(number integer primary key, name text not null, applied_at timestamptz not null default clock_timestamp())"
    )
    return {cast("int", row[0]) for row in connection.execute("select number from schema_migration")}


def migrate(owner_url: str, machine_url: str, people_url: str) -> list[str]:
    """Apply what is missing; returns the names of what was applied."""
    try:
        with psycopg.connect(owner_url, autocommit=True) as connection:
            check_server(connection)
            connection.execute("select pg_advisory_lock(%s)", (LOCK,))
            connection.execute("select set_config('lumbung.machine_role', %s, false)", (user_of(machine_url),))
            connection.execute("select set_config('lumbung.people_role', %s, false)", (user_of(people_url),))
            connection.execute("create extension if not exists vector")
            done = applied_numbers(connection)
            return [apply(connection, migration) for migration in migrations() if migration.number not in done]
    except psycopg.OperationalError as error:
        raise unmet(error) from error
    except psycopg.Error as error:
        raise ContractError(f"The migration failed and nothing of it was kept: {error}") from error


def apply(connection: psycopg.Connection[tuple[object, ...]], migration: Migration) -> str:
    with connection.transaction():
        connection.execute(migration.sql)
        connection.execute(
            "insert into schema_migration (number, name) values (%s, %s)", (migration.number, migration.name)
        )
    return migration.name
