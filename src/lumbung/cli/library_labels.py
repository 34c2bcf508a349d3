"""`lumbung library labels`: community labels on entries and categories."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from lumbung.cli.acts import AsJson, Reason, act, carry_out, tell
from lumbung.cli.lines import parse_record, write_record
from lumbung.cli.session import run

app = typer.Typer(
    no_args_is_help=True,
    rich_markup_mode=None,
    help="Community labels (TK, BC, notices) by reference.\n\nExample: lumbung library labels known",
)
Labels = Annotated[
    list[str] | None,
    typer.Option("--label", help="A code, or a JSON object with code, url, text, community, display; repeatable."),
]


@app.command()
def known(json: AsJson = False) -> None:
    """The labels of the table, with what each asks of display.

    Example: lumbung library labels known
    """
    from lumbung.library.protocols import KNOWN

    for label in KNOWN.values():
        if json:
            write_record({"code": label.code, "url": label.url, "text": label.text, "display": list(label.display)})
        else:
            typer.echo(f"{label.code:<30} {' '.join(label.display) or '-':<26} {label.text}  {label.url}")


@app.command("set")
def set_(
    entry: Annotated[str, typer.Argument(help="Identity of the entry.")],
    reason: Reason,
    label: Labels = None,
    json: AsJson = False,
) -> None:
    """As guardian: the labels of an entry from now on; without --label it has none.

    Example: lumbung library labels set 9f2c… --label tk-a --label tk-ss --reason "agreed with the elders"
    """
    from lumbung.library.actions.set_labels import set_labels

    kept = run(carry_out(set_labels, entry, given(label), reason))
    sentence = f"{entry}: {', '.join(each['code'] for each in kept) or 'no labels'}."
    tell(json, sentence, entry=entry, labels=kept)


@app.command()
def category(
    code: Annotated[str, typer.Argument(help="Code of the category.")],
    reason: Reason,
    label: Labels = None,
    json: AsJson = False,
) -> None:
    """As guardian: labels of every entry of a category, those to come too.

    Example: lumbung library labels category ritual --label tk-cs --reason "meeting of 3 May"
    """
    from lumbung.library.actions.set_labels import set_category_labels

    version = run(carry_out(set_category_labels, code, given(label), reason))
    tell(json, f"The labels of {code} are set, version {version}.", category=code, version=version)


@app.command()
def categories(json: AsJson = False) -> None:
    """Labels that whole categories have.

    Example: lumbung library labels categories
    """
    for code, labels in sorted(run(read_categories()).items()):
        if json:
            write_record({"category": code, "labels": labels})
        else:
            typer.echo(f"{code}: {', '.join(each['code'] for each in labels)}")


async def read_categories() -> dict[str, list[dict[str, Any]]]:
    from lumbung.library.actions.set_labels import labels_by_category

    async with act() as now:
        return await labels_by_category(now.tx)


def given(labels: list[str] | None) -> list[str | dict[str, Any]]:
    return [parse_record(each.encode()) if each.lstrip().startswith("{") else each for each in labels or []]
