"""What a careless or hostile program sends to the REST interface."""

from __future__ import annotations

import asyncio
import gzip
import json

import pytest

from lumbung.model.permission import Role
from lumbung.store import entries
from tests.integration.web.test_api import BODY, bearer, machine_token, token_for
from tests.integration.web.test_public import entry, get, served  # noqa: F401

MACHINE = {"title": "Tari Satu", "text": "Teks.", "category": "tarian"}


async def test_a_body_of_any_length_is_refused_before_it_is_read(served):  # noqa: F811
    async with served() as (session, _):
        address = session._base_url
        for header, status in (("Content-Length: 900000000", b"413"), ("Transfer-Encoding: chunked", b"411")):
            reader, writer = await asyncio.open_connection(address.host, address.port)
            writer.write(f"POST /api/v1/entries HTTP/1.1\r\nHost: a.example\r\n{header}\r\n\r\n".encode())
            answer = await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), 60)
            assert answer.split()[1] == status
            assert b"application/problem+json" in answer
            writer.close()


async def test_what_is_refused_at_the_door_is_told_as_a_problem(served):  # noqa: F811
    async with served() as (session, _):
        async with session.post("/api/v1/entries", json=BODY, headers={"Origin": "https://evil.example"}) as answer:
            assert (answer.status, answer.content_type) == (403, "application/problem+json")
            assert (await answer.json())["title"] == "Forbidden"
        async with session.get("/api/v1/entries?q=%00") as answer:
            assert (answer.status, answer.content_type) == (400, "application/problem+json")


async def test_a_text_that_nothing_can_keep_is_refused_and_is_no_fault_of_ours(served):  # noqa: F811
    async with served() as (session, people):
        token = await token_for(people, "sari", Role.CONTRIBUTOR, Role.MODERATOR)
        machine = await machine_token(people)
        picture = {"url": "https://a.example/p.png", "caption": "a\x00b"}
        sent = [
            *(("POST", "entries", token, BODY | {name: "a\x00b"}) for name in ("title", "text", "note", "licence")),
            *(("POST", "entries", token, BODY | {name: ["a\x00b"]}) for name in ("files", "aliases", "regions")),
            ("PUT", "entries/a1", token, BODY | {"note": "a\x00b"}),
            ("DELETE", "entries/a1", token, {"reason": "a\x00b"}),
            ("POST", "entries/a1/restoration", token, {"reason": "a\x00b"}),
            ("PUT", "machine/entries/m1", machine, MACHINE | {"media": [picture]}),
            ("DELETE", "machine/entries/m1", machine, {"reason": "a\x00b"}),
        ]
        for method, path, signed, body in sent:
            headers = bearer(signed, **{"If-Match": '"1"'})
            async with session.request(method, f"/api/v1/{path}", json=body, headers=headers) as answer:
                assert answer.status == 422, (method, path, body)
                assert "NUL" in (await answer.json())["detail"]
        lines = "\n".join(json.dumps(BODY | {"files": [each]}) for each in ("a\x00b", picture, "foto.jpg"))
        async with session.post("/api/v1/import", data=lines, headers=bearer(token)) as answer:
            told = await answer.json()
            assert (told["added"], told["refused"]) == (1, 2)
            assert all("NUL" in error for error in told["errors"])


@pytest.mark.parametrize(
    ("if_match", "status"),
    [("*", 428), ('W/"1"', 412), ('""', 412), ("abc", 412), ('"999999999999999999999"', 412), ('"7", "1"', 200), ("1", 200)],
)  # fmt: skip
async def test_if_match_is_a_list_that_is_compared_strongly(served, if_match, status):  # noqa: F811
    async with served() as (session, people):
        token = await token_for(people, "sari", Role.CONTRIBUTOR)
        async with session.post("/api/v1/entries", json=BODY, headers=bearer(token)) as answer:
            path = f"/api/v1/entries/{(await answer.json())['identity']}"
        headers = bearer(token, **{"If-Match": if_match})
        async with session.put(path, json=BODY | {"text": "Versi kedua."}, headers=headers) as answer:
            assert answer.status == status


@pytest.mark.parametrize(
    ("if_match", "status"), [(None, 412), ('""', 412), ('W/"1"', 412), ('"2"', 412), ('"1"', 200), ("*", 200)]
)
async def test_the_machine_s_if_match_is_read_alike(served, if_match, status):  # noqa: F811
    async with served() as (session, people):
        token, path = await machine_token(people), "/api/v1/machine/entries/tari-1"
        async with session.put(path, json=MACHINE, headers=bearer(token)) as answer:
            assert answer.status == 200
        headers = bearer(token, **({} if if_match is None else {"If-Match": if_match}))
        async with session.put(path, json=MACHINE | {"text": "Lain."}, headers=headers) as answer:
            assert answer.status == status


@pytest.mark.parametrize(
    "media",
    [{"url": "javascript:alert(1)"}, {"url": "https://a.example/1.jpg", "digest": "0" * 64, "page": "javascript:1"}, {"url": 1}],
)  # fmt: skip
async def test_a_machine_sends_pictures_by_reference_alone(served, media):  # noqa: F811
    async with served() as (session, people):
        token, path = await machine_token(people), "/api/v1/machine/entries/tari-1"
        async with session.put(path, json=MACHINE | {"media": [media]}, headers=bearer(token)) as answer:
            assert answer.status == 422


async def test_a_key_may_be_used_anew_a_month_after_its_answer(served):  # noqa: F811
    async with served() as (session, people):
        token = await token_for(people, "sari", Role.CONTRIBUTOR)
        headers = bearer(token, **{"Idempotency-Key": "k"})
        for title, status in (("Satu", 201), ("Dua", 422)):
            async with session.post("/api/v1/entries", json=BODY | {"title": title}, headers=headers) as answer:
                assert answer.status == status
        async with people.transaction() as tx:
            await tx.run("update idempotent_request set at = at - interval '31 days'")
        for again in (None, "true"):
            async with session.post("/api/v1/entries", json=BODY | {"title": "Dua"}, headers=headers) as answer:
                assert (answer.status, answer.headers.get("Idempotent-Replayed")) == (201, again)


@pytest.mark.parametrize("asked", ["region=nowhere", "category=nothing", "q=%F0%9F%8E%AD", "q=%25"])
async def test_what_nothing_can_match_finds_nothing(served, asked):  # noqa: F811
    async with served() as (session, _):
        answer, text = await get(session, f"/api/v1/entries?{asked}")
        assert (answer.status, json.loads(text)) == (200, {"entries": [], "next": None})


async def test_the_key_of_the_next_page_is_plain_and_no_other_key_begins_anew(served):  # noqa: F811
    async with served() as (session, people):
        async with people.transaction() as tx:
            for number in range(5):
                await entries.write_human(tx, entry(f"k{number}", f"A\u202e<b>~{number}", "Isi."), None)
        seen, address = [], "/api/v1/entries?limit=2"
        while address:
            answer, text = await get(session, address)
            page = json.loads(text)
            seen += [each["identity"] for each in page["entries"]]
            assert page["next"] is None or (
                page["next"].isascii() and page["next"].replace("-", "").replace("_", "").isalnum()
            )
            address = answer.links["next"]["url"].path_qs if "next" in answer.links else ""
        assert len(seen) == len(set(seen)) > 5
        for key in ("zzz", "1~k1~A", "W10", "WzEsIkEiXQ", "\u202e"):
            assert (await get(session, f"/api/v1/entries?after={key}"))[0].status == 422


async def test_lines_come_in_with_a_byte_order_mark_and_packed_and_what_was_cut_off_is_told(served):  # noqa: F811
    lines = "".join(json.dumps({"title": f"Tari {n}", "text": "Isi.", "remote_id": str(n)}) + "\r\n" for n in range(50))
    packed = gzip.compress(b"\xef\xbb\xbf" + lines.encode())
    async with served() as (session, people):
        token = await token_for(people, "budi", Role.MODERATOR)
        steps = ((packed[:-20], 1), (packed, 0), (gzip.compress(b"") + packed, 0), (b"no gzip", 1))
        for body, refused in steps:
            headers = bearer(token, **{"Content-Encoding": "gzip"})
            async with session.post("/api/v1/import", data=body, headers=headers, compress=False) as answer:
                report = await answer.json()
                assert (answer.status, report["refused"]) == (200, refused), report
        assert sum(report[name] for name in ("added", "unchanged")) == 0
        async with session.post(
            "/api/v1/import", data=b"x", headers=bearer(token, **{"Content-Encoding": "br"})
        ) as answer:
            assert answer.status == 415
        async with people.transaction() as tx:
            assert await tx.value("select count(*) from entry where remote_id ~ '^[0-9]+$'") == 50


@pytest.mark.parametrize(
    ("method", "path", "allowed"),
    [
        ("PATCH", "/api/v1/entries/a1", "DELETE, GET, PUT"),
        ("DELETE", "/api/v1/entries", "GET, POST"),
        ("PUT", "/entri/a1", "GET, HEAD"),
        ("PUT", "/entri/a1/perbaiki", "GET, HEAD, POST"),
        ("PUT", "/oai", "GET, HEAD, POST"),
        ("DELETE", "/static/style.css", "GET, HEAD"),
    ],
)
async def test_whoever_asks_in_a_way_that_is_not_served_is_told_all_that_are(served, method, path, allowed):  # noqa: F811
    async with (
        served() as (session, _),
        session.request(method, path, data=b"", headers={"Content-Length": "0"}) as answer,
    ):
        assert (answer.status, answer.headers["Allow"]) == (405, allowed)
