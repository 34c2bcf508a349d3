"""Corrections and removals that readers ask for."""

from __future__ import annotations

from lumbung.store.database import Row, Transaction, named_queries

SQL = named_queries("entry_requests")


async def add_correction(tx: Transaction, entry: str, text: str, contact: str | None) -> int:
    return int(await tx.value(SQL["add_correction"], {"entry": entry, "text": text, "contact": contact}))


async def add_takedown(tx: Transaction, entry: str, requester: str, contact: str, reason: str) -> int:
    parameters = {"entry": entry, "requester": requester, "contact": contact, "reason": reason}
    return int(await tx.value(SQL["add_takedown"], parameters))


async def open_takedowns(tx: Transaction, limit: int = 100) -> list[Row]:
    return await tx.rows(SQL["open_takedowns"], {"limit": limit})


async def decide_takedown(tx: Transaction, number: int, state: str, person: int | None, notice: str) -> str | None:
    """The entry that it was about; None when it was decided already."""
    parameters = {"id": number, "state": state, "person": person, "notice": notice}
    entry = await tx.value(SQL["decide_takedown"], parameters)
    return None if entry is None else str(entry)


async def open_corrections(tx: Transaction, limit: int = 100) -> list[Row]:
    return await tx.rows(SQL["open_corrections"], {"limit": limit})


async def takedown_entry(tx: Transaction, number: int) -> Row | None:
    """Where the entry lies that a request asks to remove."""
    return await tx.row(SQL["takedown_entry"], {"id": number})


async def correction_entry(tx: Transaction, number: int) -> Row | None:
    """The entry that an open correction is about; the correction is locked."""
    return await tx.row(SQL["correction_entry"], {"id": number})


async def decide_correction(tx: Transaction, number: int, state: str) -> None:
    await tx.run(SQL["decide_correction"], {"id": number, "state": state})


async def pages_of(tx: Transaction, entry: str) -> list[str]:
    return [row["url"] for row in await tx.rows(SQL["pages_of"], {"entry": entry})]
