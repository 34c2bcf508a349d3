"""`lumbung library discussion`: what people say to each other about an entry."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from lumbung.cli.acts import AsJson, Reason, act, carry_out, person_named, plain, read, tell
from lumbung.cli.lines import write_record
from lumbung.cli.session import run

app = typer.Typer(
    no_args_is_help=True,
    rich_markup_mode=None,
    help="Discussions of entries: list, speak, withhold or erase a remark.\n\nExample: lumbung library discussion list 9f2c…",
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
            typer.echo(f"{row['id']}  {row['at']:%Y-%m-%d}  {row['speaker']}: {said(row)}")


def said(row: dict[str, Any]) -> str:
    if row["text"] is None:
        return "(erased)"
    return str(row["text"]) + (f"  (withheld: {row['withheld']})" if row["withheld"] is not None else "")


@app.command("of")
def of_person(login: Annotated[str, typer.Argument(help="Sign-in name.")], json: AsJson = False) -> None:
    """Whatever a person said, the newest first: their own data, if they ask for it.

    Example: lumbung library discussion of ayu --json > ayu.jsonl
    """
    for row in run(do_of(login)):
        write_record(plain(row)) if json else typer.echo(
            f"{row['id']}  {row['at']:%Y-%m-%d}  {row['title']} ({row['entry']}): {said(row)}"
        )


async def do_of(login: str) -> list[dict[str, Any]]:
    from lumbung.store import remarks

    async with act() as now:
        return await remarks.said_by(now.tx, (await person_named(now.tx, login))["id"])


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


@app.command()
def erase(number: Number, reason: Reason, json: AsJson = False) -> None:
    """Erase the words of a remark for good; readers see that something was said and is erased.

    Example: lumbung library discussion erase 7 --reason "it told where somebody lives"
    """
    from lumbung.library.actions.discuss import erase_remark

    entry = run(carry_out(erase_remark, number, reason))
    tell(json, f"Remark {number} is erased.", entry=entry, remark=number, erased=True)
