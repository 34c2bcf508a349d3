"""Labels set by guardians bind every way out of the library."""

from __future__ import annotations

import pytest
from lxml import etree
from tests.integration.web.test_public import entry, get, served  # noqa: F401

from lumbung.errors import ContractError, PermissionRefused, UsageError
from lumbung.governance.actions.corrections import decide_correction
from lumbung.library.actions.contribute import remove_entry, restore_entry
from lumbung.library.actions.requests import ask_for_correction, ask_for_removal
from lumbung.library.actions.set_labels import set_category_labels, set_labels
from lumbung.library.actions.takedowns import decide_takedown, hide_entry
from lumbung.library.exports import disclosed, exported
from lumbung.model.permission import Role
from lumbung.store import entries, search
from lumbung.store import people as people_store
from lumbung.store.database import Database
from lumbung.store.search import Asked

SECRET = "pantangan yang tidak untuk umum"


async def guardian(people, login="inyiak", scope="*", role=Role.GUARDIAN):
    async with people.transaction() as tx:
        person = await people_store.add(tx, login, login, None)
        await people_store.grant(tx, person, role, scope, None, None)
        return await people_store.actor_of(tx, person)


async def with_an_entry(people):
    async with people.transaction() as tx:
        await entries.write_human(tx, entry("s1", "Tari Rahasia", f"Sebuah tarian. {SECRET}."), None)


async def everything_public(session, people):
    """Each way out with the words it gives for the entry."""
    told = {}
    for path in (
        "/entri/s1",
        "/entri/s1.json",
        "/api/v1/entries/s1",
        "/entri/s1.jsonld",
        "/oai?verb=ListRecords&metadataPrefix=oai_dc",
        "/cari?q=Rahasia",
        "/feed.atom",
    ):
        told[path] = (await get(session, path))[1]
    async with people.transaction() as tx:
        told["csv and json-ld exports"] = str([record async for record in disclosed(tx, ["published"])])
        told["search"] = str(
            [row["beginning"] for row in await search.find(tx, Asked(["rahasia"])) if not row["hidden"]]
        )
    return told


async def test_a_withheld_text_leaves_by_no_way_and_comes_back_when_the_label_goes(served):  # noqa: F811
    async with served() as (session, people):
        await with_an_entry(people)
        open_ways = {way for way, told in (await everything_public(session, people)).items() if SECRET in told}
        assert len(open_ways) >= 6
        actor = await guardian(people)
        async with people.transaction() as tx:
            await set_labels(tx, actor, "s1", ["tk-ss"], "kesepakatan dengan ninik mamak")
        told = await everything_public(session, people)
        assert [way for way, words in told.items() if SECRET in words] == []
        for way in (
            "/entri/s1",
            "/api/v1/entries/s1",
            "/entri/s1.jsonld",
            "/oai?verb=ListRecords&metadataPrefix=oai_dc",
        ):
            assert "Rahasia/Sakral" in told[way]
        etree.fromstring(told["/oai?verb=ListRecords&metadataPrefix=oai_dc"].encode())
        async with people.transaction() as tx:
            [mine] = [line async for line in exported(tx, ["published"]) if line["identity"] == "s1"]
            assert (SECRET in mine["text"], [label["code"] for label in mine["labels"]]) == (True, ["tk-ss"])
            await set_labels(tx, actor, "s1", [], "izin diberikan")
        assert {
            way for way, words in (await everything_public(session, people)).items() if SECRET in words
        } == open_ways


async def with_a_supplement(people):
    await with_an_entry(people)
    async with people.transaction() as tx:
        await tx.run(
            "insert into entry (identity, owner, status, supplement_of, category, title, name_key, body, digest, published_at) values "
            "('s2', 'machine', 'published', 's1', 'tarian', 'Tari Rahasia — data pelengkap', 'tarirahasia', %(text)s, '', now())",
            {"text": f"Sebuah tarian. {SECRET}."},
        )
        await search.index(tx, "s2", ["Tari Rahasia"], f"Sebuah tarian. {SECRET}.")


async def ways_of_the_supplement(session, people):
    told = {}
    for path in ("/entri/s2", "/entri/s2.json", "/api/v1/entries/s2", "/entri/s2.jsonld", "/api/v1/entries.jsonl"):
        told[path] = (await get(session, path))[1]
    told["oai"] = (await get(session, "/oai?verb=ListRecords&metadataPrefix=oai_dc"))[1]
    async with people.transaction() as tx:
        told["exports"] = str([record async for record in disclosed(tx, ["published"])])
        told["words"] = str([row["identity"] for row in await search.find(tx, Asked(["pantang"]))]).replace(
            "s2", SECRET
        )
        told["beginning"] = str(
            [row["beginning"] for row in await search.find(tx, Asked(["rahasia"])) if not row["hidden"]]
        )
    return {way for way, words in told.items() if SECRET in words}


@pytest.mark.parametrize("display", ["label", "hidden"])
async def test_what_holds_for_an_entry_holds_for_its_supplement(served, display):  # noqa: F811
    async with served() as (session, people):
        await with_a_supplement(people)
        actor = await guardian(people)
        open_ways = await ways_of_the_supplement(session, people)
        assert len(open_ways) == 9
        etag = (await get(session, "/api/v1/entries/s2"))[0].headers["ETag"]

        async def withhold(held):
            async with people.transaction() as tx:
                before = await tx.value("select updated_at from entry where identity = 's2'")
                if display == "label":
                    await set_labels(tx, actor, "s1", ["tk-ss"] if held else [], "kesepakatan")
                else:
                    await hide_entry(tx, actor, "s1", held, "dibicarakan")
                assert await tx.value("select updated_at from entry where identity = 's2'") > before

        await withhold(True)
        assert await ways_of_the_supplement(session, people) == set()
        assert (await get(session, "/api/v1/entries/s2"))[0].headers["ETag"] != etag
        await withhold(False)
        assert await ways_of_the_supplement(session, people) == open_ways


async def test_the_label_of_a_category_holds_for_all_its_entries_and_is_a_governed_row(served):  # noqa: F811
    async with served() as (session, people):
        await with_an_entry(people)
        actor = await guardian(people)
        async with people.transaction() as tx:
            version = await set_category_labels(tx, actor, "tarian", ["tk-ss"], "sementara dibicarakan")
            line = await tx.row("select value, action from governed_now where name = 'labels.tarian'")
        assert (version, line["value"][0]["code"]) == (1, "tk-ss")
        assert [way for way, words in (await everything_public(session, people)).items() if SECRET in words] == []
        async with people.transaction() as tx:
            [mine] = [line async for line in exported(tx, ["published"]) if line["identity"] == "s1"]
        assert "labels" not in mine


async def test_a_changed_label_changes_the_etag_and_the_revision_named_in_it_still_counts(served):  # noqa: F811
    async with served() as (session, people):
        await with_an_entry(people)
        before = (await get(session, "/api/v1/entries/s1"))[0].headers["ETag"]
        actor = await guardian(people)
        async with people.transaction() as tx:
            await set_labels(tx, actor, "s1", ["tk-a"], "atas permintaan")
        answer, _ = await get(session, "/api/v1/entries/s1", **{"If-None-Match": before})
        assert answer.status == 200
        assert answer.headers["ETag"].startswith('"1.')


@pytest.mark.parametrize(("scope", "may"), [("ID-SB", True), ("tarian", True), ("ID-PA", False)])
async def test_a_guardian_of_a_region_or_people_guards_all_that_lies_in_it(served, scope, may):  # noqa: F811
    async with served() as (_, people):
        await with_an_entry(people)
        actor = await guardian(people, "inyiak", scope)
        async with people.transaction() as tx:
            asked = await ask_for_removal(tx, "s1", "Keluarga", "k@example.org", "foto kami")
            wrong = await ask_for_correction(tx, "s1", "salah tahun", None)
        acts = (
            (hide_entry, "s1", True),
            (decide_correction, wrong, False),
            (decide_takedown, asked, True),
            (restore_entry, "s1"),
            (remove_entry, "s1"),
        )
        for act, *given in acts:
            async with people.transaction() as tx:
                if may:
                    await act(tx, actor, *given, "atas permintaan")
                else:
                    with pytest.raises(PermissionRefused):
                        await act(tx, actor, *given, "atas permintaan")


async def test_guardians_of_the_category_the_region_or_the_people_set_labels_and_nobody_else(served):  # noqa: F811
    async with served() as (_, people):
        await with_an_entry(people)
        for number, scope in enumerate(("*", "tarian", "ID-SB")):
            actor = await guardian(people, f"g{number}", scope)
            async with people.transaction() as tx:
                await set_labels(tx, actor, "s1", ["tk-a"], "atas permintaan")
        strangers = [await guardian(people, "jauh", "ID-PA")]
        strangers += [await guardian(people, role.value, role=role) for role in Role if role is not Role.GUARDIAN]
        for actor in strangers:
            async with people.transaction() as tx:
                with pytest.raises(PermissionRefused):
                    await set_labels(tx, actor, "s1", ["tk-ss"], "mencoba")
                with pytest.raises(PermissionRefused):
                    await set_category_labels(tx, actor, "tarian", ["tk-ss"], "mencoba")
        actor = await guardian(people, "lagi")
        async with people.transaction() as tx:
            with pytest.raises(UsageError):
                await set_labels(tx, actor, "tidak-ada", ["tk-a"], "mencoba")
            with pytest.raises(UsageError):
                await set_category_labels(tx, actor, "tidak-ada", ["tk-a"], "mencoba")
            with pytest.raises(UsageError, match="reason"):
                await set_labels(tx, actor, "s1", ["tk-a"], " ")


async def test_hiding_has_its_own_permission(served):  # noqa: F811
    async with served() as (_, people):
        await with_an_entry(people)
        auditor = await guardian(people, "auditor", role=Role.AUDITOR)
        moderator = await guardian(people, "moderator", role=Role.MODERATOR)
        async with people.transaction() as tx:
            with pytest.raises(PermissionRefused, match="hide-entry"):
                await hide_entry(tx, auditor, "s1", hidden=True, reason="mencoba")
            await hide_entry(tx, moderator, "s1", hidden=True, reason="sedang dibicarakan")


async def test_the_machine_can_neither_label_nor_unlabel_nor_hide_its_own_entries(logins):
    people, machine = Database(logins.people), Database(logins.machine)
    await people.open()
    await machine.open()
    try:
        async with people.transaction() as tx:
            await entries.write_human(tx, entry("m1", "Tari Mesin", "x"), None)
            await tx.run("update entry set owner = 'machine' where identity = 'm1'")
        for change in ('labels = \'[{"code": "tk-a"}]\'', "hidden = true"):
            with pytest.raises(ContractError, match="set by people"):
                async with machine.transaction() as tx:
                    await tx.run(f"update entry set {change} where identity = 'm1'")
        async with machine.transaction() as tx:
            assert await tx.run("update entry set title = 'Tari Mesin Baru' where identity = 'm1'") == 1
    finally:
        await people.close()
        await machine.close()
