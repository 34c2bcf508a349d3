"""People talk about an entry on its page and through the interface; a moderator withholds and shows again."""

from __future__ import annotations

import json

import pytest

from lumbung.errors import ContractError, PermissionRefused, UsageError
from lumbung.governance.actions.people import create_person, erase_person
from lumbung.library.actions.discuss import LONGEST_REMARK, REMARKS_PER_MINUTE, add_remark, erase_remark
from lumbung.model.permission import ALL_SCOPES, OPERATOR_AT_THE_MACHINE, Actor, Role
from lumbung.store import remarks
from lumbung.store.rates import Rates
from tests.integration.web.console.conftest import PASSWORD, office  # noqa: F401
from tests.integration.web.console.planted import NASTY, last_line, plant_review
from tests.integration.web.test_api import BODY, bearer, machine_token, token_for
from tests.integration.web.test_public import get, served  # noqa: F401

CONTRIBUTOR = Actor(None, frozenset({(Role.CONTRIBUTOR, ALL_SCOPES)}))
INDONESIAN = {"Accept-Language": "id"}


async def planted(office):  # noqa: F811
    async with office.people.transaction() as tx:
        await plant_review(tx, "m1", "Tari Lilin", status="published")
    return "/entri/m1/diskusi"


async def test_people_of_one_discussion_are_told_apart_and_not_named(office):  # noqa: F811
    path = await planted(office)
    sari, tuti = await office.at_work(Role.CONTRIBUTOR), await office.at_work(Role.GUARDIAN)
    for browser, text in ((sari, "Di Solok pun ada."), (tuti, "Siapa yang menarikannya?"), (sari, "Gadis-gadis.")):
        answer, _ = await browser.post(path, {"text": text}, follow=False)
        assert (answer.status, answer.headers["Location"]) == (303, path)
    async with office.people.transaction() as tx:
        said = await remarks.discussion(tx, "m1", 10)
        line = await last_line(tx)
        assert await remarks.count(tx, "m1") == 3
    assert [(each["speaker"], each["text"]) for each in said] == [
        (1, "Gadis-gadis."), (2, "Siapa yang menarikannya?"), (1, "Di Solok pun ada."),
    ]  # fmt: skip
    assert (line["verb"], line["subject"], line["effect"]) == ("discuss-entry", "m1", {"remark": said[0]["id"]})
    _, text = await office.stranger().get(path, headers=INDONESIAN)
    assert "Pembicara 2" in text
    assert "<textarea" not in text
    assert 'href="/masuk?lanjut=/entri/m1/diskusi"' in text
    assert 'href="/entri/m1/perbaiki"' in text
    _, text = await office.stranger().get("/entri/m1", headers=INDONESIAN)
    assert "Diskusi (3)" in text


async def test_what_is_withheld_is_kept_and_shown_again(office):  # noqa: F811
    path = await planted(office)
    contributor, moderator = await office.at_work(Role.CONTRIBUTOR), await office.at_work(Role.MODERATOR)
    await contributor.post(path, {"text": "Kata yang kasar."})
    async with office.people.transaction() as tx:
        number = (await remarks.discussion(tx, "m1", 1))[0]["id"]
    answer, _ = await contributor.post(f"{path}/{number}", {"reason": "x"}, follow=False)
    assert answer.status == 403
    answer, _ = await moderator.post(f"{path}/{number}", {"reason": " "})
    assert answer.status == 422
    _, text = await moderator.get("/ruang-kerja/penurunan")
    assert "Kata yang kasar." in text
    await moderator.post(f"{path}/{number}", {"reason": "menyinggung"})
    _, text = await office.stranger().get(path)
    assert "Kata yang kasar." not in text
    assert "menyinggung" in text
    _, text = await office.stranger().get("/entri/m1", headers=INDONESIAN)
    assert "Diskusi (" not in text
    _, text = await moderator.get(f"{path}/{number}")
    assert "Kata yang kasar." in text
    await moderator.post(f"{path}/{number}", {"reason": "sudah dibicarakan"})
    _, text = await office.stranger().get(path)
    assert "Kata yang kasar." in text
    for unknown in (number + 1, 2**62):
        answer, _ = await moderator.get(f"{path}/{unknown}")
        assert answer.status == 404


async def test_a_remark_that_is_not_taken_stands_in_the_form_again(office):  # noqa: F811
    path = await planted(office)
    browser = await office.at_work(Role.CONTRIBUTOR)
    answer, text = await browser.post(path, {"text": "a" * (LONGEST_REMARK + 1)}, headers=INDONESIAN)
    assert answer.status == 422
    assert "Tanggapan terdiri atas 1 sampai" in text
    assert "a" * LONGEST_REMARK in text
    await browser.post(path, {"text": NASTY})
    _, text = await browser.get(path)
    assert NASTY not in text


async def test_the_discussion_of_a_withheld_entry_is_withheld(office):  # noqa: F811
    path = await planted(office)
    browser = await office.at_work(Role.CONTRIBUTOR)
    await browser.post(path, {"text": "Di Solok pun ada."})
    async with office.people.transaction() as tx:
        await tx.run("update entry set hidden = true where identity = 'm1'")
    _, text = await browser.get(path)
    assert "Di Solok" not in text
    answer, _ = await browser.post(path, {"text": "Lagi."})
    assert answer.status == 422


async def test_what_was_said_about_an_entry_follows_it_into_another(office):  # noqa: F811
    await planted(office)
    async with office.people.transaction() as tx:
        await plant_review(tx, "m2", "Tari Lilin Solok", status="published")
        await add_remark(tx, CONTRIBUTOR, "m2", "Sama saja.")
        await tx.run("update entry set status = 'withdrawn' where identity = 'm2'")
        await tx.run("insert into redirect (identity, target, reason) values ('m2', 'm1', 'merged')")
    _, text = await office.stranger().get("/entri/m1/diskusi")
    assert "Sama saja." in text


async def test_what_is_erased_is_gone_and_is_not_worded_anew(office):  # noqa: F811
    path = await planted(office)
    contributor, moderator = await office.at_work(Role.CONTRIBUTOR), await office.at_work(Role.MODERATOR)
    await contributor.post(path, {"text": "Ia tinggal di Gang Mawar."})
    async with office.people.transaction() as tx:
        number = (await remarks.discussion(tx, "m1", 1))[0]["id"]
        with pytest.raises(PermissionRefused):
            await erase_remark(tx, CONTRIBUTOR, number, "alamat orang")
        await erase_remark(tx, OPERATOR_AT_THE_MACHINE, number, "alamat orang")
        line = await last_line(tx)
        with pytest.raises(UsageError):
            await erase_remark(tx, OPERATOR_AT_THE_MACHINE, number, "sekali lagi")
        assert await remarks.withhold(tx, number, None) is None
        assert await remarks.count(tx, "m1") == 0
    assert (line["verb"], line["effect"]) == ("erase-remark", {"remark": number})
    for address in (path, "/ruang-kerja/penurunan"):
        _, text = await moderator.get(address, headers=INDONESIAN)
        assert "Yang dikatakan di sini telah dihapus." in text
        assert "Gang Mawar" not in text
    answer, _ = await moderator.get(f"{path}/{number}")
    assert answer.status == 404
    with pytest.raises(ContractError, match="never worded anew"):
        async with office.people.transaction() as tx:
            await tx.run("update remark set text = 'lain' where id = %(id)s", {"id": number})


async def test_whoever_is_erased_takes_along_what_they_said(office):  # noqa: F811
    await planted(office)
    async with office.people.transaction() as tx:
        person = await create_person(tx, OPERATOR_AT_THE_MACHINE, "sari", "Sari", PASSWORD)
        sari = Actor(person, frozenset({(Role.CONTRIBUTOR, ALL_SCOPES)}))
        for text in ("Di Solok pun ada.", "Gadis-gadis."):
            await add_remark(tx, sari, "m1", text)
        await add_remark(tx, CONTRIBUTOR, "m1", "Siapa yang menarikannya?")
        assert [each["text"] for each in await remarks.said_by(tx, person)] == ["Gadis-gadis.", "Di Solok pun ada."]
        await erase_person(tx, OPERATOR_AT_THE_MACHINE, person, "atas permintaannya")
        said = await remarks.discussion(tx, "m1", 10)
    assert [(each["speaker"], each["text"]) for each in said] == [(2, "Siapa yang menarikannya?"), (1, None), (1, None)]
    _, text = await office.stranger().get("/entri/m1/diskusi")
    assert "atas permintaannya" not in text


async def test_whoever_has_a_part_in_one_people_speaks_of_its_entries_alone(office):  # noqa: F811
    await planted(office)
    async with office.people.transaction() as tx:
        await tx.run("update entry set category = 'tarian' where identity = 'm1'")
        await add_remark(tx, Actor(None, frozenset({(Role.GUARDIAN, "tarian")})), "m1", "Milik kami.")
        with pytest.raises(PermissionRefused):
            await add_remark(tx, Actor(None, frozenset({(Role.GUARDIAN, "ritual")})), "m1", "Milik kami pula.")


async def test_what_cannot_be_seen_is_not_kept(office):  # noqa: F811
    await planted(office)
    async with office.people.transaction() as tx:
        await add_remark(tx, CONTRIBUTOR, "m1", "Di\u202e Solok\x1b[31m.\x00 \n")
        assert (await remarks.discussion(tx, "m1", 1))[0]["text"] == "Di Solok[31m."
        with pytest.raises(UsageError):
            await add_remark(tx, CONTRIBUTOR, "m1", "\u202e\x00 ")


async def test_a_discussion_has_the_rate_of_its_speakers(office):  # noqa: F811
    path = await planted(office)
    browser = await office.at_work(Role.CONTRIBUTOR)
    rates = Rates(office.people)
    while not await rates.wait_seconds(f"remarks {browser.person}", REMARKS_PER_MINUTE):
        pass
    answer, _ = await browser.post(path, {"text": "Lagi."})
    assert (answer.status, "Retry-After" in answer.headers) == (429, True)


async def test_programs_read_and_speak(served):  # noqa: F811
    async with served() as (session, people):
        token = await token_for(people, "sari", Role.CONTRIBUTOR)
        async with session.post("/api/v1/entries", json=BODY, headers=bearer(token)) as answer:
            path = f"/api/v1/entries/{(await answer.json())['identity']}/discussion"
        once = bearer(token, **{"Idempotency-Key": "k1"})
        numbers = []
        for headers in (once, once, bearer(token)):
            async with session.post(path, json={"text": "Di Solok pun ada."}, headers=headers) as answer:
                assert answer.status == 201
                numbers.append((await answer.json())["remark"])
        assert numbers[0] == numbers[1] != numbers[2]
        machine = await machine_token(people)
        async with session.post(path, json={"text": "Dari mesin."}, headers=bearer(machine)) as answer:
            assert answer.status == 403
        async with session.post(path, json={"text": "Tanpa nama."}) as answer:
            assert answer.status == 401
        async with people.transaction() as tx:
            await remarks.withhold(tx, numbers[2], "menyinggung")
        told = json.loads((await get(session, path))[1])
        assert [(each["number"], each["text"], each["withheld"], each["speaker"]) for each in told["remarks"]] == [
            (numbers[2], None, "menyinggung", 1), (numbers[0], "Di Solok pun ada.", None, 1),
        ]  # fmt: skip
        answer, text = await get(session, f"{path}?limit=1")
        assert answer.headers["Link"] == f'<{path}?limit=1&before={numbers[2]}>; rel="next"'
        answer, text = await get(session, f"{path}?before={numbers[2]}&limit=1")
        assert "Link" not in answer.headers
        told = json.loads(text)
        assert [each["number"] for each in told["remarks"]] == [numbers[0]]
