"""The ledger in PostgreSQL. Reservations go through database functions alone: no login may write the rows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict

from lumbung.errors import BudgetExhausted, CapabilityMissing
from lumbung.ports.failpoints import Passage, unmarked
from lumbung.ports.ledger import Purpose
from lumbung.store.database import Database, Row, Transaction, named_queries

SQL = named_queries("ledger")
CAPABILITY = "budget"
LARGEST_MICROS = 2**53


class SharedLedger:
    """Every step is one statement, so that a worker frozen in the middle of it never keeps the ledger's lock."""

    def __init__(self, database: Database, passage: Passage = unmarked) -> None:
        self._database = database
        self._passage = passage

    async def reserve(self, purpose: Purpose, micros: int, lease_seconds: float) -> int:
        wanted = {"micros": min(micros, LARGEST_MICROS), "lease_seconds": lease_seconds}
        row = await self._database.statement(SQL["reserve"], asdict(purpose) | wanted)
        assert row is not None
        if row["reservation"] is None:
            raise no_room(purpose.stage, micros, row)
        self._passage("ledger.reserved")
        return int(row["reservation"])

    async def begin(self, reservation: int) -> bool:
        row = await self._database.statement(SQL["begin"], {"reservation": reservation})
        self._passage("ledger.begun")
        return row is not None and bool(row["begun"])

    async def settle(self, reservation: int, micros: int, input_tokens: int = 0, output_tokens: int = 0) -> None:
        self._passage("ledger.answered")
        figures = {"micros": micros, "input_tokens": max(input_tokens, 0), "output_tokens": max(output_tokens, 0)}
        bounded = {name: min(figure, LARGEST_MICROS) for name, figure in figures.items()}
        await self._database.statement(SQL["settle"], {"reservation": reservation} | bounded)
        self._passage("ledger.settled")

    async def release(self, reservation: int) -> None:
        await self._database.statement(SQL["release"], {"reservation": reservation})


def no_room(stage: str, micros: int, row: Row) -> BudgetExhausted | CapabilityMissing:
    """A call that can never fit waits for a higher cap, so that it does not hold up the smaller ones."""
    window, cap = row["full_window"], row["cap_micros"]
    if 0 < cap < micros:
        return CapabilityMissing(
            f"One call of {stage} may cost {micros} micro-units, more than the whole cap of the {window} ({cap}); raise it.",
            CAPABILITY,
        )
    return BudgetExhausted(
        f"The cap of the {window} ({cap} micro-units) leaves no room for {micros}; "
        f"there will be some in {row['wait_seconds']:.0f} seconds.",
        CAPABILITY,
        float(row["wait_seconds"]),
    )


async def install_caps(tx: Transaction, caps: Mapping[str, int]) -> None:
    """The settings' caps by window (hour, day, month), with people's login; governed rows win over them."""
    for name, cap in caps.items():
        await tx.run(SQL["install"], {"name": name, "cap_micros": cap})


async def windows(tx: Transaction, stage: str = "") -> list[Row]:
    """Each window with its cap, what is spent in it and in flight; of a stage too, where it has a share."""
    return await tx.rows(SQL["windows"], {"stage": stage})


async def itemised(tx: Transaction, seconds: float, limit: int = 1000) -> list[Row]:
    return await tx.rows(SQL["itemised"], {"seconds": seconds, "limit": limit})


async def by_stage(tx: Transaction, seconds: float) -> list[Row]:
    return await tx.rows(SQL["by_stage"], {"seconds": seconds})


async def alarms(tx: Transaction, limit: int = 100) -> list[Row]:
    return await tx.rows(SQL["alarms"], {"limit": limit})


async def acknowledge(tx: Transaction, alarm: int, person: int) -> bool:
    return bool(await tx.run(SQL["acknowledge"], {"id": alarm, "person": person}))
