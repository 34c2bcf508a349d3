"""`lumbung tranche`"""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from lumbung.cli import tranche_host
from lumbung.cli.acts import act, plain, tell
from lumbung.cli.csv_input import first_present, read_rows
from lumbung.cli.lines import write_record
from lumbung.cli.session import run, talk
from lumbung.errors import UsageError
from lumbung.model.profile import Seed

if TYPE_CHECKING:
    from lumbung.equations.coverage import Choice
    from lumbung.governance.actions.inject_seeds import InjectedSeeds
    from lumbung.governance.actions.tranches import AddedTranche

app = typer.Typer(
    no_args_is_help=True,
    rich_markup_mode=None,
    help="Seed tranches: list, choose, inject.\n\nExample: lumbung tranche list",
)
Name = Annotated[str, typer.Argument(help="Name of the tranche.")]
Reason = Annotated[str, typer.Option(help="Why; it stands in the log.")]
AsJson = Annotated[bool, typer.Option("--json", help="JSON instead of words.")]
LONGEST_FILE = 50_000_000
COLUMNS = ("url", "category", "region", "cost", "note")
app.add_typer(tranche_host.app, name="host")


@app.callback()
def tranche() -> None:
    """Seed tranches: list, choose, inject."""


@app.command("list")
def list_(json: AsJson = False) -> None:
    """Tranches with their state, seeds, cost, forecast and outcome.

    Example: lumbung tranche list
    """
    for row in run(read_tranches()):
        if json:
            write_record(plain(row))
        else:
            gave = f", {told_forecast(row)}, gave {row['outcome'].get('entries', 0):g}" if row["injected_at"] else ""
            typer.echo(
                f"{row['name']:<30} {row['state']:<9} {row['seeds']} seeds, {row['verified']} verified, cost {row['cost']:g}{gave}  {row['note']}"
            )


def told_forecast(row: dict[str, Any]) -> str:
    forecast = row["forecast"]
    within = f" ({forecast['low']:.0f} to {forecast['high']:.0f})" if "low" in forecast else ""
    return f"forecast {forecast.get('entries', '-')}{within}"


async def read_tranches() -> list[dict[str, Any]]:
    from lumbung.store import coverage

    async with act() as now:
        return await coverage.tranches(now.tx)


def read_seeds(file: Path) -> list[Seed]:
    """CSV with a column url and, if wanted, category, region, cost and note; rows that cannot be used are told and left out."""
    if file.is_file() and file.stat().st_size > LONGEST_FILE:
        raise UsageError(f"{file} is larger than {LONGEST_FILE // 1_000_000} MB; make smaller tranches of it.")
    table, faults = read_rows(str(file))
    headings = {name: first_present(table, (name,)) for name in COLUMNS}
    if headings["url"] is None:
        raise UsageError(f"{file} has no column url; a tranche has {','.join(COLUMNS)}.")
    blank = [""] * table.size
    columns = [blank if heading is None else table.column(heading) for heading in headings.values()]
    costs: list[float] = []
    for row, (url, _, _, cost, _) in enumerate(zip(*columns, strict=True)):
        costs.append(cost_of(cost))
        if not url:
            faults.setdefault(row, "it has no url")
        elif math.isnan(costs[row]):
            faults.setdefault(row, f"the cost {cost!r} is not a number")
    table.without(faults)
    urls, categories, regions, _, notes = columns
    fields = zip(urls, categories, regions, costs, notes, strict=True)
    return [Seed(*each) for row, each in enumerate(fields) if row not in faults]


def cost_of(written: str) -> float:
    """1 where nothing is written; what is no number is none."""
    try:
        return float(written) if written else 1.0
    except ValueError:
        return math.nan


@app.command()
def add(
    file: Annotated[Path | None, typer.Argument(help="CSV: url,category,region,cost,note.")] = None,
    name: Annotated[str | None, typer.Option(help="Name of the tranche; by default the file's.")] = None,
    profile: Annotated[bool, typer.Option("--profile", help="All tranches that the profile proposes.")] = False,
    note: Annotated[str, typer.Option(help="A curator's note.")] = "",
    json: AsJson = False,
) -> None:
    """Propose a tranche of seeds; what is known elsewhere is left out and told.

    Example: lumbung tranche add museum-jawa.csv --note "from the provincial museums"
    """
    if (file is None) == (not profile):
        raise UsageError("Name one file, or --profile.")
    given = {} if file is None else {name or file.stem.lower(): read_seeds(file)}
    for report in run(do_add(given, note)):
        for url, reason in [*report.duplicates.items(), *report.refused.items()]:
            talk(f"{url}: {reason}")
        told = {
            "tranche": report.name,
            "seeds": report.seeds,
            "duplicates": len(report.duplicates),
            "refused": len(report.refused),
        }
        write_record(told) if json else typer.echo(
            f"{report.name}: {report.seeds} seeds, {len(report.duplicates)} known elsewhere, {len(report.refused)} refused"
        )


async def do_add(given: dict[str, list[Seed]], note: str) -> list[AddedTranche]:
    from lumbung.governance.actions.tranches import add_tranche

    async with act() as now:
        profile = now.system.profile
        wanted = given or {name: list(seeds) for name, seeds in sorted(profile.seeds.items())}
        return [await add_tranche(now.tx, now.actor, name, seeds, profile, note) for name, seeds in wanted.items()]


@app.command()
def verify(
    name: Name,
    url: Annotated[list[str] | None, typer.Option(help="Only this seed; repeatable.")] = None,
    json: AsJson = False,
) -> None:
    """As curator: you have looked at the seeds, and they are what they say.

    Example: lumbung tranche verify museum-jawa
    """
    verified = run(do_verify(name, url or []))
    tell(json, f"{verified} seeds are verified.", tranche=name, verified=verified)


async def do_verify(name: str, urls: list[str]) -> int:
    from lumbung.governance.actions.tranches import verify_seeds

    async with act() as now:
        return await verify_seeds(now.tx, now.actor, name, urls)


@app.command("choose")
def choose_(
    budget: Annotated[float | None, typer.Option(min=0, help="Choose within this cost.")] = None,
    number: Annotated[int | None, typer.Option(min=1, help="Choose at most this many; 1 without --budget.")] = None,
    json: AsJson = False,
) -> None:
    """Which tranches would fill the coverage matrix best, cell by cell; changes nothing.

    Example: lumbung tranche choose --budget 50
    """
    choice = run(do_choose(budget, number))
    if json:
        steps = [
            {"tranche": step.tranche, "gain": step.gain, "cells": [[*cell, gain] for cell, gain in step.cells]}
            for step in choice.steps
        ]
        write_record({"method": choice.method, "value": choice.value, "cost": choice.cost, "steps": steps})
        return
    for step in choice.steps:
        cells = ", ".join(f"{k}/{r} +{gain:.4f}" for (k, r), gain in step.cells[:5])
        typer.echo(f"{step.tranche:<30} gains {step.gain:.4f}: {cells}{' …' if len(step.cells) > 5 else ''}")
    typer.echo(f"together {choice.value:.4f} at cost {choice.cost:g}, by {choice.method}")


async def do_choose(budget: float | None, number: int | None) -> Choice:
    from lumbung.governance.actions.tranches import choose

    async with act() as now:
        return await choose(now.tx, now.system.profile, now.system.gazetteer.provinces_of, budget, number)


@app.command()
def inject(name: Name, reason: Reason, json: AsJson = False) -> None:
    """As curator: send a tranche to the frontier; one at a time.

    Example: lumbung tranche inject museum-jawa --reason "fills the holes of Central Java"
    """
    seeds = run(do_inject(name, reason))
    sentence = f"{seeds.added} seeds added, {seeds.known} known already, {len(seeds.refused)} refused."
    tell(json, sentence, tranche=name, added=seeds.added, known=seeds.known, refused=seeds.refused)


async def do_inject(name: str, reason: str) -> InjectedSeeds:
    from lumbung.governance.actions.tranches import inject_tranche

    async with act() as now:
        return await inject_tranche(
            now.tx, now.actor, name, now.system.profile, now.system.gazetteer.provinces_of, reason
        )


@app.command()
def seed(
    url: Annotated[list[str], typer.Argument(help="Addresses to send to the frontier.")],
    reason: Reason,
    tranche: Annotated[str, typer.Option(help="The name under which they are told apart.")] = "by-hand",
    json: AsJson = False,
) -> None:
    """Send single addresses to the frontier at once, without a tranche that was proposed before.

    Example: lumbung tranche seed https://museum.example/koleksi --reason "a reader's hint"
    """
    result = run(do_seed(url, tranche, reason))
    tell(
        json,
        f"{result.added} seeds in the frontier, {result.known} known already, {len(result.refused)} refused.",
        added=result.added,
        known=result.known,
        refused=result.refused,
    )


async def do_seed(urls: list[str], tranche: str, reason: str) -> InjectedSeeds:
    from lumbung.governance.actions.inject_seeds import inject_seeds

    async with act() as now:
        return await inject_seeds(now.tx, now.actor, urls, tranche, reason)


@app.command()
def stop(name: Name, reason: Reason, json: AsJson = False) -> None:
    """End a running tranche, so that another can be injected.

    Example: lumbung tranche stop museum-jawa --reason "gives nothing new"
    """
    run(do_stop(name, reason))
    tell(json, f"{name} is stopped.", tranche=name, stopped=True)


async def do_stop(name: str, reason: str) -> None:
    from lumbung.governance.actions.tranches import stop_tranche

    async with act() as now:
        await stop_tranche(now.tx, now.actor, name, reason)


@app.command()
def holes(limit: Annotated[int, typer.Option(min=1, help="At most this many.")] = 20, json: AsJson = False) -> None:
    """The cells of the coverage matrix that lack most.

    Example: lumbung tranche holes --limit 10
    """
    share, found = run(do_holes(limit))
    for row in found:
        write_record(row) if json else typer.echo(
            f"{row['category']:<45} {row['region']:<6} {row['held']:g} of {row['wanted']:g}"
        )
    talk(f"The matrix is filled to {share:.2%}.")


async def do_holes(limit: int) -> tuple[float, list[dict[str, Any]]]:
    from lumbung.governance.reports.coverage import matrix

    async with act() as now:
        found = await matrix(now.tx, now.system.profile, now.system.gazetteer.provinces_of)
        return found.value, found.holes(limit)
