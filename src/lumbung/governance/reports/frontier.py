"""The frontier monitor: how fertile pages are, how long the frontier will last, and why it stands still if it does."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from lumbung.equations.branching import Offspring, extinction_interval, forecast_dry, mean_interval
from lumbung.equations.intervals import Interval
from lumbung.equations.priority import in_force
from lumbung.equations.reseed import needs_tranche
from lumbung.store import documents, frontier, governed, hosts, learning, stages
from lumbung.store.database import Transaction

WINDOW_PAGES = 1_000
FAR_AWAY = timedelta(days=3650)


@dataclass(frozen=True)
class FrontierReport:
    waiting: int
    waiting_hosts: int
    pages_seen: int
    """Pages in the window from which the means come."""
    offspring_mean: Interval | None
    """m of Eq. (7) with its interval; None before the first page."""
    extinction: Interval | None
    """q of Eq. (8) for a single page, with its interval."""
    pages_left: Interval | None
    """Infinite where m may be 1 or more."""
    pages_per_second: float
    dry_at: tuple[datetime | None, datetime | None]
    """Between which moments the frontier runs dry at the present rate; None is never, or not within ten years."""
    phi_min: int
    needs_tranche: bool
    """Eq. (9): the next tranche is due."""
    tranches: list[dict[str, Any]]
    standstill: list[str]
    """Why nothing moves, in sentences; empty while something does."""
    held_back: list[dict[str, Any]]
    weights: dict[str, float]
    learned_from: int
    suggestions: list[dict[str, Any]]
    notices: list[dict[str, Any]]

    def as_json(self) -> dict[str, Any]:
        return {name: plain(value) for name, value in asdict(self).items()}


def plain(value: Any) -> Any:
    """Numbers without an end and moments as JSON knows them."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, dict):
        return {name: plain(each) for name, each in value.items()}
    return [plain(each) for each in value] if isinstance(value, list | tuple) else value


async def frontier_report(tx: Transaction, now: datetime | None = None) -> FrontierReport:
    depth = await frontier.depth(tx)
    sample = await frontier.recent_offspring(tx, WINDOW_PAGES)
    rows = await governed.values_now(tx)
    rate = await documents.pages_per_second(tx)
    mean = mean_interval(sample) if sample else None
    law = Offspring.observed(sample) if sample else None
    forecast = forecast_dry(depth["urls"], mean, rate, law.variance) if mean and law else None
    model = await learning.model(tx)
    phi_min = int(rows.get("frontier.phi_min", 200))
    return FrontierReport(
        waiting=depth["urls"],
        waiting_hosts=depth["hosts"],
        pages_seen=len(sample),
        offspring_mean=mean,
        extinction=extinction_interval(sample, mean) if mean else None,
        pages_left=forecast.pages if forecast else None,
        pages_per_second=rate,
        dry_at=moments(forecast.seconds, now or datetime.now(UTC)) if forecast else (None, None),
        phi_min=phi_min,
        needs_tranche=needs_tranche(depth["urls"], phi_min),
        tranches=await documents.by_tranche(tx),
        standstill=await standstill(tx, depth["urls"]),
        held_back=await hosts.stops(tx),
        weights=in_force(model["weights"], governed_weights(rows)) if model else governed_weights(rows),
        learned_from=int(model["updates"]) if model else 0,
        suggestions=await hosts.suggestions(tx),
        notices=await hosts.notices(tx),
    )


def governed_weights(rows: dict[str, Any]) -> dict[str, float]:
    prefix = "crawl.priority."
    return {name.removeprefix(prefix): float(value) for name, value in sorted(rows.items()) if name.startswith(prefix)}


def moments(seconds: Interval, now: datetime) -> tuple[datetime | None, datetime | None]:
    def moment(after: float) -> datetime | None:
        return now + timedelta(seconds=after) if after < FAR_AWAY.total_seconds() else None

    return moment(seconds.low), moment(seconds.high)


async def standstill(tx: Transaction, waiting: int) -> list[str]:
    told = [
        f"The crawl is paused: {row['paused_reason']}."
        for row in await stages.all_stages(tx)
        if row["name"] == "crawl" and row["paused_reason"]
    ]
    states = await frontier.states(tx)
    if not states:
        return [*told, "Nothing was ever seeded; inject a tranche."]
    if not await frontier.is_dry(tx):
        return told
    held = await hosts.stopped_hosts(tx)
    if held["stopped"]:
        told.append(f"{held['stopped']} hosts with waiting addresses are stopped.")
    if held["cooling"]:
        told.append(f"{held['cooling']} hosts with waiting addresses rest for now.")
    if held["quiet"]:
        told.append(f"{held['quiet']} hosts with waiting addresses have their quiet hours.")
    if not waiting:
        told.append("The frontier is dry: every address that was found has been asked for or refused.")
    return told
