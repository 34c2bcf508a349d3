"""`lumbung library correction`: what readers say is wrong."""

from __future__ import annotations

from typing import Annotated

import typer

from lumbung.cli.acts import AsJson, Reason, carry_out, plain, read, tell
from lumbung.cli.lines import write_record
from lumbung.cli.session import run, talk

app = typer.Typer(
    no_args_is_help=True,
    rich_markup_mode=None,
    help="Corrections by readers: list, decide.\n\nExample: lumbung library correction list",
)
Number = Annotated[int, typer.Argument(help="Number of the correction.")]


@app.command("list")
def list_(json: AsJson = False) -> None:
    """Open corrections with the entry and what the reader says.

    Example: lumbung library correction list
    """
    from lumbung.store import entry_requests

    for row in run(read(entry_requests.open_corrections)):
        if json:
            write_record(plain(row))
        else:
            typer.echo(f"{row['id']}  {row['entry']}  {row['asked_at']:%Y-%m-%d}  {row['text']}")


@app.command()
def accept(number: Number, reason: Reason, json: AsJson = False) -> None:
    """Take a correction up: the pages that the entry was read from are asked for again.

    Example: lumbung library correction accept 4 --reason "the village website was corrected"
    """
    from lumbung.governance.actions.corrections import decide_correction

    decided = run(carry_out(decide_correction, number, accepted=True, reason=reason))
    for url, why in decided.left.items():
        talk(f"{url}: {why}")
    sentence = f"{decided.entry}: {len(decided.pages)} pages are asked for again."
    tell(json, sentence, correction=number, entry=decided.entry, pages=decided.pages, left=decided.left)


@app.command()
def decline(number: Number, reason: Reason, json: AsJson = False) -> None:
    """Decline a correction, with the reason.

    Example: lumbung library correction decline 4 --reason "three sources say otherwise"
    """
    from lumbung.governance.actions.corrections import decide_correction

    decided = run(carry_out(decide_correction, number, accepted=False, reason=reason))
    tell(json, f"{decided.entry} stays as it is.", correction=number, entry=decided.entry, pages=[], left={})
