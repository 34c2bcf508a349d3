"""Every path by which the machine could reach a human record, tried on one: each is refused, and no word of it changes."""

from __future__ import annotations

import json
from dataclasses import replace

import aiohttp
import pytest
from tests.integration.library.conftest import PROFILE
from tests.integration.library.test_port import PEOPLE, READER, entry, exported

from lumbung.errors import ContractError, LumbungError, UsageError
from lumbung.governance.actions.undo import undo_batch
from lumbung.library.actions.contribute import remove_entry, revise_entry
from lumbung.library.actions.restore_export import restore_line
from lumbung.library.embedded import EmbeddedLibrary
from lumbung.library.exported_lines import read_line
from lumbung.model.item import ItemContent
from lumbung.model.job import Job
from lumbung.model.permission import OPERATOR_AT_THE_MACHINE
from lumbung.ports.library import HumanOwned
from lumbung.stages.publish.handler import PublishHandler
from lumbung.store import entries, items, pictures, publications

OWN = "tari1"


async def taken_over(served):
    """A machine entry that a person has made theirs: the machine still knows its item, its batch and its identity."""
    library = EmbeddedLibrary(served.system.machine, PROFILE, "test")
    await library.write(entry(), None)
    async with served.system.people.transaction() as tx:
        words = READER.read({"title": "Tari 1", "text": "Kata seorang warga.", "category": "tarian"})
        await revise_entry(tx, PEOPLE, OWN, words, 1, "")
    return library


async def everything(served):
    """The record with its history, facts and marks; times of the look itself do not count."""
    async with served.system.people.transaction() as tx:
        return json.dumps(
            [
                await tx.rows(
                    "select to_jsonb(e) - 'updated_at' as row from entry e where identity = %(i)s", {"i": OWN}
                ),
                await tx.rows(
                    "select to_jsonb(r) as row from revision r where entry = %(i)s order by number", {"i": OWN}
                ),
                await tx.rows("select to_jsonb(f) as row from fact f where entry = %(i)s order by id", {"i": OWN}),
                await tx.rows("select to_jsonb(r) as row from redirect r where identity = %(i)s", {"i": OWN}),
            ],
            sort_keys=True,
        )


async def by_the_api(served, library):
    """A machine token at the publish path, and at the paths of people."""
    headers = {"Authorization": f"Bearer {served.token}", "If-Match": '"2"'}
    body = {"title": "x", "text": "y", "category": "tarian"}
    base = f"{served.address.rstrip('/')}/api/v1"
    statuses = []
    async with aiohttp.ClientSession(headers=headers) as session:
        for method, path, content in (
            ("PUT", f"machine/entries/{OWN}", body),
            ("DELETE", f"machine/entries/{OWN}", {"reason": "x"}),
            ("PUT", f"entries/{OWN}", body),
            ("DELETE", f"entries/{OWN}", {"reason": "x"}),
            ("POST", f"entries/{OWN}/restoration", {"reason": "x"}),
            ("POST", f"entries/{OWN}/discussion", {"text": "x"}),
        ):
            async with session.request(method, f"{base}/{path}", json=content) as answer:
                statuses.append(answer.status)
    assert statuses == [409, 409, 403, 403, 403, 403]


STATEMENTS = (
    "insert into remark (entry, text) values ('tari1', 'x')",
    "update entry set body = 'x' where identity = 'tari1'",
    "update entry set owner = 'machine' where identity = 'tari1'",
    "update entry set status = 'withdrawn' where identity = 'tari1'",
    "update entry set files = '[1]', media = '[1]' where identity = 'tari1'",
    "delete from entry where identity = 'tari1'",
    "delete from revision where entry = 'tari1'",
    "delete from fact where entry = 'tari1'",
    "update fact set value = 'x' where entry = 'tari1'",
    "update fact_claim set claim = claim where fact in (select id from fact where entry = 'tari1')",
    "update entry_search set words = '' where entry = 'tari1'",
)
REFUSED = (
    "insert into revision (entry, number, owner, content) values ('tari1', 9, 'machine', '{}')",
    "insert into redirect (identity, target, reason) values ('tari1', 'lain', 'x')",
    "insert into fact (entry, attribute, value, value_key, log_odds, probability, independent, state) values ('tari1', 'x', 'x', 'x', 1, 1, 1, 'published')",
    "update revision set note = 'x' where entry = 'tari1'",
    "truncate entry cascade",
)


async def by_sql(served, library):
    """The machine's own login: what it cannot see for change it changes nothing of, the rest is refused."""
    for statement in STATEMENTS:
        try:
            async with served.system.machine.transaction() as tx:
                assert await tx.run(statement) == 0, statement
        except ContractError:
            continue
    for statement in REFUSED:
        with pytest.raises(ContractError):
            async with served.system.machine.transaction() as tx:
                await tx.run(statement)


async def by_the_port(served, library):
    with pytest.raises(HumanOwned):
        await library.write(entry(version=2), await library.look(OWN))
    with pytest.raises(HumanOwned):
        await library.withdraw(OWN, await library.look(OWN), "x")


async def by_publication(served, library):
    """The publish stage with a job for an item of this identity, to write and to withdraw."""
    content = ItemContent("publish", (), "tarian", "Tari 1", "tari1", (), (), "-", None, False, 0.99, 1)
    handler = PublishHandler(PROFILE, "test")
    for alive in (True, False):
        async with served.system.machine.transaction() as tx:
            number = await tx.value("select id from item where identity = %(i)s", {"i": OWN})
            number = number or await items.create(tx, OWN, content, alive=True)
            await tx.run("update item set alive = %(alive)s where id = %(id)s", {"alive": alive, "id": number})
            await handler.commit(tx, [Job(1, "publish", "x", {"item": number}, 0)], {1: None})


async def by_a_merge(served, library):
    """The losing identity of a merge becomes a redirect; a human one does not."""
    await library.write(entry(2), None)
    with pytest.raises(ContractError):
        async with served.system.machine.transaction() as tx:
            await entries.redirect(tx, OWN, "tari2", "merged")


async def by_pictures(served, library):
    async with served.system.people.transaction() as tx:
        await tx.run(
            "insert into picture (url, host, page, allowed, licence, reason, state, digest) values "
            "('http://a.example/a.png', 'a.example', 'http://a.example/', true, 'CC0-1.0', '', 'copied', 'd') on conflict do nothing"
        )
    async with served.system.machine.transaction() as tx:
        await pictures.place(tx, [OWN])


async def by_import(served, library):
    """A machine line of an export under the identity of what people own here."""
    line = {
        "identity": OWN, "title": "Tari 1", "category": "tarian", "owner": "machine", "status": "published", "text": "x",
        "facts": [], "regions": [], "aliases": [],
    }  # fmt: skip
    with pytest.raises(UsageError, match="people own"):
        async with served.system.people.transaction() as tx:
            await restore_line(tx, OPERATOR_AT_THE_MACHINE, read_line(line, PROFILE), PROFILE, "import")


async def by_undo(served, library):
    """The batch that first brought the entry is undone: what people own since is left, and listed."""
    async with served.system.people.transaction() as tx:
        batch = await tx.value("select batch from publication where entry = %(i)s order by id limit 1", {"i": OWN})
        assert (await undo_batch(tx, OPERATOR_AT_THE_MACHINE, batch, "x")).left == [OWN]


async def by_a_batch_of_writes(served, library):
    """The set-wise upsert itself, past every check of the handler."""
    from lumbung.library.embedded import machine_entry

    with pytest.raises(LumbungError):
        async with served.system.machine.transaction() as tx:
            batch = await entries.open_batch(tx, "x", "tarian")
            await publications.write_entries(
                tx, [replace(machine_entry(entry(version=5), [], batch, sensitive=False), status="published")]
            )


async def test_no_path_of_the_machine_changes_a_human_record(reference):
    async with reference() as served:
        library = await taken_over(served)
        before = await everything(served)
        paths = (
            by_the_api, by_sql, by_the_port, by_publication, by_a_merge, by_pictures, by_import, by_undo, by_a_batch_of_writes,
        )  # fmt: skip
        for path in paths:
            await path(served, library)
            assert await everything(served) == before, path.__name__


async def test_no_path_of_the_machine_brings_back_what_people_removed(reference):
    async with reference() as served:
        library = await taken_over(served)
        async with served.system.people.transaction() as tx:
            await remove_entry(tx, PEOPLE, OWN, "permintaan keluarga")
        before = await everything(served)
        for path in (by_the_port, by_sql, by_publication, by_a_merge, by_pictures, by_import):
            await path(served, library)
            assert await everything(served) == before, path.__name__
        assert [row["status"] for row in await exported(served) if row["title"] == "Tari 1"] == ["tombstone"]
