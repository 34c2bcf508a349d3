"""How full the funnel is: what each stage took in, let through and holds back, and why nothing moves when nothing does."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from lumbung.store import candidates, documents, entries, frontier, items, jobs, pictures, refusals, stages
from lumbung.store.database import Transaction


@dataclass(frozen=True)
class FunnelReport:
    pages: dict[str, int]
    frontier: dict[str, int]
    hosts: dict[str, int]
    candidates: dict[str, int]
    decisions: dict[str, int]
    entries: dict[str, int]
    jobs: dict[str, int]
    paused: dict[str, str]
    refusals: dict[str, int]

    def line(self) -> str:
        """One line of progress."""
        told = {
            "pages": sum(self.pages.values()),
            "waiting": self.frontier.get("waiting", 0),
            "candidates": sum(self.candidates.values()),
            "decided": sum(self.decisions.values()),
        }
        return " · ".join(f"{name} {number}" for name, number in [*told.items(), *sorted(self.entries.items())])

    def steps(self) -> dict[str, int]:
        """What each step left: pages asked for, read and let through by the gate, candidates, verdicts, new entries.

        Duplicates stand beside the steps: what the library held already.
        """
        turned_away = sum(number for why, number in self.refusals.items() if why.startswith("crawl: gate: "))
        return {
            "pages": sum(self.pages.values()),
            "passed": max(0, self.pages.get("fetched", 0) - turned_away),
            "candidates": sum(self.candidates.values()),
            "duplicates": self.decisions.get("novelty skip", 0),
            "decided": sum(number for verdict, number in self.decisions.items() if verdict.startswith("novelty ")),
            "published": self.entries.get("machine published", 0),
        }

    def as_json(self) -> dict[str, Any]:
        return dict(self.__dict__)

    def table(self) -> str:
        rows = []
        for title, part in self.__dict__.items():
            told = ", ".join(f"{name} {number}" for name, number in sorted(part.items())) or "none"
            rows.append(f"{title:<11} {told}")
        return "\n".join(rows)


async def funnel_report(tx: Transaction) -> FunnelReport:
    stopped = await frontier.stopped_hosts(tx)
    return FunnelReport(
        pages={row["outcome"]: row["pages"] for row in await documents.fetch_totals(tx)},
        frontier=await frontier.states(tx),
        hosts={name: int(number or 0) for name, number in stopped.items()},
        candidates=await candidates.counts(tx),
        decisions={f"{row['node']} {row['verdict']}": row["decisions"] for row in await items.outcomes(tx)},
        entries={f"{row['owner']} {row['status']}": row["entries"] for row in await entries.counts(tx)},
        jobs={f"{row['stage']} {row['state']}": row["jobs"] for row in await jobs.counts(tx)},
        paused={row["name"]: row["paused_reason"] for row in await stages.all_stages(tx) if row["paused_reason"]},
        refusals={f"{row['stage']}: {row['reason']}": row["refusals"] for row in await refusals.counts(tx)},
    )


async def is_dry(tx: Transaction, ignore_frontier: bool = False) -> bool:
    """No URL leased or leasable, no job ready, running or in backoff, the outbox sent, archiver and copier idle."""
    if await jobs.unfinished(tx) or await documents.archive_waits(tx) or await pictures.unfinished(tx):
        return False
    return ignore_frontier or await frontier.is_dry(tx)


async def dead_letters(tx: Transaction) -> int:
    return sum(row["jobs"] for row in await jobs.counts(tx) if row["state"] == "dead")
