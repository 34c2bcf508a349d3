"""The licence of what the machine composed: decided by a guardian, told on every machine entry and on no human one."""

from __future__ import annotations

import json

import pytest
from markupsafe import escape
from tests.integration.web.console.conftest import office  # noqa: F401
from tests.integration.web.console.planted import last_line, plant_review

from lumbung.errors import PermissionRefused, UsageError
from lumbung.governance.actions.machine_licence import machine_licence, set_machine_licence
from lumbung.library.disclosure import public_record
from lumbung.model.permission import ALL_SCOPES, Actor, Role
from lumbung.store import entries, oai
from lumbung.web.language import Words

GUARDIAN = Actor(None, frozenset({(Role.GUARDIAN, ALL_SCOPES)}))


async def planted(tx):
    await plant_review(tx, "m1", "Tari Lilin", status="published")
    await tx.run("update entry set published_at = clock_timestamp() where identity = 'm1'")
    await tx.run(
        "insert into entry (identity, owner, status, title, name_key, category, primary_region, body, licence, published_at) "
        "values ('h1', 'human', 'published', 'Tari Piring', 'tari piring', 'tarian', 'ID-SB', 'Tari.', null, clock_timestamp())"
    )


async def told(tx):
    records = [public_record(row) async for row in entries.export(tx, ["published"])]
    return {each["identity"]: each["licence"] for each in records}


async def test_none_is_decided_until_a_guardian_decides_with_a_reason(office):  # noqa: F811
    async with office.people.transaction() as tx:
        await planted(tx)
        assert await told(tx) == {"h1": None, "m1": None}
        with pytest.raises(PermissionRefused):
            await set_machine_licence(tx, Actor(None, frozenset({(Role.CURATOR, ALL_SCOPES)})), "CC0-1.0", "x")
        with pytest.raises(UsageError, match="needs a reason"):
            await set_machine_licence(tx, GUARDIAN, "CC0-1.0", " ")
        with pytest.raises(UsageError, match="no licence that is known"):
            await set_machine_licence(tx, GUARDIAN, "boleh dipakai", "rapat")
        assert await set_machine_licence(tx, GUARDIAN, "CC BY-SA 4.0", "rapat 3 Mei") == "CC-BY-SA-4.0"
        line = await last_line(tx)
        assert (line["verb"], line["effect"]) == ("set-machine-licence", {"before": None, "after": "CC-BY-SA-4.0"})
        assert await told(tx) == {"h1": None, "m1": "CC-BY-SA-4.0"}
        assert (await oai.one(tx, "m1"))["licence"] == "CC-BY-SA-4.0"
        assert (await oai.one(tx, "h1"))["licence"] is None
        assert await set_machine_licence(tx, GUARDIAN, " ", "ditimbang lagi") is None
        assert await machine_licence(tx) is None
        assert await told(tx) == {"h1": None, "m1": None}


async def test_the_page_and_its_twin_say_what_is_decided_and_that_nothing_is(office):  # noqa: F811
    async with office.people.transaction() as tx:
        await planted(tx)
    guardian, reader = await office.at_work(Role.GUARDIAN), office.stranger()
    for language in ("id", "en"):
        assert escape(Words(language)("licence_machine")) in (await reader.get(f"/entri/m1?bahasa={language}"))[1]
    await guardian.get("/ruang-kerja/makna")
    answer, _ = await guardian.post(
        "/ruang-kerja/makna/lisensi", {"licence": "CC-BY-4.0", "reason": "rapat"}, follow=False
    )
    assert answer.status == 303
    assert "CC-BY-4.0" in (await guardian.get("/ruang-kerja/makna"))[1]
    page = (await reader.get("/entri/m1?bahasa=id"))[1]
    assert "CC-BY-4.0" in page
    assert Words("id")("licence_granted") in page
    assert "CC-BY-4.0" not in (await reader.get("/entri/h1?bahasa=id"))[1]
    assert json.loads((await reader.get("/entri/m1.json"))[1])["licence"] == "CC-BY-4.0"
    assert "creativecommons.org/licenses/by/4.0" in (await reader.get("/entri/m1.jsonld"))[1]
