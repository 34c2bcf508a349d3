"""`lumbung status`"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from lumbung.cli.lines import write_record
from lumbung.cli.session import run, system

if TYPE_CHECKING:
    from lumbung.governance.reports.agents import AgentShare
    from lumbung.governance.reports.funnel import FunnelReport


def command(json: Annotated[bool, typer.Option("--json", help="One JSON object.")] = False) -> None:
    """What runs, what waits, what was spent.

    Example: lumbung status --json
    """
    report, workers, agents = run(read())
    if json:
        write_record(report.as_json() | {"workers": workers, "agents": agents.as_json()})
    else:
        typer.echo(report.table())
        typer.echo(f"{'workers':<11} {', '.join(workers) or 'none'}")
        typer.echo(f"{'agents':<11} {agents.line()}")


async def read() -> tuple[FunnelReport, list[str], AgentShare]:
    from lumbung.governance.reports.agents import agent_share
    from lumbung.governance.reports.funnel import funnel_report
    from lumbung.store import stages

    async with system() as opened, opened.people.transaction() as tx:
        workers = [f"{row['host']}:{row['pid']} ({', '.join(row['stages'])})" for row in await stages.workers(tx)]
        return await funnel_report(tx), workers, await agent_share(tx)
