"""What readers ask for: a correction or a removal. Anybody may ask; people decide."""

from __future__ import annotations

from lumbung.store import audits, entries, entry_requests, governed
from lumbung.store.database import Transaction

LONGEST_TEXT = 5000


async def ask_for_correction(tx: Transaction, entry: str, text: str, contact: str | None) -> int:
    number = await entry_requests.add_correction(tx, entry, text[:LONGEST_TEXT], contact)
    await governed.append_action(tx, None, "ask-for-correction", entry, "a reader's correction", {"correction": number})
    await audits.add_notice(tx, "correction", entry, await _named(tx, entry, correction=number), f"correction:{number}")
    return number


async def ask_for_removal(tx: Transaction, entry: str, requester: str, contact: str, reason: str) -> int:
    number = await entry_requests.add_takedown(tx, entry, requester[:500], contact[:200], reason[:LONGEST_TEXT])
    await governed.append_action(tx, None, "ask-for-removal", entry, "a request to remove", {"takedown": number})
    await audits.add_notice(tx, "takedown", entry, await _named(tx, entry, takedown=number), f"takedown:{number}")
    return number


async def _named(tx: Transaction, entry: str, **request: int) -> dict[str, object]:
    """What a notice says: the entry by its title, and nothing of whoever asked."""
    held = await entries.get(tx, entry)
    return request | ({"title": held["title"]} if held else {})
