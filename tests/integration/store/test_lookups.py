"""What is asked for every page, candidate or item is found by an index: no statement of the stages walks through a large table."""

from __future__ import annotations

import re
from collections.abc import Iterator

import psycopg
import pytest

from lumbung.store.database import named_queries

LARGE = (
    "candidate|claim|decision|document|entry|fact|fact_claim|feature|frontier|item_member|job|page_text|pair_verdict"
)
STAGES = ("candidates", "documents", "features", "frontier", "hosts", "items", "jobs", "learning", "publications")
OF_EVERYTHING = {
    "candidates.counts": "a report",
    "frontier.states": "a report",
    "frontier.ends": "a report",
    "hosts.suggestions": "a report",
    "items.outcomes": "a report",
    "documents.by_url": "asked by people, for one page",
}
PLACE = re.compile(r"%\((\w+)\)[sb]")
NODE = re.compile(rf"(Seq Scan|Index Scan using (\w+)|Index Only Scan using (\w+)) on ({LARGE})\b")


def prepared(query: str) -> tuple[str, int]:
    """With numbered places, and how many there are."""
    names: list[str] = []

    def number(place: re.Match[str]) -> str:
        if place[1] not in names:
            names.append(place[1])
        return f"${names.index(place[1]) + 1}"

    return PLACE.sub(number, query).replace("%%", "%"), len(names)


def plan_of(connection: psycopg.Connection, query: str) -> str:
    text, places = prepared(query)
    connection.execute(f"prepare asked as {text}")
    values = f"({', '.join(['null'] * places)})" if places else ""
    lines = connection.execute(f"explain execute asked{values}").fetchall()
    connection.execute("deallocate asked")
    return "\n".join(line for (line,) in lines)


def walked_through(plan: str, narrow: set[str]) -> Iterator[str]:
    """Tables read from end to end: without an index, or along one that has neither a condition nor a narrow choice of rows."""
    for node in re.split(r"\n(?= *(?:->  |CTE |SubPlan |InitPlan ))", plan):
        if (found := NODE.search(node)) and "Index Cond" not in node and not {found[2], found[3]} & narrow:
            yield found[4]


@pytest.fixture
def without_seqscans(logins):
    """Plans as for large tables, though all are empty: whoever can use an index, does."""
    with psycopg.connect(logins.superuser, autocommit=True) as connection:
        connection.execute("set plan_cache_mode = force_generic_plan; set enable_seqscan = off")
        connection.execute("set enable_hashjoin = off; set enable_mergejoin = off; set join_collapse_limit = 1")
        yield connection


@pytest.mark.parametrize("module", STAGES)
def test_no_statement_of_the_stages_walks_through_a_large_table(module, without_seqscans):
    partial = "select indexrelid::regclass::text from pg_index where indpred is not null"
    narrow = {name for (name,) in without_seqscans.execute(partial).fetchall()}
    walking = {
        f"{module}.{name}": found
        for name, query in named_queries(module).items()
        if (found := sorted(set(walked_through(plan_of(without_seqscans, query), narrow))))
    }
    assert {name: tables for name, tables in walking.items() if name not in OF_EVERYTHING} == {}
