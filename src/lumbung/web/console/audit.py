"""The audit: samples read one after the other, disputes, and what the labels say."""

from __future__ import annotations

from typing import Any

from fastapi import Request
from starlette.exceptions import HTTPException
from starlette.responses import Response

from lumbung.governance.actions.calibration import recalibrate
from lumbung.governance.actions.constants import Change
from lumbung.governance.actions.credibility import adopt_credibility
from lumbung.governance.actions.labels import (
    ERROR_KINDS,
    WITHDRAWAL_SECONDS,
    adjudicate_sample,
    label_sample,
    withdraw_label,
)
from lumbung.model.permission import Role
from lumbung.store import audits, console
from lumbung.store.database import Row, Transaction
from lumbung.web.console.access import GOVERNING, Desk, back, fields_of, sheet, visitor_of
from lumbung.web.console.figures import figures_of
from lumbung.web.language import chosen_language
from lumbung.web.rendering import system_of
from lumbung.web.shown import category_label

desk = Desk()
SOURCES_SHOWN = 5
DIAGRAM = 200
NOTHING_SHOWN = dict.fromkeys(("title", "subject", "value", "text", "reason", "url"), "")


@desk.page("/audit", Role.AUDITOR)
async def begin(request: Request) -> Response:
    async with system_of(request).people.transaction() as tx:
        following = await console.next_sample(tx, visitor_of(request).person)
        if following is not None:
            return back(f"/audit/{following}")
        loop = await audits.loop_closure(tx)
        last = await audits.last_label(tx, visitor_of(request).person, WITHDRAWAL_SECONDS)
    return sheet(request, "audit_done.html", loop=loop, last=last)


@desk.page("/audit/{sample}", Role.AUDITOR)
async def read_sample(request: Request, sample: int) -> Response:
    system = system_of(request)
    async with system.people.transaction() as tx:
        row = await audits.get(tx, sample)
        if row is None:
            raise HTTPException(404)
        sources = await sources_in_context(tx, row["shown"].get("sources") or [])
        following = await console.next_sample(tx, visitor_of(request).person, row)
        last = await audits.last_label(tx, visitor_of(request).person, WITHDRAWAL_SECONDS)
    attribute = system.profile.attributes.get(row["attribute"])
    language = chosen_language(request)
    label = row["attribute"] if attribute is None else attribute.label if language == "id" else attribute.label_en
    return sheet(
        request,
        "sample.html",
        sample=row,
        statement=NOTHING_SHOWN | row["shown"],
        attribute_label=label,
        category_label=category_label(system.profile, row["category"], language),
        sources=sources,
        error_kinds=list(enumerate(ERROR_KINDS, start=1)),
        following=following,
        last=last,
    )


async def sources_in_context(tx: Transaction, sources: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Each quote once: several facts may rest on the same words of a page."""
    apart = list({(source.get("url"), source.get("quote")): source for source in sources}.values())
    found = []
    for source in apart[:SOURCES_SHOWN]:
        around = await console.context(tx, source) or {"title": "", "before": "", "after": ""}
        found.append({"url": source.get("url", ""), "quote": source.get("quote", ""), **around})
    return found


@desk.act("/audit/{sample}", "label-sample")
async def label(request: Request, sample: int) -> Response:
    """`incorrect:wrong fact` and its like say the verdict and the kind of error with one press."""
    fields = fields_of(request)
    verdict, _, kind = fields.text("verdict").partition(":")
    async with system_of(request).people.transaction() as tx:
        await label_sample(
            tx,
            visitor_of(request).actor,
            sample,
            verdict,
            fields.text("novelty") or None,
            kind or None,
            fields.text("note"),
            fields.text("duplicate_of").rstrip("/").rpartition("/")[2] or None,
        )
        following = await console.next_sample(tx, visitor_of(request).person)
    return back("/audit" if following is None else f"/audit/{following}", "done_labelled")


@desk.act("/audit/{sample}/tarik", "label-sample")
async def withdraw(request: Request, sample: int) -> Response:
    async with system_of(request).people.transaction() as tx:
        await withdraw_label(tx, visitor_of(request).actor, sample, fields_of(request).reason)
    return back(f"/audit/{sample}", "done_withdrawn")


@desk.page("/sengketa", Role.AUDITOR)
async def disputes(request: Request) -> Response:
    async with system_of(request).people.transaction() as tx:
        rows = [row | {"shown": NOTHING_SHOWN | row["shown"]} for row in await audits.disputed(tx)]
    return sheet(request, "disputes.html", rows=rows[:50], error_kinds=ERROR_KINDS)


@desk.act("/sengketa/{sample}", "adjudicate-sample")
async def adjudicate(request: Request, sample: int) -> Response:
    fields = fields_of(request)
    verdict, _, kind = fields.text("verdict").partition(":")
    async with system_of(request).people.transaction() as tx:
        await adjudicate_sample(tx, visitor_of(request).actor, sample, verdict, kind or None, fields.reason)
    return back("/sengketa", "done_labelled")


@desk.page("/mutu", *GOVERNING)
async def quality(request: Request) -> Response:
    system, language = system_of(request), chosen_language(request)
    quality = figures_of(request).quality
    found = await quality.soon()
    labels = {code: category_label(system.profile, code, language) for code in system.profile.categories}
    return sheet(
        request,
        "quality.html",
        found=found,
        rows=[(labels.get(code, code), row) for code, row in found["by_category"].items()] if found else [],
        bars=[diagram_bar(bar) for bar in found["bars"]] if found else [],
        side=DIAGRAM,
        age=round(quality.age_seconds) if found else 0,
    )


@desk.act("/mutu/kalibrasi", "recalibrate")
async def ask_for_calibration(request: Request) -> Response:
    async with system_of(request).people.transaction() as tx:
        change = await recalibrate(tx, visitor_of(request).actor, fields_of(request).reason)
    return asked_or_done(change)


@desk.act("/mutu/kepercayaan", "set-constant")
async def believe(request: Request) -> Response:
    """What the labels suggest for one source, type of source or the extractor."""
    system, fields = system_of(request), fields_of(request)
    async with system.people.transaction() as tx:
        actor = visitor_of(request).actor
        change = await adopt_credibility(tx, actor, system.profile, fields.text("name"), fields.reason)
    return asked_or_done(change)


def asked_or_done(change: Change) -> Response:
    return back("/mutu", "done_set") if change.request is None else back("/permintaan", "done_asked")


def diagram_bar(bar: dict[str, float]) -> Row:
    """Places in the drawing of a reliability diagram, beside the numbers for those who read them."""
    confidence, accuracy = bar.get("confidence", 0.0), bar.get("accuracy", 0.0)
    return {
        "confidence": confidence,
        "accuracy": accuracy,
        "weight": bar.get("weight", bar.get("count", 0.0)),
        "x": round(confidence * DIAGRAM, 1),
        "y": round((1 - accuracy) * DIAGRAM, 1),
    }
