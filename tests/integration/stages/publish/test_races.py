"""People edit while the machine enriches: no human word is lost, and no entry stands twice."""

from __future__ import annotations

import asyncio

from tests.integration.library.test_port import PEOPLE, READER
from tests.integration.stages.test_order import page

from lumbung.errors import StaleRead
from lumbung.library.actions.contribute import revise_entry

NAMES = "Saman Seudati Tortor Piring Lilin Zapin Golek Serimpi Bedhaya Gambyong Kecak Pendet".split()
"""A thousand of them are raced by `make races`."""
ENTRIES = len(NAMES)


def named(number):
    return f"Tari {NAMES[number]}"


async def revise(people, row):
    """As a person does: look again when somebody else was first."""
    words = READER.read(
        {
            "title": row["title"],
            "text": f"Kata warga tentang {row['title']}.",
            "category": "tarian",
            "regions": row.get("regions", ["ID-SB"]),
        }
    )
    while True:
        try:
            async with people.transaction() as tx:
                now = await tx.value("select revision from entry where identity = %(i)s", {"i": row["identity"]})
                await asyncio.sleep(0)
                await revise_entry(tx, PEOPLE, row["identity"], words, now, "")
        except StaleRead:
            continue
        return


async def test_human_edits_against_enrichment_lose_no_human_word(bench):
    async with bench() as made:
        for number in range(ENTRIES):
            await made.add(*page(f"https://a{number}.go.id/1", named(number), [("fungsi", f"hiburan ke {number}")]))
        await made.run()
        async with made.people.transaction() as tx:
            rows = await tx.rows(
                "select identity, title from entry where owner = 'machine' and status = 'published' order by identity"
            )
        assert len(rows) == ENTRIES
        for number in range(ENTRIES):
            await made.add(*page(f"https://b{number}.ac.id/2", named(number), [("iringan", f"gendang ke {number}")]))

        async def people_edit():
            for row in rows[::2]:
                await revise(made.people, row)

        await asyncio.gather(made.run(), people_edit())
        await made.run()
        async with made.people.transaction() as tx:
            found = {
                row["identity"]: row
                for row in await tx.rows("select identity, owner, body, title from entry where status = 'published'")
            }
            facts = await tx.value("select count(distinct attribute || value) from claim")
        for row in rows[::2]:
            assert (found[row["identity"]]["owner"], found[row["identity"]]["body"]) == (
                "human",
                f"Kata warga tentang {row['title']}.",
            )
        for row in rows[1::2]:
            assert found[row["identity"]]["owner"] == "machine"
            assert "Kata warga" not in found[row["identity"]]["body"]
        machine_titles = [row["title"] for row in found.values() if row["owner"] == "machine"]
        assert len(machine_titles) == len(set(machine_titles))
        assert facts == 2 * ENTRIES
