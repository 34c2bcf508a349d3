"""`lumbung resume`"""

from __future__ import annotations

from typing import Annotated

import typer

from lumbung.cli.identity import acting
from lumbung.cli.session import run, system
from lumbung.governance.actions.stages import resume_stage


def command(
    stage: Annotated[str, typer.Argument(help="crawl, extract, encode, decide, publish or steward.")],
    reason: Annotated[str, typer.Option(help="Why; it stands in the log.")],
) -> None:
    """Resume a paused stage.

    Example: lumbung resume crawl --reason "maintenance is over"
    """
    run(resume(stage, reason))
    typer.echo(f"{stage} is resumed.")


async def resume(stage: str, reason: str) -> None:
    async with system() as opened, opened.people.transaction() as tx:
        await resume_stage(tx, await acting(tx, opened.settings), stage, reason)
