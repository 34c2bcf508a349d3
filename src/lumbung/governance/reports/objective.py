"""Eq. (2) as the front page: what was gained, at what cost, at which precision, and what would improve it most."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from lumbung.equations.funnel import Group, Stage, funnel_cost
from lumbung.governance.reports.improvement import Gained, Improvement, improvements, weight
from lumbung.governance.reports.quality import estimates
from lumbung.store import audits, governed, learning, ledger, objective
from lumbung.store.database import Transaction

MONTH_SECONDS = 30 * 86400.0
EVER_SECONDS = 100 * 365 * 86400.0
STEPS = (("crawl", "pages", "item_pages"), ("extract", "item_pages", "candidates"), ("decide", "candidates", "items"),
         ("publish", "items", "published"))  # fmt: skip
"""Each stage with the count of what it takes and the count of what it passes on."""


@dataclass(frozen=True, slots=True)
class Objective:
    entries: int
    facts: int
    weighted_gain: float | None
    """Sum of w(e) times the validated novel facts: published facts, discounted by the audited precision and novelty.

    None while no label says how many of them are right, or new: what nobody has read is not validated.
    """
    spent_micros: int
    cost_per_published_micros: float | None
    cost_by_stage_micros: dict[str, int]
    precision: dict[str, Any]
    p_min: float
    by_category: dict[str, dict[str, int]]
    labels: dict[str, Any]
    improvements: list[Improvement]

    def as_json(self) -> dict[str, Any]:
        return asdict(self)


async def objective_report(tx: Transaction, seconds: float = EVER_SECONDS) -> Objective:
    values = await governed.values_now(tx)
    rows = await objective.gained(tx, seconds)
    costs = await spent_by_stage(tx, seconds)
    audit = (await estimates(tx, "publish"))["*"]
    novelty = await objective.novelty_labels(tx)
    read = novelty["novel"] + novelty["duplicate"]
    novel = novelty["novel"] / read if read else None
    entries, facts = sum(row["entries"] for row in rows), sum(row["facts"] for row in rows)
    weighted = math.fsum(weight(values, row["category"]) * row["facts"] for row in rows)
    gained = Gained(weighted, facts, entries, unsure_share(audit))
    loop = await audits.loop_closure(tx)
    return Objective(
        entries=entries,
        facts=facts,
        weighted_gain=validated(weighted, audit["precision"], novel),
        spent_micros=sum(costs.values()),
        cost_per_published_micros=round(sum(costs.values()) / entries, 1) if entries else None,
        cost_by_stage_micros=costs,
        precision=audit,
        p_min=float(values["audit.p_min"]),
        by_category={row["category"]: {"entries": row["entries"], "facts": row["facts"]} for row in rows},
        labels=dict(loop),
        improvements=await improvements(tx, values, gained, int(loop["unread"] or 0)),
    )


def validated(weighted: float, right: float | None, novel: float | None) -> float | None:
    if not weighted:
        return 0.0
    if right is None or novel is None:
        return None
    return round(weighted * right * novel, 3)


def unsure_share(audit: Mapping[str, Any]) -> float:
    return (audit["high"] - audit["low"]) / 2 if audit["labels"] else 1.0


async def spent_by_stage(tx: Transaction, seconds: float) -> dict[str, int]:
    """Micro-units by stage, over all models."""
    spent: Counter[str] = Counter()
    for row in await ledger.by_stage(tx, seconds):
        spent[row["stage"]] += int(row["micros"] or 0)
    return dict(spent)


async def measured_stages(tx: Transaction) -> list[Stage]:
    """Cost in micro-units and pass rate of each stage, with the number of items behind them."""
    counted = await objective.funnel(tx)
    costs, squares = await spent_by_stage(tx, EVER_SECONDS), await objective.squared_costs(tx)
    return [
        Stage(
            name,
            costs.get(name, 0) / max(1, counted[taken]),
            counted[passed] / max(1, counted[taken]),
            counted[taken],
            deviation(counted[taken], costs.get(name, 0), squares.get(name, 0.0)),
        )
        for name, taken, passed in STEPS
    ]


def deviation(number: int, total: float, squares: float) -> float:
    """Of one item's cost, those that cost nothing included."""
    if number < 2:
        return 0.0
    return math.sqrt(max(0.0, squares - total * total / number) / (number - 1))


async def measured_by_host(tx: Transaction) -> list[Group]:
    """What each host brought, in the counts and costs of the stages above."""
    names = [taken for _, taken, _ in STEPS] + [STEPS[-1][2]]
    return [
        Group(tuple(row[name] for name in names), tuple(row.get(f"{stage}_micros", 0.0) for stage, _, _ in STEPS))
        for row in await objective.funnel_by_host(tx)
    ]


async def measured_filters(tx: Transaction) -> list[Stage]:
    """The gate's filters, their cost in seconds."""
    figures, _ = await learning.gate_figures(tx)
    return [
        Stage(row["filter"], row["seconds"] / row["runs"], row["passes"] / row["trials"], row["trials"])
        for row in figures
        if row["runs"] and row["trials"]
    ]


async def measured_funnel(tx: Transaction) -> dict[str, Any]:
    """Eq. (3) with what was measured: cost and pass rate of each stage."""
    stages = await measured_stages(tx)
    cost = funnel_cost(stages)
    return {
        "stages": [{"name": stage.name, "cost": stage.cost, "pass_rate": stage.pass_rate} for stage in stages],
        "cost_in_micros": cost.per_input,
        "cost_published_micros": cost.per_published if math.isfinite(cost.per_published) else None,
    }
