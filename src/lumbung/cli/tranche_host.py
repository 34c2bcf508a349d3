"""`lumbung tranche host`: single hosts, source types, and what the crawl learned."""

from __future__ import annotations

import csv
import re
from datetime import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from lumbung.cli.acts import AsJson, Reason, act, carry_out, tell
from lumbung.cli.session import run
from lumbung.errors import UsageError
from lumbung.model.profile import SourceRule, SourceType

if TYPE_CHECKING:
    from lumbung.governance.actions.constants import Change

app = typer.Typer(
    no_args_is_help=True,
    rich_markup_mode=None,
    help='Single hosts: stop, allow, delay, quiet hours, source types.\n\nExample: lumbung tranche host stop kalender.example --reason "a trap"',
)
Host = Annotated[str, typer.Argument(help="Name of the host.")]


@app.command()
def stop(host: Host, reason: Reason, json: AsJson = False) -> None:
    """Ask nothing more of a host.

    Example: lumbung tranche host stop kalender.example --reason "a trap"
    """
    from lumbung.governance.actions.hosts import stop_host

    name = run(carry_out(stop_host, host, reason))
    tell(json, f"{name} is stopped.", host=name, stopped=True)


@app.command()
def allow(host: Host, reason: Reason, json: AsJson = False) -> None:
    """Allow a stopped host again; one whose owner opted out stays closed.

    Example: lumbung tranche host allow museum.example --reason "they mended it"
    """
    from lumbung.governance.actions.hosts import allow_host

    name = run(carry_out(allow_host, host, reason))
    tell(json, f"{name} is allowed.", host=name, stopped=False)


@app.command()
def delay(
    host: Host,
    reason: Reason,
    seconds: Annotated[float | None, typer.Option(help="Without it the default holds again.")] = None,
    json: AsJson = False,
) -> None:
    """Bind a host to a delay of its own.

    Example: lumbung tranche host delay museum.example --seconds 30 --reason "their wish"
    """
    from lumbung.governance.actions.hosts import set_host_delay

    name = run(carry_out(set_host_delay, host, seconds, reason))
    tell(json, f"The delay of {name} is set.", host=name, delay_seconds=seconds)


@app.command()
def quiet(
    host: Host,
    reason: Reason,
    hours: Annotated[str, typer.Argument(help="HH:MM-HH:MM, over midnight if need be; or none.")],
    zone: Annotated[str, typer.Option(help="By the clocks of which time zone.")] = "Asia/Jakarta",
    json: AsJson = False,
) -> None:
    """Do not ask a host between two times of day.

    Example: lumbung tranche host quiet situs.example 08:00-17:00 --reason "their readers come first"
    """
    from lumbung.governance.actions.hosts import set_quiet_hours

    chosen = None if hours == "none" else hours_of(hours)
    name = run(carry_out(set_quiet_hours, host, chosen, zone, reason))
    sentence = f"{name}: {'no quiet hours' if chosen is None else f'not asked {hours} ({zone})'}."
    tell(json, sentence, host=name, quiet=None if chosen is None else hours, zone=zone)


def hours_of(text: str) -> tuple[time, time]:
    found = re.fullmatch(r"([01]?\d|2[0-3]):([0-5]\d)-([01]?\d|2[0-3]):([0-5]\d)", text.strip())
    if found is None:
        raise UsageError(f"{text!r} is not HH:MM-HH:MM, such as 22:00-06:00, nor none.")
    first, second, third, fourth = map(int, found.groups())
    return time(first, second), time(third, fourth)


@app.command("forget-weights")
def forget_weights(reason: Reason, json: AsJson = False) -> None:
    """Forget what the crawl learned about links; the governed weights are in force again.

    Example: lumbung tranche host forget-weights --reason "a spam wave"
    """
    from lumbung.governance.actions.hosts import reset_crawl_weights

    run(carry_out(reset_crawl_weights, reason))
    tell(json, "The governed weights are in force.", forgotten=True)


@app.command()
def types(
    file: Annotated[Path, typer.Argument(help="CSV with type, rule, pattern and reason.")],
    reason: Reason,
    json: AsJson = False,
) -> None:
    """The curators' own rules on source types; they go before the profile's. More weight for a source takes two people.

    Example: lumbung tranche host types sources.csv --reason "blogs under a university"
    """
    rules, change = run(do_types(file, reason))
    sentence = f"{rules} rules are in force."
    if change.request is not None:
        sentence = f"They would lend some source more weight and wait for another person: request {change.request}."
    tell(json, sentence, rules=rules, version=change.version, request=change.request)


@app.command()
def deny(
    file: Annotated[Path, typer.Argument(help="CSV with pattern and reason; an empty one denies nothing any more.")],
    reason: Reason,
    json: AsJson = False,
) -> None:
    """The curators' denylist in place of the one in force: hosts, addresses or beginnings of paths; * is anything.

    Example: lumbung tranche host deny denylist.csv --reason "shops"
    """
    patterns = run(do_deny(file, reason))
    tell(json, f"{patterns} patterns are denied.", patterns=patterns)


async def do_deny(file: Path, reason: str) -> int:
    from lumbung.governance.actions.denylist import set_denylist

    patterns = {row["pattern"]: row["reason"] for row in rows_in(file, "pattern", "reason")}
    async with act() as now:
        return await set_denylist(now.tx, now.actor, patterns, reason)


async def do_types(file: Path, reason: str) -> tuple[int, Change]:
    from lumbung.governance.actions.source_rules import set_source_rules

    rules = rules_in(file)
    async with act() as now:
        change = await set_source_rules(now.tx, now.actor, rules, now.system.profile, reason)
    return len(rules), change


def rows_in(file: Path, *columns: str) -> list[dict[str, str]]:
    if not file.is_file():
        raise UsageError(f"There is no file {file}.")
    rows = csv.DictReader(file.read_bytes().decode("utf-8-sig", errors="replace").replace("\x00", "").splitlines())
    if not set(columns) <= set(rows.fieldnames or []):
        raise UsageError(f"{file} needs the columns {', '.join(columns[:-1])} and {columns[-1]}.")
    return [{name: row[name] or "" for name in columns} for row in rows]


def rules_in(file: Path) -> list[SourceRule]:
    rows = rows_in(file, "type", "rule", "pattern", "reason")
    try:
        return [SourceRule(SourceType(row["type"]), row["rule"], row["pattern"], row["reason"]) for row in rows]
    except ValueError as error:
        raise UsageError(f"{file}: {error}; types are {', '.join(SourceType)}.") from error
