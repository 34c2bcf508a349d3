"""Why a page, an entry or a decision is as it is can be told afterwards, from what was stored when it was decided."""

from __future__ import annotations

import pytest

from lumbung.governance.actions.review import approve_fact, approve_item
from lumbung.governance.reports.explanation import explain
from lumbung.model.permission import Role

FUNCTION = "hiburan rakyat"
PAGE = "https://a.blogspot.com/1"


@pytest.fixture
async def reviewed(house):
    """One source alone is not enough, so a person read the item and approved of it."""
    cast = await house.cast()
    await house.ratified(cast)
    for mode in ("trickle", "full"):
        await house.raised(cast, "tarian", mode)
    house.candidate = await house.page(PAGE, "Tari Lilin", (("fungsi", FUNCTION),))
    await house.work()
    [house.entry] = await house.entries()
    assert house.entry["status"] == "review"
    house.auditor = cast[Role.AUDITOR]
    async with house.people.transaction() as tx:
        await approve_item(tx, house.auditor, house.entry["identity"], "known to me")
        key = await tx.value("select value_key from fact where attribute = 'fungsi'")
        await approve_fact(tx, house.auditor, house.entry["identity"], "fungsi", key, "seen it")
    await house.work()
    return house


async def told(house, subject):
    async with house.people.transaction() as tx:
        return await explain(tx, subject)


async def test_an_entry_tells_its_facts_with_quotes_its_members_and_their_decisions(reviewed):
    entry = await told(reviewed, reviewed.entry["identity"])
    assert (entry["title"], entry["owner"], entry["status"]) == ("Tari Lilin", "machine", "published")
    [fact] = entry["facts"]
    assert (fact["attribute"], fact["value"]) == ("fungsi", FUNCTION)
    assert [(source["url"], source["quote"]) for source in fact["sources"]] == [(PAGE, FUNCTION)]
    assert [member["candidate"] for member in entry["members"]] == [reviewed.candidate]
    assert {decision["node"] for decision in entry["decisions"]} >= {"novelty"}
    assert (await told(reviewed, "Tari Lilin"))["identity"] == entry["identity"]


async def test_an_entry_tells_who_approved_of_it_and_who_set_the_mode_it_was_published_under(reviewed):
    entry = await told(reviewed, reviewed.entry["identity"])
    lines = entry["what people did"]
    assert {(line["verb"], line["person"]) for line in lines} == {("approve-item", reviewed.auditor.person)}
    assert [line["reason"] for line in lines] == ["seen it", "known to me"]
    mode = entry["in force when last published"]["mode.tarian"]
    assert mode["value"] == "full"
    assert entry["who set the mode"]["seq"] == mode["line of the log"] and entry["who set the mode"]["person"]


async def test_each_decision_tells_its_evidence_and_the_versions_in_force(reviewed):
    entry = await told(reviewed, reviewed.entry["identity"])
    for decision in entry["decisions"]:
        found = (await told(reviewed, str(decision["id"])))["decision"]
        assert (found["node"], found["verdict"]) == (decision["node"], decision["verdict"])
        assert found["evidence"] and found["versions"]


async def test_a_page_tells_its_candidates_and_their_decisions(reviewed):
    page = await told(reviewed, PAGE + "#top")
    [candidate] = page["candidates"]
    assert candidate["candidate"] == reviewed.candidate and candidate["claims"] and candidate["decisions"]


async def test_nothing_is_told_of_what_is_not_known_and_a_reason_of_what_is_never_crawled(reviewed):
    for subject in ("999999", "9" * 40, "\u0663", "0" * 64, "Tari yang tidak ada", "", "%", "https://b.example/"):
        assert await told(reviewed, subject) == {}
    assert (await told(reviewed, "ftp://a.example/"))["never crawled"]
