"""Every named query of the store has a plan on the present schema: a renamed column is found here, not at night."""

from __future__ import annotations

import re
from importlib import resources

import psycopg
import pytest

from lumbung.store.database import named_queries

PARAMETER = re.compile(r"%\((\w+)\)[sb]")


def aggregates() -> list[str]:
    folder = resources.files("lumbung.store").joinpath("sql")
    return sorted(file.name.removesuffix(".sql") for file in folder.iterdir() if file.name.endswith(".sql"))


def numbered(query: str) -> str:
    """The query with its named parameters as $1, $2 ..., as the server sees it."""
    names: list[str] = []

    def number(match: re.Match[str]) -> str:
        if match[1] not in names:
            names.append(match[1])
        return f"${names.index(match[1]) + 1}"

    return PARAMETER.sub(number, query).replace("%%", "%")


def unplanned(connection: psycopg.Connection[tuple[object, ...]], aggregate: str) -> dict[str, str]:
    faults: dict[str, str] = {}
    for name, query in named_queries(aggregate).items():
        try:
            connection.execute(f"explain (generic_plan) {numbered(query)}")
        except psycopg.Error as error:
            connection.rollback()
            faults[name] = str(error).splitlines()[0]
    return faults


@pytest.fixture
def connection(logins):
    with psycopg.connect(logins.superuser) as opened:
        yield opened


def test_every_named_query_has_a_plan(connection):
    faults = {aggregate: unplanned(connection, aggregate) for aggregate in aggregates()}
    assert {aggregate: found for aggregate, found in faults.items() if found} == {}


def test_every_query_file_says_who_owns_its_tables():
    folder = resources.files("lumbung.store").joinpath("sql")
    heads = {file.name: file.read_text(encoding="utf-8").splitlines()[0] for file in folder.iterdir()}
    assert [name for name, head in heads.items() if not head.startswith("-- ") or head.endswith(" --")] == []
