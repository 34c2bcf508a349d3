"""The operator's desk: stages, workers and breakers; dead letters; people; the log."""

from __future__ import annotations

from typing import Any

from fastapi import Request
from starlette.responses import Response

from lumbung.errors import UsageError
from lumbung.governance.actions.people import create_person, erase_person, grant_role, revoke_role, set_password
from lumbung.governance.actions.second_factor import drop_second_factor
from lumbung.governance.actions.stages import pause_stage, redrive_dead_letters, resume_stage
from lumbung.model.permission import ALL_SCOPES, PERMISSIONS, Role
from lumbung.model.profile import Profile
from lumbung.store import breakers, governed, jobs, people, stages
from lumbung.web.console.access import GOVERNING, Desk, Fields, back, fields_of, sheet, visitor_of
from lumbung.web.console.figures import figures_of
from lumbung.web.language import Words, chosen_language, messages
from lumbung.web.providers import with_configured
from lumbung.web.rendering import system_of

desk = Desk()
PAGE_SIZE = 50
AT_THE_KEYBOARD = frozenset(verb for verb, each in PERMISSIONS.items() if Role.OPERATOR in each.roles) - {
    "inject-seeds"
}
"""Without a name, the operator at the machine did these; seeds may also be the machine's own standing order."""


@desk.page("/mesin", Role.OPERATOR, Role.APPROVER)
async def machine(request: Request) -> Response:
    async with system_of(request).people.transaction() as tx:
        shown: dict[str, Any] = {
            "stages": await stages.all_stages(tx),
            "workers": await stages.workers(tx),
            "breakers": with_configured(system_of(request), await breakers.all_breakers(tx)),
            "now": await stages.now(tx),
        }
    report = await figures_of(request).funnel.now()
    return sheet(request, "machine.html", jobs=report.jobs, refusals=report.refusals, **shown)


@desk.act("/mesin/{stage}/jeda", "pause-stage")
async def pause(request: Request, stage: str) -> Response:
    async with system_of(request).people.transaction() as tx:
        await pause_stage(tx, visitor_of(request).actor, stage, fields_of(request).reason)
    return back("/mesin", "done_paused")


@desk.act("/mesin/{stage}/lanjut", "resume-stage")
async def resume(request: Request, stage: str) -> Response:
    async with system_of(request).people.transaction() as tx:
        await resume_stage(tx, visitor_of(request).actor, stage, fields_of(request).reason)
    return back("/mesin", "done_resumed")


@desk.page("/gagal", Role.OPERATOR)
async def dead_letters(request: Request, tahap: str = "", setelah: int = 0) -> Response:
    async with system_of(request).people.transaction() as tx:
        names = [row["name"] for row in await stages.all_stages(tx)]
        stage = tahap if tahap in names else None
        rows = await jobs.dead(tx, stage, min(setelah, 2**62), PAGE_SIZE + 1)
    following = rows[PAGE_SIZE - 1]["id"] if len(rows) > PAGE_SIZE else None
    return sheet(request, "dead.html", rows=rows[:PAGE_SIZE], following=following, stages=names, stage=stage or "")


@desk.act("/gagal", "redrive-dead-letters")
async def redrive(request: Request) -> Response:
    """The ones that are ticked; or all that a filter names, if that was asked for by its own button."""
    fields = fields_of(request)
    ids = fields.numbers("id")
    by_filter = fields.text("which") == "filter"
    stage, matching = fields.text("stage") or None, fields.text("matching") or None
    if not by_filter and not ids:
        raise UsageError("Tick at least one dead letter.")
    if by_filter and stage is None and matching is None:
        raise UsageError("Name a stage or a part of the reason.")
    async with system_of(request).people.transaction() as tx:
        chosen = {"stage": stage, "matching": matching} if by_filter else {}
        await redrive_dead_letters(tx, visitor_of(request).actor, fields.reason, None if by_filter else ids, **chosen)
    return back("/gagal", "done_redriven")


@desk.page("/orang", Role.OPERATOR)
async def everybody(request: Request) -> Response:
    async with system_of(request).people.transaction() as tx:
        rows = await people.everybody(tx)
    scopes = scopes_to_choose(system_of(request).profile, chosen_language(request))
    return sheet(request, "people.html", rows=rows, roles=list(Role), scopes=scopes)


def scopes_to_choose(profile: Profile, language: str) -> dict[str, list[tuple[str, str]]]:
    """Codes and names of what a role can be given for; a regency's code goes through the command line."""
    regions = sorted(profile.regions.values(), key=lambda region: region.name)
    return {
        "category": [
            (each.code, each.label_en if language == "en" else each.label) for each in profile.categories.values()
        ],
        "provinces": [(each.code, each.name) for each in regions if each.level == "province"],
        "scope_peoples": [(each.code, each.name) for each in regions if each.level in {"people", "cultural"}],
    }


@desk.act("/orang", "create-person")
async def add_person(request: Request) -> Response:
    fields = fields_of(request)
    async with system_of(request).people.transaction() as tx:
        login, name, secret = fields.text("login").lower(), fields.text("name"), fields.secret("password")
        await create_person(tx, visitor_of(request).actor, login, name, secret, reason=fields.reason)
    return back("/orang", "done_person")


def role_of(fields: Fields) -> Role:
    try:
        return Role(fields.text("role"))
    except ValueError as error:
        raise UsageError("There is no such role.") from error


@desk.act("/orang/{person}/peran", "grant-role")
async def grant(request: Request, person: int) -> Response:
    fields = fields_of(request)
    scope = fields.text("scope", ALL_SCOPES)
    if scope != ALL_SCOPES and not system_of(request).profile.has_scope(scope):
        raise UsageError("The scope is a category, a region or a people, or all of them.")
    async with system_of(request).people.transaction() as tx:
        await grant_role(tx, visitor_of(request).actor, person, role_of(fields), fields.reason, scope)
    return back("/orang", "done_granted")


@desk.act("/orang/{person}/cabut", "revoke-role")
async def revoke(request: Request, person: int) -> Response:
    fields = fields_of(request)
    async with system_of(request).people.transaction() as tx:
        await revoke_role(
            tx, visitor_of(request).actor, person, role_of(fields), fields.reason, fields.text("scope") or None
        )
    return back("/orang", "done_revoked")


@desk.act("/orang/{person}/sandi", "reset-sign-in")
async def reset_password(request: Request, person: int) -> Response:
    fields = fields_of(request)
    async with system_of(request).people.transaction() as tx:
        await set_password(tx, visitor_of(request).actor, person, fields.secret("password"), fields.reason)
    return back("/orang", "done_password")


@desk.act("/orang/{person}/faktor-kedua/lepas", "reset-sign-in")
async def take_off_second_factor(request: Request, person: int) -> Response:
    async with system_of(request).people.transaction() as tx:
        await drop_second_factor(tx, visitor_of(request).actor, person, fields_of(request).reason)
    return back("/orang", "done_second_factor_dropped")


@desk.act("/orang/{person}/hapus", "erase-person")
async def erase(request: Request, person: int) -> Response:
    if person == visitor_of(request).person:
        raise UsageError("Another operator erases your account.")
    async with system_of(request).people.transaction() as tx:
        await erase_person(tx, visitor_of(request).actor, person, fields_of(request).reason)
    return back("/orang", "done_erased")


@desk.page("/catatan", *GOVERNING)
async def log(request: Request, sebelum: int = 2**62, kata: str = "", hal: str = "") -> Response:
    async with system_of(request).people.transaction() as tx:
        rows = await governed.log_tail(tx, min(sebelum, 2**62), PAGE_SIZE + 1, kata or None, hal or None)
        names = await people.names(tx)
        head = await governed.head(tx)
    following = rows[PAGE_SIZE - 1]["seq"] if len(rows) > PAGE_SIZE else None
    return sheet(
        request,
        "log.html",
        rows=rows[:PAGE_SIZE],
        names=names,
        following=following,
        head=head,
        verb=kata,
        verbs=verbs_told(Words(chosen_language(request))),
        subject=hal,
        at_the_keyboard=AT_THE_KEYBOARD,
    )


def verbs_told(words: Words) -> list[tuple[str, str]]:
    """Every verb of the log with its word, in the order of the words."""
    codes = [key.removeprefix("verb_").replace("_", "-") for key in messages(words.language) if key.startswith("verb_")]
    return sorted(((code, words.code("verb", code)) for code in codes), key=lambda each: each[1])


@desk.page("/catatan/periksa", *GOVERNING)
async def verify_log(request: Request) -> Response:
    return sheet(request, "log_verified.html", found=await figures_of(request).log.soon())
