"""`lumbung library undo`: batches, sources, pages, extractor versions and models that should not have counted."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

import typer

from lumbung.cli.acts import AsJson, Reason, carry_out, plain, read, tell
from lumbung.cli.lines import write_record
from lumbung.cli.session import run

app = typer.Typer(
    no_args_is_help=True,
    rich_markup_mode=None,
    help="Undo a batch, a source, a page, an extractor version, a model's answers.\n\nExample: lumbung library undo batches",
)


@app.command("batches")
def batches_(json: AsJson = False) -> None:
    """What the machine wrote, run by run and category by category.

    Example: lumbung library undo batches
    """
    from lumbung.store import batches

    for row in run(read(batches.listed)):
        if json:
            write_record(plain(row))
        else:
            undone = f"  undone {row['undone_at']:%Y-%m-%d}" if row["undone_at"] else ""
            typer.echo(f"{row['id']}  {row['opened_at']:%Y-%m-%d %H:%M}  {row['run']}  {row['category']}{undone}")


@app.command()
def batch(
    number: Annotated[int, typer.Argument(help="Number of the batch.")], reason: Reason, json: AsJson = False
) -> None:
    """Undo a batch: its claims go; what people own since is left and listed.

    Example: lumbung library undo batch 12 --reason "wrong tranche"
    """
    from lumbung.governance.actions.undo import undo_batch

    undone = run(carry_out(undo_batch, number, reason))
    left = ", ".join(undone.left) or "none"
    sentence = f"Batch {number}: {undone.candidates} candidates go, {len(undone.held)} entries wait again, {len(undone.sent)} that were sent are as before; left to people: {left}."
    tell(json, sentence, batch=number, **asdict(undone))


@app.command()
def source(
    host: Annotated[str, typer.Argument(help="Host whose pages count no more.")], reason: Reason, json: AsJson = False
) -> None:
    """Retract a source: all that it said counts no more, and what it says later neither.

    Example: lumbung library undo source hoaks.example --reason "invented stories"
    """
    from lumbung.governance.actions.review import retract_source

    candidates = run(carry_out(retract_source, host, reason))
    tell(json, f"{candidates} candidates go.", source=host, candidates=candidates)


@app.command()
def page(
    url: Annotated[str, typer.Argument(help="Address of the page.")], reason: Reason, json: AsJson = False
) -> None:
    """Retract what one page said.

    Example: lumbung library undo page https://a.example/tari --reason "satire"
    """
    from lumbung.governance.actions.review import retract_document

    candidates = run(carry_out(retract_document, url, reason))
    tell(json, f"{candidates} candidates go.", page=url, candidates=candidates)


@app.command()
def extractor(
    version: Annotated[str, typer.Argument(help="Version of the extractor: model and prompt.")],
    reason: Reason,
    json: AsJson = False,
) -> None:
    """Retract what one extractor version (a model with its prompt) read; the pages can be read again with another.

    Example: lumbung library undo extractor lexical-10 --reason "it mixed up names"
    """
    from lumbung.governance.actions.review import retract_extractor

    candidates = run(carry_out(retract_extractor, version, reason))
    tell(json, f"{candidates} candidates go.", extractor=version, candidates=candidates)


@app.command()
def answers(
    model: Annotated[str, typer.Argument(help="The model, as `lumbung explain` names it.")],
    reason: Reason,
    prompt: Annotated[str | None, typer.Option(help="Only by this prompt and version, such as same-item/1.")] = None,
    json: AsJson = False,
) -> None:
    """Retract what a model answered where rules leave open what belongs here, what is one item, what a quote supports.

    Example: lumbung library undo answers qwen3-8b --prompt same-item/1 --reason "it calls all namesakes one"
    """
    from lumbung.governance.actions.review import retract_answers

    gone = run(carry_out(retract_answers, model, reason, prompt))
    tell(json, f"{gone} answers go; people decide these questions.", model=model, prompt=prompt, answers=gone)
