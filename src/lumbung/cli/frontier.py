"""`lumbung frontier`"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from lumbung.cli.acts import AsJson, Reason, act, carry_out, plain, read, tell
from lumbung.cli.lines import write_record
from lumbung.cli.session import run

if TYPE_CHECKING:
    from lumbung.governance.reports.frontier import FrontierReport

app = typer.Typer(
    no_args_is_help=True,
    rich_markup_mode=None,
    help="The frontier: forecast, weights, single pages.\n\nExample: lumbung frontier show --json",
)
_PAGE = 500
Url = Annotated[str, typer.Argument(metavar="URL", help="Address of a page that was fetched.")]


@app.callback()
def frontier() -> None:
    """The frontier: forecast, weights, single pages."""


@app.command()
def show(json: AsJson = False) -> None:
    """How fertile pages are, how long the frontier will last, and why it stands still if it does.

    Example: lumbung frontier show --json
    """
    from lumbung.governance.reports.frontier import frontier_report

    report = run(read(frontier_report))
    if json:
        write_record(report.as_json())
        return
    for line in told(report):
        typer.echo(line)


def told(report: FrontierReport) -> list[str]:
    lines = [f"{report.waiting} addresses wait at {report.waiting_hosts} hosts (phi_min {report.phi_min})."]
    mean, dying, left = report.offspring_mean, report.extinction, report.pages_left
    if mean is not None and dying is not None:
        lines.append(
            f"m {mean.value:.3f} ({mean.low:.3f} to {mean.high:.3f}) over {report.pages_seen} pages; "
            f"q {dying.value:.3f} ({dying.low:.3f} to {dying.high:.3f})."
        )
    if left is not None:
        lines.append(f"Pages still to come: {left.value:.0f} ({left.low:.0f} to {left.high:.0f}).")
    if report.needs_tranche:
        lines.append("The next tranche is due, Eq. (9).")
    return [*lines, *report.standstill]


@app.command()
def weights(
    json: AsJson = False,
) -> None:
    """The weights by which links are ranked, Eq. (5), and from how many pages they were learned.

    Example: lumbung frontier weights; lumbung tranche host forget-weights takes them back
    """
    from lumbung.governance.reports.frontier import frontier_report

    report = run(read(frontier_report))
    record: dict[str, Any] = {"weights": report.weights, "learned_from": report.learned_from}
    if json:
        write_record(record)
        return
    for name, weight in report.weights.items():
        typer.echo(f"{name:<14} {weight:+.3f}")
    typer.echo(
        f"learned from {report.learned_from} pages" if report.learned_from else "as governed; nothing learned yet"
    )


@app.command()
def hosts(json: AsJson = False) -> None:
    """Hosts with their delay, what waits, and why they are not asked where they are not.

    Example: lumbung frontier hosts --json
    """
    for row in run(read_hosts()):
        if json:
            write_record(plain(row))
        else:
            typer.echo(
                f"{row['name']:<40} every {row['delay_seconds']:g} s, {row['waiting']} wait, "
                f"{row['pages']} asked{state_of(row)}"
            )


def state_of(row: dict[str, Any]) -> str:
    state = row["stopped"] or row["note"] or ""
    quiet = (
        f"quiet {row['quiet_from']:%H:%M}-{row['quiet_until']:%H:%M} {row['quiet_zone']}" if row["quiet_from"] else ""
    )
    return "".join(f"; {part}" for part in (state, quiet) if part)


async def read_hosts() -> list[dict[str, Any]]:
    from lumbung.store import governed
    from lumbung.store import hosts as known_hosts

    found: list[dict[str, Any]] = []
    async with act() as now:
        default = float((await governed.values_now(now.tx)).get("crawl.host_delay_seconds", 5.0))
        while rows := await known_hosts.list_hosts(now.tx, default, found[-1]["name"] if found else "", _PAGE):
            found += rows
    return found


@app.command()
def refetch(
    url: Url,
    purpose: Annotated[Literal["correction", "takedown"], typer.Option("--for", help="What it is asked for.")],
    reason: Reason,
    json: AsJson = False,
) -> None:
    """Ask for one page once more. Changed, it replaces what it said before; gone, that is erased.

    Example: lumbung frontier refetch https://situs.example/tari --for correction --reason "its author corrected it"
    """
    from lumbung.governance.actions.pages import refetch_page

    page = run(carry_out(refetch_page, url, purpose, reason))
    tell(json, f"{page} waits for its turn.", url=page, purpose=purpose)


@app.command()
def erase(url: Url, reason: Reason, json: AsJson = False) -> None:
    """Erase all that was kept of a page: its claims, its text, and its records in the archive.

    Example: lumbung frontier erase https://situs.example/tari --reason "the community asked for it"
    """
    from lumbung.governance.actions.pages import erase_page

    fetches = run(carry_out(erase_page, url, reason))
    tell(json, f"{fetches} fetches of it are being erased.", url=url, fetches=fetches)
