"""A small library of another make: numeric ids, numbered pages, its own names and codes, errors told inside a 200."""

from __future__ import annotations

import tomllib
from contextlib import asynccontextmanager
from itertools import count

from aiohttp import web

from lumbung.providers.library.http import HttpLibrary
from lumbung.providers.library.mapping import Mapping

PAGE_SIZE = 2
MAPPING = """
name = "museum"
base_url = "http://127.0.0.1:1"
find_items = "hasil"
look = { method = "GET", path = "/benda/{remote_id}" }
find = { method = "GET", path = "/benda?kunci={identity}" }

[reading]
remote_id = "nomor"
owner = "akun.nama"
revision = "versi"
title = "nama"
digest = "sidik"
status = "keadaan"
machine_owners = ["mesin-1"]
removed_statuses = ["ditarik", "dihapus"]

[writing]
create = { method = "POST", path = "/benda" }
update = { method = "PUT", path = "/benda/{remote_id}" }
withdraw = { method = "DELETE", path = "/benda/{remote_id}" }
answer_remote_id = "nomor"
answer_revision = "versi"
revision_header = "X-Versi"
revision_format = "{revision}"
idempotency_header = "X-Sekali"
fields = { kunci = "identity", nama = "title", isi = "text", elemen = "category", wilayah = "regions", butir = "facts", sidik = "digest", pelengkap = "supplement_of" }

[listing]
path = "/benda"
items = "hasil"
page_parameter = "hal"
fields = { remote_id = "nomor", title = "nama", text = "isi", category = "elemen", regions = "wilayah", revision = "versi" }

[errors]
told = "galat.kode"
told_as = { tidak_ada = 404, milik_warga = 409, usang = 412 }

[categories]
tarian = 13

[regions]
ID-SB = 12
"""


def told(code):
    return web.json_response({"galat": {"kode": code}})


class Foreign:
    """Records by number; what the machine sends is kept in the library's own words."""

    def __init__(self):
        self.records, self.numbers = {}, count(1)

    def add(self, **record):
        number = next(self.numbers)
        self.records[number] = {
            "nomor": number,
            "versi": 1,
            "keadaan": "tayang",
            "pelengkap": None,
            "butir": [],
        } | record
        return self.records[number]

    def of_key(self, key):
        return next((each for each in self.records.values() if each.get("kunci") == key), None)

    async def listed(self, request):
        if "kunci" in request.query:
            found = self.of_key(request.query["kunci"])
            return web.json_response({"hasil": [found] if found else []})
        begin = (int(request.query["hal"]) - 1) * PAGE_SIZE
        return web.json_response({"hasil": list(self.records.values())[begin : begin + PAGE_SIZE]})

    async def read(self, request):
        found = self.records.get(int(request.match_info["number"]))
        return web.json_response(found) if found else told("tidak_ada")

    async def create(self, request):
        body = await request.json()
        held = self.of_key(body["kunci"])
        if held is not None:
            return self.refused(held, None, body["sidik"]) or web.json_response(held)
        return self.fault(body) or web.json_response(self.add(**body, akun={"nama": "mesin-1"}))

    async def change(self, request):
        body = await request.json()
        held = self.records[int(request.match_info["number"])]
        refusal = self.refused(held, request.headers["X-Versi"], body["sidik"]) or self.fault(body)
        if refusal is None and (held["sidik"], held["keadaan"]) != (body["sidik"], "tayang"):
            held.update(body, versi=held["versi"] + 1, keadaan="tayang")
        return refusal or web.json_response(held)

    async def withdraw(self, request):
        held = self.records[int(request.match_info["number"])]
        refusal = self.refused(held, request.headers["X-Versi"], "")
        if refusal is None:
            held.update(versi=held["versi"] + 1, keadaan="ditarik")
        return refusal or web.json_response(held)

    def refused(self, held, version, digest):
        if held["akun"]["nama"] != "mesin-1":
            return told("milik_warga")
        stands = held["sidik"] == digest and held["keadaan"] == "tayang"
        return None if stands or str(held["versi"]) == version else told("usang")

    def fault(self, body):
        known = body["pelengkap"] is None or (body["pelengkap"].isdigit() and int(body["pelengkap"]) in self.records)
        return None if known and body["elemen"] == 13 and set(body["wilayah"]) <= {12} else told("salah")

    async def by_people(self, number, text, remove):
        held = self.of_key(f"tari{number}")
        state = "dihapus" if remove else "tayang"
        held.update(akun={"nama": "warga"}, isi=text, versi=held["versi"] + 1, keadaan=state, sidik=None)

    async def exported(self):
        shown = [each for each in self.records.values() if each["keadaan"] == "tayang"]
        return [
            {
                "identity": each["kunci"],
                "title": each["nama"],
                "text": each["isi"],
                "owner": "machine" if each["akun"]["nama"] == "mesin-1" else "human",
                "facts": each["butir"],
                "supplements": [other["kunci"] for other in shown if other["pelengkap"] == str(each["nomor"])],
            }
            for each in shown
        ]


@asynccontextmanager
async def site(*routes):
    app = web.Application()
    app.add_routes(routes)
    runner = web.AppRunner(app, access_log=None)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    try:
        yield f"http://127.0.0.1:{runner.addresses[0][1]}"
    finally:
        await runner.cleanup()


def foreign_mapping(address, **changes):
    return Mapping.model_validate(tomllib.loads(MAPPING) | {"base_url": address} | changes)


@asynccontextmanager
async def foreign_library():
    made = Foreign()
    one = "/benda/{number}"
    routes = [web.get("/benda", made.listed), web.get(one, made.read), web.post("/benda", made.create)]
    routes += [web.put(one, made.change), web.delete(one, made.withdraw)]
    async with site(*routes) as address, HttpLibrary(foreign_mapping(address), "t") as library:
        yield made, library
