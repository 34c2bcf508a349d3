"""How the funnel fills, as the line that whoever watches the demo reads."""

from __future__ import annotations

from dataclasses import dataclass

from lumbung.governance.reports.funnel import FunnelReport, funnel_report
from lumbung.store import ledger
from lumbung.store.database import Transaction

LONGEST_WINDOW = "month"


@dataclass(frozen=True, slots=True)
class Filling:
    pages: int
    passed: int
    """Pages that were read and that the gate let through."""
    candidates: int
    duplicates: int
    """What the library held already."""
    decided: int
    published: int
    """By the machine; people's own entries were there before."""
    spent_micros: int

    def line(self) -> str:
        return (
            f"pages {self.pages} · passed {self.passed} · candidates {self.candidates} · "
            f"duplicates {self.duplicates} · decided {self.decided} · published {self.published} · "
            f"spent {self.spent_micros / 1_000_000:.4f}"
        )


def filling_of(report: FunnelReport, spent_micros: int) -> Filling:
    turned_away = sum(number for why, number in report.refusals.items() if why.startswith("crawl: gate: "))
    return Filling(
        pages=sum(report.pages.values()),
        passed=max(0, report.pages.get("fetched", 0) - turned_away),
        candidates=sum(report.candidates.values()),
        duplicates=report.decisions.get("novelty skip", 0),
        decided=sum(number for verdict, number in report.decisions.items() if verdict.startswith("novelty ")),
        published=report.entries.get("machine published", 0),
        spent_micros=spent_micros,
    )


async def filling(tx: Transaction) -> Filling:
    return filling_of(await funnel_report(tx), await spent_micros(tx))


async def spent_micros(tx: Transaction) -> int:
    return sum(row["spent_micros"] for row in await ledger.windows(tx) if row["name"] == LONGEST_WINDOW)
