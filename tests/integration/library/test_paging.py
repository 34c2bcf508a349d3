"""A remote list is walked to its end, however it is paged, and never round and round."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager

import pytest
from aiohttp import web
from tests.integration.library.foreign import foreign_library, foreign_mapping, site

from lumbung.errors import ContractError, PolicyRefused
from lumbung.providers.library.http import HttpLibrary

RECORDS = [{"nomor": number, "nama": f"Tari {number}", "akun": {"nama": "warga"}} for number in range(1, 6)]
FIELDS = {"title": "nama"}


@asynccontextmanager
async def listing(answer, **says):
    """A library whose list is what `answer` makes of a request."""

    async def handle(request):
        return answer(request)

    async with site(web.get("/daftar/isi", handle)) as address:
        listed = {"path": "/daftar/isi", "items": "hasil", "fields": FIELDS} | says
        async with HttpLibrary(foreign_mapping(address, listing=listed), "t") as library:
            yield library


async def titles(library):
    async with asyncio.timeout(60):
        return [record["title"] async for record in library.records()]


def part(begin, size=2):
    return RECORDS[begin : begin + size]


def by_address(form):
    def answer(request):
        begin = int(request.query.get("dari", 0))
        following = form(request).format(begin + 2) if begin + 2 < len(RECORDS) else None
        return web.json_response({"hasil": part(begin), "lanjut": following})

    return answer


@pytest.mark.parametrize(
    "form",
    [
        lambda request: f"http://{request.host}/daftar/isi?dari={{}}",
        lambda _: "/daftar/isi?dari={}",
        lambda _: "?dari={}",
        lambda _: "http://127.0.0.1:1/daftar/isi?dari={}",
    ],
    ids=["whole", "path", "query", "another port behind a proxy"],
)
async def test_an_address_of_the_next_page_is_followed(form):
    async with listing(by_address(form), next="lanjut") as library:
        assert await titles(library) == [each["nama"] for each in RECORDS]


async def test_an_address_at_another_host_is_not_followed():
    async with listing(by_address(lambda _: "http://lain.example/?dari={}"), next="lanjut") as library:
        with pytest.raises(ContractError, match="another host"):
            await titles(library)


async def test_a_relative_address_can_be_named_as_one_and_a_key_with_a_slash_as_a_key():
    async with listing(by_address(lambda _: "isi?dari={}"), next="lanjut", next_is="address") as library:
        assert len(await titles(library)) == 5

    def keyed(request):
        begin = int(request.query.get("after", "/0")[1:])
        return web.json_response({"hasil": part(begin), "lanjut": f"/{begin + 2}" if begin < 4 else ""})

    async with listing(keyed, next="lanjut", next_is="key") as library:
        assert len(await titles(library)) == 5


async def test_the_link_header_is_followed_where_no_other_way_is_named():
    def answer(request):
        begin = int(request.query.get("dari", 0))
        links = {"Link": f'<?dari={begin + 2}>; rel="next", <?dari=0>; rel="first"'} if begin < 4 else {}
        return web.json_response({"hasil": part(begin)}, headers=links)

    async with listing(answer) as library:
        assert len(await titles(library)) == 5


async def test_offsets_and_limits_are_counted():
    def answer(request):
        return web.json_response({"hasil": part(int(request.query["mulai"]), int(request.query["banyak"]))})

    async with listing(answer, offset_parameter="mulai", limit_parameter="banyak", limit=3) as library:
        assert len(await titles(library)) == 5


async def test_numbered_pages_may_begin_at_nought_and_say_when_they_end():
    asked = []

    def answer(request):
        asked.append(int(request.query["hal"]))
        return web.json_response({"hasil": part(asked[-1] * 2), "lagi": asked[-1] < 2})

    async with listing(answer, page_parameter="hal", first_page=0, next="lagi") as library:
        assert len(await titles(library)) == 5
    assert asked == [0, 1, 2]


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        (lambda request: {"hasil": part(min(int(request.query["hal"]) - 1, 2) * 2)}, {"page_parameter": "hal"}),
        (lambda _: {"hasil": part(0), "lanjut": "/daftar/isi?dari=2"}, {"next": "lanjut"}),
        (lambda _: {"hasil": [], "lanjut": "sama"}, {"next": "lanjut"}),
    ],
    ids=["the last page for ever", "the first page for ever", "the same key for ever"],
)
async def test_a_list_that_goes_round_is_stopped_in_words(answer, says):
    async with listing(lambda request: web.json_response(answer(request)), **says) as library:
        with pytest.raises(ContractError, match="again"):
            await titles(library)


async def test_listed_records_come_in_our_codes_and_the_machine_s_own_are_left_out():
    async with foreign_library() as (made, library):
        for number in range(5):
            made.add(nama=f"Tari {number}", isi="Isi.", elemen=13, wilayah=[12, 99], akun={"nama": "warga"}, sidik=None)
        made.add(nama="Mesin", isi="Isi.", elemen=13, wilayah=[12], akun={"nama": "mesin-1"}, sidik="d")
        found = [record async for record in library.records()]
    assert [(each["remote_id"], each["category"], each["regions"]) for each in found] == [
        (number, "tarian", ["ID-SB", 99]) for number in range(1, 6)
    ]


async def test_an_error_inside_a_good_answer_is_an_error():
    async with listing(lambda _: web.json_response({"galat": {"kode": "rusak"}, "hasil": part(0)})) as library:
        with pytest.raises(PolicyRefused):
            await titles(library)
