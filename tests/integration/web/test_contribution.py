"""People write, revise, take back, remove and bring back entries on the public pages."""

from __future__ import annotations

import json
import re

import pytest

from lumbung.model.permission import Role
from lumbung.store import entries
from tests.integration.web.console.conftest import office  # noqa: F401
from tests.integration.web.console.planted import NASTY, last_line, plant_review

DRAFT = {"title": "Tari Piring", "text": "Tarian dari Minangkabau.", "category": "tarian", "note": "dari ingatan"}
REVISION = re.compile(r'name="revision" value="(\d+)"')


async def written(browser, **changes):
    answer, _ = await browser.post(
        "/tulis", [*(DRAFT | changes).items(), ("regions", "ID-SB"), ("regions", "ID-RI")], follow=False
    )
    assert answer.status == 303
    return answer.headers["Location"].rsplit("/", 1)[-1]


async def test_a_contributor_writes_and_revises_and_the_log_tells(office):  # noqa: F811
    browser = await office.at_work(Role.CONTRIBUTOR)
    _, text = await browser.get("/tulis")
    assert '<option value="ID-SB">Sumatera Barat</option>' in text
    identity = await written(browser, aliases="Tari Piriang\n\n Piring ")
    _, text = await browser.get(f"/entri/{identity}")
    assert "Tarian dari Minangkabau." in text
    assert "Tari Piriang, Piring" in text
    _, text = await browser.get(f"/entri/{identity}/ubah")
    revision = REVISION.search(text).group(1)
    changes = DRAFT | {"text": "Tarian dengan piring.", "note": "lebih tepat", "revision": revision}
    answer, _ = await browser.post(f"/entri/{identity}/ubah", changes, follow=False)
    assert (answer.status, answer.headers["Location"]) == (303, f"/entri/{identity}")
    async with office.people.transaction() as tx:
        held, line = await entries.get(tx, identity), await last_line(tx)
    assert (held["owner"], held["revision"], held["body"]) == ("human", 2, "Tarian dengan piring.")
    assert (line["person"], line["verb"], line["subject"], line["reason"]) == (
        browser.person, "revise-entry", identity, "lebih tepat",
    )  # fmt: skip
    assert line["effect"] == {"was": "human", "revision": 2}


async def test_whoever_was_overtaken_keeps_their_words(office):  # noqa: F811
    browser = await office.at_work(Role.CONTRIBUTOR)
    identity = await written(browser)
    await browser.post(f"/entri/{identity}/ubah", DRAFT | {"text": "Versi lain.", "revision": "1"})
    mine = DRAFT | {"text": "Kata-kata saya.", "revision": "1"}
    answer, text = await browser.post(f"/entri/{identity}/ubah", mine)
    assert answer.status == 409
    assert "Kata-kata saya." in text
    assert REVISION.search(text).group(1) == "2"
    async with office.people.transaction() as tx:
        assert (await entries.get(tx, identity))["body"] == "Versi lain."


async def test_a_machine_entry_that_a_person_revises_is_people_s_own(office):  # noqa: F811
    async with office.people.transaction() as tx:
        await plant_review(tx, "m1", "Tari Lilin", status="published")
    browser = await office.at_work(Role.CONTRIBUTOR)
    answer, _ = await browser.post("/entri/m1/ubah", DRAFT | {"revision": "1"}, follow=False)
    assert answer.status == 303
    async with office.people.transaction() as tx:
        assert (await entries.get(tx, "m1"))["owner"] == "human"


async def test_a_moderator_takes_back_removes_and_brings_back(office):  # noqa: F811
    browser = await office.at_work(Role.MODERATOR)
    identity = await written(browser)
    await browser.post(f"/entri/{identity}/ubah", DRAFT | {"text": "Salah.", "revision": "1"})
    _, text = await browser.get(f"/entri/{identity}/riwayat")
    assert f"/entri/{identity}/kembalikan/1" in text
    _, text = await browser.get(f"/entri/{identity}/kembalikan/1")
    assert "Tarian dari Minangkabau." in text
    await browser.post(f"/entri/{identity}/kembalikan/1", {"reason": "keliru"})
    _, text = await browser.get(f"/entri/{identity}")
    assert "Tarian dari Minangkabau." in text
    await browser.post(f"/entri/{identity}/hapus", {"reason": "atas permintaan komunitas"})
    answer, text = await browser.get(f"/entri/{identity}")
    assert answer.status == 410
    assert f"/entri/{identity}/pulihkan" in text
    await browser.post(f"/entri/{identity}/pulihkan", {"reason": "sudah disepakati"})
    answer, _ = await browser.get(f"/entri/{identity}")
    assert answer.status == 200
    async with office.people.transaction() as tx:
        lines = await tx.rows("select verb, reason from action where subject = %(i)s order by seq", {"i": identity})
    assert [line["verb"] for line in lines][1:] == ["revise-entry", "revert-entry", "remove-entry", "restore-entry"]
    assert lines[-1]["reason"] == "sudah disepakati"


@pytest.mark.parametrize("reason", ["", "   "])
async def test_nothing_is_removed_without_a_reason(office, reason):  # noqa: F811
    browser = await office.at_work(Role.MODERATOR)
    identity = await written(browser)
    answer, text = await browser.post(f"/entri/{identity}/hapus", {"reason": reason}, headers={"Accept-Language": "id"})
    assert answer.status == 422
    assert "memerlukan alasan" in text


async def test_what_is_withheld_from_readers_is_withheld_from_writers(office):  # noqa: F811
    browser = await office.at_work(Role.CONTRIBUTOR)
    identity = await written(browser, text="Isi yang dijaga.")
    async with office.people.transaction() as tx:
        await tx.run("update entry set hidden = true where identity = %(i)s", {"i": identity})
    answer, text = await browser.get(f"/entri/{identity}/ubah")
    assert answer.status == 422
    assert "Isi yang dijaga." not in text
    answer, _ = await browser.post(f"/entri/{identity}/ubah", DRAFT | {"revision": "1"})
    assert answer.status == 422


async def test_a_form_with_a_hole_or_a_strange_value_comes_back_with_what_was_written(office):  # noqa: F811
    browser = await office.at_work(Role.CONTRIBUTOR)
    for wrong in ({"title": ""}, {"title": "x" * 501}, {"text": ""}, {"category": "tidak-ada"}, {"regions": "ID-ZZ"}):
        answer, text = await browser.post("/tulis", DRAFT | {"note": "jangan hilang"} | wrong)
        assert answer.status == 422, wrong
        assert "jangan hilang" in text
    await browser.post("/tulis", DRAFT)
    answer, text = await browser.post("/tulis", DRAFT, headers={"Accept-Language": "id"})
    assert answer.status == 422
    assert "Sudah ada entri dengan judul dan isi yang sama." in text


async def test_fields_that_the_form_does_not_have_change_nothing(office):  # noqa: F811
    browser = await office.at_work(Role.CONTRIBUTOR)
    sly = {"owner": "machine", "status": "shadow", "identity": "mine", "sensitive": "1", "labels": "[]", "hidden": "1"}
    sly |= {"person": "1", "contributor": "orang lain", "library": "x", "remote_id": "y", "body": "z"}
    identity = await written(browser, **sly)
    async with office.people.transaction() as tx:
        held = await entries.get(tx, identity)
    assert identity != "mine"
    assert (held["owner"], held["status"], held["sensitive"], held["hidden"]) == ("human", "published", False, False)
    assert (held["contributor"], held["library"], held["remote_id"], held["body"]) == (
        None, "reference", None, DRAFT["text"],
    )  # fmt: skip


async def test_what_people_write_is_inert(office):  # noqa: F811
    browser = await office.at_work(Role.MODERATOR)
    identity = await written(browser, title=f"Judul {NASTY}", text=f"Isi {NASTY}", note=NASTY, aliases=NASTY)
    for path in ("", "/ubah", "/riwayat", "/hapus", "/kembalikan/1", "/perbaiki", "/turunkan"):
        answer, text = await browser.get(f"/entri/{identity}{path}")
        assert answer.status == 200, path
        assert "<script>" not in text, path
        assert "<img src=x" not in text, path


async def test_a_reader_without_an_account_is_asked_to_sign_in_and_comes_back(office):  # noqa: F811
    stranger = office.stranger()
    answer, _ = await stranger.get("/tulis", follow=False)
    assert (answer.status, answer.headers["Location"]) == (303, "/masuk?lanjut=/tulis")
    await office.person("rani", Role.CONTRIBUTOR, password="sebuah kata sandi panjang")
    answer, _ = await stranger.sign_in("rani", path="/masuk?lanjut=/tulis")
    assert answer.headers["Location"] == "/tulis"
    answer, _ = await stranger.get("/ruang-kerja", follow=False)
    assert answer.headers["Location"] == "/ruang-kerja/akun"


async def test_one_person_alone_is_named_on_the_public_pages(office):  # noqa: F811
    stranger = office.stranger()
    await office.person("sendiri", Role.OPERATOR)
    _, text = await stranger.get("/")
    assert "run by one person" in text


async def test_readers_see_what_each_revision_changed_unless_the_entry_is_hidden(office):  # noqa: F811
    browser = await office.at_work(Role.CONTRIBUTOR)
    identity = await written(browser, text="Dibawakan tujuh penari.")
    changed = DRAFT | {"text": "Dibawakan <b>delapan</b> penari.", "revision": "1"}
    await browser.post(f"/entri/{identity}/ubah", changed)
    _, text = await browser.get(f"/entri/{identity}/riwayat")
    assert f"/entri/{identity}/riwayat/2" in text
    _, first = await browser.get(f"/entri/{identity}/riwayat/1")
    assert "<ins>" not in first, "all of a first revision is new"
    assert "<li>Riau</li>" in first
    _, text = await browser.get(f"/entri/{identity}/riwayat/2")
    assert "<del>tujuh </del>" in text
    assert "<ins>&lt;b&gt;delapan&lt;/b&gt; </ins>" in text
    address = f"/api/v1/entries/{identity}/revisions"
    _, listed = await browser.get(address)
    assert [each["number"] for each in json.loads(listed)["revisions"]] == [2, 1]
    _, told = await browser.get(f"{address}/2")
    change = json.loads(told)["changes"][-1]
    assert (change["field"], change["pieces"][1]) == ("text", {"kind": "removed", "text": "tujuh "})
    for path in (f"{address}/3", f"/entri/{identity}/riwayat/3"):
        assert (await browser.get(path))[0].status == 404
    async with office.people.transaction() as tx:
        await tx.run("update entry set hidden = true where identity = %(i)s", {"i": identity})
    for path in (f"{address}/2", f"/entri/{identity}/riwayat/2"):
        answer, text = await browser.get(path)
        assert answer.status == 200
        assert "tujuh" not in text
        assert "delapan" not in text
