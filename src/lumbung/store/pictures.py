"""Pictures that published entries show: the verdict about each, the queue of those to copy, and the copies."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from lumbung.store.database import Row, Transaction, named_queries

SQL = named_queries("pictures")
CHANNEL = "lumbung_pictures"


async def shown(tx: Transaction, urls: Sequence[str]) -> list[Row]:
    return await tx.rows(SQL["shown"], {"urls": sorted(set(urls))})


async def judge(tx: Transaction, values: Sequence[Mapping[str, Any]]) -> None:
    await tx.run_many(SQL["judge"], list(values))
    if any(each["allowed"] for each in values):
        await tx.notify(CHANNEL)


async def take(tx: Transaction, seconds: float) -> Row | None:
    return await tx.row(SQL["take"], {"seconds": seconds})


async def later(tx: Transaction, url: str, seconds: float, reason: str, *, costs_a_try: bool) -> None:
    values = {"url": url, "seconds": seconds, "reason": reason, "free": 0 if costs_a_try else 1}
    await tx.run(SQL["later"], values)


async def refer(tx: Transaction, url: str, reason: str, statements: Sequence[str] = ()) -> None:
    await tx.run(SQL["refer"], {"url": url, "reason": reason, "statements": list(statements)})


async def keep_copy(tx: Transaction, values: Mapping[str, Any]) -> None:
    """The copy, and the files of every machine entry that shows the picture."""
    await tx.run(SQL["keep_copy"], values)
    rows = await tx.rows(SQL["entries_showing"], {"url": values["url"]})
    await place(tx, [row["identity"] for row in rows])


async def place(tx: Transaction, identities: Sequence[str]) -> None:
    if identities:
        await tx.run(SQL["place"], {"identities": sorted(identities)})


async def seconds_to_next(tx: Transaction) -> float | None:
    """Until some picture is due; None when none is wanted."""
    seconds = await tx.value(SQL["seconds_to_next"])
    return None if seconds is None else float(seconds)


async def unfinished(tx: Transaction) -> bool:
    return bool(await tx.value(SQL["unfinished"]))


async def public_copy(tx: Transaction, digest: str) -> Row | None:
    return await tx.row(SQL["public_copy"], {"digest": digest})


async def counts(tx: Transaction) -> dict[str, int]:
    return {row["state"]: row["pictures"] for row in await tx.rows(SQL["counts"])}
