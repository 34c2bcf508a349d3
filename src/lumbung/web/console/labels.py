"""Community labels: on one entry, or on all of a category."""

from __future__ import annotations

from typing import Any

from fastapi import Request
from starlette.responses import Response

from lumbung.library.actions.set_labels import labels_by_category, set_category_labels, set_labels
from lumbung.library.protocols import DISPLAYS, KNOWN
from lumbung.model.permission import Role
from lumbung.store import entries
from lumbung.web.console.access import GOVERNING, Desk, Fields, back, cleaned, fields_of, sheet, visitor_of
from lumbung.web.language import chosen_language
from lumbung.web.rendering import system_of
from lumbung.web.shown import category_label

desk = Desk()


def identity_in(text: str) -> str:
    """An identifier, or the address of the entry's page."""
    return cleaned(text).rstrip("/").rsplit("/", 1)[-1][:200]


@desk.page("/label", *GOVERNING, Role.MODERATOR)
async def labels(request: Request, entri: str = "", kategori: str = "") -> Response:
    system, language = system_of(request), chosen_language(request)
    identity = identity_in(entri)
    category = kategori if kategori in system.profile.categories else ""
    async with system.people.transaction() as tx:
        by_category = await labels_by_category(tx)
        row = await entries.get(tx, identity) if identity else None
    names = {code: category_label(system.profile, code, language) for code in system.profile.categories}
    return sheet(
        request,
        "labels.html",
        by_category=[(names.get(code, code), code, set_) for code, set_ in sorted(by_category.items())],
        entry=row,
        asked=identity,
        category=category,
        names=names,
        present=row["labels"] if row else by_category.get(category, []),
        known=list(KNOWN.values()),
        displays=DISPLAYS,
    )


def labels_of(fields: Fields) -> list[str | dict[str, Any]]:
    """The ticked ones of the table, and a community's own where its wording is given."""
    community = fields.text("community")
    chosen: list[str | dict[str, Any]] = [{"code": code, "community": community} for code in fields.many("code")]
    if fields.text("own_code"):
        own = {"url": fields.text("own_url"), "text": fields.text("own_text"), "display": fields.many("own_display")}
        chosen.append({"code": fields.text("own_code"), "community": community} | own)
    return chosen


@desk.act("/label/entri", "set-labels")
async def label_entry(request: Request) -> Response:
    fields = fields_of(request)
    identity = identity_in(fields.text("entry"))
    async with system_of(request).people.transaction() as tx:
        await set_labels(tx, visitor_of(request).actor, identity, labels_of(fields), fields.reason)
    return back("/label", "done_labels")


@desk.act("/label/kategori", "set-labels")
async def label_category(request: Request) -> Response:
    fields = fields_of(request)
    async with system_of(request).people.transaction() as tx:
        await set_category_labels(
            tx, visitor_of(request).actor, fields.text("category"), labels_of(fields), fields.reason
        )
    return back("/label", "done_labels")
