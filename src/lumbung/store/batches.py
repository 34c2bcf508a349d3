"""Batches and what they brought."""

from __future__ import annotations

from lumbung.store import entries, stages
from lumbung.store.database import Row, Transaction, named_queries
from lumbung.store.entries import MachineEntry

SQL = named_queries("batches")


async def candidates_of(tx: Transaction, batch: int) -> list[str]:
    return [row["digest"] for row in await tx.rows(SQL["candidates_of"], {"batch": batch})]


async def mark_undone(tx: Transaction, batch: int) -> bool:
    return await tx.row(SQL["mark_undone"], {"batch": batch}) is not None


async def human_owned(tx: Transaction, batch: int) -> list[str]:
    return [row["identity"] for row in await tx.rows(SQL["human_owned"], {"batch": batch})]


async def hold_released(tx: Transaction, batch: int, note: str) -> list[str]:
    """What a release batch showed goes back to what waits; a release brings no candidates that could be retracted."""
    rows = await tx.rows(SQL["hold_again"], {"batch": batch})
    for row in rows:
        await entries.add_revision(tx, row["identity"], row["revision"], "machine", {"status": "held"}, note=note)
    return sorted(row["identity"] for row in rows)


async def take_out_sent(tx: Transaction, batch: int, note: str) -> list[str]:
    """What a machine account sent goes back to what it had sent before, or is withdrawn; its claims are not ours to decide on."""
    rows = await tx.rows(SQL["sent_in"], {"batch": batch})
    for row in rows:
        kept = await entries.revision(tx, row["identity"], row["earlier"]) if row["earlier"] else None
        if kept is None:
            await entries.withdraw(tx, row["identity"], note)
        else:
            before = {name: kept["content"][name] for name in MachineEntry.__slots__}
            await entries.write_machine(tx, MachineEntry(**before))
    return [row["identity"] for row in rows]


async def run_of_today(tx: Transaction, name: str) -> str:
    """The run of a day; a batch that was undone is not written to again."""
    run = f"{name}:{(await stages.now(tx)).date()}"
    undone = int(await tx.value(SQL["undone_of_run"], {"run": run}))
    return f"{run}:{undone}" if undone else run


async def listed(tx: Transaction, before: int = 2**31, limit: int = 50) -> list[Row]:
    return await tx.rows(SQL["listed"], {"before": before, "limit": limit})
