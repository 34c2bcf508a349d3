"""What the desks offer to whom: suggestions to the curator, a reading without verdicts to the approver, verdicts to who may give them."""

from __future__ import annotations

import re
from html import unescape

from aiohttp import web

from lumbung.model.permission import Role
from lumbung.store import coverage, governed, requests
from tests.integration.web.console.planted import NASTY, QUOTE, plant_review


async def test_a_curator_asks_a_search_service_and_proposes_what_fits(office):
    """Asking keeps nothing; what is proposed waits for a curator like any other tranche."""

    async def answer_search(request):
        asked.append(request.query["q"])
        found = [{"url": f"https://museum{n}.example/tari", "title": f"Tari, {n} {NASTY}"} for n in (1, 2)]
        return web.json_response({"results": found})

    asked = []
    app = web.Application()
    app.router.add_get("/search", answer_search)
    runner = web.AppRunner(app)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    curator = await office.at_work(Role.CURATOR)
    fields = {"category": "tarian", "region": "ID-SB"}
    try:
        _, text = await curator.get("/ruang-kerja/benih")
        assert "No search service is set up" in text
        settings = office.system.settings
        search = settings.search.model_copy(update={"url": f"http://127.0.0.1:{runner.addresses[0][1]}/search"})
        office.system.settings = settings.model_copy(update={"search": search})
        answer, text = await curator.post("/ruang-kerja/benih/cari", fields)
    finally:
        await runner.cleanup()
    assert (answer.status, asked) == (200, ["Tarian Sumatera Barat"])
    assert "<script>alert" not in text
    rows = unescape(re.search(r"<textarea[^>]*>(.*?)</textarea>", text, re.DOTALL).group(1))
    answer, _ = await curator.post("/ruang-kerja/benih/usul", {"name": "dari-pencarian", "rows": rows})
    assert answer.status == 200
    async with office.people.transaction() as tx:
        seeds = await coverage.seeds(tx, "dari-pencarian")
        assert await tx.value("select count(*) from frontier") == 0
    assert [(seed["url"], seed["category"], seed["verified"]) for seed in seeds] == [
        (f"https://museum{n}.example/tari", "tarian", False) for n in (1, 2)
    ]
    answer, _ = await curator.post("/ruang-kerja/benih/dari-pencarian/periksa")
    assert answer.status == 422, "nothing ticked is nothing looked at"
    async with office.people.transaction() as tx:
        assert not any(seed["verified"] for seed in await coverage.seeds(tx, "dari-pencarian"))


async def test_an_approver_reads_what_shadow_would_have_written_and_judges_nothing(office):
    async with office.people.transaction() as tx:
        await plant_review(tx, status="shadow")
    approver = await office.at_work(Role.APPROVER)
    _, text = await approver.get("/ruang-kerja/bayangan")
    assert 'href="/ruang-kerja/tinjauan/item-1"' in text
    answer, text = await approver.get("/ruang-kerja/tinjauan/item-1")
    assert answer.status == 200
    assert f"<mark>{QUOTE}</mark>" in text
    assert 'name="verdict"' not in text
    answer, _ = await approver.post("/ruang-kerja/tinjauan/item-1/putusan", {"verdict": "approve", "reason": "x"})
    assert answer.status == 403


async def test_an_auditor_is_not_offered_what_a_guardian_alone_approves(office):
    async with office.people.transaction() as tx:
        await plant_review(tx, sensitive=True)
    _, text = await (await office.at_work(Role.AUDITOR)).get("/ruang-kerja/tinjauan/item-1")
    assert 'value="approve"' not in text
    assert 'value="reject"' in text
    _, text = await (await office.at_work(Role.GUARDIAN)).get("/ruang-kerja/tinjauan/item-1")
    assert 'value="approve"' in text


async def test_nobody_is_offered_to_sign_or_carry_out_what_they_asked_for_or_what_is_not_signed_yet(office):
    approver, other = await office.at_work(Role.APPROVER), await office.at_work(Role.APPROVER, login="lain")
    async with office.people.transaction() as tx:
        change = {"from": "shadow", "mode": "trickle"}
        number = await requests.add(tx, "set-mode", "tarian", change, "siap", approver.person)
        await requests.add(tx, "set-constant", "fusion.theta", {"value": 0.5, "before": 0.85}, "x", approver.person)
    _, text = await approver.get("/ruang-kerja/permintaan")
    assert ("/angka/law" in text, ">Carry out<" in text) == (False, False)
    assert text.count("You asked for this") == 2
    assert ">Withdraw<" in text
    _, text = await other.get("/ruang-kerja/permintaan")
    assert f"/permintaan/{number}/angka/law" in text
    assert text.count(">Carry out<") == 1, "the constant, which nobody has to sign for"
    assert text.count("once all three risks are signed for") == 1
    assert ">Decline<" in text


async def test_a_reason_is_no_longer_than_its_field(office):
    operator = await office.at_work(Role.OPERATOR)
    path = "/ruang-kerja/mesin/crawl/jeda"
    answer, text = await operator.post(path, {"reason": "x" * 501})
    assert (answer.status, "at most 500 characters" in text) == (422, True)
    answer, text = await operator.post(path, {"reason": ""}, headers={"Accept-Language": "id"})
    assert (answer.status, "menjeda tahap memerlukan alasan." in text) == (422, True)
    answer, _ = await operator.post(path, {"reason": "x" * 500})
    assert answer.status == 200


async def test_an_edit_does_not_go_over_somebody_elses(office):
    curator, other = await office.at_work(Role.CURATOR), await office.at_work(Role.GUARDIAN)
    path = "/ruang-kerja/sumber"
    _, text = await curator.get(path)
    seen = re.search(r'action="/ruang-kerja/sumber/larangan".*?name="seen" value="(\d+)"', text, re.DOTALL).group(1)
    fields = {"patterns": "toko.example,dagang", "reason": "uji", "seen": seen}
    answer, _ = await other.post(f"{path}/larangan", fields)
    assert answer.status == 200
    answer, text = await curator.post(f"{path}/larangan", fields | {"patterns": "lapak.example,dagang"})
    assert (answer.status, "Somebody changed this" in text) == (409, True)
    async with office.people.transaction() as tx:
        denied = (await governed.values_now(tx))["sources.denylist"]
    assert [each["pattern"] for each in denied] == ["toko.example"]
