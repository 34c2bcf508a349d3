"""`lumbung status`"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from lumbung.cli.lines import write_record
from lumbung.cli.session import run, system

if TYPE_CHECKING:
    from lumbung.governance.reports.agents import AgentShare
    from lumbung.governance.reports.funnel import FunnelReport


MICRO = 1_000_000


def command(json: Annotated[bool, typer.Option("--json", help="One JSON object.")] = False) -> None:
    """What runs, what waits, what was spent.

    Example: lumbung status --json
    """
    report, workers, agents, budget, alarms, index = run(read())
    if json:
        more = {"workers": workers, "agents": agents.as_json(), "budget": budget, "alarms": alarms, "index": index}
        write_record(report.as_json() | more)
    else:
        typer.echo(report.table())
        for window in budget:
            typer.echo(f"{'budget':<11} {budget_line(window)}")
        for alarm in alarms:
            typer.echo(f"{'alarm':<11} {alarm_line(alarm)}")
        typer.echo(f"{'workers':<11} {', '.join(workers) or 'none'}")
        typer.echo(f"{'agents':<11} {agents.line()}")
        typer.echo(f"{'index':<11} {index_line(index)}")


def budget_line(window: dict[str, Any]) -> str:
    of = "" if window["stage"] == "*" else f" of {window['stage']}"
    cap = "no cap" if window["cap"] is None else f"cap {window['cap']:.2f}"
    return f"{window['window']}{of}: spent {window['spent']:.2f}, reserved {window['reserved']:.2f}, {cap}"


def alarm_line(alarm: dict[str, Any]) -> str:
    """What was paid beyond its reservation; `lumbung resume STAGE --alarm NUMBER` says that somebody looked into it."""
    spent, reserved = (alarm["detail"][f"{name}_micros"] / MICRO for name in ("spent", "reserved"))
    job, provider = alarm["detail"]["job"], alarm["detail"]["provider"]
    return (
        f"{alarm['id']}: {alarm['subject']} paid {spent:.6f} where {reserved:.6f} was reserved, job {job}, {provider}"
    )


def index_line(versions: list[dict[str, Any]]) -> str:
    """One version is searched; while a newer one fills, how far it is."""
    told = {each["state"]: each for each in versions}
    held = told.get("in force")
    if held is None:
        return "empty"
    line = f"{held['vectors']:,} vectors, features {held['version']}"
    if "filling" in told:
        line += f"; re-encoding to {told['filling']['version']}: {told['filling']['vectors']:,} of {held['vectors']:,}"
    if "past" in told:
        line += f"; letting go of {told['past']['version']}"
    return line


Rows = list[dict[str, Any]]


async def read() -> tuple[FunnelReport, list[str], AgentShare, Rows, Rows, Rows]:
    from lumbung.governance.reports.agents import agent_share
    from lumbung.governance.reports.funnel import funnel_report
    from lumbung.store import feature_versions, ledger, stages

    async with system() as opened, opened.people.transaction() as tx:
        workers = [f"{row['host']}:{row['pid']} ({', '.join(row['stages'])})" for row in await stages.workers(tx)]
        budget = [
            {"window": row["name"], "stage": row["stage"]}
            | {
                name: None if row[f"{name}_micros"] is None else row[f"{name}_micros"] / MICRO
                for name in ("spent", "reserved", "cap")
            }
            for row in await ledger.windows(tx)
        ]
        alarms = [row | {"at": row["at"].isoformat()} for row in await ledger.alarms(tx)]
        index = await feature_versions.progress(tx)
        return await funnel_report(tx), workers, await agent_share(tx), budget, alarms, index
