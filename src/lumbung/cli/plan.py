"""`lumbung plan`: what a run costs and brings, before it is spent."""

from __future__ import annotations

import json
import math
import sys
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Any

import typer

from lumbung.cli.session import run, system
from lumbung.errors import ContractError, UsageError

if TYPE_CHECKING:
    from lumbung.equations.funnel import Group, Stage
    from lumbung.equations.funnel_uncertainty import Draws
    from lumbung.equations.intervals import Interval

SECONDS_A_DAY = 86_400
MICROS = 1_000_000


def command(
    funnel: Annotated[
        str | None,
        typer.Argument(
            metavar="[FUNNEL.csv]", help="Columns stage,cost,pass_rate[,seen,passed,deviation,exchangeable]."
        ),
    ] = None,
    stage: Annotated[
        list[str] | None, typer.Option(metavar="NAME:COST:PASS[:SEEN]", help="A stage, in order; repeatable.")
    ] = None,
    exchangeable: Annotated[
        list[str] | None,
        typer.Option(
            "--filter", metavar="NAME:COST:PASS[:SEEN]", help="A filter that may stand anywhere before the stages."
        ),
    ] = None,
    measured: Annotated[
        bool, typer.Option("--measured", help="What this installation measured of its own stages and filters.")
    ] = False,
    budget: Annotated[float | None, typer.Option(min=0, help="Money a day, in the unit of the costs.")] = None,
    pages: Annotated[float | None, typer.Option(min=0, help="Pages a day that the crawl can bring.")] = None,
    hosts: Annotated[
        int | None, typer.Option(min=0, help="Active hosts; with --delay they bound the pages a day.")
    ] = None,
    delay: Annotated[float, typer.Option(min=0, help="Seconds between two requests to one host.")] = 5.0,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object.")] = False,
) -> None:
    """Cost per page and per published entry, the best order of filters, and entries a day under a budget.

    Costs are per item that reaches the stage. Figures that were measured (SEEN items) give intervals. With --measured
    costs are in units of money from the ledger, and the intervals say how much other hosts might differ; the gate's
    filters, which cost time, are put in order by their seconds.

    Example: lumbung plan --filter language:0.001:0.6 --filter lexicon:0.004:0.2 --stage extract:0.8:0.5
    --stage decide:2.5:0.3 --budget 100 --hosts 40
    """
    from lumbung.equations.funnel import filter_order, funnel_cost

    _refuse_endless(budget=budget, pages=pages, delay=delay)
    filters, stages = _given(funnel, stage or [], exchangeable or [])
    found, timed, groups = run(_measured()) if measured else ([], [], [])
    groups = [] if stages or filters else groups
    stages = stages or found
    if not (filters or stages):
        raise UsageError(
            "Give the funnel's costs and pass rates: a file, --stage NAME:COST:PASS for each stage, or --measured."
        )
    report = _report([*filter_order(filters), *stages], groups, budget, _most_pages(pages, hosts, delay))
    report |= {
        "c_in_as_given": funnel_cost([*filters, *stages]).per_input,
        "order": [each.name for each in filter_order(filters or timed)],
        "hosts": len(groups) or None,
    }
    if timed and not filters:
        report["filters"] = [_figures(each) | {"seconds": each.cost} for each in filter_order(timed)]
    if as_json:
        print(json.dumps(report, ensure_ascii=False))
    else:
        _tell(report)


def _most_pages(pages: float | None, hosts: int | None, delay: float) -> float:
    from lumbung.equations.politeness import global_rate_bound

    polite = math.inf if hosts is None else global_rate_bound(hosts, delay) * SECONDS_A_DAY
    return polite if pages is None else min(pages, polite)


def _refuse_endless(**figures: float | None) -> None:
    for option, figure in figures.items():
        if figure is not None and not math.isfinite(figure):
            raise UsageError(f"--{option} is a number with an end; leave it out where there is no bound.")


def _given(funnel: str | None, stage: list[str], exchangeable: list[str]) -> tuple[list[Stage], list[Stage]]:
    filters, stages = ([], []) if funnel is None else _read(funnel)
    return filters + [_parsed(text) for text in exchangeable], stages + [_parsed(text) for text in stage]


async def _measured() -> tuple[list[Stage], list[Stage], list[Group]]:
    """Stages with their cost in units of money, the gate's filters with theirs in seconds, and what each host brought."""
    from lumbung.governance.reports.objective import measured_by_host, measured_filters, measured_stages

    async with system() as opened, opened.people.transaction() as tx:
        stages = [_in_units(each) for each in await measured_stages(tx)]
        if not any(each.seen for each in stages):
            raise UsageError("Nothing was measured yet: harvest first, or give the figures.")
        groups = [
            replace(each, costs=tuple(cost / MICROS for cost in each.costs)) for each in await measured_by_host(tx)
        ]
        return stages, await measured_filters(tx), groups


def _in_units(stage: Stage) -> Stage:
    return replace(stage, cost=stage.cost / MICROS, cost_deviation=stage.cost_deviation / MICROS)


def _draws(stages: list[Stage], groups: list[Group]) -> list[Draws]:
    from lumbung.equations.funnel_uncertainty import by_chance, by_source

    drawn = by_source(groups) if groups else None
    return [by_chance(stages), *([drawn] if drawn else [])]


def _figures(stage: Stage) -> dict[str, Any]:
    """A filter's pass rate, and where it was measured its Wilson interval."""
    from lumbung.equations.audit import wilson

    interval = wilson(stage.pass_rate * stage.seen, stage.seen) if stage.seen else None
    return {
        "name": stage.name,
        "pass_rate": stage.pass_rate,
        "pass_rate_interval": _span(interval) if interval else None,
        "seen": stage.seen or None,
    }


def _parsed(text: str) -> Stage:
    parts = text.rsplit(":", 3) if text.count(":") >= 3 else text.rsplit(":", 2)
    if len(parts) < 3:
        raise UsageError(f'"{text}" is not NAME:COST:PASS.')
    return _stage(text, parts[0], parts[1], parts[2], parts[3] if len(parts) > 3 else "")


def _number(where: str, text: str) -> float:
    try:
        number = float(text)
    except ValueError as error:
        raise UsageError(f'{where}: "{text}" is not a number.') from error
    if not math.isfinite(number):
        raise UsageError(f'{where}: "{text}" is not a number.')
    return number


def _stage(where: str, name: str, cost: str, rate: str, seen: str = "", passed: str = "", deviation: str = "") -> Stage:
    from lumbung.equations.funnel import Stage, observed_pass_rate

    items = int(_number(where, seen)) if seen else 0
    each, spread = _number(where, cost), _number(where, deviation) if deviation else 0.0
    through = int(_number(where, passed)) if passed else 0
    if items < 0:
        raise UsageError(f"{where}: fewer than no items cannot have been seen.")
    given = _number(where, rate) if not passed else 0.0
    try:
        share = observed_pass_rate(through, items) if passed else given
        if share > 1:
            raise UsageError(f"{where}: a pass rate lies between 0 and 1, not at {share}.")
        return Stage(name or "?", each, share, items, spread)
    except ContractError as error:
        raise UsageError(f"{where}: {error}") from error


def _read(path: str) -> tuple[list[Stage], list[Stage]]:
    from lumbung.cli.csv_input import read_table

    table = read_table(path)
    names, costs = table.column("stage"), table.column("cost")
    blank = [""] * table.size
    passed = table.columns.get("passed", blank)
    rates = table.columns.get("pass_rate", blank) if any(passed) else table.column("pass_rate")
    seen, deviations, marks = (table.columns.get(each, blank) for each in ("seen", "deviation", "exchangeable"))
    filters: list[Stage] = []
    stages: list[Stage] = []
    for row, name in enumerate(names):
        where = f"{path}, stage {row + 1}"
        made = _stage(where, name, costs[row], rates[row], seen[row], passed[row], deviations[row])
        exchangeable = marks[row].casefold() in {"1", "yes", "true", "ya", "y"}
        (filters if exchangeable else stages).append(made)
    return filters, stages


def _span(interval: Interval) -> list[float | None]:
    return [each if math.isfinite(each) else None for each in (interval.low, interval.high)]


def _report(ordered: list[Stage], groups: list[Group], budget: float | None, pages: float) -> dict[str, Any]:
    from lumbung.equations.funnel import entries_per_day, funnel_cost
    from lumbung.equations.funnel_uncertainty import Draws, interval

    cost, draws = funnel_cost(ordered), _draws(ordered, groups)
    report: dict[str, Any] = {
        "c_in": cost.per_input,
        "c_in_interval": _span(interval(cost.per_input, Draws.per_input, draws)),
        "c_pub": cost.per_published if math.isfinite(cost.per_published) else None,
        "c_pub_interval": _span(interval(cost.per_published, Draws.per_published, draws)),
        "stages": [
            _stage_figures(number, each, draws) | {"share_of_cost": _share(part, cost.per_input)}
            for number, (each, part) in enumerate(zip(ordered, cost.by_stage, strict=True))
        ],
        "yield": cost.yield_rate,
        "budget": budget,
        "pages_per_day": pages if math.isfinite(pages) else None,
    }
    if budget is not None or math.isfinite(pages):
        money = math.inf if budget is None else budget
        entries = entries_per_day(cost, money, pages)
        between = interval(entries, lambda drawn: drawn.entries_per_day(money, pages), draws)
        affordable = math.inf if budget is None or cost.per_input == 0 else budget / cost.per_input
        report["entries_per_day"] = entries if math.isfinite(entries) else None
        report["entries_per_day_interval"] = _span(between)
        report["limited_by"] = "budget" if affordable <= pages else "pages"
    return report


def _stage_figures(number: int, stage: Stage, draws: list[Draws]) -> dict[str, Any]:
    from lumbung.equations.funnel_uncertainty import interval

    rate = interval(stage.pass_rate, lambda drawn: drawn.rates[:, number], draws)
    cost = interval(stage.cost, lambda drawn: drawn.costs[:, number], draws)
    return {
        "name": stage.name,
        "cost": stage.cost,
        "cost_interval": _span(cost) if stage.seen else None,
        "pass_rate": stage.pass_rate,
        "pass_rate_interval": _span(rate) if stage.seen else None,
        "seen": stage.seen or None,
    }


def _share(part: float, total: float) -> float:
    return part / total if total > 0 else 0.0


def _tell(report: dict[str, Any]) -> None:
    out = sys.stdout

    def span(key: str) -> str:
        low, high = report[key]
        return "" if low is None or high is None or low == high else f"  (95 %: {low:.6g} to {high:.6g})"

    if report["hosts"]:
        alone = "; other hosts may differ more than the intervals say" if report["hosts"] == 1 else ""
        out.write(f"measured on                     {report['hosts']} hosts{alone}\n")
    out.write(f"cost per page, C_in             {report['c_in']:.6g}{span('c_in_interval')}\n")
    if report["c_in_as_given"] > report["c_in"] * (1 + 1e-9):
        out.write(f"  in the order given            {report['c_in_as_given']:.6g}\n")
    published = "nothing is published" if report["c_pub"] is None else f"{report['c_pub']:.6g}{span('c_pub_interval')}"
    out.write(f"cost per published entry, C_pub {published}\n")
    if report["order"]:
        out.write(f"best order of filters           {' > '.join(report['order'])}\n")
    for each in report["stages"]:
        between = each["pass_rate_interval"]
        told = f" (95 %: {between[0]:.1%} to {between[1]:.1%})" if between else ""
        out.write(
            f"  {each['name']:<28} {each['share_of_cost']:>5.1%} of the cost, {each['pass_rate']:.1%} pass{told}\n"
        )
    if "entries_per_day" in report:
        told = "without bound" if report["entries_per_day"] is None else f"{report['entries_per_day']:.6g}"
        between = span("entries_per_day_interval")
        out.write(f"entries a day                   {told}, limited by the {report['limited_by']}{between}\n")
