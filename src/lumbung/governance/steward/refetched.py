"""A page was asked for once more: what it said before gives way, and what is gone is erased."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from lumbung.model.job import NewJob
from lumbung.store import candidates, documents
from lumbung.store.database import Transaction

REPLACED = "replaced by a later fetch of the page"
GONE = "gone when it was asked for again"


async def carry_out(tx: Transaction, payload: Mapping[str, Any]) -> Iterable[NewJob]:
    """`document` is what the new fetch brought, None where the page is gone."""
    newest = payload["document"]
    older = [row["id"] for row in await documents.by_url(tx, payload["url"]) if row["id"] != newest]
    if newest is None:
        return await forget(tx, older, GONE)
    return await retract(tx, older, REPLACED)


async def retract(tx: Transaction, pages: Iterable[int], reason: str) -> list[NewJob]:
    """Their claims count no more; what rested on them is decided again."""
    follow_on: list[NewJob] = []
    for page in pages:
        digests = await candidates.of_documents(tx, [page])
        await candidates.set_state(tx, digests, "retracted", reason)
        follow_on += [NewJob("decide", f"retracted:{page}:{digest}", {"node": digest}) for digest in digests]
    return follow_on


async def forget(tx: Transaction, pages: Iterable[int], reason: str) -> list[NewJob]:
    """Retracted, then erased from the database and from the archive, once nothing rests on them."""
    wanted = list(pages)
    erasures = [
        NewJob("steward", f"erase-text:{page}", {"verb": "erase-text", "document": page, "reason": reason})
        for page in wanted
    ]
    return [*await retract(tx, wanted, reason), *erasures]
