"""Signing in, staying in, getting out, and what strangers try."""

from __future__ import annotations

import time

import pytest

from lumbung.governance.actions.people import first_account_link
from lumbung.governance.second_factor import code_at, new_secret
from lumbung.model.permission import Role
from lumbung.store import people
from lumbung.web.signin import safe_next
from tests.integration.web.console.conftest import PASSWORD, TOKEN


async def test_a_person_signs_in_works_and_signs_out(office):
    await office.person("siti", Role.OPERATOR, password=PASSWORD)
    browser = office.stranger()
    answer, _ = await browser.get("/ruang-kerja/mesin?x=1", follow=False)
    assert answer.headers["Location"] == "/masuk?lanjut=/ruang-kerja/mesin%3Fx%3D1"
    answer, _ = await browser.sign_in("siti", path=answer.headers["Location"])
    assert answer.status == 303
    assert answer.headers["Location"] == "/ruang-kerja/mesin?x=1"
    cookie = answer.cookies["sesi"]
    assert cookie["httponly"]
    assert cookie["samesite"] == "lax"
    answer, text = await browser.get("/ruang-kerja")
    assert answer.status == 200
    assert "Orang siti" in text
    assert answer.headers["Cache-Control"] == "no-store"
    answer, _ = await browser.post("/keluar", follow=False)
    assert answer.status == 303
    browser.session.cookie_jar.update_cookies({"sesi": cookie.value})
    answer, _ = await browser.get("/ruang-kerja", follow=False)
    assert answer.status == 303


async def test_signing_out_needs_the_forms_mark(office):
    browser = await office.at_work(Role.AUDITOR)
    browser.csrf = "wrong"
    answer, _ = await browser.post("/keluar", follow=False)
    assert answer.status == 403
    answer, _ = await browser.get("/ruang-kerja", follow=False)
    assert answer.status == 200


async def test_an_expired_form_says_what_happened_and_gives_back_what_was_typed(office):
    """Only to a page of our own: whatever another site sent is shown and not offered for sending."""
    browser = await office.at_work(Role.GUARDIAN)
    valid, browser.csrf = browser.csrf, "of an earlier sign-in"
    typed = {"consulted": "Sanggar <b>Y</b>", "reason": "rapat 3 Mei", "password": "rahasia", "seen": "7"}
    answer, text = await browser.post(
        "/ruang-kerja/makna/sahkan", typed, headers={"Sec-Fetch-Site": "same-origin", "Accept-Language": "id"}
    )
    assert answer.status == 403
    assert "<h1>Formulir ini tidak berlaku lagi.</h1>" in text
    assert "Anda tidak berwenang" not in text
    assert "Sanggar &lt;b&gt;Y&lt;/b&gt;</textarea>" in text
    assert ">rapat 3 Mei</textarea>" in text
    assert '<input type="hidden" name="seen" value="7">' in text
    assert "rahasia" not in text
    assert (
        f'<form method="post" action="/ruang-kerja/makna/sahkan"><input type="hidden" name="csrf" value="{valid}">'
        in text
    )
    _, foreign = await browser.post("/ruang-kerja/makna/sahkan", typed, headers={"Sec-Fetch-Site": "same-site"})
    assert 'action="/ruang-kerja/makna/sahkan"' not in foreign
    async with office.people.transaction() as tx:
        assert await tx.value("select count(*) from governed where name = 'scope.ratification'") == 0


async def test_a_planted_session_is_worth_nothing_after_sign_in(office):
    await office.person("siti", Role.AUDITOR, password=PASSWORD)
    planted = await office.at_work(Role.CURATOR)
    answer, _ = await planted.sign_in("siti")
    assert answer.cookies["sesi"].value != planted.token
    async with office.people.transaction() as tx:
        assert await people.actor_of_session(tx, planted.token) is None


async def test_every_way_of_failing_gets_the_same_answer(office):
    await office.person("siti", Role.AUDITOR, password=PASSWORD)
    await office.person("tanpa", Role.AUDITOR)
    told = set()
    for login, password in (
        ("siti", "bukan kata sandinya"),
        ("nobody", PASSWORD),
        ("tanpa", PASSWORD),
        ("' or 1=1 --", PASSWORD),
    ):
        answer, text = await office.stranger().sign_in(login, password)
        assert answer.status == 422
        assert "sesi" not in answer.cookies
        told.add(text.split('role="alert">')[1].split("<")[0])
    assert len(told) == 1


async def test_an_unknown_login_takes_about_as_long_as_a_known_one(office):
    await office.person("siti", Role.AUDITOR, password=PASSWORD)

    async def seconds(login):
        browser, best = office.stranger(), 10.0
        for _ in range(3):
            started = time.process_time()
            await browser.sign_in(login, "bukan kata sandinya")
            best = min(best, time.process_time() - started)
        return best

    await seconds("pemanasan")
    known, unknown = await seconds("siti"), await seconds("tidak-ada")
    assert unknown > known / 3


async def test_too_many_attempts_from_one_address_wait(office):
    browser = office.stranger()
    _, text = await browser.get("/masuk")
    fields = {"token": "stale", "login": "x", "password": "y"}
    statuses = []
    for _ in range(21):
        async with browser.session.post("/masuk", data=fields) as answer:
            statuses.append(answer.status)
    assert statuses[:20] == [422] * 20
    assert statuses[20] == 429
    assert TOKEN.search(text)


async def test_a_second_factor_is_asked_for_where_it_is_set(office):
    number = await office.person("siti", Role.AUDITOR, password=PASSWORD)
    secret = new_secret()
    async with office.people.transaction() as tx:
        await people.set_totp(tx, number, secret)
    browser = office.stranger()
    answer, _ = await browser.sign_in("siti")
    assert answer.status == 422
    answer, _ = await browser.sign_in("siti", code=code_at(secret, time.time()))
    assert answer.status == 303


async def test_a_code_that_somebody_looked_at_opens_no_second_session(office):
    number = await office.person("siti", Role.AUDITOR, password=PASSWORD)
    secret = new_secret()
    async with office.people.transaction() as tx:
        await people.set_totp(tx, number, secret)
    code = code_at(secret, time.time())
    answer, _ = await office.stranger().sign_in("siti", code=code)
    assert answer.status == 303
    answer, _ = await office.stranger().sign_in("siti", code=code)
    assert answer.status == 422
    assert "sesi" not in answer.cookies


async def test_nobody_is_signed_in_by_a_form_that_another_browser_was_given(office):
    await office.person("siti", Role.AUDITOR, password=PASSWORD)
    _, text = await office.stranger().get("/masuk")
    theirs = {"token": TOKEN.search(text).group(1), "login": "siti", "password": PASSWORD}
    victim = office.stranger()
    await victim.get("/masuk")
    async with victim.session.post("/masuk", data=theirs, allow_redirects=False) as answer:
        assert answer.status == 422
        assert "sesi" not in answer.cookies


async def test_an_operators_new_password_ends_every_session_of_that_person(office):
    number = await office.person("siti", Role.AUDITOR, password=PASSWORD)
    answer, _ = await office.stranger().sign_in("siti")
    before = answer.cookies["sesi"].value
    operator = await office.at_work(Role.OPERATOR)
    await operator.get("/ruang-kerja/orang")
    told = {"password": "kata sandi dari pengelola", "reason": "lupa"}
    answer, _ = await operator.post(f"/ruang-kerja/orang/{number}/sandi", told, follow=False)
    assert answer.status == 303
    async with office.people.transaction() as tx:
        assert await people.actor_of_session(tx, before) is None
    answer, _ = await office.stranger().sign_in("siti")
    assert answer.status == 422
    answer, _ = await office.stranger().sign_in("siti", "kata sandi dari pengelola")
    assert answer.status == 303


async def test_the_first_account_is_made_by_a_link_that_works_once(office):
    async with office.people.transaction() as tx:
        link = await first_account_link(tx)
    browser = office.stranger()
    path = f"/mulai/{link}"
    _, text = await browser.get(path)
    token = TOKEN.search(text).group(1)
    for login, status in (("Ni Luh!", 422), ("niluh", 303), ("kedua", 422)):
        fields = {"token": token, "login": login, "name": "Ni Luh", "password": PASSWORD}
        async with browser.session.post(path, data=fields, allow_redirects=False) as answer:
            assert answer.status == status, login
    answer, text = await browser.get("/ruang-kerja")
    assert answer.status == 200
    assert "one person" in text or "seorang" in text or "single" in text
    answer, _ = await browser.get("/ruang-kerja/orang")
    assert answer.status == 200
    _, text = await office.stranger().get(path)
    assert "this link works no more" in text
    assert "<form" not in text
    assert 'href="/masuk"' in text


@pytest.mark.parametrize(
    "wanted",
    ["https://evil.example/", "//evil.example", "/\\evil.example", "/ruang-kerja/../x", "/ruang-kerja//evil.example", "javascript:alert(1)",
     "/ruang-kerjax", "/ruang-kerja\r\nSet-Cookie: a=b", "", "/ruang-kerja@evil.example", "\t//evil.example", "%2f%2fevil.example",
     "/%2f%2fevil.example", "https:evil.example", "data:text/html,x", "/ruang-kerja/\x01", "/ruang-kerja/\\evil.example", "/ruang-kerja\u2028",
     "/ruang-kerja/\x00", "/ruang-kerja/\ud800", "/RUANG-KERJA", "/ruang-kerja#//evil.example"],
)  # fmt: skip
def test_the_way_on_leads_nowhere_else(wanted):
    assert safe_next(wanted) == "/ruang-kerja"


def test_the_way_on_leads_to_pages_of_the_console():
    assert (
        safe_next("/ruang-kerja/tinjauan?setelah=abc&kategori=tarian")
        == "/ruang-kerja/tinjauan?setelah=abc&kategori=tarian"
    )


async def test_a_changed_password_ends_the_old_sessions(office):
    number = await office.person("siti", Role.AUDITOR, password=PASSWORD)
    browser = office.stranger()
    answer, _ = await browser.sign_in("siti")
    mine = answer.cookies["sesi"].value
    async with office.people.transaction() as tx:
        on_another_device = (await people.open_session(tx, number)).token
    await browser.get("/ruang-kerja/akun")
    answer, _ = await browser.post(
        "/ruang-kerja/akun", {"old": "salah sama sekali", "password": "kata sandi yang baru"}
    )
    assert answer.status == 422
    answer, _ = await browser.post(
        "/ruang-kerja/akun", {"old": PASSWORD, "password": "kata sandi yang baru"}, follow=False
    )
    assert answer.status == 303
    answer, text = await browser.get(answer.headers["Location"])
    assert "The password is changed" in text, "whoever changed it goes on in a new session"
    for token in (mine, on_another_device):
        async with office.people.transaction() as tx:
            assert await people.actor_of_session(tx, token) is None
    answer, _ = await office.stranger().sign_in("siti", "kata sandi yang baru")
    assert answer.status == 303
    assert number > 0
