"""Pictures are copied on accept, politely, clean and attributed; everything else about them stays a reference."""

from __future__ import annotations

import asyncio
import io
from contextlib import asynccontextmanager
from dataclasses import replace

import pytest
from aiohttp import web
from PIL import Image
from tests.integration.library.test_port import PEOPLE, READER
from tests.integration.stages.test_order import page

from lumbung.archive.pictures import PictureFolder
from lumbung.library.actions.contribute import revise_entry
from lumbung.model.candidate import MediaReference
from lumbung.providers.fetch.addresses import AddressGuard, parse_network
from lumbung.providers.fetch.fetcher import Fetcher
from lumbung.providers.fetch.limits import FetchLimits
from lumbung.providers.fetch.resolver import Endpoint
from lumbung.providers.pictures import PictureDecoder
from lumbung.stages.publish.pictures import PictureCopier
from lumbung.store import hosts, pictures

HOST = "museum.go.id"
BY = "https://creativecommons.org/licenses/by/4.0/"


def png(**info):
    from PIL import PngImagePlugin

    note = PngImagePlugin.PngInfo()
    for name, value in info.items():
        note.add_text(name, value)
    out = io.BytesIO()
    Image.new("RGB", (80, 60), "brown").save(out, format="PNG", pnginfo=note)
    return out.getvalue()


class Museum:
    """A host with pictures; it remembers what it was asked for."""

    def __init__(self):
        self.asked = []
        self.robots = "User-agent: *\nDisallow: /tertutup/\n"
        self.answers = {}

    async def handle(self, request):
        self.asked.append(request.path)
        if request.path == "/robots.txt":
            return web.Response(text=self.robots)
        status, body, headers = self.answers.get(request.path, (404, b"", {}))
        return web.Response(status=status, body=body, headers=headers)


@asynccontextmanager
async def copying(bench, folder, passage=lambda _: None):
    museum = Museum()
    app = web.Application()
    app.router.add_route("*", "/{path:.*}", museum.handle)
    runner = web.AppRunner(app, access_log=None)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    port = runner.addresses[0][1]
    fetcher = Fetcher(
        "LumbungBot/0.1",
        AddressGuard([parse_network("127.0.0.1/32")]),
        FetchLimits(redirects=0),
        resolve={(HOST, 80): Endpoint("127.0.0.1", port)},
    )
    try:
        async with bench() as made, fetcher:
            async with made.people.transaction() as tx:
                await hosts.set_delay(tx, [(HOST, "museum.go.id")], 0.0)
            shelf = PictureFolder(folder)
            yield (
                made,
                museum,
                PictureCopier(made.machine, fetcher, PictureDecoder(), shelf, "LumbungBot", passage),
                shelf,
            )
    finally:
        await runner.cleanup()


async def publish(made, *shown, host=HOST, name="Tari Piring", number=1):
    url, text, candidate = page(f"http://{host}/{number}", name, [("fungsi", "hiburan rakyat")])
    media = tuple(MediaReference(f"http://{HOST}{path}", "Sebuah gambar", who, licence) for path, who, licence in shown)
    await made.add(url, text, replace(candidate, media=media))
    await made.run()


async def copy_all(copier):
    for _ in range(20):
        if not await copier.copy_one():
            return
    raise AssertionError("the copier does not come to an end")


async def state_of(made, path):
    async with made.people.transaction() as tx:
        row = await tx.row("select * from picture where url = %(url)s", {"url": f"http://{HOST}{path}"})
        entry = await tx.row("select files, owner, revision from entry where title = 'Tari Piring'")
    return row, entry


async def test_a_free_picture_is_fetched_once_cleaned_attributed_and_shown_by_its_entry(bench, tmp_path):
    async with copying(bench, tmp_path) as (made, museum, copier, shelf):
        museum.answers["/a.png"] = (
            200,
            png(Copyright="CC BY 4.0", Software="Rahasia 1.0"),
            {"Content-Type": "text/html"},
        )
        await publish(made, ("/a.png", "Museum Contoh", BY))
        assert museum.asked == []
        await copy_all(copier)
        row, entry = await state_of(made, "/a.png")
        assert (row["state"], row["licence"], row["creator"], row["page"]) == (
            "copied", "CC-BY-4.0", "Museum Contoh", f"http://{HOST}/1",
        )  # fmt: skip
        [file] = entry["files"]
        assert (file["digest"], file["licence_url"], file["caption"]) == (row["digest"], BY, "Sebuah gambar")
        content = await shelf.read(row["digest"])
        assert b"Rahasia" not in content
        assert b"Museum Contoh" in content
        assert museum.asked == ["/robots.txt", "/a.png"]
        await publish(made, ("/a.png", "Museum Contoh", BY), name="Tari Lilin", number=2)
        await copy_all(copier)
        assert museum.asked == ["/robots.txt", "/a.png"]
        async with made.people.transaction() as tx:
            assert await tx.value("select count(*) from entry where files <> '[]'") == 2


REFERENCES = {
    "reserved": (("x", "All rights reserved"), None),
    "no-licence": (("x", ""), None),
    "no-author": (("", BY), None),
    "tertutup": (("x", BY), (200, png(), {})),
    "gone": (("x", BY), (404, b"", {})),
    "redirect": (("x", BY), (302, b"", {"Location": "http://127.0.0.1/secret.png"})),
    "not-a-picture": (("x", BY), (200, b"<html>bukan</html>", {"Content-Type": "image/png"})),
    "metadata-disagree": (("x", BY), (200, png(Copyright="All rights reserved"), {})),
    "opt-out": (("x", BY), (200, png(), {"X-Robots-Tag": "noai, noimageai"})),
}
NEVER_ASKED = ("reserved", "no-licence", "no-author", "tertutup")


async def test_what_is_not_clearly_free_and_fetchable_stays_a_reference_with_its_reason(bench, tmp_path):
    async with copying(bench, tmp_path) as (made, museum, copier, _):
        museum.answers = {f"/{name}/r.png": answer for name, (_, answer) in REFERENCES.items() if answer}
        await publish(made, *((f"/{name}/r.png", *shown) for name, (shown, _) in REFERENCES.items()))
        await copy_all(copier)
        for name in REFERENCES:
            row, entry = await state_of(made, f"/{name}/r.png")
            assert row["reason"], name
            assert row["state"] == "reference" or not row["allowed"], name
            assert (f"/{name}/r.png" in museum.asked) == (name not in NEVER_ASKED), name
        assert entry["files"] == []
        assert list(tmp_path.rglob("*")) == []


async def test_a_page_of_somebody_else_cannot_grant_but_a_later_one_can_take_back(bench, tmp_path):
    async with copying(bench, tmp_path) as (made, museum, copier, _):
        museum.answers["/a.png"] = (200, png(), {})
        await publish(made, ("/a.png", "Pencuri", BY), host="lain.go.id")
        await copy_all(copier)
        assert museum.asked == []
        await publish(made, ("/a.png", "Museum Contoh", BY), number=2)
        await copy_all(copier)
        assert (await state_of(made, "/a.png"))[1]["files"]
        await publish(made, ("/a.png", "Museum Contoh", "CC BY-NC-ND 4.0"), number=3)
        row, entry = await state_of(made, "/a.png")
        assert (row["allowed"], entry["files"]) == (False, [])


async def test_a_host_that_fails_is_asked_later_and_given_up_in_the_end(bench, tmp_path):
    async with copying(bench, tmp_path) as (made, museum, copier, _):
        museum.answers["/a.png"] = (503, b"", {})
        await publish(made, ("/a.png", "Museum Contoh", BY))
        for _ in range(5):
            await copy_all(copier)
            async with made.people.transaction() as tx:
                await tx.run("update picture set due_at = lumbung_now()")
        row, _entry = await state_of(made, "/a.png")
        assert (row["state"], museum.asked.count("/a.png")) == ("reference", 5)
        async with made.people.transaction() as tx:
            assert not await pictures.unfinished(tx)


async def test_an_entry_that_people_made_theirs_gets_no_picture(bench, tmp_path):
    async with copying(bench, tmp_path) as (made, museum, copier, _):
        museum.answers["/a.png"] = (200, png(), {})
        await publish(made, ("/a.png", "Museum Contoh", BY))
        async with made.people.transaction() as tx:
            held = await tx.row("select identity, revision from entry where title = 'Tari Piring'")
            words = READER.read({"title": "Tari Piring", "text": "Kata warga.", "category": "tarian"})
            await revise_entry(tx, PEOPLE, held["identity"], words, held["revision"], "")
        await copy_all(copier)
        row, entry = await state_of(made, "/a.png")
        assert (row["state"], entry["owner"], entry["files"]) == ("copied", "human", [])


class Killed(BaseException):
    """The process ends here: nobody may catch it."""


@pytest.mark.parametrize("point", ["pictures.taken", "pictures.kept", "pictures.recorded"])
async def test_a_copier_that_dies_between_two_steps_loses_no_picture(bench, tmp_path, point):
    lives = iter([True])

    def dies_once(name):
        if name == point and next(lives, False):
            raise Killed

    async with copying(bench, tmp_path, dies_once) as (made, museum, copier, shelf):
        museum.answers["/a.png"] = (200, png(), {})
        await publish(made, ("/a.png", "Museum Contoh", BY))
        with pytest.raises(Killed):
            await copy_all(copier)
        async with made.people.transaction() as tx:
            await tx.run("update picture set leased_until = lumbung_now() where leased_until is not null")
        await copy_all(copier)
        row, entry = await state_of(made, "/a.png")
        assert [file["digest"] for file in entry["files"]] == [row["digest"]]
        assert await shelf.read(row["digest"])
        assert len([file for file in tmp_path.rglob("*") if file.is_file()]) == 1


async def test_an_idle_copier_is_woken_by_the_entry_that_wants_a_picture(bench, tmp_path):
    async with copying(bench, tmp_path) as (made, museum, copier, _):
        museum.answers["/a.png"] = (200, png(), {})
        running = asyncio.create_task(copier.run())
        await publish(made, ("/a.png", "Museum Contoh", BY))
        async with asyncio.timeout(30):
            while (await state_of(made, "/a.png"))[0]["state"] != "copied":
                await asyncio.sleep(0.05)
        copier.stop()
        await asyncio.wait_for(running, 60)
