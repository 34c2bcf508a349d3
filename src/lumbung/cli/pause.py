"""`lumbung pause`"""

from __future__ import annotations

from typing import Annotated

import typer

from lumbung.cli.acts import AsJson, tell
from lumbung.cli.identity import acting
from lumbung.cli.session import run, system


def command(
    stage: Annotated[str, typer.Argument(help="crawl, extract, encode, decide, publish or steward.")],
    reason: Annotated[str, typer.Option(help="Why; it stands in the log.")],
    json: AsJson = False,
) -> None:
    """Pause a stage: what is in hand is finished, nothing new is taken.

    Example: lumbung pause crawl --reason "maintenance of the archive"
    """
    run(pause(stage, reason))
    tell(json, f"{stage} is paused.", stage=stage, paused=True)


async def pause(stage: str, reason: str) -> None:
    from lumbung.governance.actions.stages import pause_stage

    async with system() as opened, opened.people.transaction() as tx:
        await pause_stage(tx, await acting(tx, opened.settings), stage, reason)
