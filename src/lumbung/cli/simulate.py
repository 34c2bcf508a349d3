"""`lumbung simulate`: how long a frontier lasts, and what re-seeding does."""

from __future__ import annotations

import json
import math
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from lumbung.cli.session import talk
from lumbung.errors import UsageError

if TYPE_CHECKING:
    from lumbung.equations.branching import Offspring
    from lumbung.equations.intervals import Interval

CRITICAL = 1e-9
"""A law whose sum is rounded has no mean of exactly 1."""


def command(
    offspring: Annotated[
        str,
        typer.Option(
            metavar="FILE|LAW", help="Observed links a page, or poisson:M, geometric:M, binomial:N:P, zipf:A, fixed:K."
        ),
    ] = "poisson:0.9",
    seeds: Annotated[int, typer.Option(min=1, max=1_000_000, help="URLs at the start.")] = 100,
    tranches: Annotated[
        str, typer.Option(metavar="N|A,B,C", help="So many tranches of the same size, or their sizes.")
    ] = "0",
    threshold: Annotated[int, typer.Option(min=0, help="phi_min: below it the next tranche is injected.")] = 200,
    runs: Annotated[int, typer.Option(min=1, max=10_000, help="Simulated runs.")] = 400,
    generations: Annotated[int, typer.Option(min=1, max=2000, help="How far to look.")] = 100,
    random_seed: Annotated[int, typer.Option(min=0, help="The same seed gives the same runs.")] = 1,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object.")] = False,
    svg: Annotated[Path | None, typer.Option(metavar="FILE", help="Draw the frontier's size over generations.")] = None,
) -> None:
    """The frontier as a branching process: m, the extinction probability q, the time it lasts, what re-seeding does.

    FILE holds one number of new links a line, or a CSV with the columns count,frequency. Without re-crawling a
    frontier with m of at most 1 dies out; tranches injected below the threshold keep it alive for a while.

    Example: lumbung simulate --offspring poisson:0.95 --seeds 200 --tranches 3 --json
    """
    from lumbung.cli.offspring_laws import cut_of, read_law, tranche_sizes
    from lumbung.governance.reports.simulated_runs import simulate

    law, interval = read_law(offspring)
    sizes = tranche_sizes(tranches, seeds)
    paths = simulate(law, seeds, sizes, threshold, runs, generations, random_seed)
    alone = simulate(law, seeds, [], threshold, runs, generations, random_seed) if sizes else paths
    report = _report(law, interval, seeds, generations)
    if (cut := cut_of(offspring)) is not None:
        talk(f"{offspring} has no finite mean: it is cut at {cut} links a page; name another end as zipf:A:MAX.")
    report |= {"cut_at": cut, "tranches": sizes, "threshold": threshold, "runs": runs, "random_seed": random_seed}
    report |= {"simulated": paths.summary(), "without_reseeding": alone.summary()}
    if svg is not None:
        from lumbung.governance.reports.frontier_chart import frontier_chart

        try:
            svg.write_text(frontier_chart(paths, alone, threshold), encoding="utf-8")
        except OSError as error:
            raise UsageError(f"{svg} cannot be written: {error.strerror}.") from error
    if as_json:
        print(json.dumps(_plain(report), ensure_ascii=False))
    else:
        _tell(report)


def _report(law: Offspring, interval: Interval | None, seeds: int, generations: int) -> dict[str, Any]:
    from lumbung.equations.branching import expected_pages_left, extinction_probability, extinction_time, survival

    q = extinction_probability(law)
    return {
        "m": law.mean,
        "m_interval": [interval.low, interval.high] if interval else None,
        "variance": law.variance,
        "q": q,
        "q_all_seeds": q**seeds,
        "seeds": seeds,
        "expected_pages": expected_pages_left(seeds, law.mean) if law.mean < 1 - CRITICAL else math.inf,
        "extinction_time": {"median": extinction_time(law, seeds, 0.5), "p95": extinction_time(law, seeds, 0.95)},
        "survival": survival(law, seeds, generations),
    }


def _plain(value: Any) -> Any:
    """JSON has no infinity: what is without end is null."""
    if isinstance(value, dict):
        return {key: _plain(each) for key, each in value.items()}
    if isinstance(value, list):
        return [_plain(each) for each in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def _tell(report: dict[str, Any]) -> None:
    out = sys.stdout
    bounds = report["m_interval"]
    between = f"  (95 %: {bounds[0]:.3f} to {bounds[1]:.3f})" if bounds else ""
    out.write(f"links a page, m             {report['m']:.4f}{between}\n")
    out.write(
        f"extinction probability, q   {report['q']:.4f}  (of all {report['seeds']} seeds: {report['q_all_seeds']:.4g})\n"
    )
    pages = report["expected_pages"]
    out.write(f"pages to come               {'without end' if math.isinf(pages) else f'{pages:.0f}'}\n")
    times = report["extinction_time"]
    for name, word in (("median", "half of the runs"), ("p95", "95 % of the runs")):
        told = "never" if times[name] is None else f"{times[name]} generations"
        out.write(f"dry in {word:<20} {told}\n")
    for key, word in (("without_reseeding", "simulated"), ("simulated", "with the tranches")):
        if key == "simulated" and not report["tranches"]:
            continue
        found = report[key]
        mean, low, high = (_count(found[name]) for name in ("pages_mean", "pages_p5", "pages_p95"))
        out.write(
            f"{word:<27} {mean} pages on average (90 % of runs: {low} to {high}), "
            f"{found['dry_share']:.0%} dry within the horizon\n"
        )


def _count(pages: float) -> str:
    """Beyond what the web could hold, how many exactly means nothing."""
    return f"{pages:.0f}" if pages < 1e12 else "over 10^12"
