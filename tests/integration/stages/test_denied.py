"""A denial from the page to the library: it lowers the odds, is shown beside the fact, and is nobody's witness."""

from __future__ import annotations

from dataclasses import replace

from tests.integration.stages.test_order import page

from lumbung.store import console, entries, items

FACTS = [("fungsi", "hiburan rakyat"), ("iringan", "talempong")]


def denying(url):
    """A page about the same dance that says one of these is not so."""
    address, text, candidate = page(url, "Tari Lilin", FACTS)
    denied, stated = candidate.facts
    return address, text, replace(candidate, facts=(replace(denied, polarity=-1), stated))


async def library(made, *arrivals):
    for each in arrivals:
        await made.add(*each)
    await made.run()
    [entry] = await made.export()
    return entry


async def test_a_denial_is_shown_beside_the_fact_and_is_never_its_source(bench):
    async with bench() as made:
        stating = [
            page(f"https://{host}/1", "Tari Lilin", FACTS) for host in ("isi.ac.id", "upi.ac.id", "budaya.go.id")
        ]
        alone = await library(made, *stating)
        denied = await library(made, denying("https://museum.go.id/2"))
        before, after = (
            next(fact for fact in entry["facts"] if fact["attribute"] == "fungsi") for entry in (alone, denied)
        )
        assert after["confidence"] < before["confidence"]
        assert {source["url"] for source in after["sources"]} == {url for url, *_ in stating}
        async with made.people.transaction() as tx:
            contested = await entries.contested(tx, denied["identity"])
            passages = await console.passages(tx, denied["identity"])
    assert [(row["attribute"], row["denied"], row["sources"][0]["url"]) for row in contested] == [
        ("fungsi", True, "https://museum.go.id/2")
    ]
    assert [row["url"] for row in passages if row["denies"]] == ["https://museum.go.id/2"]


async def test_what_is_only_denied_is_no_fact_in_either_order(bench):
    async with bench() as made:
        entry = await library(made, denying("https://isi.ac.id/1"), denying("https://upi.ac.id/2"))
        assert {fact["attribute"] for fact in entry["facts"]} == {"iringan"}


async def test_a_quote_that_the_agent_turned_is_shown_as_a_denial(bench):
    async with bench() as made:
        stating = [
            page(f"https://{host}/1", "Tari Lilin", FACTS) for host in ("isi.ac.id", "upi.ac.id", "budaya.go.id")
        ]
        entry = await library(made, *stating)
        async with made.machine.transaction() as tx:
            [turned] = await tx.rows(
                "delete from fact_claim fc using claim k, document d, fact f where k.id = fc.claim and d.id = k.document "
                "and f.id = fc.fact and f.attribute = 'fungsi' and d.url = %(url)s returning k.id",
                {"url": "https://upi.ac.id/1"},
            )
            await items.keep_validation(tx, "q", "unsure", {"denying": [turned["id"]]}, {})
        async with made.people.transaction() as tx:
            contested = await entries.contested(tx, entry["identity"])
            passages = await console.passages(tx, entry["identity"])
    assert [(row["attribute"], row["denied"], row["sources"][0]["url"]) for row in contested] == [
        ("fungsi", True, "https://upi.ac.id/1")
    ]
    assert [(row["attribute"], row["url"]) for row in passages if row["denies"]] == [("fungsi", "https://upi.ac.id/1")]


async def test_what_all_its_quotes_turned_out_to_deny_is_shown_with_denials_alone(bench):
    async with bench() as made:
        entry = await library(made, page("https://isi.ac.id/1", "Tari Lilin", FACTS))
        async with made.people.transaction() as tx:
            rows = await console.passages(tx, entry["identity"])
        turned = [row["claim"] for row in rows if row["attribute"] == "fungsi"]
        async with made.machine.transaction() as tx:
            await items.keep_validation(tx, "q", "contradicted", {"denying": turned}, {})
        async with made.people.transaction() as tx:
            passages = await console.passages(tx, entry["identity"])
    assert {row["attribute"] for row in passages if row["denies"]} == {"fungsi"}
