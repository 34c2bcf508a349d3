"""The denylist changed: addresses that wait and that it names are refused, some thousand at a time."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from lumbung.governance.actions.denylist import ROW
from lumbung.model.job import NewJob
from lumbung.store import frontier, governed
from lumbung.store.database import Transaction
from lumbung.text.denylist import DENIED, Denylist

AT_ONCE = 5_000


async def carry_out(tx: Transaction, payload: Mapping[str, Any]) -> Iterable[NewJob]:
    listed = (await governed.values_now(tx)).get(ROW) or []
    denied = Denylist(each["pattern"] for each in listed)
    rows = await frontier.waiting_after(tx, int(payload["after"]), AT_ONCE)
    await frontier.refuse_urls(tx, [row["id"] for row in rows if denied.denies(row["url"], row["host"])], DENIED)
    if len(rows) < AT_ONCE:
        return ()
    last = rows[-1]["id"]
    return (NewJob("steward", f"deny:{payload['version']}:{last}", {**payload, "after": last}),)
