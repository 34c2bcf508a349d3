"""Autonomy: modes with their figures, requests and sign-offs, the emergency stop, what shadow would have written, batches."""

from __future__ import annotations

from typing import Any

from fastapi import Request
from starlette.responses import Response

from lumbung.errors import UsageError
from lumbung.governance.actions.approvals import approve_request
from lumbung.governance.actions.constants import set_constant
from lumbung.governance.actions.modes import CHECKLISTS, MODES, emergency_stop, lower_mode, request_mode, sign_off
from lumbung.governance.actions.requests import decline_request
from lumbung.governance.actions.scope import ratification
from lumbung.governance.actions.undo import undo_batch
from lumbung.governance.constants import CONSTANTS, ConstantRule
from lumbung.model.permission import Role
from lumbung.store import console, governed, people, requests
from lumbung.store.database import Row
from lumbung.web.console.access import GOVERNING, Desk, back, fields_of, sheet, visitor_of
from lumbung.web.console.figures import figures_of
from lumbung.web.error_words import told_in
from lumbung.web.language import Words, chosen_language, code_key, messages
from lumbung.web.rendering import system_of
from lumbung.web.shown import category_label
from lumbung.web.stored_words import consulted_in

desk = Desk()
PAGE_SIZE = 50
CARRIED_OUT_BY = ("set-mode", "set-constant", "set-scope", "set-sensitive-list")
MACHINE_STATUSES = ("shadow", "held", "published", "withdrawn")


@desk.page("/otonomi", *GOVERNING)
async def modes(request: Request) -> Response:
    system, language = system_of(request), chosen_language(request)
    async with system.people.transaction() as tx:
        values = await governed.values_now(tx)
        ratified, no_more = await ratification(tx)
        waiting = {row["subject"]: row["id"] for row in await requests.listed(tx) if row["verb"] == "set-mode"}
        raised = await requests.raised(tx)
        names = await people.names(tx)
    quality = await figures_of(request).quality.soon()
    rows = []
    for code in system.profile.categories:
        mode = values.get(f"mode.{code}", "shadow")
        step = MODES.index(mode)
        rows.append(
            {
                "code": code,
                "label": category_label(system.profile, code, language),
                "mode": mode,
                "higher": MODES[step + 1] if step + 1 < len(MODES) else "",
                "lower": list(MODES[:step]),
                "request": waiting.get(code),
                "raised": resting_on(raised.get(code), mode),
                "audit": (quality or {"by_category": {}})["by_category"].get(code),
            }
        )
    return sheet(
        request,
        "modes.html",
        rows=rows,
        names=names,
        ratified=ratified,
        consulted=consulted_in(chosen_language(request), ratified),
        ratified_no_more=told_in(chosen_language(request), no_more or ""),
        p_min=values["audit.p_min"],
        trickle=values["autonomy.trickle_per_day"],
    )


def resting_on(request: Row | None, mode: str) -> Row | None:
    """The request that gave a category its mode; one that was lowered since rests on nobody's sign-off."""
    return request if request and request["payload"].get("mode") == mode else None


@desk.act("/otonomi/minta", "request-mode")
async def ask_mode(request: Request) -> Response:
    fields = fields_of(request)
    async with system_of(request).people.transaction() as tx:
        await request_mode(tx, visitor_of(request).actor, fields.text("category"), fields.text("mode"), fields.reason)
    return back("/permintaan", "done_asked")


@desk.act("/otonomi/turun", "lower-mode")
async def lower(request: Request) -> Response:
    fields = fields_of(request)
    async with system_of(request).people.transaction() as tx:
        await lower_mode(tx, visitor_of(request).actor, fields.text("category"), fields.text("mode"), fields.reason)
    return back("/otonomi", "done_lowered")


@desk.act("/otonomi/darurat", "emergency-stop")
async def stop_all(request: Request) -> Response:
    async with system_of(request).people.transaction() as tx:
        await emergency_stop(tx, visitor_of(request).actor, fields_of(request).reason)
    return back("/otonomi", "done_stopped")


@desk.page("/permintaan", *GOVERNING)
async def open_requests(request: Request) -> Response:
    system, language = system_of(request), chosen_language(request)
    async with system.people.transaction() as tx:
        waiting = await requests.listed(tx)
        closed = [row for row in await requests.listed(tx, None, limit=30) if row["state"] != "open"]
        names = await people.names(tx)
    for row in waiting:
        signed = {each["risk"] for each in row["sign_offs"]}
        row["unsigned"] = [risk for risk in CHECKLISTS if risk not in signed] if row["verb"] == "set-mode" else []
        row["subject_label"] = category_label(system.profile, row["subject"], language) or row["subject"]
    return sheet(request, "requests.html", rows=waiting, closed=closed, names=names, checklists=CHECKLISTS)


@desk.page("/permintaan/{number}/angka/{risk}", *GOVERNING)
async def figures(request: Request, number: int, risk: str) -> Response:
    """What a sign-off for this risk would rest on, as it stands now."""
    async with system_of(request).people.transaction() as tx:
        row = await requests.get(tx, number)
        if row is None or row["verb"] != "set-mode" or risk not in CHECKLISTS:
            raise UsageError(f"There is no request {number} to sign for.")
    shown = await figures_of(request).signing(row["subject"], risk).soon()
    return sheet(request, "sign.html", row=row, risk=risk, figures=flat(shown or {}), questions=CHECKLISTS[risk])


def flat(figures: dict[str, Any], prefix: str = "") -> list[tuple[str, Any]]:
    found: list[tuple[str, Any]] = []
    for name, value in figures.items():
        found += flat(value, f"{prefix}{name}.") if isinstance(value, dict) else [(prefix + name, value)]
    return found


@desk.act("/permintaan/{number}/tanda/{risk}", "sign-culture", "sign-corpus", "sign-law")
async def sign(request: Request, number: int, risk: str) -> Response:
    fields = fields_of(request)
    async with system_of(request).people.transaction() as tx:
        await sign_off(tx, visitor_of(request).actor, number, risk, fields.many("checked"), fields.reason)
    return back("/permintaan", "done_signed")


@desk.act("/permintaan/{number}/laksanakan", *CARRIED_OUT_BY)
async def carry_out(request: Request, number: int) -> Response:
    async with system_of(request).people.transaction() as tx:
        await approve_request(tx, visitor_of(request).actor, number, fields_of(request).reason)
    return back("/permintaan", "done_carried_out")


@desk.act("/permintaan/{number}/tolak", "decline-request", "set-constant")
async def decline(request: Request, number: int) -> Response:
    """Whoever asked may withdraw, whatever their role; the action tells the two apart."""
    async with system_of(request).people.transaction() as tx:
        await decline_request(tx, visitor_of(request).actor, number, fields_of(request).reason)
    return back("/permintaan", "done_declined")


@desk.page("/bayangan", Role.APPROVER, Role.AUDITOR, Role.GUARDIAN, Role.OPERATOR)
async def by_status(
    request: Request, status: str = "shadow", kategori: str = "", judul: str = "", kunci: str = ""
) -> Response:
    """What shadow would have written, what trickle holds, what is out; paged by key."""
    wanted = status if status in MACHINE_STATUSES else "shadow"
    async with system_of(request).people.transaction() as tx:
        rows = await console.by_status(tx, wanted, (kategori, judul, kunci), PAGE_SIZE + 1)
    following = rows[PAGE_SIZE - 1] if len(rows) > PAGE_SIZE else None
    return sheet(
        request, "entries.html", rows=rows[:PAGE_SIZE], following=following, chosen=wanted, statuses=MACHINE_STATUSES
    )


@desk.page("/angkatan", Role.APPROVER, Role.OPERATOR, Role.AUDITOR)
async def batches(request: Request, sebelum: int = 2**62) -> Response:
    async with system_of(request).people.transaction() as tx:
        rows = await console.batches(tx, min(sebelum, 2**62), PAGE_SIZE + 1)
    following = rows[PAGE_SIZE - 1]["id"] if len(rows) > PAGE_SIZE else None
    return sheet(request, "batches.html", rows=rows[:PAGE_SIZE], following=following)


@desk.act("/angkatan/{batch}/batal", "undo-batch")
async def undo(request: Request, batch: int) -> Response:
    async with system_of(request).people.transaction() as tx:
        done = await undo_batch(tx, visitor_of(request).actor, batch, fields_of(request).reason)
    return sheet(request, "undone.html", batch=batch, done=done)


@desk.page("/tetapan", *GOVERNING)
async def constants(request: Request) -> Response:
    visitor = visitor_of(request)
    async with system_of(request).people.transaction() as tx:
        values = await governed.values_now(tx)
        versions = await governed.versions_now(tx)
    rows = []
    for name, value in sorted(values.items()):
        rule = next((each for each in CONSTANTS if each.covers(name)), None)
        if rule is not None:
            mine = visitor.has(*rule.roles)
            row = {"name": name, "value": value, "version": versions[name], "rule": rule, "mine": mine}
            rows.append(row | {"meaning": meaning_key(name, rule)})
    return sheet(request, "constants.html", rows=rows)


def meaning_key(name: str, rule: ConstantRule) -> str:
    """The words for this constant, or for its family where it is one of many."""
    own = code_key("constant", name)
    return own if own in messages("id") else code_key("constant", rule.prefix.rstrip("."))


@desk.act("/tetapan", "set-constant")
async def change_constant(request: Request) -> Response:
    fields = fields_of(request)
    text = fields.text("value")
    try:
        value = Words(chosen_language(request)).number_from(text)
    except ValueError as error:
        raise UsageError(f"{text} is not a number.") from error
    async with system_of(request).people.transaction() as tx:
        change = await set_constant(tx, visitor_of(request).actor, fields.text("name"), value, fields.reason)
    return back("/permintaan", "done_asked") if change.request else back("/tetapan", "done_set")
