"""`lumbung mode audit`: samples that people read."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any

import typer

from lumbung.cli.acts import AsJson, Reason, act, carry_out, plain, read, tell
from lumbung.cli.lines import write_record
from lumbung.cli.session import run
from lumbung.errors import UsageError

if TYPE_CHECKING:
    from lumbung.governance.actions.constants import Change
    from lumbung.governance.audit.credibility import CredibilityProposal
    from lumbung.governance.audit.matching import MatcherProposal
    from lumbung.store.database import Row, Transaction

app = typer.Typer(
    no_args_is_help=True,
    rich_markup_mode=None,
    help="Samples that people read: next, label, adjudicate.\n\nExample: lumbung mode audit next --limit 5",
)
Sample = Annotated[int, typer.Argument(help="Number of the sample.")]
Verdict = Annotated[str, typer.Argument(help="correct, incorrect or unclear.")]
Error = Annotated[str | None, typer.Option("--error", help="Kind of the error, if it is incorrect.")]


@app.command("next")
def next_(limit: Annotated[int, typer.Option(min=1, max=200)] = 20, json: AsJson = False) -> None:
    """What you may read next, in the order of what a label is worth.

    Example: lumbung mode audit next --limit 5 --json
    """
    for row in run(read_next(limit)):
        if json:
            write_record(plain(row))
        else:
            shown = row["shown"]
            typer.echo(
                f"{row['id']}  {shown.get('title', row['subject'])}  {row['attribute']}  {shown.get('value', '')}"
            )


async def read_next(limit: int) -> list[Row]:
    from lumbung.governance.audit.queue import next_samples

    async with act() as now:
        return await next_samples(now.tx, now.actor, limit)


@app.command()
def label(
    sample: Sample,
    verdict: Verdict,
    error: Error = None,
    novelty: Annotated[str | None, typer.Option(help="novel or duplicate.")] = None,
    duplicate_of: Annotated[str | None, typer.Option(help="The entry that a duplicate doubles.")] = None,
    note: Annotated[str, typer.Option(help="What the verdict rests on.")] = "",
    json: AsJson = False,
) -> None:
    """Say whether a sampled decision was right.

    Example: lumbung mode audit label 17 incorrect --error "wrong place" --note "it is from Solok"
    """
    from lumbung.governance.actions.labels import label_sample

    run(carry_out(label_sample, sample, verdict, novelty, error, note, duplicate_of))
    tell(json, f"Sample {sample} is labelled.", sample=sample, verdict=verdict)


@app.command()
def withdraw(sample: Sample, reason: Reason, json: AsJson = False) -> None:
    """Take back what you just said of a sample, while nobody else has read it.

    Example: lumbung mode audit withdraw 17 --reason "the wrong key"
    """
    from lumbung.governance.actions.labels import withdraw_label

    run(carry_out(withdraw_label, sample, reason))
    tell(json, f"Sample {sample} waits for a reader again.", sample=sample, withdrawn=True)


@app.command()
def adjudicate(sample: Sample, verdict: Verdict, reason: Reason, error: Error = None, json: AsJson = False) -> None:
    """Decide between two readings that differ.

    Example: lumbung mode audit adjudicate 17 correct --reason "both sources say so"
    """
    from lumbung.governance.actions.labels import adjudicate_sample

    run(carry_out(adjudicate_sample, sample, verdict, error, reason))
    tell(json, f"Sample {sample} is adjudicated.", sample=sample, verdict=verdict)


@app.command()
def gold(sample: Sample, verdict: Verdict, reason: Reason, json: AsJson = False) -> None:
    """Plant a copy of a sample whose answer is known; it tells how well people read.

    Example: lumbung mode audit gold 17 incorrect --reason "settled by the museum"
    """
    from lumbung.governance.actions.labels import plant_gold

    run(carry_out(plant_gold, sample, verdict, reason))
    tell(json, "Planted.", sample=sample, verdict=verdict)


@app.command("recalibrate")
def recalibrate_(
    reason: Reason,
    forget: Annotated[bool, typer.Option("--forget", help="Back to confidences as they were fused.")] = False,
    json: AsJson = False,
) -> None:
    """Bring the map of confidences that the labels teach into force; one by which more would pass takes a second person.

    Example: lumbung mode audit recalibrate --reason "400 labels of May"
    """
    from lumbung.governance.actions.calibration import forget_calibration, recalibrate

    change = run(carry_out(forget_calibration if forget else recalibrate, reason))
    sentence = f"The calibration is in force, version {change.version}; everything is decided again."
    if change.request is not None:
        sentence = f"More would pass by it: request {change.request} waits for another person."
    tell(json, sentence, version=change.version, request=change.request)


@app.command("matcher")
def matcher_(
    adopt: Annotated[bool, typer.Option("--adopt", help="Ask for the model that people's verdicts teach.")] = False,
    revert: Annotated[bool, typer.Option("--revert", help="Ask for the one that was in force before.")] = False,
    reason: Annotated[str, typer.Option(help="Why; goes into the log.")] = "",
    json: AsJson = False,
) -> None:
    """What people's verdicts about pairs teach the matcher, and its trial on verdicts that it has not seen.

    Example: lumbung mode audit matcher --adopt --reason "120 pairs judged in May"
    """
    from lumbung.governance.actions.matcher import adopt_matcher, revert_matcher, told

    if adopt and revert:
        raise UsageError("Either --adopt or --revert.")
    if adopt or revert:
        change = run(carry_out(adopt_matcher if adopt else revert_matcher, reason))
        tell(json, f"Request {change.request} waits for another person.", request=change.request)
        return
    version, proposal = run(read(proposed_matcher))
    held = f"Version {version} of the row is in force." if version else "No learned matcher is in force."
    sentence = f"{held} The trial says {proposal.trial.verdict}: {told(proposal)}"
    tell(json, sentence, version=version, **proposal.trial.figures())


@app.command("credibility")
def credibility_(
    adopt: Annotated[
        str, typer.Option("--adopt", metavar="NAME", help="Bring what the labels suggest into force.")
    ] = "",
    reason: Annotated[str, typer.Option(help="Why; goes into the log.")] = "",
    json: AsJson = False,
) -> None:
    """What the labels say about types of sources, single sources and our own reading of them, beside what is believed now.

    Example: lumbung mode audit credibility --adopt fusion.credibility.museum.example --reason "60 labels of May"
    """
    if adopt:
        change = run(adopt_suggested(adopt, reason))
        sentence = f"{adopt} is in force, version {change.version}; everything is decided again."
        if change.request is not None:
            sentence = (
                f"It would be believed more, or for the first time: request {change.request} waits for another person."
            )
        tell(json, sentence, version=change.version, request=change.request)
        return
    for each in run(suggested_credibility()):
        if json:
            write_record(asdict(each))
        else:
            mark = "  clear" if each.is_clear else ""
            typer.echo(f"{each.name}  {each.present:g} -> {each.suggested:g}  {each.labels} labels{mark}")


@app.command()
def figures(
    margin: Annotated[
        float, typer.Option(min=0.001, max=0.5, help="How near the truth the error should be known.")
    ] = 0.02,
    json: AsJson = False,
) -> None:
    """What the labels say: precision, calibration, recall, agreement; and how many labels a margin takes, Eq. (23).

    Example: lumbung mode audit figures --margin 0.01
    """
    found = run(read(all_figures, margin))
    if json:
        write_record(found)
        return
    for name, row in found["precision"].items():
        known = "not known yet" if row["precision"] is None else f"{row['precision']:.3f}"
        typer.echo(f"precision {name}: {known} ({row['low']:.3f} to {row['high']:.3f}), {row['labels']} labels")
    for bar in found["reliability"]:
        typer.echo(
            f"confidence {bar['low']:.1f} to {bar['high']:.1f}: {bar['confidence']:.3f} believed, {bar['accuracy']:.3f} right"
        )
    for stage, row in found["recall"].items():
        typer.echo(
            f"recall of {stage}: {'not known yet' if row['recall'] is None else row['recall']}, {row['labels']} labels"
        )
    plan = found["plan"]
    typer.echo(f"agreement of readers (alpha): {'not known yet' if found['agreement'] is None else found['agreement']}")
    typer.echo(
        f"a margin of {plan['margin']:g} takes {plan['labels']} labels at a design effect of {plan['design_effect']:g}; "
        f"there are {plan['have']}"
    )


async def all_figures(tx: Transaction, margin: float) -> dict[str, Any]:
    from lumbung.governance.reports import quality

    return {
        "precision": await quality.estimates(tx),
        "reliability": await quality.reliability_diagram(tx),
        "recall": await quality.recall_by_stage(tx),
        "agreement": await quality.agreement(tx),
        "plan": await quality.plan_labels(tx, margin),
    }


async def suggested_credibility() -> list[CredibilityProposal]:
    from lumbung.governance.audit.credibility import credibility_proposals

    async with act() as now:
        return await credibility_proposals(now.tx, now.system.profile)


async def adopt_suggested(name: str, reason: str) -> Change:
    from lumbung.governance.actions.credibility import adopt_credibility

    async with act() as now:
        return await adopt_credibility(now.tx, now.actor, now.system.profile, name, reason)


async def proposed_matcher(tx: Transaction) -> tuple[int, MatcherProposal]:
    from lumbung.governance.actions.matcher import version_now
    from lumbung.governance.audit.matching import matcher_proposal

    return await version_now(tx), await matcher_proposal(tx)
