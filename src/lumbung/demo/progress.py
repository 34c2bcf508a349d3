"""How the funnel fills, as the line that whoever watches the demo reads."""

from __future__ import annotations

from dataclasses import dataclass

from lumbung.governance.reports.funnel import funnel_report
from lumbung.store import ledger
from lumbung.store.database import Transaction

LONGEST_WINDOW = "month"


@dataclass(frozen=True, slots=True)
class Filling:
    steps: dict[str, int]
    spent_micros: int

    def line(self) -> str:
        told = [f"{name} {number}" for name, number in self.steps.items()]
        return " · ".join([*told, f"spent {self.spent_micros / 1_000_000:.4f}"])


async def filling(tx: Transaction) -> Filling:
    return Filling((await funnel_report(tx)).steps(), await spent_micros(tx))


async def spent_micros(tx: Transaction) -> int:
    return sum(row["spent_micros"] for row in await ledger.windows(tx) if row["name"] == LONGEST_WINDOW)
