"""`lumbung library takedown`: requests to remove entries."""

from __future__ import annotations

from typing import Annotated

import typer

from lumbung.cli.acts import AsJson, Reason, carry_out, plain, read, tell
from lumbung.cli.lines import write_record
from lumbung.cli.session import run

app = typer.Typer(
    no_args_is_help=True,
    rich_markup_mode=None,
    help="Requests to remove entries: list, decide.\n\nExample: lumbung library takedown list",
)
Number = Annotated[int, typer.Argument(help="Number of the request.")]


@app.command("list")
def list_(json: AsJson = False) -> None:
    """Open requests with who asks, why, and by when they are decided.

    Example: lumbung library takedown list
    """
    from lumbung.store import entry_requests

    for row in run(read(entry_requests.open_takedowns)):
        if json:
            write_record(plain(row))
        else:
            typer.echo(
                f"{row['id']}  {row['entry']}  until {row['deadline']:%Y-%m-%d}  {row['requester']}: {row['reason']}"
            )


@app.command()
def grant(number: Number, reason: Reason, json: AsJson = False) -> None:
    """Grant a request: the entry becomes a tombstone, and the reason is what the asker is told.

    Example: lumbung library takedown grant 4 --reason "the photograph is theirs"
    """
    from lumbung.library.actions.takedowns import decide_takedown

    entry = run(carry_out(decide_takedown, number, granted=True, reason=reason))
    tell(json, f"{entry} is removed.", request=number, entry=entry, granted=True)


@app.command()
def decline(number: Number, reason: Reason, json: AsJson = False) -> None:
    """Decline a request, with the reason that the asker is told.

    Example: lumbung library takedown decline 4 --reason "the sources are public records"
    """
    from lumbung.library.actions.takedowns import decide_takedown

    entry = run(carry_out(decide_takedown, number, granted=False, reason=reason))
    tell(json, f"{entry} stays.", request=number, entry=entry, granted=False)
