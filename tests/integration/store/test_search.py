"""Search finds entries by stem, old spelling, alias and script."""

from __future__ import annotations

import pytest

from lumbung.store import entries, search
from lumbung.store.database import Database
from lumbung.store.entries import HumanEntry
from lumbung.store.search import Asked
from lumbung.text.search import query_terms


def entry(identity, title, body, aliases=(), category="tarian", regions=("ID-SB",)):
    return HumanEntry(
        identity,
        category,
        title,
        title.lower(),
        list(aliases),
        [],
        list(regions),
        regions[0],
        body,
        [],
        None,
        None,
        "reference",
        identity,
        None,
    )


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("wayang kulit", ["Wayang Kulit"]),
        ("Wajang Koelit", ["Wayang Kulit"]),
        ("ꦮꦪꦁ", ["Wayang Kulit"]),
        ("memainkan", ["Talempong"]),
        ("talempong pacik", ["Talempong"]),
        ("tidak ada", []),
    ],
)
async def test_entries_are_found_however_they_are_written(logins, query, found):
    database = Database(logins.people)
    await database.open()
    async with database.transaction() as tx:
        await entries.write_human(tx, entry("1", "Wayang Kulit", "Pertunjukan bayangan."), None)
        await entries.write_human(
            tx, entry("2", "Talempong", "Alat musik yang dimainkan bersama.", ["Talempong Pacik"], "alat-musik"), None
        )
        rows = await search.find(tx, Asked(query_terms(query)))
        assert [row["title"] for row in rows] == found
        assert len(await search.find(tx, Asked(limit=10))) == 2
        assert [row["title"] for row in await search.find(tx, Asked(category="alat-musik"))] == ["Talempong"]
    await database.close()
