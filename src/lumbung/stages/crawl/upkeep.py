"""What a crawl does beside crawling: learn from what pages gave, find mirrors and traps, write down figures."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence

from lumbung.equations.priority import Belief, in_force, learned, priority
from lumbung.errors import TransientError
from lumbung.stages.crawl.links import FEATURES, weights_from
from lumbung.stages.crawl.visit import Visitor
from lumbung.store import frontier, governed, hosts, learning
from lumbung.store.database import Database, Row, Transaction
from lumbung.telemetry import log
from lumbung.text.traps import MIRROR_MIN_PAGES, SHAPE_TRIAL_PAGES, is_mirror

INTERVAL_SECONDS = 15.0
PAGES_A_ROUND = 1_000
FIXED = frozenset({"denylist"})
LARGEST_WEIGHT = 10.0
FIRST_PAGES = 50.0
"""The governed weights are believed like what fifty pages taught."""
DOCUMENTS_LOOKED_BACK = 5_000
CANDIDATE_YIELD = 0.4
FACT_YIELD = 0.1
LISTING_YIELD = 0.02
SETTLED_WITHIN = 0.1
FULL_YIELD_PRIORITY = 5.0
"""What a page that gives all it can is worth as a priority: the governed weights rank on this scale, and what is learned
must stay on it, because links ranked before and after a step wait in one frontier."""


class Upkeep:
    """Reads and writes what is learned; `weights` is None until something was."""

    def __init__(self, database: Database, visitor: Visitor, interval_seconds: float = INTERVAL_SECONDS) -> None:
        self._database = database
        self._visitor = visitor
        self._interval_seconds = interval_seconds
        self.weights: dict[str, float] | None = None
        self._settled: float | None = None

    async def run(self) -> None:
        loaded = False
        while True:
            try:
                if not loaded:
                    await self._load_gate()
                    loaded = True
                await self.once()
            except TransientError as error:
                log.info("crawl.upkeep_waits", reason=str(error))
            await asyncio.sleep(self._interval_seconds)

    async def once(self) -> None:
        judge = self._visitor.judge
        measured = judge.take_measured() if judge is not None else None
        try:
            async with self._database.transaction() as tx:
                if measured is not None:
                    await learning.add_gate_figures(tx, *measured)
                await self._learn(tx)
        except TransientError:
            if judge is not None and measured is not None:
                judge.take_back(*measured)
            raise

    async def _learn(self, tx: Transaction) -> None:
        mine = await learning.is_mine(tx)
        if mine:
            await learn(tx)
            await stop_mirrors(tx)
        rows = await governed.values_now(tx)
        if self._visitor.judge is not None:
            self._visitor.judge.abide_by(rows)
        model = await learning.model(tx)
        self.weights = ranking_weights(model["weights"], weights_from(rows)) if model else None
        if mine:
            await self._settle(tx, (self.weights or weights_from(rows))["host_yield"])
        self._visitor.shapes.load(await hosts.shapes(tx, SHAPE_TRIAL_PAGES))

    async def _settle(self, tx: Transaction, weight: float) -> None:
        """All hosts stand anew among each other once the weight of what they gave has moved."""
        if self._settled is None or abs(weight - self._settled) > SETTLED_WITHIN:
            await learning.settle(tx, weight)
            self._settled = weight

    async def _load_gate(self) -> None:
        if self._visitor.judge is not None:
            async with self._database.transaction() as tx:
                self._visitor.judge.load(*await learning.gate_figures(tx))


async def learn(tx: Transaction) -> int:
    """The model takes in the pages whose outcome is known by now; returns how many."""
    rows = await learning.to_learn(tx, PAGES_A_ROUND)
    if not rows:
        return 0
    model = await learning.model(tx)
    belief = belief_of(model, weights_from(await governed.values_now(tx)))
    updates, error = (int(model["updates"]), float(model["error"])) if model else (0, 0.0)
    yields = [(row["id"], row["host"], page_yield(row)) for row in rows]
    pages, values = [], []
    for row, (_, _, value) in zip(rows, yields, strict=True):
        if row["has_page"] and len(row["features"]) == len(FEATURES):
            features = dict(zip(FEATURES, map(float, row["features"]), strict=True)) | {"host_yield": row["host_yield"]}
            error = 0.98 * error + 0.02 * abs(value - priority(belief.weights, features) / FULL_YIELD_PRIORITY)
            pages.append(features)
            values.append(value)
    belief = after_pages(belief, pages, values)
    await learning.keep_yields(tx, yields, belief.weights["host_yield"])
    await learning.keep_model(tx, belief.weights, belief.firmness, updates + len(pages), error)
    return len(rows)


def belief_of(model: Row | None, governed_weights: Mapping[str, float]) -> Belief:
    """As it was kept; a feature that is new to it, or a model of an earlier version, begins as the governed weights do."""
    start = Belief.before(governed_weights, FIRST_PAGES)
    if model is None:
        return start
    return Belief({**start.weights, **model["weights"]}, {**start.firmness, **(model["firmness"] or {})})


def after_pages(belief: Belief, pages: Sequence[Mapping[str, float]], values: Sequence[float]) -> Belief:
    """By the features of pages and what they really gave, between 0 and 1."""
    moved = learned(belief, pages, [FULL_YIELD_PRIORITY * value for value in values], FIXED)
    bounded = {name: max(-LARGEST_WEIGHT, min(LARGEST_WEIGHT, weight)) for name, weight in moved.weights.items()}
    return Belief(bounded, moved.firmness)


def ranking_weights(model: Mapping[str, float], governed_weights: Mapping[str, float]) -> dict[str, float]:
    """The bias belongs to the prediction: in the ranking it would only set links of one hour above those of another."""
    weights = in_force(model, governed_weights)
    return {name: float(weights.get(name, 0.0)) for name in FEATURES} | {"bias": 0.0}


def page_yield(row: Row) -> float:
    """Between 0 and 1: candidates and facts of an item, a little for a listing that led on."""
    if row["kind"] in {"index", "encyclopaedia"}:
        return min(0.5, LISTING_YIELD * float(row["new_links"]))
    return min(1.0, CANDIDATE_YIELD * float(row["candidates"]) + FACT_YIELD * float(row["facts"]))


async def stop_mirrors(tx: Transaction) -> None:
    """A host that shows another's site under its own name is left, and the curator told."""
    since = await learning.newest_document(tx) - DOCUMENTS_LOOKED_BACK
    for pair in await hosts.twins(tx, since, MIRROR_MIN_PAGES):
        host, other = pair["host"], pair["other"]
        if is_mirror(await hosts.paths(tx, host), await hosts.paths(tx, other)):
            reason = f"a mirror of {other}"
            await hosts.become_mirror(tx, host, other, reason)
            await hosts.notice(tx, "mirror", host, reason)
            await frontier.refuse_waiting(tx, host, f"mirror host of {other}")
