"""The review queue: each fact beside its quote in the archived page; approve, reject, skip, take back."""

from __future__ import annotations

from itertools import groupby
from typing import Any

from fastapi import Request
from starlette.exceptions import HTTPException
from starlette.responses import Response

from lumbung.errors import UsageError
from lumbung.governance.actions.review import (
    approve_fact,
    approve_item,
    fact_code,
    judge_pair,
    mark_sensitive,
    reject_fact,
    reject_item,
    retract_document,
)
from lumbung.governance.actions.take_back import take_back, take_back_pair
from lumbung.governance.audit.matching import pairs_to_judge
from lumbung.model.permission import Role
from lumbung.model.profile import Profile
from lumbung.store import console, entries, pair_labels, people
from lumbung.store.console import ReviewPlace
from lumbung.store.database import Row, Transaction
from lumbung.web.console.access import Desk, back, fields_of, sheet, visitor_of
from lumbung.web.language import Words, chosen_language
from lumbung.web.rendering import system_of
from lumbung.web.shown import category_label, places

desk = Desk()
READERS = (Role.AUDITOR, Role.GUARDIAN)
ONLOOKERS = (Role.APPROVER, Role.OPERATOR)
"""They see what an entry rests on before they sign for its category or undo its batch; they judge none."""
PAGE_SIZE = 50
DONE = {"approve": "done_approved", "reject": "done_rejected"}


async def place_of(tx: Transaction, identity: str) -> ReviewPlace:
    row = await entries.get(tx, identity) if identity else None
    return ReviewPlace(not row["sensitive"], row["updated_at"], identity) if row else ReviewPlace()


@desk.page("/tinjauan", *READERS)
async def queue(request: Request, setelah: str = "", kategori: str = "") -> Response:
    system, language = system_of(request), chosen_language(request)
    category = kategori if kategori in system.profile.categories else None
    async with system.people.transaction() as tx:
        rows = await console.review_queue(tx, await place_of(tx, setelah), category, PAGE_SIZE + 1)
        facts = await console.waiting_facts(tx, category) if not setelah else []
        restating = await console.restating_facts(tx, category) if not setelah else []
    shown = [row | {"category_label": category_label(system.profile, row["category"], language)} for row in rows]
    return sheet(
        request,
        "queue.html",
        rows=shown[:PAGE_SIZE],
        following=rows[PAGE_SIZE - 1]["identity"] if len(rows) > PAGE_SIZE else "",
        facts=facts,
        restating=restating,
        category=category or "",
        categories=[(code, category_label(system.profile, code, language)) for code in system.profile.categories],
    )


@desk.page("/tinjauan/{identity}", *READERS, *ONLOOKERS)
async def entry(request: Request, identity: str, terakhir: str = "") -> Response:
    """One entry; `terakhir` is the one judged just before, which can still be taken back."""
    system, language = system_of(request), chosen_language(request)
    async with system.people.transaction() as tx:
        row = await entries.get(tx, identity)
        if row is None or row["owner"] != "machine":
            raise HTTPException(404)
        place = await place_of(tx, identity)
        following = await console.review_queue(tx, place, limit=1)
        last = await entries.get(tx, terakhir) if terakhir else None
        passages = await console.passages(tx, identity)
        judgements = {each["value"]: each for each in await console.judgements(tx, identity)}
        members = await entries.members(tx, identity)
        before = await console.review_before(tx, place)
    return sheet(
        request,
        "review.html",
        entry=row,
        category_label=category_label(system.profile, row["category"], language),
        places=places(system.profile, row["regions"]),
        facts=facts_beside_quotes(system.profile, passages, judgements, language),
        judged=judgements.get(""),
        members=members,
        following=following[0]["identity"] if following else "",
        before=before or "",
        last=last,
    )


def facts_beside_quotes(
    profile: Profile, rows: list[Row], judgements: dict[str, Row], language: str
) -> list[dict[str, Any]]:
    facts = []
    for (attribute, value_key), group in groupby(rows, key=lambda row: (row["attribute"], row["value_key"])):
        quotes = list(group)
        known = profile.attributes.get(attribute)
        label = attribute if known is None else known.label if language == "id" else known.label_en
        rivals = {row["value_key"] for row in rows if row["attribute"] == attribute}
        facts.append(
            quotes[0]
            | {
                "label": label,
                "quotes": quotes,
                "contradiction": (known is not None and known.single and len(rivals) > 1)
                or any(quote["denies"] for quote in quotes),
                "judged": judgements.get(fact_code(attribute, value_key)),
            }
        )
    return facts


@desk.page("/tinjauan/{identity}/berikut", *READERS)
async def skip(request: Request, identity: str) -> Response:
    return await advance(request, identity, "")


async def advance(request: Request, identity: str, told: str) -> Response:
    """On to the entry after this one; at the end, back to the queue."""
    async with system_of(request).people.transaction() as tx:
        rows = await console.review_queue(tx, await place_of(tx, identity), limit=1)
    last = f"?terakhir={identity}" if told else ""
    return back(f"/tinjauan/{rows[0]['identity']}{last}" if rows else "/tinjauan", told)


@desk.act("/tinjauan/{identity}/putusan", "approve-item", "approve-sensitive", "reject-item")
async def judge(request: Request, identity: str) -> Response:
    fields, words = fields_of(request), Words(chosen_language(request))
    verdict = fields.text("verdict")
    if verdict not in DONE:
        raise UsageError("The verdict is approve or reject.")
    act = approve_item if verdict == "approve" else reject_item
    async with system_of(request).people.transaction() as tx:
        await act(tx, visitor_of(request).actor, identity, fields.reason or words(f"reason_{verdict}"))
    return await advance(request, identity, DONE[verdict])


@desk.act("/tinjauan/{identity}/fakta", "approve-item", "approve-sensitive", "reject-item")
async def judge_fact(request: Request, identity: str) -> Response:
    fields, words = fields_of(request), Words(chosen_language(request))
    verdict = fields.text("verdict")
    if verdict not in DONE:
        raise UsageError("The verdict is approve or reject.")
    act = approve_fact if verdict == "approve" else reject_fact
    reason = fields.reason or words(f"reason_{verdict}")
    async with system_of(request).people.transaction() as tx:
        await act(tx, visitor_of(request).actor, identity, fields.text("attribute"), fields.text("value_key"), reason)
    return back(f"/tinjauan/{identity}", DONE[verdict])


@desk.act("/tinjauan/{identity}/batal", "approve-item", "approve-sensitive", "reject-item")
async def undo(request: Request, identity: str) -> Response:
    fields, words = fields_of(request), Words(chosen_language(request))
    value = fact_code(fields.text("attribute"), fields.text("value_key")) if fields.text("attribute") else ""
    async with system_of(request).people.transaction() as tx:
        await take_back(tx, visitor_of(request).actor, identity, value, fields.reason or words("reason_take_back"))
    return back(f"/tinjauan/{identity}", "done_taken_back")


@desk.act("/tinjauan/{identity}/sakral", "mark-sensitive")
async def sensitive(request: Request, identity: str) -> Response:
    async with system_of(request).people.transaction() as tx:
        await mark_sensitive(tx, visitor_of(request).actor, identity, fields_of(request).reason)
    return back(f"/tinjauan/{identity}", "done_sensitive")


@desk.act("/tarik", "retract-source")
async def retract(request: Request) -> Response:
    async with system_of(request).people.transaction() as tx:
        await retract_document(tx, visitor_of(request).actor, fields_of(request).text("url"), fields_of(request).reason)
    return back("/tinjauan", "done_retracted")


@desk.page("/halaman/{claim}", *READERS, *ONLOOKERS, Role.CURATOR)
async def archived_page(request: Request, claim: int) -> Response:
    async with system_of(request).people.transaction() as tx:
        row = await console.page_of_claim(tx, claim)
    if row is None:
        raise HTTPException(404)
    text, start, stop = row["text"], row["start"], row["stop"]
    return sheet(request, "archived.html", source=row, before=text[:start], quote=text[start:stop], after=text[stop:])


@desk.page("/pasangan", Role.AUDITOR, Role.CURATOR)
async def pairs(request: Request) -> Response:
    async with system_of(request).people.transaction() as tx:
        rows = await pairs_to_judge(tx, PAGE_SIZE)
        judged = await pair_labels.latest(tx)
        names = await people.names(tx)
    return sheet(request, "pairs.html", rows=rows, judged=judged, names=names)


@desk.act("/pasangan", "judge-pair")
async def decide_pair(request: Request) -> Response:
    fields = fields_of(request)
    same = {"same": True, "different": False}.get(fields.text("verdict"))
    if same is None:
        raise UsageError("Two things are the same or different.")
    reason = fields.reason or Words(chosen_language(request))("reason_same" if same else "reason_different")
    async with system_of(request).people.transaction() as tx:
        await judge_pair(tx, visitor_of(request).actor, fields.text("a"), fields.text("b"), same, reason)
    return back("/pasangan", "done_judged")


@desk.act("/pasangan/batal", "judge-pair")
async def undo_pair(request: Request) -> Response:
    fields = fields_of(request)
    reason = fields.reason or Words(chosen_language(request))("reason_take_back")
    async with system_of(request).people.transaction() as tx:
        await take_back_pair(tx, visitor_of(request).actor, fields.text("a"), fields.text("b"), reason)
    return back("/pasangan", "done_taken_back")
