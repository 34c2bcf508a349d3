"""The short form of `python -m tests.races`: real worker processes, killed in the middle of their work."""

from __future__ import annotations

from tests.integration.stages.publish.test_races import revise
from tests.integration.stages.test_order import page
from tests.races.run import race, read_again


async def test_people_edit_while_workers_enrich_and_are_killed(bench, logins):
    async with bench() as made:
        outcome = await race(made, logins.machine, count=8, seed=3, lives=2, longest_life=2.0)
    assert outcome.clean, outcome
    assert (outcome.entries, outcome.edited) == (8, 4)


async def test_what_sources_add_to_an_entry_that_people_took_over_becomes_its_supplement(bench):
    async with bench() as made:
        await made.add(*page("https://a.go.id/1", "Tari Piring", [("fungsi", "hiburan rakyat")]))
        await made.run()
        async with made.people.transaction() as tx:
            [row] = await tx.rows("select identity, title from entry where owner = 'machine'")
        await revise(made.people, row)
        await read_again(made, row["identity"])
        await made.add(*page("https://b.go.id/2", "Tari Piring", [("iringan", "talempong")]))
        await made.run()
        async with made.people.transaction() as tx:
            [human, supplement] = await tx.rows("select * from entry order by owner")
            told = await tx.rows(
                "select attribute from fact where entry = %(i)s order by 1", {"i": supplement["identity"]}
            )
            item = await tx.row("select identity from item")
        assert (human["identity"], human["body"]) == (row["identity"], "Kata warga tentang Tari Piring.")
        assert (supplement["supplement_of"], supplement["status"]) == (row["identity"], "published")
        assert [fact["attribute"] for fact in told] == ["fungsi", "iringan"]
        assert item["identity"] == supplement["identity"]
