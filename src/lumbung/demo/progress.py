"""How the funnel fills, as the line that whoever watches the demo reads."""

from __future__ import annotations

from dataclasses import dataclass

from lumbung.governance.reports.funnel import FunnelReport, funnel_report
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


def outcome(report: FunnelReport) -> list[str]:
    """What came of the harvest, in sentences for who sees it for the first time."""
    pages, entries = report.pages, report.entries
    asked, read = sum(pages.values()), pages.get("fetched", 0)
    by_people, by_machine = entries.get("human published", 0), entries.get("machine published", 0)
    waiting, parked = entries.get("machine review", 0), report.candidates.get("parked", 0)
    return [
        f"{asked} addresses were asked and {read} pages read; the others failed or were refused, each with its reason.",
        f"{by_people} entries by people stand as they were written, {by_machine} by machine beside them, every fact with its quote.",
        f"{waiting} more wait for a person, being sacred, unsure or weakly sourced, and {parked} for a language model.",
    ]


async def filling(tx: Transaction) -> Filling:
    return Filling((await funnel_report(tx)).steps(), await spent_micros(tx))


async def spent_micros(tx: Transaction) -> int:
    return sum(row["spent_micros"] for row in await ledger.windows(tx) if row["name"] == LONGEST_WINDOW)
