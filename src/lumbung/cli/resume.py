"""`lumbung resume`"""

from __future__ import annotations

from typing import Annotated

import typer

from lumbung.cli.acts import AsJson, tell
from lumbung.cli.identity import acting
from lumbung.cli.session import run, system


def command(
    stage: Annotated[str, typer.Argument(help="crawl, extract, encode, decide, publish or steward.")],
    reason: Annotated[str, typer.Option(help="Why; it stands in the log.")],
    alarm: Annotated[
        list[int] | None, typer.Option(help="An alarm of the budget that was looked into; repeatable.")
    ] = None,
    json: AsJson = False,
) -> None:
    """Resume a paused stage, and acknowledge the alarms that paused it.

    Example: lumbung resume crawl --reason "maintenance is over"
    """
    run(resume(stage, reason, alarm or []))
    tell(json, f"{stage} is resumed.", stage=stage, paused=False, acknowledged=alarm or [])


async def resume(stage: str, reason: str, alarms: list[int]) -> None:
    from lumbung.governance.actions.stages import acknowledge_alarm, resume_stage

    async with system() as opened, opened.people.transaction() as tx:
        actor = await acting(tx, opened.settings)
        for alarm in alarms:
            await acknowledge_alarm(tx, actor, alarm, reason)
        await resume_stage(tx, actor, stage, reason)
