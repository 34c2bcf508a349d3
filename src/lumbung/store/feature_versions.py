"""Versions of the features side by side: one is searched, a newer one fills until it can take its place."""

from __future__ import annotations

from collections.abc import Sequence

from lumbung.store.database import Row, Transaction, named_queries

SQL = named_queries("feature_versions")
UNKNOWN_PROVINCE = "-"


async def in_force(tx: Transaction) -> int | None:
    """The version that is searched; none before the first node."""
    version = await tx.value(SQL["in_force"])
    return None if version is None else int(version)


async def hold(tx: Transaction, own: int) -> int:
    """The version in force, the same until the transaction ends; the first one who writes puts theirs in force."""
    await tx.run(SQL["hold"])
    await tx.run(SQL["found"], {"version": own})
    version = await in_force(tx)
    return own if version is None else version


async def begin_alone(tx: Transaction) -> None:
    await tx.run(SQL["begin_alone"])


async def states(tx: Transaction) -> dict[int, str]:
    return {row["version"]: row["state"] for row in await tx.rows(SQL["states"])}


async def left_behind(tx: Transaction, version: int) -> bool:
    """Nobody searches in it, or will."""
    return (await states(tx)).get(version) in {"past", "gone"}


async def progress(tx: Transaction) -> list[Row]:
    return await tx.rows(SQL["progress"])


async def begin_filling(tx: Transaction, version: int) -> None:
    await tx.run(SQL["set_state"], {"version": version, "state": "filling"})


async def leave(tx: Transaction, version: int) -> None:
    await tx.run(SQL["set_state"], {"version": version, "state": "past"})


async def put_in_force(tx: Transaction, old: int, new: int) -> None:
    await leave(tx, old)
    await tx.run(SQL["set_state"], {"version": new, "state": "in force"})


async def lacking(tx: Transaction, held: int, wanted: int, after: str, limit: int) -> list[str]:
    rows = await tx.rows(SQL["lacking"], {"held": held, "wanted": wanted, "after": after, "limit": limit})
    return [row["node"] for row in rows]


async def strays(tx: Transaction, wanted: int, limit: int) -> list[str]:
    return [row["node"] for row in await tx.rows(SQL["strays"], {"wanted": wanted, "limit": limit})]


async def nodes_after(tx: Transaction, version: int, after: str, limit: int) -> list[Row]:
    return await tx.rows(SQL["nodes_after"], {"version": version, "after": after, "limit": limit})


async def block_of(tx: Transaction, node: str, version: int) -> tuple[str, list[str] | None]:
    """The category and the related provinces of a node; none where they are unknown, which relates to all."""
    row = await tx.row(SQL["block_of"], {"node": node, "version": version})
    if row is None or not row["provinces"] or row["provinces"] == [UNKNOWN_PROVINCE]:
        return (row["category"] or "") if row else "", None
    return row["category"], [*row["provinces"], UNKNOWN_PROVINCE]


async def entries_of(tx: Transaction, nodes: Sequence[str]) -> dict[str, str]:
    """The published entry of each node that has one."""
    return {row["node"]: row["identity"] for row in await tx.rows(SQL["entries_of"], {"nodes": list(nodes)})}


async def drop_graphs(tx: Transaction, version: int) -> None:
    await begin_alone(tx)
    await tx.run(SQL["begin_unread"])
    await tx.run(SQL["drop_graphs"], {"version": version})


async def let_go(tx: Transaction, version: int, after: str, limit: int) -> str | None:
    """The last node of those that went; none when all are gone."""
    last = await tx.value(SQL["let_go"], {"version": version, "after": after, "limit": limit})
    return None if last is None else str(last)


async def end(tx: Transaction, version: int) -> bool:
    """False when somebody has written in this version meanwhile."""
    await drop_graphs(tx, version)
    if await tx.value(SQL["any_left"], {"version": version}):
        return False
    await tx.run(SQL["forget_blocks"], {"version": version})
    await tx.run(SQL["set_state"], {"version": version, "state": "gone"})
    return True
