"""`lumbung library discussion`: what people say to each other about an entry."""

from __future__ import annotations

from typing import Annotated

import typer

from lumbung.cli.acts import AsJson, Reason, carry_out, plain, read, tell
from lumbung.cli.lines import write_record
from lumbung.cli.session import run

app = typer.Typer(
    no_args_is_help=True,
    rich_markup_mode=None,
    help="Discussions of entries: list, speak, withhold a remark.\n\nExample: lumbung library discussion list 9f2c…",
)
Entry = Annotated[str, typer.Argument(help="Identity of the entry.")]
Number = Annotated[int, typer.Argument(help="Number of the remark.")]


@app.command("list")
def list_(
    entry: Entry, limit: Annotated[int, typer.Option(min=1, help="So many, the newest.")] = 50, json: AsJson = False
) -> None:
    """What was said about an entry, the newest first, with what is withheld from readers.

    Example: lumbung library discussion list 9f2c…
    """
    from lumbung.store import remarks

    for row in run(read(remarks.discussion, entry, limit)):
        if json:
            write_record(plain(row))
        else:
            mark = f"  (withheld: {row['withheld']})" if row["withheld"] is not None else ""
            typer.echo(f"{row['id']}  {row['at']:%Y-%m-%d}  {row['speaker']}: {row['text']}{mark}")


@app.command()
def add(entry: Entry, text: Annotated[str, typer.Argument(help="What you say.")], json: AsJson = False) -> None:
    """Say something about an entry.

    Example: lumbung library discussion add 9f2c… "In Solok it is danced at weddings as well."
    """
    from lumbung.library.actions.discuss import add_remark

    number = run(carry_out(add_remark, entry, text))
    tell(json, f"Remark {number}.", entry=entry, remark=number)


@app.command()
def withhold(number: Number, reason: Reason, json: AsJson = False) -> None:
    """Keep a remark and no longer show it to readers, who see the reason instead.

    Example: lumbung library discussion withhold 7 --reason "an insult"
    """
    from lumbung.library.actions.discuss import withhold_remark

    entry = run(carry_out(withhold_remark, number, withheld=True, reason=reason))
    tell(json, f"Remark {number} is withheld.", entry=entry, remark=number, withheld=True)


@app.command()
def show(number: Number, reason: Reason, json: AsJson = False) -> None:
    """Show a withheld remark to readers again.

    Example: lumbung library discussion show 7 --reason "talked over with its writer"
    """
    from lumbung.library.actions.discuss import withhold_remark

    entry = run(carry_out(withhold_remark, number, withheld=False, reason=reason))
    tell(json, f"Remark {number} is shown.", entry=entry, remark=number, withheld=False)
