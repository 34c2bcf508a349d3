"""Several web processes over one database, and one that starts anew: forms, resumption tokens and rates are the installation's."""

from __future__ import annotations

import re

from lxml import etree

from lumbung.store import entries
from tests.integration.web.test_public import entry, get, served  # noqa: F401

TOKEN = re.compile(r'name="token" value="([^"]+)"')
RESUMPTION = "{http://www.openarchives.org/OAI/2.0/}resumptionToken"


async def test_a_form_that_one_process_showed_is_taken_by_another_and_after_a_restart(served):  # noqa: F811
    async with served() as (one, people):
        _, text = await get(one, "/entri/a1/perbaiki")
        token, cookies = TOKEN.search(text)[1], {each.key: each.value for each in one.cookie_jar}
        async with served() as (other, _):
            sent = {"token": token, "text": "Kata ini keliru."}
            async with other.post("/entri/a1/perbaiki", data=sent, cookies=cookies) as answer:
                assert answer.status == 200
        async with people.transaction() as tx:
            assert await tx.value("select count(*) from correction") == 1
    async with served() as (anew, people):
        async with anew.post("/entri/a1/perbaiki", data=sent | {"text": "Lagi."}, cookies=cookies) as answer:
            assert answer.status == 200
        async with anew.post("/entri/a1/perbaiki", data=sent | {"token": token + "x"}, cookies=cookies) as answer:
            assert answer.status == 422
        async with people.transaction() as tx:
            assert await tx.value("select count(*) from correction") == 2


async def test_a_harvest_goes_on_where_another_process_left_off(served):  # noqa: F811
    async with served() as (session, people):
        async with people.transaction() as tx:
            for number in range(110):
                await entries.write_human(tx, entry(f"n{number:03}", f"Tari {number:03}", "Isi."), None)
        _, text = await get(session, "/oai?verb=ListIdentifiers&metadataPrefix=oai_dc")
        token = etree.fromstring(text.encode()).find(f".//{RESUMPTION}").text
    async with served() as (session, _):
        _, text = await get(session, f"/oai?verb=ListIdentifiers&resumptionToken={token}")
        assert text.count("<header>") == 12
        _, text = await get(session, f"/oai?verb=ListIdentifiers&resumptionToken={token}x")
        assert "badResumptionToken" in text


async def test_a_caller_s_requests_are_counted_over_all_processes(served):  # noqa: F811
    limits = {"open_requests_per_minute": 2}
    async with served(web=limits) as (one, _), served(web=limits) as (other, _):
        statuses = [(await get(each, "/api/v1/entries"))[0].status for each in (one, other, one, other)]
        assert statuses == [200, 200, 429, 429]
