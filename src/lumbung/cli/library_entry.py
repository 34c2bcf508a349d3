"""`lumbung library entry`: what people do with single entries."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from lumbung.cli.acts import AsJson, Reason, act, carry_out, tell
from lumbung.cli.lines import parse_record
from lumbung.cli.session import run
from lumbung.errors import UsageError

app = typer.Typer(
    no_args_is_help=True,
    rich_markup_mode=None,
    help="Single entries: add, revise, hide, remove, restore.\n\nExample: lumbung library entry add tari-payung.json",
)
Entry = Annotated[str, typer.Argument(help="Identity of the entry.")]
Content = Annotated[Path, typer.Argument(help="JSON file with title, text, category, regions, aliases, licence.")]
LONGEST_FILE = 2_000_000


@app.command()
def hide(entry: Entry, reason: Reason, json: AsJson = False) -> None:
    """Hide now, decide later: the page and the title stay, text and facts are not shown.

    Example: lumbung library entry hide 9f2c… --reason "the community asked"
    """
    from lumbung.library.actions.takedowns import hide_entry

    identity = run(carry_out(hide_entry, entry, hidden=True, reason=reason))
    tell(json, f"{identity} is hidden.", entry=identity, hidden=True)


@app.command()
def unhide(entry: Entry, reason: Reason, json: AsJson = False) -> None:
    """Show a hidden entry again.

    Example: lumbung library entry unhide 9f2c… --reason "agreed with the community"
    """
    from lumbung.library.actions.takedowns import hide_entry

    identity = run(carry_out(hide_entry, entry, hidden=False, reason=reason))
    tell(json, f"{identity} is shown.", entry=identity, hidden=False)


@app.command()
def remove(entry: Entry, reason: Reason, json: AsJson = False) -> None:
    """Take an entry down; its tombstone binds the machine.

    Example: lumbung library entry remove 9f2c… --reason "not ours to tell"
    """
    from lumbung.library.actions.contribute import remove_entry

    run(carry_out(remove_entry, entry, reason))
    tell(json, f"{entry} is removed.", entry=entry, removed=True)


@app.command()
def restore(entry: Entry, reason: Reason, json: AsJson = False) -> None:
    """Bring a removed entry back.

    Example: lumbung library entry restore 9f2c… --reason "permission was given"
    """
    from lumbung.library.actions.contribute import restore_entry

    run(carry_out(restore_entry, entry, reason))
    tell(json, f"{entry} is restored.", entry=entry, removed=False)


@app.command()
def revert(
    entry: Entry,
    number: Annotated[int, typer.Argument(help="Revision to go back to.")],
    reason: Reason,
    json: AsJson = False,
) -> None:
    """Make an earlier human revision the present one.

    Example: lumbung library entry revert 9f2c… 3 --reason "vandalism"
    """
    from lumbung.library.actions.contribute import revert_entry

    revision = run(carry_out(revert_entry, entry, number, reason))
    tell(json, f"{entry} is at revision {revision}.", entry=entry, revision=revision)


@app.command()
def add(
    file: Content, note: Annotated[str, typer.Option(help="A word about the contribution.")] = "", json: AsJson = False
) -> None:
    """Contribute an entry as a person.

    Example: lumbung library entry add tari-payung.json
    """
    identity = run(do_add(file, note))
    tell(json, identity, entry=identity)


async def do_add(file: Path, note: str) -> str:
    from lumbung.library.actions.contribute import create_entry
    from lumbung.library.records import RecordReader

    async with act() as now:
        reader = RecordReader(now.system.profile, now.system.gazetteer)
        return await create_entry(now.tx, now.actor, reader.read(record_in(file)), note)


@app.command()
def revise(
    entry: Entry,
    file: Content,
    seen: Annotated[int, typer.Option(help="Number of the revision that you read.")],
    note: Annotated[str, typer.Option(help="What you changed.")] = "",
    json: AsJson = False,
) -> None:
    """Revise an entry; if somebody else was first, nothing is changed.

    Example: lumbung library entry revise 9f2c… tari-payung.json --seen 2
    """
    revision = run(do_revise(entry, file, seen, note))
    tell(json, f"{entry} is at revision {revision}.", entry=entry, revision=revision)


async def do_revise(entry: str, file: Path, seen: int, note: str) -> int:
    from lumbung.library.actions.contribute import revise_entry
    from lumbung.library.records import RecordReader

    async with act() as now:
        reader = RecordReader(now.system.profile, now.system.gazetteer)
        record = record_in(file)
        return await revise_entry(
            now.tx, now.actor, entry, reader.read(record), seen, note, keeps_files="files" not in record
        )


def record_in(file: Path) -> dict[str, object]:
    if not file.is_file() or file.stat().st_size > LONGEST_FILE:
        raise UsageError(f"There is no file {file} of a fitting size.")
    return parse_record(file.read_bytes())
