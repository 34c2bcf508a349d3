"""The discussions of entries."""

from __future__ import annotations

from lumbung.store.database import Row, Transaction, named_queries

SQL = named_queries("remarks")
LAST = 2**63 - 1


async def add(tx: Transaction, entry: str, person: int | None, text: str) -> int:
    return int(await tx.value(SQL["add"], {"entry": entry, "person": person, "text": text}))


async def discussion(tx: Transaction, entry: str, limit: int, before: int = LAST) -> list[Row]:
    """Newest first, each with the number of who speaks."""
    return await tx.rows(SQL["discussion"], {"entry": entry, "before": before, "limit": limit})


async def count(tx: Transaction, entry: str) -> int:
    return int(await tx.value(SQL["count"], {"entry": entry}))


async def one(tx: Transaction, entry: str, number: int) -> Row | None:
    return await tx.row(SQL["one"], {"entry": entry, "id": number})


async def about(tx: Transaction, number: int) -> Row | None:
    """Where the entry lies that a remark is about."""
    return await tx.row(SQL["about"], {"id": number})


async def withhold(tx: Transaction, number: int, reason: str | None) -> str | None:
    """The entry that it is about, and without a reason shown again; None where it was so already."""
    entry = await tx.value(SQL["withhold"], {"id": number, "reason": reason})
    return None if entry is None else str(entry)


async def latest(tx: Transaction, limit: int) -> list[Row]:
    return await tx.rows(SQL["latest"], {"limit": limit})


async def erase(tx: Transaction, number: int) -> str | None:
    """The entry that it is about; None where nothing is left to erase."""
    entry = await tx.value(SQL["erase"], {"id": number})
    return None if entry is None else str(entry)


async def erase_of(tx: Transaction, person: int) -> None:
    await tx.run(SQL["erase_of"], {"person": person})


async def said_by(tx: Transaction, person: int) -> list[Row]:
    return await tx.rows(SQL["said_by"], {"person": person})
