"""`lumbung mode scope`: the guardian's texts and lists, and notices that a person has seen."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from lumbung.cli.acts import AsJson, Reason, act, carry_out, plain, read, tell
from lumbung.cli.lines import write_record
from lumbung.cli.session import run
from lumbung.errors import UsageError
from lumbung.model.profile import SensitiveTerm

if TYPE_CHECKING:
    from lumbung.governance.actions.constants import Change

app = typer.Typer(
    no_args_is_help=True,
    rich_markup_mode=None,
    help="Scope, sensitive list and notices.\n\nExample: lumbung mode scope sensitive > sensitive.csv",
)
LONGEST_FILE = 5_000_000


@app.command()
def sensitive(json: AsJson = False) -> None:
    """The sensitive list in force, as CSV.

    Example: lumbung mode scope sensitive > sensitive.csv
    """
    rows = run(read_sensitive())
    if json:
        write_record({"terms": rows})
        return
    typer.echo("term,category,reason")
    for row in rows:
        typer.echo(",".join(f'"{row[name]}"' for name in ("term", "category", "reason")))


async def read_sensitive() -> list[dict[str, str]]:
    from lumbung.governance.actions.scope import terms_as_rows, terms_in_force
    from lumbung.store import governed

    async with act() as now:
        return terms_as_rows(terms_in_force(await governed.values_now(now.tx), now.system.profile))


@app.command("set-sensitive")
def set_sensitive(
    file: Annotated[Path, typer.Argument(help="CSV with term, category and reason.")],
    reason: Reason,
    json: AsJson = False,
) -> None:
    """As guardian: the whole sensitive list; a list that lost a term waits for a second guardian.

    Example: lumbung mode scope set-sensitive sensitive.csv --reason "meeting of 3 May"
    """
    from lumbung.governance.actions.scope import set_sensitive_list

    rows = csv.DictReader(text_of(file).splitlines())
    if not {"term", "category", "reason"} <= set(rows.fieldnames or []):
        raise UsageError(f"{file} needs the columns term, category and reason.")
    terms = [SensitiveTerm(row["term"] or "", row["category"] or "", row["reason"] or "") for row in rows]
    tell_change(json, run(carry_out(set_sensitive_list, terms, reason)), "The sensitive list")


@app.command("set-text")
def set_text(
    file: Annotated[Path, typer.Argument(help="Text of the scope.")], reason: Reason, json: AsJson = False
) -> None:
    """As guardian: ask for a new text of the scope; a second guardian carries it out.

    Example: lumbung mode scope set-text scope.md --reason "diaspora talked over"
    """
    from lumbung.governance.actions.scope import set_scope

    tell_change(json, run(carry_out(set_scope, text_of(file), reason)), "The scope")


@app.command()
def notices(json: AsJson = False) -> None:
    """What needs a person now.

    Example: lumbung mode scope notices
    """
    from lumbung.store import audits

    for row in run(read(audits.notices)):
        write_record(plain(row)) if json else typer.echo(
            f"{row['id']}  {row['at']:%Y-%m-%d %H:%M}  {row['kind']}  {row['subject']}"
        )


@app.command("close-notice")
def close_notice_(number: Annotated[int, typer.Argument(help="Number of the notice.")], json: AsJson = False) -> None:
    """Say that a notice was seen to.

    Example: lumbung mode scope close-notice 12
    """
    from lumbung.governance.actions.corpus import close_notice

    run(carry_out(close_notice, number))
    tell(json, f"Notice {number} is closed.", notice=number, closed=True)


def text_of(file: Path) -> str:
    if not file.is_file() or file.stat().st_size > LONGEST_FILE:
        raise UsageError(f"There is no file {file} of a fitting size.")
    return file.read_bytes().decode("utf-8-sig", errors="replace").replace("\x00", "")


def tell_change(as_json: bool, change: Change, what: str) -> None:
    sentence = f"{what} is in force, version {change.version}."
    if change.request is not None:
        sentence = f"{what} waits for another guardian: request {change.request}."
    tell(as_json, sentence, version=change.version, request=change.request)
