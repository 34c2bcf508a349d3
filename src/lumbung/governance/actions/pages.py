"""Single pages: asked for once more on request, or erased; never by a schedule."""

from __future__ import annotations

from typing import Literal

from lumbung.errors import PolicyRefused, UsageError
from lumbung.governance.actions.inject_seeds import SEED_PRIORITY
from lumbung.governance.steward.refetched import forget
from lumbung.model.permission import Actor, allow
from lumbung.store import documents, frontier, governed, hosts, jobs
from lumbung.store.database import Transaction
from lumbung.text.url import host_of, normalize

Purpose = Literal["correction", "takedown"]


async def refetch_page(tx: Transaction, actor: Actor, url: str, purpose: Purpose, reason: str) -> str:
    """The page takes its turn again. Changed, it replaces what it said before; gone, that is erased."""
    allow(actor, "refetch-page", reason=reason)
    return await ask_again(tx, actor.person, url, purpose, reason)


async def ask_again(tx: Transaction, person: int | None, url: str, purpose: Purpose, reason: str) -> str:
    known = normalize(url)
    row = await frontier.find(tx, known)
    if row is None or not await documents.by_url(tx, known):
        raise UsageError(f"{known} was never fetched, so there is nothing to ask for again.")
    if row["state"] in {"waiting", "leased"}:
        raise UsageError(f"{known} is about to be asked for already.")
    if await hosts.is_stopped(tx, host_of(known)):
        raise PolicyRefused(f"{host_of(known)} is stopped; it is not asked for anything.")
    action = await governed.append_action(tx, person, "refetch-page", known, reason, {"purpose": purpose})
    await frontier.refetch(tx, known, f"{action}:{purpose}", SEED_PRIORITY)
    return known


async def erase_page(tx: Transaction, actor: Actor, url: str, reason: str) -> int:
    """All that was kept of a page goes: claims, text, and its records in the archive. Returns how many fetches of it."""
    allow(actor, "erase-page", reason=reason)
    known = normalize(url)
    kept = [row["id"] for row in await documents.by_url(tx, known)]
    if not kept:
        raise UsageError(f"Nothing was kept of {known}.")
    await jobs.add(tx, await forget(tx, kept, reason))
    await governed.append_action(tx, actor.person, "erase-page", known, reason, {"documents": kept})
    return len(kept)
