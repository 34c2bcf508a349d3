"""The guardian's desk: scope and sensitive list, ratification, hiding, removals."""

from __future__ import annotations

import asyncio
from typing import Any

from fastapi import Request
from starlette.responses import Response

from lumbung.errors import UsageError
from lumbung.governance.actions.corrections import decide_correction
from lumbung.governance.actions.machine_licence import ROW as MACHINE_LICENCE
from lumbung.governance.actions.machine_licence import set_machine_licence
from lumbung.governance.actions.scope import (
    ratification,
    ratify,
    set_scope,
    set_sensitive_list,
    terms_in_force,
)
from lumbung.governance.reports.sensitivity import effect_of
from lumbung.governance.scope_rows import SCOPE, SENSITIVE_LIST
from lumbung.library.actions.takedowns import decide_takedown, hide_entry
from lumbung.model.permission import Role
from lumbung.model.profile import Profile, SensitiveTerm
from lumbung.store import console, entry_requests, governed, remarks
from lumbung.web.console.access import (
    GOVERNING,
    Desk,
    as_lines,
    back,
    cleaned,
    fields_of,
    from_lines,
    sheet,
    unchanged,
    visitor_of,
)
from lumbung.web.error_words import told_in
from lumbung.web.language import chosen_language
from lumbung.web.markdown import rendered
from lumbung.web.rendering import system_of
from lumbung.web.stored_words import consulted_in

desk = Desk()
MOST_PREVIEWED = 2_000
MOST_SHOWN = 50


@desk.page("/makna", *GOVERNING)
async def meaning(request: Request, kata: str = "") -> Response:
    """With a word, also which machine entries it would touch."""
    return await meaning_sheet(request, cleaned(kata)[:200])


@desk.act("/makna/pratinjau", "set-sensitive-list")
async def preview_list(request: Request) -> Response:
    """What the edited list would change, before anybody asks for it; nothing is kept."""
    return await meaning_sheet(request, "", terms_of(fields_of(request).text("terms"), system_of(request).profile))


async def meaning_sheet(request: Request, term: str, edited: list[SensitiveTerm] | None = None) -> Response:
    system = system_of(request)
    async with system.people.transaction() as tx:
        values = await governed.values_now(tx)
        versions = await governed.versions_now(tx)
        rows = await console.machine_entries(tx, MOST_PREVIEWED) if len(term) > 1 or edited is not None else []
        history = (await governed.history(tx, SENSITIVE_LIST))[-10:]
        ratified, no_more = await ratification(tx)
    terms = terms_in_force(values, system.profile)
    scope = str(values.get(SCOPE) or system.profile.scope)
    after = [*terms, SensitiveTerm(term, "", "")] if edited is None else edited
    effect = await asyncio.to_thread(effect_of, rows, system.profile, terms, after) if rows else None
    return sheet(
        request,
        "meaning.html",
        scope=scope,
        **scope_for(chosen_language(request), scope, system.profile),
        terms=terms,
        text=as_lines((each.term, each.category, each.reason) for each in (terms if edited is None else edited)),
        ratified=ratified,
        consulted=consulted_in(chosen_language(request), ratified),
        ratified_no_more=told_in(chosen_language(request), no_more or ""),
        version=versions.get(SENSITIVE_LIST),
        machine_licence=values.get(MACHINE_LICENCE),
        seen={"terms": versions.get(SENSITIVE_LIST, 0), "scope": versions.get(SCOPE, 0)},
        term=term,
        effect=effect,
        held=rows[0]["held"] if rows else 0,
        most_shown=MOST_SHOWN,
        previewed=len(term) > 1 or edited is not None,
        history=[(row["version"], row["since"], len(row["value"])) for row in history],
    )


def scope_for(language: str, scope: str, profile: Profile) -> dict[str, Any]:
    """The text in force for a reader: the profile's own in either language, what guardians wrote as they wrote it."""
    if language == "id":
        shown, told, own = scope, "", ""
    elif scope == profile.scope:
        shown, told, own = profile.scope_en, "scope_translated", ""
    else:
        shown, told, own = scope, "scope_untranslated", profile.language
    return {"scope_shown": rendered(shown), "scope_told": told, "scope_language": own}


@desk.act("/makna/sahkan", "ratify")
async def ratify_all(request: Request) -> Response:
    fields = fields_of(request)
    async with system_of(request).people.transaction() as tx:
        await ratify(tx, visitor_of(request).actor, fields.text("consulted").splitlines(), fields.reason)
    return back("/makna", "done_ratified")


@desk.act("/makna/daftar", "set-sensitive-list")
async def change_list(request: Request) -> Response:
    fields, system = fields_of(request), system_of(request)
    terms = terms_of(fields.text("terms"), system.profile)
    async with system.people.transaction() as tx:
        await unchanged(tx, fields, SENSITIVE_LIST)
        change = await set_sensitive_list(tx, visitor_of(request).actor, terms, fields.reason)
    return back("/permintaan", "done_asked") if change.request else back("/makna", "done_set")


def terms_of(text: str, profile: Profile) -> list[SensitiveTerm]:
    """Lines of `term,category,reason`; an empty category stands for all of them."""
    terms = []
    for term, category, reason in from_lines(text, 3):
        if category not in {"", *profile.categories}:
            raise UsageError(f"There is no category {category} (at {term[:60]}).")
        terms.append(SensitiveTerm(term, category, reason))
    return terms


@desk.act("/makna/lingkup", "set-scope")
async def change_scope(request: Request) -> Response:
    fields = fields_of(request)
    async with system_of(request).people.transaction() as tx:
        await unchanged(tx, fields, SCOPE)
        await set_scope(tx, visitor_of(request).actor, fields.text("scope"), fields.reason)
    return back("/permintaan", "done_asked")


@desk.act("/makna/lisensi", "set-machine-licence")
async def change_licence(request: Request) -> Response:
    fields = fields_of(request)
    async with system_of(request).people.transaction() as tx:
        await set_machine_licence(tx, visitor_of(request).actor, fields.text("licence"), fields.reason)
    return back("/makna", "done_set")


@desk.page("/penurunan", Role.GUARDIAN, Role.MODERATOR, Role.CURATOR, Role.OPERATOR)
async def removals(request: Request) -> Response:
    async with system_of(request).people.transaction() as tx:
        takedowns = await entry_requests.open_takedowns(tx, 50)
        corrections = await entry_requests.open_corrections(tx, 50)
        hidden = await console.hidden_entries(tx)
        said = await remarks.latest(tx, 20)
    return sheet(request, "takedowns.html", takedowns=takedowns, corrections=corrections, hidden=hidden, said=said)


@desk.act("/penurunan/{number}", "remove-entry")
async def decide(request: Request, number: int) -> Response:
    fields = fields_of(request)
    granted = {"grant": True, "decline": False}.get(fields.text("verdict"))
    if granted is None:
        raise UsageError("A request to remove is granted or declined.")
    async with system_of(request).people.transaction() as tx:
        await decide_takedown(tx, visitor_of(request).actor, number, granted, fields.reason)
    return back("/penurunan", "done_removed" if granted else "done_kept")


@desk.act("/koreksi/{number}", "decide-correction")
async def correct(request: Request, number: int) -> Response:
    fields = fields_of(request)
    accepted = {"accept": True, "decline": False}.get(fields.text("verdict"))
    if accepted is None:
        raise UsageError("A correction is taken up or declined.")
    async with system_of(request).people.transaction() as tx:
        await decide_correction(tx, visitor_of(request).actor, number, accepted, fields.reason)
    return back("/penurunan", "done_corrected" if accepted else "done_not_corrected")


@desk.act("/sembunyi", "remove-entry")
async def hide(request: Request) -> Response:
    fields = fields_of(request)
    hidden = fields.text("hidden") == "yes"
    identity = fields.text("identity").rstrip("/").rsplit("/", 1)[-1]
    async with system_of(request).people.transaction() as tx:
        await hide_entry(tx, visitor_of(request).actor, identity, hidden, fields.reason)
    return back("/penurunan", "done_hidden" if hidden else "done_shown")
