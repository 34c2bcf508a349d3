"""`lumbung dead-letters`"""

from __future__ import annotations

from json import dumps
from typing import Annotated, Any

import typer

from lumbung.cli.acts import AsJson, tell
from lumbung.cli.identity import acting
from lumbung.cli.lines import write_record
from lumbung.cli.session import run, system
from lumbung.errors import UsageError

app = typer.Typer(
    no_args_is_help=True,
    rich_markup_mode=None,
    help="List failed jobs and send them again.\n\nExample: lumbung dead-letters list --stage extract",
)


@app.callback()
def dead_letters() -> None:
    """List failed jobs and send them again."""


@app.command("list")
def list_(
    stage: Annotated[str | None, typer.Option(help="Only of this stage.")] = None,
    limit: Annotated[int, typer.Option(min=1, help="At most this many.")] = 100,
    json: Annotated[bool, typer.Option("--json", help="One JSON object a line.")] = False,
) -> None:
    """Jobs that failed for good, with their reasons.

    Example: lumbung dead-letters list --stage extract
    """
    for row in run(read(stage, limit)):
        if json:
            write_record(row | {"created_at": row["created_at"].isoformat()})
        else:
            typer.echo(f"{row['id']}  {row['stage']}  {row['key']}  tried {row['attempts']}  {row['reason']}")


async def read(stage: str | None, limit: int) -> list[dict[str, Any]]:
    from lumbung.governance.actions.stages import known_stage
    from lumbung.store import jobs

    async with system() as opened, opened.people.transaction() as tx:
        if stage is not None:
            await known_stage(tx, stage)
        return await jobs.dead(tx, stage, limit=limit)


@app.command()
def inspect(
    id_: Annotated[int, typer.Argument(metavar="ID", help="Its number, as `list` shows it.")],
    json: Annotated[bool, typer.Option("--json", help="One JSON object.")] = False,
) -> None:
    """All that is known of one dead letter: what it was to do, how often it was tried, why it failed, its trace.

    Example: lumbung dead-letters inspect 42
    """
    letter = run(read_one(id_))
    if letter is None:
        raise UsageError(f"There is no dead letter {id_}; `lumbung dead-letters list` shows them.")
    told = letter | {"created_at": letter["created_at"].isoformat()}
    if json:
        write_record(told)
    else:
        for name, value in told.items():
            typer.echo(f"{name:<10}  {dumps(value, ensure_ascii=False) if name == 'payload' else value or '-'}")


async def read_one(job: int) -> dict[str, Any] | None:
    from lumbung.store import jobs

    async with system() as opened, opened.people.transaction() as tx:
        return await jobs.dead_one(tx, job)


@app.command()
def redrive(
    reason: Annotated[str, typer.Option(help="Why; it stands in the log.")],
    id_: Annotated[list[int] | None, typer.Option("--id", help="Only this job; repeatable.")] = None,
    stage: Annotated[str | None, typer.Option(help="Only of this stage.")] = None,
    matching: Annotated[str | None, typer.Option(help="Only where the failure's reason has these words.")] = None,
    json: AsJson = False,
) -> None:
    """Send dead letters back to work, by selection.

    Example: lumbung dead-letters redrive --stage extract --reason "the parser was repaired"
    """
    sent = run(send_again(reason, id_, stage, matching))
    tell(json, f"{sent} sent again.", sent=sent)


async def send_again(reason: str, ids: list[int] | None, stage: str | None, matching: str | None) -> int:
    from lumbung.governance.actions.stages import redrive_dead_letters

    async with system() as opened, opened.people.transaction() as tx:
        return await redrive_dead_letters(tx, await acting(tx, opened.settings), reason, ids, stage, matching)
