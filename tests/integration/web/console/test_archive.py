"""The archive's page: what it holds, what waits, and whether it is whole, with a real archive beneath."""

from __future__ import annotations

from lumbung.governance.actions.archive import ask_archive_check
from lumbung.governance.steward.archiver import archive_once
from lumbung.governance.steward.unarchiving import erase_once
from lumbung.governance.steward.verifying import verify_once
from lumbung.model.permission import OPERATOR_AT_THE_MACHINE, Role
from lumbung.store import archive_checks
from tests.integration.web.console.planted import NASTY, last_line

PAGES = 7


def through(_name):
    """Nobody waits at the failpoints."""


async def plant_pages(office, number=PAGES):
    async with office.system.machine.transaction() as tx:
        await tx.run(
            "insert into document (url, final_url, host, domain, digest, status, content_type, kind, headers, request_headers, body) "
            "select 'http://a.example/' || n, 'http://a.example/' || n, 'a.example', 'a.example', "
            "encode(sha256(convert_to('page ' || n, 'UTF8')), 'hex'), 200, 'text/html', 'item', '[]', '[]', convert_to('page ' || n, 'UTF8') "
            "from generate_series(1, %(number)s) n",
            {"number": number},
        )


async def archived(office):
    await plant_pages(office)
    await archive_once(office.system.machine, office.system.archive, through)


async def verified(office, batch=3):
    while await verify_once(office.system.machine, office.system.archive, batch):
        pass


async def test_the_page_tells_where_the_archive_is_what_it_holds_and_what_waits(office):
    await archived(office)
    async with office.system.machine.transaction() as tx:
        await tx.run(
            "insert into document (url, final_url, host, domain, digest, status, content_type, kind, body) "
            "values ('http://b.example/', 'http://b.example/', 'b.example', 'b.example', 'x', 200, 'text/html', 'item', 'x')"
        )
    browser = await office.at_work(Role.OPERATOR)
    answer, text = await browser.get("/ruang-kerja/arsip?bahasa=id")
    assert answer.status == 200
    folder = office.system.settings.archive_folder
    file = next(folder.glob("*.warc.gz"))
    size = f"{file.stat().st_size / 1000:.1f} kB".replace(".", ",")
    assert f'<th scope="row">{file.name}</th><td>{size}</td><td>{PAGES}</td><td>0</td>' in text
    assert str(folder) in text
    assert "Ruang diska bebas" in text
    assert "<dt>Menunggu diarsipkan</dt><dd>1</dd>" in text
    assert "belum pernah diperiksa" in text
    file.unlink()
    _, text = await browser.get("/ruang-kerja/arsip?bahasa=id")
    assert "tidak ada</span></td>" in text


async def test_a_verification_is_asked_for_made_in_batches_and_finds_what_is_damaged(office):
    await archived(office)
    browser = await office.at_work(Role.OPERATOR)
    answer, _ = await browser.post("/ruang-kerja/arsip/periksa", {"reason": " "})
    assert answer.status == 422
    _, text = await browser.post("/ruang-kerja/arsip/periksa", {"reason": "setelah diska diganti"})
    assert "Under way: 0 pages" in text
    async with office.people.transaction() as tx:
        line = await last_line(tx)
    assert (line["verb"], line["person"], line["reason"]) == ("verify-archive", browser.person, "setelah diska diganti")
    answer, text = await browser.post("/ruang-kerja/arsip/periksa", {"reason": "sekali lagi"})
    assert (answer.status, "under way already" in text) == (422, True)
    assert await verify_once(office.system.machine, office.system.archive, 3) == 3
    _, text = await browser.get("/ruang-kerja/arsip")
    assert "Under way: 3 pages" in text
    await verified(office)
    _, text = await browser.get("/ruang-kerja/arsip")
    assert f"Whole: {PAGES} pages were read back" in text
    file = next(office.system.settings.archive_folder.glob("*.warc.gz"))
    content = bytearray(file.read_bytes())
    async with office.people.transaction() as tx:
        place = await tx.value("select archive_offset from document where url = 'http://a.example/4'")
    content[place + 40 : place + 60] = bytes(20)
    file.write_bytes(bytes(content))
    await browser.post("/ruang-kerja/arsip/periksa", {"reason": "curiga"})
    await verified(office)
    _, text = await browser.get("/ruang-kerja/arsip?bahasa=id")
    assert f"Rusak: 1 dari {PAGES} halaman" in text
    assert "catatan pada" in text.split("http://a.example/4: ")[1][:40]


async def test_a_page_is_erased_from_the_archive_and_the_page_tells_so(office):
    await archived(office)
    async with office.system.machine.transaction() as tx:
        await tx.run("insert into host (name, domain) values ('a.example', 'a.example')")
        await tx.run(
            "insert into frontier (url, url_key, host, priority, depth, state) values ('http://a.example/2', gen_random_uuid(), 'a.example', 1, 0, 'fetched')"
        )
    guardian = await office.at_work(Role.GUARDIAN)
    answer, _ = await guardian.post("/ruang-kerja/arsip/hapus", {"url": f"http://x.example/{NASTY}", "reason": "x"})
    assert answer.status == 422
    answer, text = await guardian.post(
        "/ruang-kerja/arsip/hapus", {"url": "http://a.example/2", "reason": "diminta pemilik"}
    )
    assert answer.status == 200
    async with office.people.transaction() as tx:
        line = await last_line(tx)
        asked = await tx.value("select count(*) from job where stage = 'steward'")
        waits = (await archive_checks.waiting(tx))["erasures"]
    assert (line["verb"], line["reason"]) == ("erase-page", "diminta pemilik")
    assert asked or waits
    answer, _ = await guardian.post("/ruang-kerja/arsip/periksa", {"reason": "x"})
    assert answer.status == 403


async def test_what_was_rewritten_meanwhile_is_no_damage(office):
    await archived(office)
    async with office.people.transaction() as tx:
        await ask_archive_check(tx, OPERATOR_AT_THE_MACHINE, "nightly")
    await verify_once(office.system.machine, office.system.archive, 3)
    async with office.system.machine.transaction() as tx:
        await tx.run(
            "with gone as (update document set archive = null, archive_offset = null, body = null where url = 'http://a.example/6' returning id) "
            "insert into archive_erasure (archive, archive_offset, url) select d.archive, d.archive_offset, d.url from document d where d.url = 'http://a.example/6'"
        )
    assert await erase_once(office.system.machine, office.system.archive, through) == 1
    await verified(office)
    async with office.people.transaction() as tx:
        check = (await archive_checks.latest(tx))[0]
    assert check["ended_at"] is not None
    assert (check["damaged"], check["records"]) == (0, PAGES - 1)
