"""The REST interface over real HTTP."""

from __future__ import annotations

import asyncio
import json

import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis.specs.openapi.checks import positive_data_acceptance

from lumbung.governance.actions.undo import undo_batch
from lumbung.model.permission import OPERATOR_AT_THE_MACHINE, Role
from lumbung.store import batches, entries
from lumbung.store import people as people_store
from tests.integration.web.test_public import get, served  # noqa: F401

BODY = {
    "title": "Tari Payung",
    "text": "Tari Payung adalah tarian Minangkabau.",
    "category": "tarian",
    "regions": ["ID-SB"],
}


async def token_for(people, login, *roles):
    async with people.transaction() as tx:
        person = await people_store.add(tx, login, login, None)
        for role in roles:
            await people_store.grant(tx, person, role, "*", None, None)
        return await people_store.issue_token(tx, person, "test", ["*"])


def bearer(token, **more):
    return {"Authorization": f"Bearer {token}"} | more


async def test_an_entry_is_contributed_revised_taken_down_and_restored(served):  # noqa: F811
    async with served() as (session, people):
        contributor = await token_for(people, "sari", Role.CONTRIBUTOR)
        moderator = await token_for(people, "budi", Role.MODERATOR)
        async with session.post("/api/v1/entries", json=BODY, headers=bearer(contributor)) as answer:
            assert answer.status == 201
            identity = (await answer.json())["identity"]
        path = f"/api/v1/entries/{identity}"
        async with session.put(path, json=BODY | {"text": "Versi kedua."}, headers=bearer(contributor)) as answer:
            assert answer.status == 428
        async with session.put(
            path, json=BODY | {"text": "Versi kedua."}, headers=bearer(contributor, **{"If-Match": '"1"'})
        ) as answer:
            assert (answer.status, answer.headers["ETag"]) == (200, '"2"')
        async with session.put(path, json=BODY, headers=bearer(contributor, **{"If-Match": '"1"'})) as answer:
            assert answer.status == 412
        async with session.delete(path, json={"reason": "permintaan"}, headers=bearer(contributor)) as answer:
            assert answer.status == 403
            assert answer.content_type == "application/problem+json"
        async with session.delete(path, json={"reason": "permintaan"}, headers=bearer(moderator)) as answer:
            assert answer.status == 200
        assert (await get(session, path))[0].status == 410
        async with session.post(f"{path}/restoration", json={"reason": "izin"}, headers=bearer(moderator)) as answer:
            assert answer.status == 200
        answer, _ = await get(session, path)
        assert answer.status == 200
        assert (await get(session, path, **{"If-None-Match": answer.headers["ETag"]}))[0].status == 304


async def test_a_revision_keeps_the_files_that_it_does_not_name(served):  # noqa: F811
    files = ["https://museum.example/foto.jpg"]
    async with served() as (session, people):
        token = await token_for(people, "sari", Role.CONTRIBUTOR)
        async with session.post("/api/v1/entries", json=BODY | {"files": files}, headers=bearer(token)) as answer:
            identity = (await answer.json())["identity"]
        for number, given, expected in ((1, {}, files), (2, {"files": []}, [])):
            headers = bearer(token, **{"If-Match": f'"{number}"'})
            async with session.put(f"/api/v1/entries/{identity}", json=BODY | given, headers=headers) as answer:
                assert answer.status == 200
            async with people.transaction() as tx:
                assert (await entries.get(tx, identity))["files"] == expected


async def test_a_request_sent_twice_under_one_key_has_one_effect(served):  # noqa: F811
    async with served() as (session, people):
        token = await token_for(people, "sari", Role.CONTRIBUTOR)
        headers = bearer(token, **{"Idempotency-Key": "k1"})
        answers = []
        for _ in range(2):
            async with session.post("/api/v1/entries", json=BODY, headers=headers) as answer:
                answers.append((answer.status, answer.headers["Location"], await answer.json()))
        assert answers[0] == answers[1]
        async with session.post("/api/v1/entries", json=BODY | {"title": "Lain"}, headers=headers) as answer:
            assert answer.status == 422


async def test_a_key_is_forgotten_a_month_after_its_answer(served):  # noqa: F811
    async with served() as (session, people):
        token = await token_for(people, "sari", Role.CONTRIBUTOR)
        for key in ("k1", "k2"):
            headers = bearer(token, **{"Idempotency-Key": key})
            async with session.post("/api/v1/entries", json=BODY | {"title": key}, headers=headers) as answer:
                assert answer.status == 201
            async with people.transaction() as tx:
                await tx.run("update idempotent_request set at = at - interval '31 days' where key = 'k1'")
                kept = [row["key"] for row in await tx.rows("select key from idempotent_request order by key")]
        assert kept == ["k2"]


async def test_two_requests_at_once_under_one_key_have_one_effect_and_one_answer(served):  # noqa: F811
    async with served() as (session, people):
        token = await token_for(people, "sari", Role.CONTRIBUTOR)
        headers = bearer(token, **{"Idempotency-Key": "k1"})

        async def post():
            async with session.post("/api/v1/entries", json=BODY, headers=headers) as answer:
                return answer.status, (await answer.json())["identity"], answer.headers.get("Idempotent-Replayed")

        found = await asyncio.gather(*(post() for _ in range(6)))
        assert {each[:2] for each in found} == {(201, found[0][1])}
        assert sorted(str(each[2]) for each in found) == ["None", *["true"] * 5]


async def test_every_write_of_people_honours_its_key_and_its_if_match(served):  # noqa: F811
    async with served() as (session, people):
        token = await token_for(people, "budi", Role.CONTRIBUTOR, Role.MODERATOR)
        async with session.post("/api/v1/entries", json=BODY, headers=bearer(token)) as answer:
            path = f"/api/v1/entries/{(await answer.json())['identity']}"
        steps = (
            ("PUT", path, BODY | {"text": "Versi kedua."}, 1),
            ("DELETE", path, {"reason": "permintaan"}, 2),
            ("POST", f"{path}/restoration", {"reason": "izin"}, 3),
        )
        for method, at, body, revision in steps:
            stale = bearer(token, **{"If-Match": f'"{revision + 7}"', "Idempotency-Key": f"stale {method}"})
            async with session.request(method, at, json=body, headers=stale) as answer:
                assert answer.status == 412, method
            headers = bearer(token, **{"If-Match": f'"{revision}"', "Idempotency-Key": method})
            for again in (None, "true"):
                async with session.request(method, at, json=body, headers=headers) as answer:
                    told = await answer.json()
                    assert (answer.status, told["revision"]) == (200, revision + 1), (method, told)
                    assert answer.headers.get("Idempotent-Replayed") == again
                    assert answer.headers["ETag"] == f'"{revision + 1}"'
            other = body | {"note" if method == "PUT" else "reason": "lain"}
            async with session.request(method, at, json=other, headers=headers) as answer:
                assert answer.status == 422


async def test_the_machine_s_writes_are_replayed_while_they_are_still_true(served):  # noqa: F811
    async with served() as (session, people):
        token = await machine_token(people)
        path = "/api/v1/machine/entries/tari-1"
        body = {"title": "Tari Satu", "text": "Teks.", "category": "tarian"}
        create = bearer(token, **{"Idempotency-Key": "a"})
        for again in (None, "true"):
            async with session.put(path, json=body, headers=create) as answer:
                assert (answer.status, answer.headers.get("Idempotent-Replayed")) == (200, again)
        withdraw = bearer(token, **{"Idempotency-Key": "b", "If-Match": '"1"'})
        for again in (None, "true"):
            async with session.delete(path, json={"reason": "hoaks"}, headers=withdraw) as answer:
                assert (answer.status, answer.headers.get("Idempotent-Replayed")) == (200, again)
        async with session.put(path, json=body, headers=create) as answer:
            assert answer.status == 412
        async with session.put(path, json=body | {"text": "Lain."}, headers=create) as answer:
            assert answer.status == 422


async def test_what_a_machine_account_sent_is_undone_by_its_batches_and_the_next_write_begins_a_new_one(served):  # noqa: F811
    fact = {"attribute": "fungsi", "value": "hiburan", "confidence": 0.9}
    fact["sources"] = [{"url": "https://a.example/x", "quote": "untuk hiburan", "digest": "0" * 64}]
    body = {"title": "Tari Satu", "text": "Teks.", "category": "tarian", "facts": [fact]}
    async with served() as (session, people):
        token = await machine_token(people)
        path = "/api/v1/machine/entries/tari-{}"

        async def put(number, revision, **changes):
            headers = bearer(token) if revision is None else bearer(token, **{"If-Match": f'"{revision}"'})
            async with session.put(path.format(number), json=body | changes, headers=headers) as answer:
                assert answer.status == 200

        async def undo_newest():
            async with people.transaction() as tx:
                [newest, *_] = [row for row in await batches.listed(tx) if row["undone_at"] is None]
                return (await undo_batch(tx, OPERATOR_AT_THE_MACHINE, newest["id"], "hoaks")).sent

        async def shown(number):
            answer, text = await get(session, f"/api/v1/entries/tari-{number}")
            return (answer.status, json.loads(text).get("text"), len(json.loads(text).get("facts", [])))

        await put(1, None)
        async with people.transaction() as tx:
            await tx.run("update batch set run = run || ' earlier'")
        await put(1, 1, text="Palsu.", facts=[])
        await put(2, None, text="Palsu juga.")
        assert await undo_newest() == ["tari-1", "tari-2"]
        assert [await shown(1), (await shown(2))[0]] == [(200, "Teks.", 1), 404]
        await put(1, 3, text="Baru.")
        assert await shown(1) == (200, "Baru.", 1)
        assert await undo_newest() == ["tari-1"]
        assert await shown(1) == (200, "Teks.", 1)
        assert await undo_newest() == ["tari-1"]
        assert (await shown(1))[0] == 404


async def test_whoever_asks_too_often_is_told_when_to_come_back_and_readers_are_not(served):  # noqa: F811
    limits = {"api_requests_per_minute": 2, "open_requests_per_minute": 3}
    async with served(web=limits) as (session, people):
        contributor = bearer(await token_for(people, "sari", Role.CONTRIBUTOR))
        other = bearer(await token_for(people, "budi", Role.CONTRIBUTOR))
        for headers, allowed in ((contributor, 2), (other, 2)):
            for number in range(4):
                async with session.delete("/api/v1/entries/none", json={"reason": "x"}, headers=headers) as answer:
                    assert answer.status == (404 if number < allowed else 429)
            assert 0 < int(answer.headers["Retry-After"]) <= 60
            assert answer.content_type == "application/problem+json"
        statuses = [(await get(session, "/api/v1/entries"))[0].status for _ in range(4)]
        assert statuses == [200, 200, 200, 429]
        async with session.post("/api/v1/entries", json=BODY, headers=bearer("guessed")) as answer:
            assert answer.status == 429
        assert {(await get(session, "/"))[0].status for _ in range(6)} == {200}


async def test_the_library_streams_out_and_human_records_stream_in(served):  # noqa: F811
    async with served() as (session, people):
        token = await token_for(people, "budi", Role.MODERATOR)
        records = [{"title": f"Rumah {number}", "text": "Isi.", "category": "tarian"} for number in range(3)]
        lines = [json.dumps(each) for each in records] + ["", "{", "[]", json.dumps({"title": "Tanpa teks"})]

        async def body():
            for line in lines:
                yield line.encode()[:5]
                yield line.encode()[5:] + b"\n"

        answers = []
        for _ in range(2):
            async with session.post("/api/v1/import", data=body(), headers=bearer(token)) as answer:
                assert answer.status == 200
                answers.append(await answer.json())
        assert [(each["added"], each["unchanged"], each["refused"]) for each in answers] == [(3, 0, 3), (0, 3, 3)]
        assert [each.split(":")[0] for each in answers[0]["errors"]] == ["line 5", "line 6", "line 7"]
        answer, text = await get(session, "/api/v1/entries.jsonl")
        assert answer.content_type == "application/x-ndjson"
        found = [json.loads(line) for line in text.splitlines()]
        assert {"Rumah 0", "Rumah 1", "Rumah 2"} <= {each["title"] for each in found}
        identities = [each["identity"] for each in found]
        assert identities == sorted(identities)
        _, rest = await get(session, f"/api/v1/entries.jsonl?after={identities[1]}")
        assert [json.loads(line)["identity"] for line in rest.splitlines()] == identities[2:]
        for refused in (await token_for(people, "sari", Role.CONTRIBUTOR), await narrow_token(people, "budi")):
            async with session.post("/api/v1/import", data=b"{}", headers=bearer(refused)) as answer:
                assert answer.status == 403


async def narrow_token(people, login):
    async with people.transaction() as tx:
        person = (await people_store.by_login(tx, login))["id"]
        return await people_store.issue_token(tx, person, "narrow", ["create-entry"])


async def machine_token(people):
    async with people.transaction() as tx:
        person = await people_store.add(tx, "mesin", "Mesin", None, machine=True)
        return await people_store.issue_token(tx, person, "publish", ["publish"])


async def test_without_a_good_token_nothing_is_written(served):  # noqa: F811
    async with served() as (session, people):
        machine = await token_for(people, "mesin")
        for headers, status in (({}, 401), (bearer("x"), 401), (bearer(machine), 403)):
            async with session.post("/api/v1/entries", json=BODY, headers=headers) as answer:
                assert answer.status == status


async def test_what_the_caller_has_already_is_not_sent_again(served):  # noqa: F811
    async with served() as (session, _):
        async with session.get("/api/v1/entries/a1") as answer:
            etag = answer.headers["ETag"]
        for named, status in ((etag, 304), (f"W/{etag}", 304), (f'"x", {etag}', 304), ("*", 304), ('"x"', 200)):
            async with session.get("/api/v1/entries/a1", headers={"If-None-Match": named}) as answer:
                assert answer.status == status, named


async def test_an_etag_changes_with_whatever_is_told_of_the_entry(served):  # noqa: F811
    async with served() as (session, people):
        seen = set()
        for statement in (
            "select 1",
            "update entry set sensitive = true where identity = 'a1'",
            "update entry set supplement_of = 'a1' where identity = 'a2'",
            "update entry set hidden = true where identity = 'a1'",
        ):
            async with people.transaction() as tx:
                await tx.run(statement)
            answer, _ = await get(session, "/api/v1/entries/a1")
            seen.add(answer.headers["ETag"])
        assert len(seen) == 4


async def test_pages_are_linked(served):  # noqa: F811
    async with served() as (session, _):
        answer, _ = await get(session, "/api/v1/entries?limit=1")
        assert 'rel="next"' in answer.headers["Link"]


@schemathesis.serializer("application/x-ndjson")
def as_lines(_, value):
    return value if isinstance(value, bytes) else str(value).encode("utf-8", "replace")


def explore(address, token, under=""):
    """Status, media type, headers and body of every answer are as documented; only that more is refused than a schema can say
    (what is there already, a revision that nobody named) is no fault.
    """
    schema = schemathesis.openapi.from_url(f"{address}api/openapi.json")
    for operation in schema.get_all_operations():
        test = operation.ok()
        if under not in test.path:
            continue

        @settings(
            max_examples=12,
            derandomize=True,
            deadline=None,
            phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
        )
        def check(case):
            given_headers = (case.headers or {}).items()  # a made-up token would hide what lies behind it
            case.headers = {name: value for name, value in given_headers if name.lower() != "authorization"}
            answer = case.call(headers={"Authorization": f"Bearer {token}"})
            assert answer.status_code < 500, (case.as_curl_command(), answer.text)
            if answer.status_code not in {404, 405}:  # a path of dots alone leads to another route
                case.validate_response(answer, excluded_checks=[positive_data_acceptance])

        given(case=test.as_strategy())(check)()


async def test_no_generated_request_brings_the_interface_down(served):  # noqa: F811
    async with served() as (session, people):
        token = await token_for(people, "sari", Role.CONTRIBUTOR, Role.MODERATOR)
        await asyncio.to_thread(explore, str(session._base_url), token)
        await asyncio.to_thread(explore, str(session._base_url), await machine_token(people), "/machine/")
