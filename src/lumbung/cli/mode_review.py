"""`lumbung mode review`: people's word on items, facts and pairs."""

from __future__ import annotations

from typing import Annotated

import typer

from lumbung.cli.acts import AsJson, Reason, carry_out, plain, read, tell
from lumbung.cli.lines import write_record
from lumbung.cli.session import run
from lumbung.errors import UsageError

app = typer.Typer(
    no_args_is_help=True,
    rich_markup_mode=None,
    help="Items, facts and pairs that wait for a person's word.\n\nExample: lumbung mode review list --category ritual",
)
Entry = Annotated[str, typer.Argument(help="Identity of the entry.")]
Attribute = Annotated[str | None, typer.Option(help="Only this fact: its attribute.")]
Key = Annotated[
    str | None, typer.Option("--value-key", help="Only this fact: the key of its value, as `list` shows it.")
]


@app.command("list")
def list_(
    category: Annotated[str | None, typer.Option(help="Only of this category.")] = None, json: AsJson = False
) -> None:
    """Entries that wait for a person: sensitive ones first, then the oldest.

    Example: lumbung mode review list --category ritual
    """
    from lumbung.store import console
    from lumbung.store.console import ReviewPlace

    for row in run(read(console.review_queue, ReviewPlace(), category)):
        if json:
            write_record(plain(row))
        else:
            mark = " sensitive" if row["sensitive"] else ""
            typer.echo(f"{row['identity']}  {row['category']}{mark}  {row['title']}  {row['status_reason'] or ''}")


@app.command()
def approve(
    entry: Entry, reason: Reason, attribute: Attribute = None, value_key: Key = None, json: AsJson = False
) -> None:
    """Let an item stand, or one of its facts.

    Example: lumbung mode review approve 9f2c… --reason "known to me"
    """
    from lumbung.governance.actions.review import approve_fact, approve_item

    if is_fact(attribute, value_key):
        run(carry_out(approve_fact, entry, attribute, value_key, reason))
    else:
        run(carry_out(approve_item, entry, reason))
    tell(json, "Approved.", entry=entry, attribute=attribute, verdict="approved")


@app.command()
def reject(
    entry: Entry, reason: Reason, attribute: Attribute = None, value_key: Key = None, json: AsJson = False
) -> None:
    """Reject an item, or one of its facts.

    Example: lumbung mode review reject 9f2c… --attribute asal --value-key padang --reason "it is from Solok"
    """
    from lumbung.governance.actions.review import reject_fact, reject_item

    if is_fact(attribute, value_key):
        run(carry_out(reject_fact, entry, attribute, value_key, reason))
    else:
        run(carry_out(reject_item, entry, reason))
    tell(json, "Rejected.", entry=entry, attribute=attribute, verdict="rejected")


@app.command("take-back")
def take_back_(
    entry: Entry, reason: Reason, attribute: Attribute = None, value_key: Key = None, json: AsJson = False
) -> None:
    """Take a word about an item or a fact back: the machine's own decision stands again.

    Example: lumbung mode review take-back 9f2c… --reason "I mistook it for another dance"
    """
    from lumbung.governance.actions.review import fact_code
    from lumbung.governance.actions.take_back import take_back

    value = fact_code(attribute or "", value_key or "") if is_fact(attribute, value_key) else ""
    run(carry_out(take_back, entry, value, reason))
    tell(json, "Taken back.", entry=entry, attribute=attribute, verdict=None)


@app.command()
def sensitive(entry: Entry, reason: Reason, json: AsJson = False) -> None:
    """Mark an item as sensitive: it needs the higher threshold and two independent sources from now on.

    Example: lumbung mode review sensitive 9f2c… --reason "it belongs to a closed rite"
    """
    from lumbung.governance.actions.review import mark_sensitive

    run(carry_out(mark_sensitive, entry, reason))
    tell(json, "Marked as sensitive.", entry=entry, sensitive=True)


@app.command()
def pairs(json: AsJson = False) -> None:
    """Pairs of which the machine is not sure.

    Example: lumbung mode review pairs
    """
    from lumbung.governance.audit.matching import pairs_to_judge

    for row in run(read(pairs_to_judge)):
        write_record(plain(row)) if json else typer.echo(f"{row['a']}  {row['b']}  {row['score']:.3f}")


@app.command()
def pair(
    a: Annotated[str, typer.Argument(help="A candidate, or h: and the identity of a human entry.")],
    b: Annotated[str, typer.Argument(help="Another one.")],
    same: Annotated[bool, typer.Option("--same/--different", help="One item, or two.")],
    reason: Reason,
    json: AsJson = False,
) -> None:
    """Say whether two are one item.

    Example: lumbung mode review pair 1c… h:9f… --different --reason "one is from Cirebon, one from Malang"
    """
    from lumbung.governance.actions.review import judge_pair

    run(carry_out(judge_pair, a, b, same, reason))
    tell(json, "Remembered.", a=a, b=b, same=same)


@app.command("pair-take-back")
def pair_take_back(
    a: Annotated[str, typer.Argument(help="A candidate, or h: and the identity of a human entry.")],
    b: Annotated[str, typer.Argument(help="The other one.")],
    reason: Reason,
    json: AsJson = False,
) -> None:
    """Take a word about two back: the machine's own decision stands again, or the pair waits once more.

    Example: lumbung mode review pair-take-back 1c… h:9f… --reason "I read the wrong page"
    """
    from lumbung.governance.actions.take_back import take_back_pair

    run(carry_out(take_back_pair, a, b, reason))
    tell(json, "Taken back.", a=a, b=b, same=None)


def is_fact(attribute: str | None, value_key: str | None) -> bool:
    if (attribute is None) != (value_key is None):
        raise UsageError("A fact is named by --attribute and --value-key together.")
    return attribute is not None
