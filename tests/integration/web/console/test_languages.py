"""What the machine stored is told in the reader's language on every page that shows it."""

from __future__ import annotations

import re
from html import unescape

import pytest

from lumbung.governance.actions.tranches import add_tranche
from lumbung.governance.scope_rows import SCOPE
from lumbung.model.permission import Role
from lumbung.store import audits, governed, people, refusals, requests
from lumbung.web.language import Words
from lumbung.web.markdown import rendered
from tests.integration.web.console.planted import plant_review

WAITS = "existence: probability 0.896 is below theta_s 0.970; may be the same as another item"
TOLD = {
    "/tinjauan": [WAITS],
    "/tinjauan/item-1": [WAITS],
    "/frontier": [
        "trap: soft-404",
        "blocked: login-required",
        "the site's owner opted out",
        "no-such-name: jauh.example has no address",
        "too-slow: 12 bytes in 5 s",
        "name-timeout: no answer about diam.example",
        "port: 6379 is no port of the public web",
        "page budget reached",
    ],
    "": ["gate: commerce", "a mirror of an encyclopaedia"],
    "/mesin": ["gate: commerce", "connect: gone"],
}
CODES = {
    "": [("stage", "extract"), ("outcome", "handled")],
    "/mesin": [("stage", "publish"), ("worker", "running"), ("breaker", "open")],
    "/permintaan": [("verb", "set-constant"), ("request_state", "carried out")],
    "/catatan": [("verb", "ratify"), ("verb", "install")],
    "/anggaran": [("window", "hour"), ("window", "month"), ("alarm", "budget.overrun")],
    "/tetapan": [("constant", "fusion.theta"), ("constant", "audit.p_min")],
}


async def plant(office):
    person, other = await office.person("peminta"), await office.person("penyetuju")
    async with office.people.transaction() as tx:
        await governed.append_action(tx, None, "ratify", "scope", "untuk uji", {})
        await audits.add_notice(tx, "tranche-barren", "jawa", {}, "barren:jawa")
        number = await requests.add(tx, "set-constant", "fusion.theta", {"value": 0.9}, "uji", person)
        await requests.close(tx, number, "carried out", other, "baik")
    async with office.system.machine.transaction() as tx:
        await plant_review(tx, reason=WAITS)
        for reason in ("gate: commerce", "a mirror of an encyclopaedia"):
            await refusals.add(tx, "extract", "x", reason)
        await tx.run(
            "insert into host (name, domain, stopped) values ('a.example', 'a.example', 'page budget reached')"
        )
        await tx.run(
            "insert into frontier (url, url_key, host, priority, depth, state, reason) select 'http://a.example/' || n, "
            "gen_random_uuid(), 'a.example', 1, 0, 'refused', reason from unnest(%(reasons)s::text[]) with ordinality r (reason, n)",
            {"reasons": TOLD["/frontier"][:-1]},
        )
        await tx.run(
            "insert into breaker (capability, provider, state, open_until, reason) "
            "values ('inference', 'p', 'open', now() + interval '1 hour', 'connect: gone')"
        )
        await tx.run("insert into alarm (kind, subject) values ('budget.overrun', 'extract')")
        await tx.run("insert into worker (id, stages, host, pid) values (gen_random_uuid(), '{publish}', 'm', 1)")
        await tx.run(
            "insert into stage_figure (stage, hour, outcome, jobs, busy_seconds) values ('extract', now(), 'handled', 3, 1)"
        )


def plain(text):
    return re.sub(r"\s+", " ", unescape(re.sub(r"<[^>]*>", " ", text)))


@pytest.mark.parametrize("language", ["id", "en"])
async def test_reasons_and_codes_are_told_in_the_readers_language(office, language):
    await plant(office)
    browser = await office.at_work(*Role)
    words = Words(language)
    pages = {path: plain((await browser.get(f"/ruang-kerja{path}?bahasa={language}"))[1]) for path in {**TOLD, **CODES}}
    lost = [
        (path, told) for path, stored in TOLD.items() for told in map(words.told, stored) if told not in pages[path]
    ]
    lost += [
        (path, words.code(*code))
        for path, codes in CODES.items()
        for code in codes
        if words.code(*code) not in pages[path]
    ]
    assert lost == []
    if language == "id":
        english = [(path, each) for path, stored in TOLD.items() for each in stored if each in pages[path]]
        assert english == []
        assert "tranche-barren" not in pages[""]


async def test_settings_and_constants_are_explained_in_indonesian(office):
    browser = await office.at_work(*Role)
    _, settings = await browser.get("/ruang-kerja/pengaturan?bahasa=id")
    assert "Port of the web server" not in settings
    assert "Porta server web; 0 mengambil yang bebas." in settings
    _, constants = await browser.get("/ruang-kerja/tetapan?bahasa=id")
    assert constants.count("<tr><th") - 1 == constants.count('<br><span class="muted">')


async def test_the_frontier_says_between_which_days_it_runs_dry(office):
    async with office.system.machine.transaction() as tx:
        await tx.run("insert into host (name, domain, waiting) values ('a.example', 'a.example', 9)")
        await tx.run(
            "insert into frontier (url, url_key, host, priority, depth) select 'http://a.example/w' || n, gen_random_uuid(), "
            "'a.example', 1, 0 from generate_series(1, 9) n"
        )
        await tx.run(
            "with made as (insert into document (url, final_url, host, domain, digest, status, content_type, kind, fetched_at) "
            "select 'http://a.example/' || n, 'http://a.example/', 'a.example', 'a.example', n::text, 200, 'text/html', 'item', "
            "clock_timestamp() - n * interval '1 second' "
            "from generate_series(1, 60) n returning id) insert into offspring (document, new_links) select id, id % 2 from made"
        )
        await tx.run(
            "insert into fetch_figure (hour, outcome, pages) values (date_trunc('hour', clock_timestamp()), 'fetched', 60)"
        )
    browser = await office.at_work(Role.CURATOR)
    _, text = await browser.get("/ruang-kerja/frontier?bahasa=id")
    dry = re.search(r"<dt>Kering antara</dt><dd class=\"told\">(.*?)</dd>", text).group(1)
    assert dry.count("<time") == 2
    extinction = re.search(r"<dt>Peluang padam \(q\)</dt><dd>(.*?)</dd>", text).group(1)
    assert plain(extinction).strip() == "1,000 [1,000 – 1,000]"


async def test_the_wait_between_two_pages_of_a_site_has_the_readers_decimal_sign(office):
    async with office.system.machine.transaction() as tx:
        await tx.run("insert into host (name, domain, delay_seconds) values ('a.example', 'a.example', 2.5)")
    browser = await office.at_work(Role.CURATOR)
    for language, told in (("id", "2,5 s"), ("en", "2.5 s")):
        _, text = await browser.get(f"/ruang-kerja/frontier?bahasa={language}")
        assert f"<td>{told}</td>" in text


async def test_the_log_tells_the_operator_at_the_machine_from_the_machine(office):
    browser = await office.at_work(Role.OPERATOR)
    _, text = await browser.get("/ruang-kerja/catatan?bahasa=id&kata=create-person")
    assert "<td>pengelola di mesin (CLI)</td>" in text
    _, text = await browser.get("/ruang-kerja/catatan?bahasa=id&kata=install")
    assert "<td>pengelola di mesin (CLI)</td>" not in text


async def test_a_constant_is_shown_and_typed_with_the_readers_decimal_sign(office):
    browser = await office.at_work(Role.APPROVER)
    indonesian = {"headers": {"Accept-Language": "id"}}
    _, text = await browser.get("/ruang-kerja/tetapan", **indonesian)
    assert 'value="0,85"' in text
    fields = {"name": "fusion.theta", "reason": "lebih ketat"}
    answer, text = await browser.post("/ruang-kerja/tetapan", fields | {"value": "0,9x"}, **indonesian)
    assert answer.status == 422
    assert "0,9x bukan bilangan." in text
    answer, _ = await browser.post("/ruang-kerja/tetapan", fields | {"value": "0,99"}, **indonesian)
    assert answer.status == 200
    async with office.people.transaction() as tx:
        assert (await governed.values_now(tx))["fusion.theta"] == 0.99


async def test_the_log_names_people_and_labels_and_shows_times_where_the_library_is(office):
    operator = await office.at_work(Role.OPERATOR)
    other = await office.person("rani", Role.AUDITOR)
    async with office.people.transaction() as tx:
        await governed.append_action(tx, operator.person, "lower-mode", "tarian", "uji", {"to": "shadow"})
        await tx.run("update person set name = 'Rani Kusuma' where id = %(id)s", {"id": other})
    _, text = await operator.get("/ruang-kerja/catatan?kata=grant-role")
    assert "Rani Kusuma" in text
    assert " WIB</time>" in text
    assert '<option value="grant-role" selected>' in text
    _, text = await operator.get("/ruang-kerja/catatan?kata=lower-mode", headers={"Accept-Language": "id"})
    assert "Tarian" in text


@pytest.mark.parametrize("language", ["id", "en"])
async def test_what_the_profile_says_is_told_in_the_readers_language(office, language):
    profile = office.system.profile
    browser = await office.at_work(*Role)
    async with office.people.transaction() as tx:
        actor = await people.actor_of(tx, await office.person("kurator", Role.CURATOR))
        name, seeds = next(iter(profile.seeds.items()))
        await add_tranche(tx, actor, name, seeds, profile, "dari profil")
    said = {
        "/makna": [
            profile.scope_en if language == "en" else profile.scope,
            *(each.reason for each in profile.sensitive),
        ],
        "/sumber": [each.reason for each in profile.sources],
        f"/benih/{name}": [each.note for each in seeds],
    }
    for path, stored in said.items():
        shown = plain((await browser.get(f"/ruang-kerja{path}?bahasa={language}"))[1])
        told = [profile.remarks_en.get(each, each) if language == "en" else each for each in stored]
        assert [each for each in told if plain(str(rendered(each))).strip() not in shown] == []


async def test_a_scope_that_guardians_worded_is_told_as_they_wrote_it(office):
    browser = await office.at_work(*Role)
    async with office.people.transaction() as tx:
        action = await governed.append_action(tx, None, "set-scope", SCOPE, "untuk uji", {})
        await governed.set_value(tx, SCOPE, "Budaya Nusantara.", action)
    shown = plain((await browser.get("/ruang-kerja/makna?bahasa=en"))[1])
    assert "Budaya Nusantara." in shown
    assert Words("en")("scope_untranslated") in shown
    assert Words("id")("scope_translated") not in plain((await browser.get("/ruang-kerja/makna?bahasa=id"))[1])
