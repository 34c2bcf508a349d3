"""`lumbung mode`"""

from __future__ import annotations

import csv
import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer

from lumbung.cli import mode_audit, mode_review, mode_scope
from lumbung.cli.acts import act, carry_out, plain, tell
from lumbung.cli.lines import write_record
from lumbung.cli.session import run
from lumbung.errors import UsageError

if TYPE_CHECKING:
    from lumbung.governance.actions.constants import Change

app = typer.Typer(
    no_args_is_help=True,
    rich_markup_mode=None,
    help="Autonomy modes by category: show, request, sign.\n\nExample: lumbung mode show",
)
Category = Annotated[str, typer.Argument(help="Code of the category.")]
Number = Annotated[int, typer.Argument(help="Number of the request.")]
Reason = Annotated[str, typer.Option(help="Why; it stands in the log.")]
AsJson = Annotated[bool, typer.Option("--json", help="JSON instead of words.")]
app.add_typer(mode_audit.app, name="audit")
app.add_typer(mode_review.app, name="review")
app.add_typer(mode_scope.app, name="scope")


@app.callback()
def mode() -> None:
    """Autonomy modes by category: show, request, sign."""


@app.command()
def show(json: AsJson = False) -> None:
    """Each category's mode, its audited precision, and what would lower it.

    Example: lumbung mode show
    """
    report = run(read_modes())
    if json:
        write_record(report)
        return
    for code, row in report["categories"].items():
        audit = row["audit"]
        known = f"precision {audit['precision']:.3f} ({audit['labels']} labels)" if audit else "no labels"
        typer.echo(f"{code:<45} {row['mode']:<8} {known}{''.join(f'; {cause}' for cause in row['causes'])}")
    typer.echo(
        f"ratified: {'yes' if report['ratified'] else 'no'}; single-handed: {'yes' if report['single_handed'] else 'no'}"
    )


async def read_modes() -> dict[str, Any]:
    from lumbung.governance.actions.people import is_single_handed
    from lumbung.governance.actions.scope import ratification
    from lumbung.governance.reports.quality import causes_to_lower, estimates
    from lumbung.store import governed

    async with act() as now:
        rows = await governed.values_now(now.tx)
        found = await estimates(now.tx)
        return {
            "categories": {
                code: {
                    "mode": rows[f"mode.{code}"],
                    "audit": found[code] if found.get(code, {}).get("labels") else None,
                    "causes": await causes_to_lower(now.tx, code),
                }
                for code in sorted(now.system.profile.categories)
            },
            "overall": found["*"],
            "ratified": (await ratification(now.tx))[1] is None,
            "single_handed": await is_single_handed(now.tx),
        }


@app.command("ratify")
def ratify_(
    consulted: Annotated[list[str], typer.Option(help="Whom you talked it over with; repeatable.")],
    reason: Reason,
    json: AsJson = False,
) -> None:
    """As guardian: ratify the scope and the sensitive list; before that nothing leaves shadow.

    Example: lumbung mode ratify --consulted "Lembaga Adat Kampung Naga" --reason "meeting of 3 May"
    """
    run(do_ratify(consulted, reason))
    tell(json, "Scope and sensitive list are ratified.", ratified=True, consulted=consulted)


async def do_ratify(consulted: list[str], reason: str) -> None:
    from lumbung.governance.actions.scope import ratify

    async with act() as now:
        await ratify(now.tx, now.actor, consulted, reason)


@app.command("request")
def request_(
    category: Category,
    mode: Annotated[str, typer.Argument(help="trickle or full.")],
    reason: Reason,
    json: AsJson = False,
) -> None:
    """Ask for the next higher mode of a category; others sign and approve.

    Example: lumbung mode request tarian trickle --reason "200 samples read, 98 % right"
    """
    number = run(do_request(category, mode, reason))
    write_record({"request": number}) if json else typer.echo(f"Request {number} waits for its sign-offs.")


async def do_request(category: str, mode: str, reason: str) -> int:
    from lumbung.governance.actions.modes import request_mode

    async with act() as now:
        return await request_mode(now.tx, now.actor, category, mode, reason)


@app.command("requests")
def requests_(
    everything: Annotated[bool, typer.Option("--all", help="Closed ones too.")] = False, json: AsJson = False
) -> None:
    """Requests that wait for another person, with their sign-offs.

    Example: lumbung mode requests
    """
    for row in run(read_requests(None if everything else "open")):
        if json:
            write_record(plain(row))
            continue
        signed = ", ".join(each["risk"] for each in row["sign_offs"]) or "nobody"
        typer.echo(
            f"{row['id']}  {row['state']}  {row['verb']}  {row['subject']}  {row['payload']}  signed for: {signed}  {row['reason']}"
        )


async def read_requests(state: str | None) -> list[dict[str, Any]]:
    from lumbung.store import requests

    async with act() as now:
        return await requests.listed(now.tx, state)


@app.command()
def sign(
    number: Number,
    risk: Annotated[str, typer.Argument(help="culture, corpus or law.")],
    note: Annotated[str, typer.Option(help="What your signature rests on.")],
    checked: Annotated[
        list[str] | None, typer.Option(help="A point of the checklist; repeatable. Without any, the list is shown.")
    ] = None,
    json: AsJson = False,
) -> None:
    """Sign a request for one risk class, with its whole checklist.

    Example: lumbung mode sign 3 culture --checked scope-fits --checked sensitive-list-talked-over --checked samples-respectful --note "read 40 samples"
    """
    from lumbung.governance.actions.modes import CHECKLISTS

    if not checked:
        raise UsageError(f"Name every point you checked with --checked: {', '.join(CHECKLISTS.get(risk, ()))}.")
    run(do_sign(number, risk, checked, note))
    tell(json, f"Request {number} is signed for {risk}.", request=number, risk=risk, checked=checked)


async def do_sign(number: int, risk: str, checked: list[str], note: str) -> None:
    from lumbung.governance.actions.modes import sign_off

    async with act() as now:
        await sign_off(now.tx, now.actor, number, risk, checked, note)


@app.command()
def approve(number: Number, reason: Reason, json: AsJson = False) -> None:
    """Carry out somebody else's request.

    Example: lumbung mode approve 3 --reason "all three risks are signed"
    """
    run(do_approve(number, reason))
    tell(json, f"Request {number} is carried out.", request=number, state="approved")


async def do_approve(number: int, reason: str) -> None:
    from lumbung.governance.actions.approvals import approve_request

    async with act() as now:
        await approve_request(now.tx, now.actor, number, reason)


@app.command()
def decline(number: Number, reason: Reason, json: AsJson = False) -> None:
    """Decline a request, or withdraw your own.

    Example: lumbung mode decline 3 --reason "too few labels"
    """
    run(do_decline(number, reason))
    tell(json, f"Request {number} is closed.", request=number, state="declined")


async def do_decline(number: int, reason: str) -> None:
    from lumbung.governance.actions.requests import decline_request

    async with act() as now:
        await decline_request(now.tx, now.actor, number, reason)


@app.command()
def lower(
    category: Category,
    mode: Annotated[str, typer.Argument(help="shadow or trickle.")],
    reason: Reason,
    json: AsJson = False,
) -> None:
    """Lower a category at once; caution needs no second person.

    Example: lumbung mode lower ritual shadow --reason "doubts about sources"
    """
    run(do_lower(category, mode, reason))
    tell(json, f"{category} is in {mode}.", category=category, mode=mode)


async def do_lower(category: str, mode: str, reason: str) -> None:
    from lumbung.governance.actions.modes import lower_mode

    async with act() as now:
        await lower_mode(now.tx, now.actor, category, mode, reason)


@app.command()
def stop(reason: Reason, json: AsJson = False) -> None:
    """Emergency stop: every category to shadow, publication paused.

    Example: lumbung mode stop --reason "a sacred text was published"
    """
    lowered = run(do_stop(reason))
    sentence = f"Stopped: {len(lowered)} categories lowered to shadow, publication is paused."
    tell(json, sentence, stopped=True, lowered=lowered)


async def do_stop(reason: str) -> list[str]:
    from lumbung.governance.actions.modes import emergency_stop

    async with act() as now:
        return await emergency_stop(now.tx, now.actor, reason)


@app.command()
def acknowledge(
    alarm: Annotated[int, typer.Argument(help="Number of the alarm.")], reason: Reason, json: AsJson = False
) -> None:
    """Note an alarm of the budget as seen, without resuming anything.

    Example: lumbung mode acknowledge 4 --reason "the price of the model changed"
    """
    from lumbung.governance.actions.stages import acknowledge_alarm

    run(carry_out(acknowledge_alarm, alarm, reason))
    tell(json, f"Alarm {alarm} is noted as seen.", alarm=alarm, acknowledged=True)


@app.command()
def constants(json: AsJson = False) -> None:
    """Every constant of the method: value, version, who may change it, and what needs four eyes.

    Example: lumbung mode constants
    """
    for row in run(read_constants()):
        if json:
            write_record(row)
        else:
            eyes = f"; four eyes to make it {row['four_eyes']}" if row["four_eyes"] else ""
            typer.echo(f"{row['name']:<45} {row['value']}  version {row['version']}  {' or '.join(row['roles'])}{eyes}")


async def read_constants() -> list[dict[str, Any]]:
    from lumbung.governance.constants import CONSTANTS
    from lumbung.store import governed

    async with act() as now:
        values, versions = await governed.values_now(now.tx), await governed.versions_now(now.tx)
    found = []
    for name in sorted(values):
        rule = next((each for each in CONSTANTS if each.covers(name)), None)
        if rule is not None:
            found.append(
                {
                    "name": name,
                    "value": values[name],
                    "version": versions[name],
                    "roles": sorted(rule.roles),
                    "four_eyes": rule.loosened_by,
                }
            )
    return found


@app.command("set")
def set_(
    name: Annotated[str, typer.Argument(help="Name of the constant.")],
    value: Annotated[float, typer.Argument(help="Its new value.")],
    reason: Reason,
    json: AsJson = False,
) -> None:
    """Set a constant; what loosens the rules becomes a request for a second person.

    Example: lumbung mode set fusion.theta 0.9 --reason "audit of May"
    """
    change = run(do_set(name, value, reason))
    if json:
        write_record({"name": name, "version": change.version, "request": change.request})
    elif change.request is not None:
        typer.echo(f"This loosens {name}: request {change.request} waits for another person.")
    else:
        typer.echo(f"{name} is {value:g}, version {change.version}.")


async def do_set(name: str, value: float, reason: str) -> Change:
    from lumbung.governance.actions.constants import set_constant

    async with act() as now:
        return await set_constant(now.tx, now.actor, name, value, reason)


@app.command()
def report(language: Annotated[str, typer.Option(help="id or en.")] = "id", json: AsJson = False) -> None:
    """The last 30 days on a page: what was gained, at what cost and precision, and what waits for people.

    Example: lumbung mode report --language en > report.md
    """
    figures, text = run(read_report(language))
    write_record(plain(figures)) if json else typer.echo(text, nl=False)


async def read_report(language: str) -> tuple[dict[str, Any], str]:
    from functools import partial

    from lumbung.governance.reports.monthly import Teller, monthly_report
    from lumbung.governance.reports.objective import MONTH_SECONDS, measured_funnel, objective_report
    from lumbung.web.language import Words

    async with act() as now:
        figures = (await objective_report(now.tx, MONTH_SECONDS)).as_json()
        teller = Teller(language, now.system.settings.budget.currency, partial(Words(language).code, "verb"))
        return figures | await measured_funnel(now.tx), await monthly_report(now.tx, now.system.profile, teller)


COLUMNS = ("id", "kind", "stage", "subject", "attribute", "value_key", "category", "stratum", "inclusion", "confidence",
           "sensitive", "flagged", "sampled_at", "verdict", "novelty", "error_kind", "readings")  # fmt: skip


@app.command()
def samples() -> None:
    """All audit samples with their inclusion probabilities and verdicts, as CSV.

    Example: lumbung mode samples > samples.csv
    """
    writer = csv.writer(sys.stdout)
    writer.writerow(COLUMNS)
    for row in run(read_samples()):
        writer.writerow([cell(row[name]) for name in COLUMNS])


def cell(value: object) -> object:
    """Nothing that a spreadsheet would take for a formula, and no character that cannot be seen."""
    from lumbung.library.plain_text import csv_cell

    return csv_cell(value) if isinstance(value, str) and value != "-" else value


SAID = ("verdict", "novelty", "error_kind")


async def read_samples() -> list[dict[str, Any]]:
    """What one reader said of a sample that is read twice stays unsaid until the second has read it."""
    from lumbung.store import audits

    async with act() as now:
        rows = await audits.samples(now.tx, ("publication", "rejection", "skip"))
    return [row | dict.fromkeys(SAID) if row["second_reading"] and row["readings"] == 1 else row for row in rows]
