"""What the curators deny is neither entered nor asked for, and what waits of it is refused."""

from __future__ import annotations

import pytest

from lumbung.errors import PermissionRefused, UsageError
from lumbung.governance.actions.denylist import ROW, set_denylist
from lumbung.governance.steward import denial
from lumbung.model.permission import Role
from lumbung.store import frontier, governed
from lumbung.store.frontier import FrontierUrl

URLS = ("http://toko.example/a", "http://museum.example/tag/x", "http://museum.example/tari")


async def test_waiting_addresses_are_refused_when_the_list_changes(house):
    async with house.machine.transaction() as tx:
        rows = [FrontierUrl(url, url.split("/")[2], url.split("/")[2], 1.0, 0, ()) for url in URLS]
        await frontier.add(tx, rows)
    curator = await house.person("kurator", Role.CURATOR)
    async with house.people.transaction() as tx:
        patterns = {"toko.example": "a shop", "museum.example/tag/": "lists of the same pages"}
        assert await set_denylist(tx, curator, patterns, "found in the funnel") == 2
        line = await tx.row("select verb, effect from action where verb <> 'row' order by seq desc limit 1")
        job = await tx.row("select payload from job where stage = 'steward' and payload ->> 'verb' = 'deny'")
        listed = (await governed.values_now(tx))[ROW]
    assert line["verb"] == "set-denylist"
    assert line["effect"]["added"] == ["museum.example/tag/", "toko.example"]
    assert [each["reason"] for each in listed] == ["lists of the same pages", "a shop"]
    async with house.machine.transaction() as tx:
        assert list(await denial.carry_out(tx, job["payload"])) == []
        states = {
            row["url"]: (row["state"], row["reason"])
            for row in await tx.rows("select url, state, reason from frontier")
        }
        waiting = {row["name"]: row["waiting"] for row in await tx.rows("select name, waiting from host")}
    assert states == dict(zip(URLS, [("refused", "denied"), ("refused", "denied"), ("waiting", None)], strict=True))
    assert waiting == {"toko.example": 0, "museum.example": 1}


async def test_a_pattern_needs_its_reason_and_its_author_a_role(house):
    auditor = await house.person("auditor", Role.AUDITOR)
    curator = await house.person("kurator", Role.CURATOR)
    async with house.people.transaction() as tx:
        with pytest.raises(PermissionRefused):
            await set_denylist(tx, auditor, {"a.example": "x"}, "why")
        for patterns, reason in (({"a.example": " "}, "why"), ({"a.example": "x"}, "")):
            with pytest.raises(UsageError):
                await set_denylist(tx, curator, patterns, reason)
