"""The daily work of each role through the console, each change to be found in the log."""

from __future__ import annotations

import asyncio
from html import unescape
from uuid import uuid4

from lumbung.library.actions.requests import ask_for_correction
from lumbung.model.permission import Role
from lumbung.store import audits, entries, entry_requests, governed, jobs, refusals, requests, stages
from lumbung.store.entries import HumanEntry
from tests.integration.web.console.planted import NASTY, QUOTE, last_line, plant_review, plant_samples


async def test_an_auditor_reviews_from_entry_to_entry_and_takes_one_back(office):
    async with office.people.transaction() as tx:
        await plant_review(tx, "item-1", "Tari Satu")
        await plant_review(tx, "item-2", "Tari Dua")
    browser = await office.at_work(Role.AUDITOR)
    _, text = await browser.get("/ruang-kerja/tinjauan")
    assert text.index("Tari Satu") < text.index("Tari Dua")
    _, text = await browser.get("/ruang-kerja/tinjauan/item-1")
    assert f"<mark>{QUOTE}</mark>" in text
    answer, text = await browser.post("/ruang-kerja/tinjauan/item-1/putusan", {"verdict": "approve"})
    assert answer.url.path == "/ruang-kerja/tinjauan/item-2"
    assert "Just judged" in text
    async with office.people.transaction() as tx:
        line = await last_line(tx)
        assert (line["verb"], line["subject"], line["person"]) == ("approve-item", "item-1", browser.person)
        assert line["reason"]
        assert await tx.value("select count(*) from job where stage = 'decide'") == 1
    _, text = await browser.get("/ruang-kerja/tinjauan")
    assert "Tari Satu" not in text
    answer, text = await browser.post("/ruang-kerja/tinjauan/item-1/batal")
    assert "taken back" in text
    async with office.people.transaction() as tx:
        assert (await last_line(tx))["verb"] == "take-back"
        assert await tx.value("select count(*) from human_act where revoked_by is null") == 0
    answer, text = await browser.post(
        "/ruang-kerja/tinjauan/item-2/putusan", {"verdict": "reject", "reason": "kutipan lain"}
    )
    assert answer.url.path == "/ruang-kerja/tinjauan"
    assert "Tari Satu" in text


async def test_a_single_fact_is_judged_and_its_page_can_be_read(office):
    async with office.people.transaction() as tx:
        claim = await plant_review(tx)
    browser = await office.at_work(Role.AUDITOR)
    answer, _ = await browser.post(
        "/ruang-kerja/tinjauan/item-1/fakta", {"verdict": "reject", "attribute": "asal", "value_key": "minangkabau"}
    )
    assert answer.status == 200
    async with office.people.transaction() as tx:
        assert (await last_line(tx))["effect"]["fact"] == "asal\x1fminangkabau"
    _, text = await browser.get(f"/ruang-kerja/halaman/{claim}")
    assert f'<mark id="kutipan">{QUOTE}</mark>' in text


async def test_a_sensitive_entry_is_approved_by_a_guardian_alone(office):
    async with office.people.transaction() as tx:
        await plant_review(tx, sensitive=True)
    auditor, guardian = await office.at_work(Role.AUDITOR), await office.at_work(Role.GUARDIAN)
    answer, text = await auditor.post("/ruang-kerja/tinjauan/item-1/putusan", {"verdict": "approve"})
    assert answer.status == 403
    assert "Nothing was changed" in text
    answer, _ = await guardian.post(
        "/ruang-kerja/tinjauan/item-1/putusan", {"verdict": "approve", "reason": "dibicarakan dengan komunitas"}
    )
    assert answer.status == 200


async def test_stored_markup_is_inert_on_every_page_that_shows_it(office):
    async with office.people.transaction() as tx:
        claim = await plant_review(tx, "item-1", "Tari " + NASTY, reason="because " + NASTY)
        await plant_review(tx, "item-2", "Tari " + NASTY, status="shadow")
        await plant_samples(tx, 1, NASTY)
        await entries.write_human(
            tx,
            HumanEntry("h1", "tarian", NASTY, "x", [], [], [], "-", NASTY, [], None, None, "reference", "h1", None),
            None,
        )
        await entry_requests.add_takedown(tx, "h1", NASTY, NASTY, NASTY)
        await entry_requests.add_correction(tx, "h1", NASTY, NASTY)
        await tx.run(
            "insert into job (stage, key, state, reason, payload) values ('extract', %(n)s, 'dead', %(n)s, jsonb_build_object('a', %(n)s::text))",
            {"n": NASTY},
        )
        await tx.run(
            "insert into host (name, domain, stopped, note) values ('a.example', 'a.example', %(n)s, %(n)s)",
            {"n": NASTY},
        )
        await tx.run(
            "insert into notice (kind, subject, detail) values ('x', %(n)s, jsonb_build_object('a', %(n)s::text))",
            {"n": NASTY},
        )
        await governed.append_action(tx, None, "test", NASTY, NASTY, {"x": NASTY})
        await stages.pause(tx, "crawl", NASTY)
    browser = await office.at_work(*Role)
    seen = 0
    for path in (
        "",
        "/tinjauan",
        "/tinjauan/item-1",
        f"/halaman/{claim}",
        "/audit",
        "/bayangan",
        "/penurunan",
        "/gagal",
        "/frontier",
        "/catatan",
        "/mesin",
    ):
        answer, text = await browser.get("/ruang-kerja" + path)
        assert answer.status == 200, path
        assert "<script>alert" not in text, path
        assert "<img src=x" not in text, path
        assert "49" not in text.split("{{7*7}}")[0][-5:]
        seen += "{{7*7}}" in text
    assert seen == 11


async def test_an_auditor_reads_samples_one_after_the_other(office):
    async with office.people.transaction() as tx:
        await plant_samples(tx, 3)
    browser = await office.at_work(Role.AUDITOR)
    answer, _ = await browser.get("/ruang-kerja/audit")
    for verdict in ("correct", "incorrect:wrong fact", "unclear"):
        assert answer.url.path.startswith("/ruang-kerja/audit/")
        answer, text = await browser.post(answer.url.path, {"verdict": verdict})
        assert answer.status == 200
    assert "queue is empty" in text
    async with office.people.transaction() as tx:
        assert [row["verdict"] for row in await tx.rows("select verdict from label order by id")] == [
            "correct",
            "incorrect",
            "unclear",
        ]
        assert (await last_line(tx))["verb"] == "label-sample"
    text = "being counted"
    while "being counted" in text.lower():
        _, text = await browser.get("/ruang-kerja/mutu")
    assert "50.0\u00a0%" in text


async def test_a_label_just_sent_is_taken_back_and_given_again(office):
    async with office.people.transaction() as tx:
        await plant_samples(tx, 2)
    browser, other = await office.at_work(Role.AUDITOR), await office.at_work(Role.AUDITOR, login="auditor-lain")
    answer, _ = await browser.get("/ruang-kerja/audit")
    first = answer.url.path
    _, text = await browser.post(first, {"verdict": "incorrect:wrong fact"})
    assert f'action="{first}/tarik"' in text
    assert 'data-key="u"' in text
    await other.get(first)
    answer, _ = await other.post(f"{first}/tarik")
    assert answer.status == 422
    answer, text = await browser.post(f"{first}/tarik")
    assert answer.url.path == first
    assert f'action="{first}/tarik"' not in text
    async with office.people.transaction() as tx:
        assert (await last_line(tx))["verb"] == "withdraw-label"
        assert (await audits.loop_closure(tx))["labels"] == 0
    await browser.post(first, {"verdict": "correct"})
    async with office.people.transaction() as tx:
        found = [row for row in await audits.samples(tx) if row["verdict"]]
        assert [(row["verdict"], row["readings"]) for row in found] == [("correct", 1)]
        assert await tx.value("select count(*) from label") == 2
        assert (await governed.broken_links(tx), await governed.unsealed_rows(tx)) == ([], [])


async def test_a_category_is_raised_by_different_people_and_stopped_by_one(office):
    guardian, auditor, operator = [await office.at_work(role) for role in (Role.GUARDIAN, Role.AUDITOR, Role.OPERATOR)]
    curator, approver = await office.at_work(Role.CURATOR), await office.at_work(Role.APPROVER)
    answer, text = await curator.post(
        "/ruang-kerja/otonomi/minta", {"category": "tarian", "mode": "trickle", "reason": "siap"}
    )
    assert (answer.status, "rules do not allow" in text) == (422, True)
    answer, _ = await guardian.post(
        "/ruang-kerja/makna/sahkan", {"consulted": "Dewan adat\nSanggar", "reason": "sudah dibicarakan"}
    )
    assert answer.status == 200
    answer, _ = await curator.post(
        "/ruang-kerja/otonomi/minta", {"category": "tarian", "mode": "trickle", "reason": "siap"}
    )
    assert answer.url.path == "/ruang-kerja/permintaan"
    async with office.people.transaction() as tx:
        number = (await requests.listed(tx))[0]["id"]
    for risk, browser in (("culture", guardian), ("corpus", auditor), ("law", operator)):
        text = ""
        while 'name="checked"' not in text:
            _, text = await browser.get(f"/ruang-kerja/permintaan/{number}/angka/{risk}")
        checks = [piece.split('"')[0] for piece in text.split('name="checked" value="')[1:]]
        fields = [("checked", each) for each in checks] + [("reason", "diperiksa")]
        answer, text = await browser.post(f"/ruang-kerja/permintaan/{number}/tanda/{risk}", fields)
        assert answer.status == 200, text
    answer, text = await approver.post(f"/ruang-kerja/permintaan/{number}/laksanakan", {"reason": "setuju"})
    assert answer.status == 200, text
    async with office.people.transaction() as tx:
        assert (await governed.values_now(tx))["mode.tarian"] == "trickle"
    _, text = await approver.get("/ruang-kerja/otonomi")
    assert "3 sign-offs" in text
    for told in ("Orang kerja-guardian", "Orang kerja-auditor", "Orang kerja-operator", "diperiksa"):
        assert told in text
    _, text = await approver.get("/ruang-kerja/permintaan")
    assert text.count("diperiksa") == 3
    answer, _ = await auditor.post("/ruang-kerja/otonomi/darurat", {"reason": "ada yang keliru"})
    assert answer.status == 200
    async with office.people.transaction() as tx:
        assert (await governed.values_now(tx))["mode.tarian"] == "shadow"
        assert (await last_line(tx))["verb"] == "emergency-stop"
    _, text = await approver.get("/ruang-kerja/otonomi")
    assert "sign-offs" not in text


async def test_a_reason_is_demanded_where_the_table_says_so(office):
    operator = await office.at_work(Role.OPERATOR)
    answer, text = await operator.post("/ruang-kerja/mesin/crawl/jeda", {"reason": "   "})
    assert (answer.status, "needs a reason" in text) == (422, True)
    async with office.people.transaction() as tx:
        assert all(row["paused_reason"] is None for row in await stages.all_stages(tx))


async def test_an_operator_pauses_redrives_and_makes_people(office):
    async with office.people.transaction() as tx:
        await tx.run(
            "insert into job (stage, key, state, reason) select 'extract', 'k' || n, 'dead', 'broken ' || n from generate_series(1, 60) n"
        )
    operator = await office.at_work(Role.OPERATOR)
    await operator.post("/ruang-kerja/mesin/crawl/jeda", {"reason": "perawatan"})
    async with office.people.transaction() as tx:
        assert {row["name"]: row["paused_reason"] for row in await stages.all_stages(tx)}["crawl"] == "perawatan"
        ids = [row["id"] for row in await jobs.dead(tx)]
    _, text = await operator.get("/ruang-kerja/gagal")
    assert text.count('name="id"') == 50
    assert "setelah=" in text
    await operator.post("/ruang-kerja/gagal", [("id", str(ids[0])), ("id", str(ids[1])), ("reason", "diperbaiki")])
    async with office.people.transaction() as tx:
        assert len(await jobs.dead(tx)) == 58
        assert (await last_line(tx))["effect"]["jobs"] == 2
    answer, _ = await operator.post("/ruang-kerja/gagal", {"which": "filter", "reason": "semua"})
    assert answer.status == 422
    answer, _ = await operator.post(
        "/ruang-kerja/orang",
        {"login": "baru", "name": "Orang Baru", "password": "kata sandi yang panjang", "machine": "true", "id": "1"},
    )
    assert answer.status == 200
    async with office.people.transaction() as tx:
        made = await tx.row("select id, machine from person where login = 'baru'")
    assert made["machine"] is False
    await operator.post(
        f"/ruang-kerja/orang/{made['id']}/peran", {"role": "auditor", "scope": "ID-SB", "reason": "tugasnya"}
    )
    async with office.people.transaction() as tx:
        assert await tx.value("select scope from role_grant where person = %(id)s", made) == "ID-SB"
    answer, text = await operator.get("/ruang-kerja/catatan")
    assert "grant-role" in text
    answer, text = await operator.get("/ruang-kerja/catatan/periksa")
    assert "chain of" in text
    assert "holds" in text


async def test_a_curator_proposes_seeds_and_stops_a_host(office):
    curator = await office.at_work(Role.CURATOR)
    rows = "http://museum.example/tari,tarian,ID-SB,2,museum\nnot a url\nftp://x.example/,,,1,"
    _, text = await curator.post("/ruang-kerja/benih/usul", {"name": "museum", "rows": rows, "reason": "sumber baik"})
    assert "1 seeds proposed" in text
    _, text = await curator.get("/ruang-kerja/benih?pilih=1")
    assert "museum" in text
    answer, _ = await curator.post("/ruang-kerja/benih/museum/tanam", {"reason": "lubang di Sumatra Barat"})
    assert answer.status == 200
    await curator.post(
        "/ruang-kerja/frontier/henti", {"host": "https://museum.example/abc", "reason": "diminta berhenti"}
    )
    _, text = await curator.get("/ruang-kerja/frontier")
    assert "diminta berhenti" in text
    await curator.post("/ruang-kerja/frontier/izinkan", {"host": "museum.example", "reason": "sudah boleh"})
    async with office.people.transaction() as tx:
        assert await tx.value("select stopped from host where name = 'museum.example'") is None
        assert (await last_line(tx))["verb"] == "allow-host"
    answer, text = await curator.post(
        "/ruang-kerja/frontier/jeda", {"host": "museum.example", "seconds": "0.1", "reason": "cepat"}
    )
    assert (answer.status, "lies between" in text) == (422, True)
    await curator.post(
        "/ruang-kerja/frontier/jeda", {"host": "museum.example", "seconds": "60", "reason": "server lambat"}
    )
    async with office.people.transaction() as tx:
        assert await tx.value("select delay_seconds from host where name = 'museum.example'") == 60
    _, text = await curator.get("/ruang-kerja/jelaskan?hal=http://museum.example/tari")
    assert "&#34;waiting&#34;" in text
    _, text = await curator.get("/ruang-kerja/cakupan")
    assert "Sumatera Barat" in text or "Sumatra Barat" in text
    answer, _ = await curator.post(
        "/ruang-kerja/sumber", {"rules": "official,host,museum.example,museum negeri", "reason": "dikenal"}
    )
    assert answer.status == 200
    answer, _ = await curator.post("/ruang-kerja/sumber", {"rules": "gold,host,museum.example,x", "reason": "dikenal"})
    assert answer.status == 422


async def test_a_guardian_hides_removes_and_extends_the_list(office):
    async with office.people.transaction() as tx:
        await entries.write_human(
            tx,
            HumanEntry(
                "h1",
                "tarian",
                "Tari Piring",
                "x",
                [],
                [],
                [],
                "-",
                "isi yang rahasia",
                [],
                None,
                None,
                "reference",
                "h1",
                None,
            ),
            None,
        )
        number = await entry_requests.add_takedown(tx, "h1", "Komunitas", "a@b.example", "sakral")
    guardian = await office.at_work(Role.GUARDIAN)
    await guardian.post(
        "/ruang-kerja/sembunyi", {"hidden": "yes", "identity": "http://pustaka.example/entri/h1", "reason": "sementara"}
    )
    _, text = await guardian.get("/ruang-kerja/penurunan")
    assert '<a href="/entri/h1">Tari Piring</a>' in text
    _, text = await guardian.get("/entri/h1")
    assert "isi yang rahasia" not in text
    answer, _ = await guardian.post(f"/ruang-kerja/penurunan/{number}", {"verdict": "grant", "reason": "dikabulkan"})
    assert answer.status == 200
    answer, _ = await guardian.get("/entri/h1")
    assert answer.status == 410
    async with office.people.transaction() as tx:
        await plant_review(tx)
    _, text = await guardian.get("/ruang-kerja/makna?kata=piring")
    assert "1 become sensitive, 0 no longer are" in text
    _, text = await guardian.get("/ruang-kerja/makna?kata=%25%25")
    assert "0 become sensitive" in text
    _, preview = await guardian.post("/ruang-kerja/makna/pratinjau", {"terms": "piring,,kata uji"})
    assert "1 become sensitive" in preview
    assert "piring: kata uji" in preview
    answer, _ = await guardian.get("/ruang-kerja/tetapan")
    answer, _ = await guardian.post(
        "/ruang-kerja/tetapan", {"name": "fusion.theta_sensitive", "value": "²", "reason": "x"}
    )
    assert answer.status == 422
    terms = unescape(text.split('name="terms" rows="12">')[1].split("</textarea>")[0])
    answer, text = await guardian.post(
        "/ruang-kerja/makna/daftar", {"terms": terms + "\nkata uji,tarian,contoh", "reason": "tambahan"}
    )
    assert answer.url.path == "/ruang-kerja/makna", text
    answer, _ = await guardian.post(
        "/ruang-kerja/makna/daftar", {"terms": "kata uji,tarian,contoh", "reason": "memendekkan"}
    )
    assert answer.url.path == "/ruang-kerja/permintaan"


async def test_a_reader_s_correction_is_taken_up_or_declined_at_the_desk(office):
    async with office.people.transaction() as tx:
        await entries.write_human(
            tx,
            HumanEntry(
                "h1",
                "tarian",
                "Tari Lama",
                "tari lama",
                [],
                [],
                [],
                "-",
                "isi",
                [],
                None,
                None,
                "reference",
                None,
                None,
            ),
            None,
        )
        numbers = [await ask_for_correction(tx, "h1", text, None) for text in ("salah tahun", "salah nama")]
    moderator = await office.at_work(Role.MODERATOR)
    for number, verdict in zip(numbers, ("accept", "decline"), strict=True):
        _, text = await moderator.get("/ruang-kerja/penurunan")
        assert f"/ruang-kerja/koreksi/{number}" in text
        answer, _ = await moderator.post(
            f"/ruang-kerja/koreksi/{number}", {"verdict": verdict, "reason": "sudah dicek"}
        )
        assert answer.status == 200
    _, text = await moderator.get("/ruang-kerja/penurunan")
    assert "/ruang-kerja/koreksi/" not in text
    async with office.people.transaction() as tx:
        states = await tx.rows("select state from correction order by id")
        assert [row["state"] for row in states] == ["taken up", "declined"]
        assert await tx.value("select count(*) from notice where kind = 'correction' and closed_at is null") == 0


async def test_the_funnel_is_live_and_ends_by_itself_when_the_browser_leaves(office):
    async with office.system.machine.transaction() as tx:
        await refusals.add(tx, "extract", "x", "gate: news")
        await jobs.record_figure(tx, "extract", "handled", 3, 1.0)
    browser = await office.at_work(Role.APPROVER)
    async with browser.session.get("/ruang-kerja/arus") as answer:
        assert answer.content_type == "text/event-stream"
        lines = b""
        while b"data: {" not in lines:
            lines += await asyncio.wait_for(answer.content.readany(), 60)
    assert b"retry: 1000" in lines
    assert b'"published":0' in lines
    assert b'"rate extract":"3.0"' in lines
    assert b'"drop extract: gate: news":1' in lines


async def test_the_front_page_says_at_a_glance_that_all_is_well_or_what_is_not(office):
    operator, curator = await office.at_work(Role.OPERATOR), await office.at_work(Role.CURATOR)
    _, text = await operator.get("/ruang-kerja")
    assert "No worker was seen" in text
    async with office.system.machine.transaction() as tx:
        await stages.see_worker(tx, uuid4(), ["extract"], "mesin", 1, "running")
    _, text = await operator.get("/ruang-kerja")
    assert "All is well" in text
    await operator.post("/ruang-kerja/mesin/extract/jeda", {"reason": "uji"})
    _, text = await operator.get("/ruang-kerja")
    assert "All is well" not in text
    assert '<a href="/ruang-kerja/mesin">Stages paused: 1</a>' in text
    _, text = await curator.get("/ruang-kerja")
    assert "<li>Stages paused: 1</li>" in text


async def test_what_waits_is_linked_for_whoever_may_open_it(office):
    async with office.people.transaction() as tx:
        await plant_review(tx)
    link = 'href="/ruang-kerja/tinjauan">Entries'
    _, text = await (await office.at_work(Role.CURATOR)).get("/ruang-kerja")
    assert "(auditor, guardian)" in text
    assert link not in text
    _, text = await (await office.at_work(Role.AUDITOR)).get("/ruang-kerja")
    assert link in text


async def test_an_unknown_thing_is_a_page_not_a_fault(office):
    browser = await office.at_work(*Role)
    for path in (
        "/tinjauan/tidak-ada",
        "/audit/999",
        "/halaman/999",
        "/audit/abc",
        "/permintaan/9/angka/law",
        "/angkatan?sebelum=99999999999999999999999",
    ):
        answer, text = await browser.get("/ruang-kerja" + path)
        assert answer.status in {200, 404, 422}, (path, text)
    for path in ("/..%2f..%2fetc/passwd", "/%00"):
        answer, _ = await browser.get("/ruang-kerja" + path)
        assert answer.status < 500


async def test_the_front_page_says_what_would_improve_the_objective_most_and_leads_there(office):
    approver = await office.at_work(Role.APPROVER)
    text = "Being counted"
    async with asyncio.timeout(60):
        while "Being counted" in text:
            _, text = await approver.get("/ruang-kerja")
            await asyncio.sleep(0.1)
    assert "What would improve the objective most" in text
    assert '<a href="/ruang-kerja/otonomi">Raise categories out of shadow</a>' in text
    assert "Validated new facts" in text and "Cost per published entry" in text


async def test_a_verdict_on_a_pair_is_taken_back_by_its_button(office):
    async with office.people.transaction() as tx:
        await plant_review(tx, "item-1", "Tari Satu")
        await plant_review(tx, "item-2", "Tari Dua")
        await tx.run(
            "insert into pair_verdict (a, b, score, verdict, decided_by, evidence, versions) values ('cand-item-1', "
            "'cand-item-2', .5, 'unsure', 'rule', "
            """'{"agree": ["name (spelling)", "asal"], "differ": ["region"], "terms": {"cosine": 0.25}}', '{"rules": 1}')"""
        )
    browser = await office.at_work(Role.AUDITOR)
    pair = {"a": "cand-item-1", "b": "cand-item-2"}
    _, text = await browser.get("/ruang-kerja/pasangan?bahasa=id")
    for told in ("nama (lain ejaan)", "wilayah", "0,2500", "Tari Satu", "Tari Dua"):
        assert told in text
    _, text = await browser.post("/ruang-kerja/pasangan", pair | {"verdict": "same"})
    assert "Antrean ini kosong" in text
    assert "Baru saja diputuskan: Tari Satu ↔ Tari Dua: sama." in text
    _, text = await browser.post("/ruang-kerja/pasangan/batal", pair)
    assert 'value="same"' in text
    async with office.people.transaction() as tx:
        line = await last_line(tx)
        assert (line["verb"], line["subject"], line["person"]) == ("take-back", "cand-item-1", browser.person)
        assert line["effect"] == {"with": "cand-item-2", "took_back": "same"}
        assert line["reason"]
    answer, _ = await browser.post("/ruang-kerja/pasangan/batal", pair)
    assert answer.status == 422
