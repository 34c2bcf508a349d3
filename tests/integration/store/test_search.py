"""Search finds entries by stem, old spelling, alias and script."""

from __future__ import annotations

import pytest

from lumbung.store import entries, governed, search
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


@pytest.fixture
async def people(logins):
    database = Database(logins.people)
    await database.open()
    yield database
    await database.close()


async def titles(tx, query="", **facets):
    return [row["title"] for row in await search.find(tx, Asked(query_terms(query), **facets))]


async def test_lists_and_searches_follow_category_and_region(people):
    async with people.transaction() as tx:
        await entries.write_human(tx, entry("1", "Tari Piring", "Tarian.", regions=("ID-SB", "ID-RI")), None)
        await entries.write_human(tx, entry("2", "Tari Lilin", "Tarian."), None)
        await entries.write_human(tx, entry("3", "Lagu Lilin", "Nyanyian.", category="musik", regions=("ID-RI",)), None)
        assert await titles(tx, regions=["ID-SB"]) == ["Tari Lilin", "Tari Piring"]
        assert await titles(tx, regions=["ID-SB", "ID-RI"]) == ["Lagu Lilin", "Tari Lilin", "Tari Piring"]
        assert await titles(tx, category="tarian", regions=["ID-RI"]) == ["Tari Piring"]
        assert await titles(tx, "lilin", regions=["ID-RI"]) == ["Lagu Lilin"]
        assert await titles(tx, "lilin", category="tarian") == ["Tari Lilin"]
        assert await titles(tx, "tari", category="tarian", regions=["ID-RI", "ID-JB"]) == ["Tari Piring"]
        assert await titles(tx, regions=["ID-SB"], after=(1, "Tari Lilin", "2")) == ["Tari Piring"]
        assert await search.by_region(tx) == {"ID-RI": 2, "ID-SB": 2}


async def test_an_entry_that_moves_or_is_taken_down_leaves_the_list_of_its_region(people):
    async with people.transaction() as tx:
        await entries.write_human(tx, entry("1", "Tari Piring", "Tarian."), None)
        await entries.write_human(tx, entry("2", "Tari Lilin", "Tarian."), None)
        await entries.revise_human(tx, entry("1", "Tari Piring", "Tarian.", regions=("ID-RI",)), None, "")
        assert await titles(tx, regions=["ID-SB"]) == ["Tari Lilin"]
        assert await titles(tx, "piring", regions=["ID-SB"]) == []
        assert await titles(tx, regions=["ID-RI"]) == ["Tari Piring"]
        await entries.revise_human(tx, entry("2", "Tari Lilin", "Tarian."), None, "", status="tombstone")
        assert await titles(tx, regions=["ID-SB"]) == []


@pytest.mark.parametrize(("most", "found"), [(3, 3), (500, 6)])
async def test_of_a_word_that_very_many_have_some_are_found_and_of_any_other_all(people, monkeypatch, most, found):
    monkeypatch.setattr(search, "COMMON_FROM", 4)
    monkeypatch.setattr(search, "MOST_FOUND", most)
    async with people.transaction() as tx:
        for number in range(6):
            await entries.write_human(tx, entry(f"n{number}", f"Tari Kipas {number}", "Diiringi talempong."), None)
        await entries.write_human(tx, entry("rare", "Lagu Payung", "Dinyanyikan berdua."), None)
        assert len(await titles(tx, "kipas")) == len(await titles(tx, "talempong")) == found
        assert await titles(tx, "payung") == await titles(tx, "dinyanyikan") == ["Lagu Payung"]
        assert await titles(tx, "kipas", after=(1, "Tari Kipas 1", "n1"), limit=1) == ["Tari Kipas 2"]
        assert await titles(tx, "talempong", after=(2, "Tari Kipas 1", "n1"), limit=1) == ["Tari Kipas 2"]


WITHHELD = [{"display": ["withhold-text"]}]


@pytest.mark.parametrize(
    "withhold",
    [
        "update entry set hidden = true where identity = '1'",
        """update entry set labels = '[{"display": ["withhold-text"]}]' where identity = '1'""",
    ],
)
async def test_words_of_a_text_that_is_not_shown_find_nothing_its_name_does(people, withhold):
    async with people.transaction() as tx:
        await entries.write_human(tx, entry("1", "Tari Piring", "Diiringi talempong."), None)
        assert await titles(tx, "talempong") == ["Tari Piring"]
        await tx.run(withhold)
        assert await titles(tx, "talempong") == []
        assert await titles(tx, "piring talempong") == []
        assert await titles(tx, "piring") == ["Tari Piring"]


async def test_words_of_a_category_whose_texts_are_withheld_find_nothing_until_they_are_shown_again(people):
    async with people.transaction() as tx:
        await entries.write_human(tx, entry("1", "Tari Piring", "Diiringi talempong."), None)
        await entries.write_human(tx, entry("2", "Lagu Lilin", "Diiringi talempong.", category=None), None)
        for labels, found in ((WITHHELD, ["Lagu Lilin"]), ([], ["Lagu Lilin", "Tari Piring"])):
            action = await governed.append_action(tx, None, "set-labels", "category:tarian", "asked for", {})
            await governed.set_value(tx, "labels.tarian", labels, action)
            assert await titles(tx, "talempong") == found
