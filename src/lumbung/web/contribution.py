"""People's own entries on the public pages: write, revise, go back to a revision, remove, bring back."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from fastapi import Request
from pydantic import ValidationError
from starlette.exceptions import HTTPException
from starlette.responses import RedirectResponse, Response

from lumbung.errors import PolicyRefused, StaleRead, UsageError
from lumbung.library.actions.contribute import create_entry, remove_entry, restore_entry, revert_entry, revise_entry
from lumbung.model.permission import PERMISSIONS
from lumbung.store import entries
from lumbung.store.database import Row
from lumbung.store.entries import HumanEntry
from lumbung.web.api import NewEntry, read
from lumbung.web.console.access import Desk, Fields, fields_of, visitor_of
from lumbung.web.error_words import told_in
from lumbung.web.language import Words, chosen_language
from lumbung.web.public import categories, load_entry
from lumbung.web.rendering import page, system_of

desk = Desk(under="")
LONGEST_REASON = 500


@dataclass(frozen=True, slots=True)
class Draft:
    """What stands in the form: as it was opened, or as somebody sent it."""

    title: str = ""
    text: str = ""
    category: str = ""
    regions: list[str] = field(default_factory=list)
    aliases: list[str] = field(default_factory=list)
    licence: str = ""
    note: str = ""
    revision: int = 0


def sent(fields: Fields) -> Draft:
    revision = fields.text("revision", "0")
    return Draft(
        title=" ".join(fields.text("title").split()),
        text=fields.text("text"),
        category=fields.text("category"),
        regions=[code for code in fields.many("regions") if code],
        aliases=[line.strip() for line in fields.text("aliases").splitlines() if line.strip()],
        licence=fields.text("licence"),
        note=fields.text("note"),
        revision=int(revision) if revision.isascii() and revision.isdigit() and len(revision) < 10 else 0,
    )


def draft_of(row: Row) -> Draft:
    return Draft(
        title=row["title"],
        text=row["body"],
        category=row["category"] or "",
        regions=row["regions"],
        aliases=row["aliases"],
        licence=row["licence"] or "",
        revision=row["revision"],
    )


def entry_of(request: Request, draft: Draft, words: Words) -> HumanEntry:
    """The same limits as in the interface for programs; the first field that breaks one is named."""
    given = {name: getattr(draft, name) for name in NewEntry.model_fields if name != "files"}
    try:
        body = NewEntry.model_validate(given | {"category": draft.category or None, "licence": draft.licence or None})
    except ValidationError as error:
        raise UsageError(words("bad_form", field=words(f"write_{error.errors()[0]['loc'][0]}"))) from error
    regions = system_of(request).profile.regions
    if any(code not in regions for code in draft.regions):
        raise UsageError(words("bad_form", field=words("write_regions")))
    entry = read(request, body)
    assert isinstance(entry, HumanEntry)
    return entry


def leaf(request: Request, template: str, status: int = 200, **values: Any) -> Response:
    response = page(request, template, status, **values)
    response.headers["Cache-Control"] = "no-store"
    return response


def writing_page(request: Request, heading: str, draft: Draft, problem: str = "", status: int = 200) -> Response:
    system, language = system_of(request), chosen_language(request)
    regions = system.profile.regions
    chosen = [regions[code] for code in draft.regions if code in regions and regions[code].level != "province"]
    return leaf(
        request,
        "write.html",
        status,
        heading=heading,
        draft=draft,
        problem=problem,
        categories=categories(system, language, {}),
        regions=[*chosen, *(region for region in regions.values() if region.level == "province")],
    )


@desk.page("/tulis", *PERMISSIONS["create-entry"].roles)
async def new_entry(request: Request) -> Response:
    draft = Draft(licence=system_of(request).settings.library.licence or "")
    return writing_page(request, Words(chosen_language(request))("write_new"), draft)


@desk.act("/tulis", "create-entry")
async def write(request: Request) -> Response:
    words, draft = Words(chosen_language(request)), sent(fields_of(request))
    try:
        entry = entry_of(request, draft, words)
        async with system_of(request).people.transaction() as tx:
            identity = await create_entry(tx, visitor_of(request).actor, entry, draft.note)
    except UsageError as error:
        return writing_page(request, words("write_new"), draft, told_in(words.language, str(error)), 422)
    return RedirectResponse(f"/entri/{identity}", 303)


async def readable(request: Request, identity: str) -> Row | Response:
    """The published entry; what is withheld from readers is withheld from writers who may not show it."""
    row = await load_entry(request, identity)
    if isinstance(row, Response):
        return row
    if row["hidden"] and not visitor_of(request).may("hide-entry"):
        raise PolicyRefused(Words(chosen_language(request))("hidden_notice"))
    return row


@desk.page("/entri/{identity}/ubah", *PERMISSIONS["revise-entry"].roles)
async def open_entry(request: Request, identity: str) -> Response:
    row = await readable(request, identity)
    if isinstance(row, Response):
        return row
    return writing_page(request, Words(chosen_language(request))("write_revise", title=row["title"]), draft_of(row))


@desk.act("/entri/{identity}/ubah", "revise-entry")
async def revise(request: Request, identity: str) -> Response:
    """Whoever was overtaken keeps their words in the form, which now stands upon the newer revision."""
    row = await readable(request, identity)
    if isinstance(row, Response):
        return row
    words, draft = Words(chosen_language(request)), sent(fields_of(request))
    heading = words("write_revise", title=row["title"])
    try:
        changed = kept_beside(row, entry_of(request, draft, words))
        async with system_of(request).people.transaction() as tx:
            await revise_entry(tx, visitor_of(request).actor, identity, changed, draft.revision, draft.note)
    except StaleRead:
        newer = replace(draft, revision=row["revision"])
        return writing_page(request, heading, newer, words("write_overtaken"), 409)
    except UsageError as error:
        return writing_page(request, heading, draft, told_in(words.language, str(error)), 422)
    return RedirectResponse(f"/entri/{identity}", 303)


def kept_beside(row: Row, entry: HumanEntry) -> HumanEntry:
    """What the form does not show stays as it is."""
    first = row["primary_region"] if row["primary_region"] in entry.regions else entry.primary_region
    return replace(entry, files=row["files"], primary_region=first)


def reason_page(request: Request, key: str, row: Row, shown: str = "", problem: str = "") -> Response:
    words = Words(chosen_language(request))
    heading = words(key, title=row["title"])
    status = 422 if problem else 200
    lines = [words(f"{key}_help")]
    return leaf(request, "reason.html", status, heading=heading, lines=lines, shown=shown, problem=problem, entry=row)


def reason_of(request: Request) -> str:
    return fields_of(request).reason[:LONGEST_REASON]


async def earlier(request: Request, identity: str, number: int) -> tuple[Row, Row]:
    """The entry and one of its revisions that a person wrote."""
    async with system_of(request).people.transaction() as tx:
        row = await entries.get(tx, identity)
        revision = await entries.revision(tx, identity, min(number, 2**31 - 1))
    if row is None or revision is None or revision["owner"] != "human":
        raise HTTPException(404)
    return row, revision


@desk.page("/entri/{identity}/kembalikan/{number}", *PERMISSIONS["revert-entry"].roles)
async def look_back(request: Request, identity: str, number: int) -> Response:
    row, revision = await earlier(request, identity, number)
    return reason_page(request, "revert_entry", row, revision["content"].get("body") or "")


@desk.act("/entri/{identity}/kembalikan/{number}", "revert-entry")
async def revert(request: Request, identity: str, number: int) -> Response:
    await earlier(request, identity, number)
    async with system_of(request).people.transaction() as tx:
        await revert_entry(tx, visitor_of(request).actor, identity, number, reason_of(request))
    return RedirectResponse(f"/entri/{identity}", 303)


async def known(request: Request, identity: str) -> Row:
    async with system_of(request).people.transaction() as tx:
        row = await entries.get(tx, identity)
    if row is None:
        raise HTTPException(404)
    return row


@desk.page("/entri/{identity}/hapus", *PERMISSIONS["remove-entry"].roles)
async def before_removal(request: Request, identity: str) -> Response:
    return reason_page(request, "remove_entry", await known(request, identity))


@desk.act("/entri/{identity}/hapus", "remove-entry")
async def remove(request: Request, identity: str) -> Response:
    await known(request, identity)
    async with system_of(request).people.transaction() as tx:
        await remove_entry(tx, visitor_of(request).actor, identity, reason_of(request))
    return RedirectResponse(f"/entri/{identity}", 303)


@desk.page("/entri/{identity}/pulihkan", *PERMISSIONS["restore-entry"].roles)
async def before_restoring(request: Request, identity: str) -> Response:
    return reason_page(request, "restore_entry", await known(request, identity))


@desk.act("/entri/{identity}/pulihkan", "restore-entry")
async def restore(request: Request, identity: str) -> Response:
    await known(request, identity)
    async with system_of(request).people.transaction() as tx:
        await restore_entry(tx, visitor_of(request).actor, identity, reason_of(request))
    return RedirectResponse(f"/entri/{identity}", 303)
