"""The pages for one's own account, money, settings, learned weights and community labels."""

from __future__ import annotations

import re
import time

import pytest
from pydantic import SecretStr

from lumbung.governance.second_factor import code_at, new_secret
from lumbung.model.permission import Role
from lumbung.store import entries, learning, pair_labels, people
from lumbung.web.console.budget import forecast
from tests.integration.web.console.conftest import PASSWORD
from tests.integration.web.console.planted import NASTY, last_line, plant_review

SEALED = re.compile(r'name="sealed" value="([^"]+)"')
SECRET = re.compile(r"<code>([A-Z2-7 ]+)</code>")
DAY = 86400.0


async def offered(browser):
    _, text = await browser.get("/ruang-kerja/akun/faktor-kedua")
    return SEALED.search(text).group(1), SECRET.search(text).group(1).replace(" ", "")


async def test_a_second_factor_is_set_by_a_code_asked_for_at_sign_in_and_removed(office):
    await office.person("rani", Role.AUDITOR, password=PASSWORD)
    browser = office.stranger()
    await browser.sign_in("rani")
    await browser.get("/ruang-kerja/akun")
    sealed, secret = await offered(browser)
    path = "/ruang-kerja/akun/faktor-kedua"
    for wrong in ({"code": "000000", "password": PASSWORD}, {"code": code_at(secret, time.time()), "password": "x"}):
        answer, _ = await browser.post(path, {"sealed": sealed} | wrong)
        assert answer.status == 422
    answer, text = await browser.post(
        path, {"sealed": sealed, "code": code_at(secret, time.time()), "password": PASSWORD}
    )
    assert answer.status == 200
    assert "The second factor is set." in text
    async with office.people.transaction() as tx:
        line = await last_line(tx)
    assert (line["verb"], line["effect"]) == ("set-second-factor", {"second_factor": True})
    other = office.stranger()
    answer, _ = await other.sign_in("rani")
    assert answer.status == 422
    answer, _ = await other.sign_in("rani", code=code_at(secret, time.time()))
    assert answer.status == 303
    await browser.post(path + "/lepas", {"password": PASSWORD})
    answer, _ = await office.stranger().sign_in("rani")
    assert answer.status == 303


async def test_an_operator_takes_off_the_factor_of_somebody_who_lost_the_phone(office):
    number = await office.person("rani", Role.AUDITOR, password=PASSWORD)
    async with office.people.transaction() as tx:
        await people.set_totp(tx, number, new_secret())
    operator = await office.at_work(Role.OPERATOR)
    path = f"/ruang-kerja/orang/{number}/faktor-kedua/lepas"
    _, text = await operator.get("/ruang-kerja/orang")
    assert path in text
    answer, _ = await operator.post(path, {"reason": " "})
    assert answer.status == 422
    await operator.post(path, {"reason": "telepon hilang"})
    async with office.people.transaction() as tx:
        line = await last_line(tx)
    assert (line["verb"], line["person"], line["reason"]) == ("set-second-factor", operator.person, "telepon hilang")
    answer, _ = await office.stranger().sign_in("rani")
    assert answer.status == 303
    _, text = await operator.get("/ruang-kerja/orang")
    assert path not in text


async def test_an_operator_resets_a_password_with_a_reason_that_stands_in_the_log(office):
    number = await office.person("rani", Role.AUDITOR, password=PASSWORD)
    operator, path = await office.at_work(Role.OPERATOR), f"/ruang-kerja/orang/{number}/sandi"
    fresh = "sandi lain yang panjang"
    answer, text = await operator.post(path, {"password": fresh})
    assert (answer.status, "needs a reason" in text) == (422, True)
    answer, _ = await office.stranger().sign_in("rani")
    assert answer.status == 303
    await operator.post(path, {"password": fresh, "reason": "lupa, diminta lewat telepon"})
    answer, _ = await office.stranger().sign_in("rani", fresh)
    assert answer.status == 303
    async with office.people.transaction() as tx:
        lines = await tx.rows("select person, reason, effect from action where verb = 'set-password' order by seq")
    assert [(line["person"], line["reason"], line["effect"]) for line in lines] == [
        (operator.person, "lupa, diminta lewat telepon", {"sessions": "ended"})
    ]
    answer, _ = await operator.post(f"/ruang-kerja/orang/{operator.person}/sandi", {"password": fresh})
    assert answer.status == 200


async def test_nobody_sets_a_factor_with_a_key_that_was_offered_to_somebody_else(office):
    first, second = await office.at_work(Role.AUDITOR), await office.at_work(Role.CURATOR)
    sealed, secret = await offered(first)
    await offered(second)
    fields = {"code": code_at(secret, time.time()), "password": ""}
    for forged in (sealed, "", "x", sealed[:-2]):
        answer, _ = await second.post("/ruang-kerja/akun/faktor-kedua", fields | {"sealed": forged})
        assert answer.status == 422
    async with office.people.transaction() as tx:
        assert not (await people.get(tx, second.person))["second_factor"]


async def test_settings_show_their_origin_and_never_a_secret(office, monkeypatch):
    monkeypatch.setenv("LUMBUNG_CRAWL__CONTACT", "https://contoh.example/")
    settings = office.system.settings
    llm = settings.llm.model_copy(update={"api_key": SecretStr("sangat-rahasia")})
    crawl = settings.crawl.model_copy(update={"contact": "https://contoh.example/"})
    office.system.settings = settings.model_copy(update={"llm": llm, "crawl": crawl})
    browser = await office.at_work(Role.OPERATOR)
    answer, text = await browser.get("/ruang-kerja/pengaturan")
    assert answer.status == 200
    text = text.replace("<wbr>", "")
    cells = re.findall(r"<tr><th.*?>([\w.]+)</th><td><span.*?>(.*?)</span></td><td>(.*?)</td>", text)
    rows, origins = {name: value for name, value, _ in cells}, {name: origin for name, _, origin in cells}
    assert rows["crawl.contact"] == "https://contoh.example/"
    assert origins["crawl.contact"] == "environment"
    assert origins["crawl.user_agent"] == "default"
    assert origins["web.port"] == "at the start"
    assert "sangat-rahasia" not in text
    assert set(rows["llm.api_key"]) == {"•"}


async def test_an_alarm_is_acknowledged_with_a_reason_and_leaves_the_page(office):
    async with office.people.transaction() as tx:
        number = await tx.value(
            "insert into alarm (kind, subject, detail) values ('budget.overrun', 'extract', "
            "jsonb_build_object('spent_micros', 5, 'note', %(nasty)s::text)) returning id",
            {"nasty": NASTY},
        )
    browser = await office.at_work(Role.OPERATOR)
    _, text = await browser.get("/ruang-kerja/anggaran")
    assert "cost above what was reserved" in text
    assert "<script>alert" not in text
    path = f"/ruang-kerja/anggaran/peringatan/{number}"
    answer, _ = await browser.post(path, {"reason": " "})
    assert answer.status == 422
    _, text = await browser.post(path, {"reason": "harga model berubah"})
    assert "cost above what was reserved" not in text
    async with office.people.transaction() as tx:
        line = await last_line(tx)
    assert (line["person"], line["verb"], line["reason"]) == (
        browser.person,
        "acknowledge-alarm",
        "harga model berubah",
    )
    answer, _ = await browser.post(path, {"reason": "sekali lagi"})
    assert answer.status == 422


@pytest.mark.parametrize(("day_micros", "hours"), [(0, None), (2_000_000, None), (4_000_000, 9.0), (24_000_000, 1.5)])
def test_a_window_is_forecast_from_the_pace_of_a_day(day_micros, hours):
    window = {"seconds": DAY, "cap_micros": 2_000_000, "spent_micros": 400_000, "reserved_micros": 100_000}
    found = forecast(window, day_micros)
    assert found["remaining_micros"] == 1_500_000
    assert found["expected_micros"] == day_micros
    assert found["full_in_hours"] == hours


async def test_a_curator_sees_what_was_learned_and_resets_it(office):
    async with office.system.machine.transaction() as tx:
        await learning.keep_model(tx, {"language": -1.25, "depth": -7.5, "host_yield": 2.5}, {}, 321, 0.04)
    browser = await office.at_work(Role.CURATOR)
    _, text = await browser.get("/ruang-kerja/bobot")
    assert "321 pages" in text
    assert "-1.250" in text
    assert "-7.500" not in text, "the price of depth is policy"
    _, text = await browser.post("/ruang-kerja/bobot", {"reason": "situs berubah"})
    assert "Nothing has been learned yet" in text
    async with office.people.transaction() as tx:
        line = await last_line(tx)
    assert (line["verb"], line["reason"]) == ("reset-crawl-weights", "situs berubah")
    assert line["effect"]["weights"]["language"] == -1.25


async def test_an_auditor_sees_the_trials_of_the_matcher_and_cannot_adopt_one_that_rests_on_nothing(office):
    figures = {"labels": 73, "right_now": 20, "right_then": 64, "settled": 50, "wrong": 1, "p_value": 0.0004}
    async with office.system.machine.transaction() as tx:
        await pair_labels.add_trial(tx, "73:1:0/0", "better", figures, {})
    browser = await office.at_work(Role.AUDITOR)
    _, text = await browser.get("/ruang-kerja/bobot")
    assert "<td>73</td><td>20</td><td>64</td><td>1/50</td>" in text
    answer, text = await browser.post("/ruang-kerja/bobot/pencocok", {"what": "adopt", "reason": "menang"})
    assert (answer.status, "too few" in text) == (422, True)
    answer, text = await browser.post("/ruang-kerja/bobot/pencocok", {"what": "revert", "reason": "salah"})
    assert (answer.status, "No learned matcher" in text) == (422, True)


async def test_a_guardian_labels_an_entry_and_a_category_and_readers_see_it(office):
    async with office.people.transaction() as tx:
        await plant_review(tx, "m1", "Tari Lilin", status="published")
    guardian, reader = await office.at_work(Role.GUARDIAN), office.stranger()
    _, text = await guardian.get(f"/ruang-kerja/label?entri={office.address}entri/m1")
    assert "Tari Lilin" in text
    fields = [("entry", "m1"), ("code", "tk-a"), ("code", "tk-nc"), ("community", f"Komunitas {NASTY}")]
    _, text = await guardian.post("/ruang-kerja/label/entri", [*fields, ("reason", "diminta komunitas")])
    assert "Labels are stored" in text
    async with office.people.transaction() as tx:
        assert [label["code"] for label in (await entries.get(tx, "m1"))["labels"]] == ["tk-a", "tk-nc"]
        line = await last_line(tx)
    assert (line["verb"], line["reason"]) == ("set-labels", "diminta komunitas")
    _, text = await reader.get("/entri/m1")
    assert "TK Atribusi" in text
    assert "<script>alert" not in text
    own = {"category": "tarian", "own_code": "adat-x", "own_text": "Hanya untuk warga.", "reason": "kesepakatan"}
    own |= {"own_url": "https://komunitas.example/label", "own_display": "withhold-text"}
    await guardian.post("/ruang-kerja/label/kategori", own)
    _, text = await reader.get("/entri/m1")
    assert "Hanya untuk warga." in text
    assert "Minangkabau" not in text
    answer, _ = await guardian.post("/ruang-kerja/label/entri", {"entry": "m1", "code": "tidak-ada", "reason": "x"})
    assert answer.status == 422
