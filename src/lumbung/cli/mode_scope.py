"""`lumbung mode scope`: the guardian's texts, lists and licence, the lexicon, and notices that a person has seen."""

from __future__ import annotations

import csv
import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from lumbung.cli.acts import AsJson, Reason, act, carry_out, plain, read, tell
from lumbung.cli.lines import write_record
from lumbung.cli.session import run
from lumbung.errors import UsageError
from lumbung.model.profile import LexiconTerm, SensitiveTerm

if TYPE_CHECKING:
    from lumbung.governance.actions.constants import Change

app = typer.Typer(
    no_args_is_help=True,
    rich_markup_mode=None,
    help="Scope, sensitive list, licence, lexicon and notices.\n\nExample: lumbung mode scope sensitive > sensitive.csv",
)
LONGEST_FILE = 5_000_000
CHANGES = ("added", "dropped")
TERM_COLUMNS = ("term", "category", "reason", "reason_en")
WORD_COLUMNS = ("change", "language", "term", "category", "role", "weight")


@app.command()
def sensitive(json: AsJson = False) -> None:
    """The sensitive list in force, as CSV; the profile's own reasons in English as well.

    Example: lumbung mode scope sensitive > sensitive.csv
    """
    rows = run(read_sensitive())
    if json:
        write_record({"terms": rows})
        return
    sheet = csv.DictWriter(sys.stdout, TERM_COLUMNS, lineterminator="\n")
    sheet.writeheader()
    sheet.writerows(rows)


async def read_sensitive() -> list[dict[str, str]]:
    from lumbung.governance.actions.scope import terms_in_force
    from lumbung.governance.scope_rows import terms_as_rows
    from lumbung.store import governed

    async with act() as now:
        profile = now.system.profile
        rows = terms_as_rows(terms_in_force(await governed.values_now(now.tx), profile))
        return [row | {"reason_en": profile.remarks_en.get(row["reason"], "")} for row in rows]


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


@app.command("licence")
def licence_(json: AsJson = False) -> None:
    """The licence under which the library gives away what its machine composed.

    Example: lumbung mode scope licence
    """
    from lumbung.governance.actions.machine_licence import machine_licence

    named = run(read(machine_licence))
    tell(json, named or "None is decided.", licence=named)


@app.command("set-licence")
def set_licence(
    licence: Annotated[str, typer.Argument(help="Such as CC-BY-SA-4.0; empty where none is decided.")],
    reason: Reason,
    json: AsJson = False,
) -> None:
    """As guardian: decide that licence, for every machine entry at once.

    Example: lumbung mode scope set-licence CC-BY-SA-4.0 --reason "meeting of 3 May"
    """
    from lumbung.governance.actions.machine_licence import set_machine_licence

    named = run(carry_out(set_machine_licence, licence, reason))
    tell(json, f"Machine entries are given away under {named}." if named else "None is decided.", licence=named)


@app.command()
def words(
    begin: Annotated[str, typer.Option(help="Only words that begin so, those of the profile too.")] = "",
    json: AsJson = False,
) -> None:
    """What people changed of the profile's lexicon, as CSV; or the words in force that begin with some letters.

    Example: lumbung mode scope words > words.csv
    """
    rows = run(read_words(begin.casefold()))
    if json:
        write_record({"words": rows})
        return
    sheet = csv.DictWriter(sys.stdout, WORD_COLUMNS, lineterminator="\n")
    sheet.writeheader()
    sheet.writerows(rows)


async def read_words(begin: str) -> list[dict[str, object]]:
    from lumbung.profiles.loader import load_profile
    from lumbung.store import lexicon

    async with act() as now:
        held = await lexicon.in_force(now.tx)
    if not begin:
        return [{"change": change} | asdict(each) for change in CHANGES for each in getattr(held, change)]
    shipped = held.applied_to(load_profile(now.system.settings.profile))
    return [{"change": ""} | asdict(each) for each in shipped.lexicon if each.term.casefold().startswith(begin)]


@app.command("set-words")
def set_words(
    file: Annotated[
        Path, typer.Argument(help="CSV with change (added or dropped), language, term, category, role, weight.")
    ],
    reason: Reason,
    json: AsJson = False,
) -> None:
    """As curator or guardian: all that is changed of the profile's lexicon; stages read with it at once.

    Example: lumbung mode scope set-words words.csv --reason "dances of Alor"
    """
    version = run(do_words(file, reason))
    tell(json, f"The lexicon is in force, version {version}.", version=version)


async def do_words(file: Path, reason: str) -> int:
    from lumbung.governance.actions.lexicon import set_lexicon
    from lumbung.profiles.loader import load_profile

    rows = csv.DictReader(text_of(file).splitlines())
    if not {"change", "language", "term", "category", "role"} <= set(rows.fieldnames or []):
        raise UsageError(f"{file} needs the columns change, language, term, category and role.")
    named: dict[str, list[LexiconTerm]] = {change: [] for change in CHANGES}
    for row in rows:
        if row["change"] not in named:
            raise UsageError(f"{file}: the change is added or dropped, not {row['change']}.")
        named[row["change"]].append(word_in(row, file))
    async with act() as now:
        shipped = load_profile(now.system.settings.profile)
        return await set_lexicon(now.tx, now.actor, shipped, named["added"], named["dropped"], reason)


def word_in(row: dict[str, str], file: Path) -> LexiconTerm:
    try:
        weight = float(row.get("weight") or 1)
    except ValueError as error:
        raise UsageError(f"{file}: the weight of {row['term']} is not a number.") from error
    return LexiconTerm(row["term"] or "", row["language"] or "", row["category"] or "", row["role"] or "", weight)


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
