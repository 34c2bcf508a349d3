"""Figures for Prometheus: queues, stages, refusals, frontier, workers, breakers and money, read when they are asked for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from fastapi import APIRouter, Request
from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily
from prometheus_client.exposition import CONTENT_TYPE_LATEST
from prometheus_client.metrics_core import Metric
from prometheus_client.registry import Collector
from starlette.responses import Response

from lumbung.bootstrap import System
from lumbung.equations.branching import Offspring, extinction_interval, forecast_dry, mean_interval
from lumbung.governance.reports.frontier import WINDOW_PAGES
from lumbung.model.job import STAGES
from lumbung.store import breakers, candidates, documents, entries, frontier, jobs, ledger, refusals, stages
from lumbung.store.database import Row, Transaction
from lumbung.web.providers import with_configured
from lumbung.web.rendering import system_of

router = APIRouter(include_in_schema=False)
MICRO = 1_000_000
DAY_SECONDS = 86_400.0
UNFINISHED = ("ready", "waiting", "parked", "dead")
REASONS_SHOWN = 100
"""Refusals by more reasons than this are told together, since every label is a series that somebody stores."""


class Read(Collector):
    """Figures that were read already, in the form that the client library writes."""

    def __init__(self, families: Iterable[Metric]) -> None:
        self._families = list(families)

    def collect(self) -> Iterator[Metric]:
        yield from self._families


def gauge(name: str, told: str, labels: tuple[str, ...], rows: Iterable[tuple[tuple[str, ...], float]]) -> Metric:
    family = GaugeMetricFamily(name, told, labels=labels)
    for values, number in rows:
        family.add_metric(values, number)
    return family


async def families(tx: Transaction, system: System) -> list[Metric]:
    depth = await frontier.depth(tx)
    windows = await ledger.windows(tx)
    providers = with_configured(system, await breakers.all_breakers(tx))
    queued = {(stage, state): 0 for stage in STAGES for state in UNFINISHED}
    queued |= {(row["stage"], row["state"]): row["jobs"] for row in await jobs.counts(tx)}
    unsent = [((stage,), number) for stage, number in (dict.fromkeys(STAGES, 0) | await jobs.unsent_counts(tx)).items()]
    paused = [((row["name"],), float(row["paused_reason"] is not None)) for row in await stages.all_stages(tx)]
    held = [((row["owner"], row["status"]), row["entries"]) for row in await entries.counts(tx)]
    found = [((state,), number) for state, number in (await candidates.counts(tx)).items()]
    urls = [((state,), number) for state, number in (await frontier.states(tx)).items()]
    opened = [((row["capability"], row["provider"]), float(row["state"] != "closed")) for row in providers]
    failing = [((row["capability"], row["provider"]), row["failures"]) for row in providers]
    return [
        gauge("lumbung_jobs", "Unfinished jobs by stage and state.", ("stage", "state"), queued.items()),
        gauge("lumbung_outbox_messages", "Messages that the broker has not got yet.", ("stage",), unsent),
        gauge("lumbung_stage_paused", "1 while a stage is paused.", ("stage",), paused),
        gauge("lumbung_frontier_urls", "URLs of the frontier by state.", ("state",), urls),
        gauge("lumbung_frontier_productive_urls", "|Phi|: URLs at hosts that may be asked.", (), [((), depth["urls"])]),
        gauge("lumbung_candidates", "Candidates by state.", ("state",), found),
        gauge("lumbung_entries", "Entries by owner and status.", ("owner", "status"), held),
        gauge("lumbung_workers", "Workers seen within a minute.", (), [((), len(await stages.workers(tx)))]),
        gauge("lumbung_breaker_open", "1 while a breaker is not closed.", ("capability", "provider"), opened),
        gauge("lumbung_provider_failures", "Failures in a row, by provider.", ("capability", "provider"), failing),
        money("lumbung_budget_cap", "Cap of a window.", windows, "cap_micros"),
        money("lumbung_budget_spent", "Spent in a window.", windows, "spent_micros"),
        money("lumbung_budget_reserved", "Reserved in a window.", windows, "reserved_micros"),
        *stage_figures(await jobs.figures(tx)),
        refused(await refusals.counts(tx)),
        *await provider_figures(tx),
        *await frontier_figures(tx, depth["urls"]),
    ]


def money(name: str, told: str, windows: list[Row], column: str) -> Metric:
    rows = [((row["name"], row["stage"]), float(row[column] or 0) / MICRO) for row in windows]
    return gauge(name, told, ("window", "stage"), rows)


def stage_figures(rows: list[Row]) -> list[Metric]:
    done = CounterMetricFamily(
        "lumbung_stage_jobs", "Jobs that a stage ended, by outcome.", labels=("stage", "outcome")
    )
    busy = CounterMetricFamily("lumbung_stage_busy_seconds", "Time that a stage worked.", labels=("stage", "outcome"))
    for row in rows:
        done.add_metric((row["stage"], row["outcome"]), row["jobs"])
        busy.add_metric((row["stage"], row["outcome"]), row["busy_seconds"])
    return [done, busy]


def refused(rows: list[Row]) -> Metric:
    """The commonest reasons by name; the others of each stage as one."""
    numbers: Counter[tuple[str, str]] = Counter()
    for place, row in enumerate(rows):
        numbers[row["stage"], row["reason"] if place < REASONS_SHOWN else "other"] += row["refusals"]
    return gauge("lumbung_refusals", "What a stage refused, by reason.", ("stage", "reason"), numbers.items())


async def provider_figures(tx: Transaction) -> list[Metric]:
    """Over the last day, so that the cost of asking does not grow with the ledger."""
    spent = await ledger.by_stage(tx, DAY_SECONDS)
    labels = ("stage", "provider", "model")
    keyed = [((row["stage"], row["provider"], row["model"]), row) for row in spent]
    return [
        gauge(
            "lumbung_provider_calls_day", "Paid calls within a day.", labels, [(at, row["calls"]) for at, row in keyed]
        ),
        gauge(
            "lumbung_provider_cost_day",
            "What they cost.",
            labels,
            [(at, float(row["micros"]) / MICRO) for at, row in keyed],
        ),
    ]


async def frontier_figures(tx: Transaction, waiting: int) -> list[Metric]:
    """m of Eq. (7), q of Eq. (8) and when the frontier runs dry, from the latest pages; nothing before the first."""
    sample = await frontier.recent_offspring(tx, WINDOW_PAGES)
    if not sample:
        return []
    mean = mean_interval(sample)
    rate = await documents.pages_per_second(tx)
    dry = forecast_dry(waiting, mean, rate, Offspring.observed(sample).variance).seconds
    figures = (
        ("lumbung_frontier_offspring_mean", "m: new links that a page brings.", mean),
        ("lumbung_frontier_extinction", "q: that a page's line dies out.", extinction_interval(sample, mean)),
        ("lumbung_frontier_dry_seconds", "Time until the frontier is dry at this rate; infinite where never.", dry),
    )
    return [
        gauge(name, told, ("bound",), [(("low",), each.low), (("value",), each.value), (("high",), each.high)])
        for name, told, each in figures
    ]


@router.get("/metrics")
async def metrics(request: Request) -> Response:
    system = system_of(request)
    async with system.people.transaction() as tx:
        found = await families(tx, system)
    registry = CollectorRegistry(auto_describe=False)
    registry.register(Read(found))
    return Response(generate_latest(registry), media_type=CONTENT_TYPE_LATEST)
