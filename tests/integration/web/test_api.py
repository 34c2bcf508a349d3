"""The REST interface over real HTTP."""

from __future__ import annotations

import asyncio

import schemathesis
from hypothesis import HealthCheck, Phase, settings

from lumbung.model.permission import Role
from lumbung.store import entries
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
                answers.append((answer.status, await answer.json()))
        assert answers[0] == answers[1]
        async with session.post("/api/v1/entries", json=BODY | {"title": "Lain"}, headers=headers) as answer:
            assert answer.status == 422


async def test_without_a_good_token_nothing_is_written(served):  # noqa: F811
    async with served() as (session, people):
        machine = await token_for(people, "mesin")
        for headers, status in (({}, 401), (bearer("x"), 401), (bearer(machine), 403)):
            async with session.post("/api/v1/entries", json=BODY, headers=headers) as answer:
                assert answer.status == status


async def test_pages_are_linked(served):  # noqa: F811
    async with served() as (session, _):
        answer, _ = await get(session, "/api/v1/entries?limit=1")
        assert 'rel="next"' in answer.headers["Link"]


def explore(address, token):
    schema = schemathesis.openapi.from_url(f"{address}api/openapi.json")
    for operation in schema.get_all_operations():
        test = operation.ok()

        @settings(
            max_examples=12,
            derandomize=True,
            deadline=None,
            phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
        )
        def check(case):
            answer = case.call(headers={"Authorization": f"Bearer {token}"})
            assert answer.status_code < 500, (case.as_curl_command(), answer.text)
            documented = test.responses.status_codes if hasattr(test.responses, "status_codes") else None
            if documented:
                assert str(answer.status_code) in {str(code) for code in documented} | {"404", "405"}, (
                    case,
                    answer.status_code,
                )

        from hypothesis import given

        given(case=test.as_strategy())(check)()


async def test_no_generated_request_brings_the_interface_down(served):  # noqa: F811
    async with served() as (session, people):
        token = await token_for(people, "sari", Role.CONTRIBUTOR, Role.MODERATOR)
        await asyncio.to_thread(explore, str(session._base_url), token)
