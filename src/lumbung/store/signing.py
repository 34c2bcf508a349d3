"""Keys of the installation that sign open forms and resumption tokens: every web process believes them, also after a restart."""

from __future__ import annotations

import secrets

from lumbung.store.database import Transaction, named_queries

SQL = named_queries("signing")
PERIOD_DAYS = 30


async def keys(tx: Transaction) -> list[str]:
    """Those that are believed; the last one signs. What is signed is believed for at least a period."""
    period = {"period": await tx.value(SQL["period"], {"days": PERIOD_DAYS})}
    found = await tx.rows(SQL["keys"], period)
    if not found or not found[-1]["present"]:
        await tx.run(SQL["add"], period | {"key": secrets.token_urlsafe(32)})
        await tx.run(SQL["forget"], period)
        found = await tx.rows(SQL["keys"], period)
    return [row["key"] for row in found]
