"""The public library: home, search, entries, corrections, removals, and the crawler's own page."""

from __future__ import annotations

from base64 import b64decode, urlsafe_b64encode
from typing import Annotated, Any
from urllib.parse import urlencode

from fastapi import APIRouter, Depends, Form, HTTPException, Request
from pydantic import Field, TypeAdapter
from pydantic_core import to_json
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response

from lumbung.bootstrap import System, user_agent
from lumbung.governance.actions.opt_out import opt_out_host
from lumbung.library.actions.requests import ask_for_correction, ask_for_removal
from lumbung.library.disclosure import public_media, public_record
from lumbung.library.plain_text import inert
from lumbung.store import entries, governed, remarks, search
from lumbung.store.database import Transaction
from lumbung.store.search import Asked
from lumbung.text.search import beginnings, most_like, query_terms
from lumbung.web.console.access import Visitor, cleaned, signed_in
from lumbung.web.console.figures import figures_of
from lumbung.web.language import Words, chosen_language
from lumbung.web.maps import MAPS, province_counts, province_map
from lumbung.web.prose import sourced_text
from lumbung.web.rendering import base_url, form_holds, form_page, page, system_of
from lumbung.web.shown import card, category_label, fact_groups, places


async def greet(request: Request) -> None:
    """Who reads, if they are signed in, and whether one person governs alone: said on every page."""
    request.state.visitor = await signed_in(request)
    request.state.single_handed = await figures_of(request).single_handed.now()


router = APIRouter(dependencies=[Depends(greet)])
PAGE_SIZE = 20
MOST_NEAR = 5
NEAR_BY = ((3, True), (3, False), (2, True))
"""How many letters of the words that somebody typed are trusted, and whether of every word, until something near is found."""
MOST_RELATED = 5
LONGEST_CONTACT = 200
BEGINNING = (0, "", "")
PAGE_END = TypeAdapter(tuple[Annotated[int, Field(ge=1, le=9)], str, str])


@router.get("/", response_class=HTMLResponse)
async def home(request: Request) -> HTMLResponse:
    system, language = system_of(request), chosen_language(request)
    figures = figures_of(request)
    held = await figures.holdings.soon() or await figures.holdings.now()
    by_province = province_counts(system, held["by_region"])
    return page(
        request,
        "home.html",
        categories=categories(system, language, held["by_category"]),
        totals=held["totals"],
        maps=[province_map(system, by_province, each) for each in MAPS],
        latest=[card(system.profile, row, language) for row in held["latest"]],
    )


def categories(system: System, language: str, counts: dict[str, int]) -> list[dict[str, Any]]:
    return [
        {"code": code, "label": category_label(system.profile, code, language), "entries": counts.get(code, 0)}
        for code in system.profile.categories
    ]


@router.get("/cari", response_class=HTMLResponse)
async def find(request: Request, q: str = "", kategori: str = "", wilayah: str = "", setelah: str = "") -> HTMLResponse:
    system, language = system_of(request), chosen_language(request)
    asked = Asked(
        terms=query_terms(q[:200]),
        category=kategori if kategori in system.profile.categories else None,
        regions=within(system, wilayah),
        after=after_of(setelah),
        limit=PAGE_SIZE + 1,
    )
    rows, near = [], []
    if asked.terms or not q.strip():
        async with system.people.reading() as tx:
            rows = await search.find(tx, asked)
            near = await near_names(tx, q[:200]) if asked.terms and not rows else []
    following, region = None, system.profile.regions.get(wilayah)
    region_name = region.name if region else ""
    if len(rows) > PAGE_SIZE:
        key = page_key(rows[PAGE_SIZE - 1])
        following = "/cari?" + urlencode({"q": q, "kategori": kategori, "wilayah": wilayah, "setelah": key})
    return page(
        request,
        "search.html",
        query=q,
        narrowed=[each for each in (category_label(system.profile, kategori, language), region_name) if each],
        category_code=kategori,
        region_code=wilayah,
        categories=categories(system, language, {}),
        provinces=[region for region in system.profile.regions.values() if region.level == "province"],
        found=[card(system.profile, row, language) for row in rows[:PAGE_SIZE]],
        next_address=following,
        near=near,
        wider_address="/cari?" + urlencode({"q": q}),
    )


async def near_names(tx: Transaction, query: str) -> list[dict[str, Any]]:
    """Entries whose titles are spelled nearly so, for whoever mistyped."""
    for letters, every in NEAR_BY:
        rows = await search.near(tx, beginnings(query_terms(query), letters), every)
        if alike := most_like(query, [row["title"] for row in rows], MOST_NEAR):
            return [rows[place] for place in alike]
    return []


async def related_to(tx: Transaction, row: dict[str, Any]) -> list[dict[str, Any]]:
    """Of the same category, those of the same places before others; never the entry itself, or what supplements it."""
    own = {row["identity"], row["supplement_of"], *row["supplements"]}
    found: dict[str, dict[str, Any]] = {}
    for regions in (row["regions"] or None, None):
        if len(found) < MOST_RELATED and (regions or row["category"]):
            asked = Asked(category=row["category"], regions=regions, limit=MOST_RELATED + len(own))
            found |= {
                each["identity"]: each
                for each in await search.find(tx, asked)
                if each["identity"] not in {*own, *found}
            }
    return list(found.values())[:MOST_RELATED]


def within(system: System, region: str) -> list[str] | None:
    """A province with all that lies in it."""
    if region not in system.profile.regions:
        return None
    return [
        region,
        *(code for code, each in system.profile.regions.items() if region in (each.province, *each.provinces)),
    ]


def page_key(last: dict[str, Any]) -> str:
    """Where a page ends, in letters that no address, line or eye stumbles over."""
    return urlsafe_b64encode(to_json([last["tier"], last["title"], last["identity"]])).decode().rstrip("=")


def after_of(key: str) -> tuple[int, str, str]:
    """The end of the page before; the beginning for a key that is none of ours."""
    try:
        padded = key.encode("ascii") + b"=" * (-len(key) % 4)
        return PAGE_END.validate_json(b64decode(padded, altchars=b"-_", validate=True))
    except ValueError:
        return BEGINNING


async def load_entry(request: Request, identity: str, form: str = "") -> dict[str, Any] | Response:
    """The entry, a redirect to the one it was merged into, or an answer that says it is gone or unknown; programs
    that ask for another form are redirected to that form and get their answer as a problem.
    """
    words = Words(chosen_language(request))
    async with system_of(request).people.reading() as tx:
        row = await entries.exported(tx, identity)
        if row is not None and row["status"] == "published":
            return row
        target = await entries.target_of(tx, identity)
    if row is not None and row["status"] == "tombstone":
        if form:
            raise HTTPException(410, f"Taken down: {row['status_reason']}")
        told = words("gone_help", reason=row["status_reason"] or "–")
        visitor: Visitor | None = getattr(request.state, "visitor", None)
        may = visitor is not None and visitor.may("restore-entry")
        doors = [(f"/entri/{identity}/pulihkan", words("restore_entry"))] if may else []
        return page(request, "message.html", 410, heading=words("gone"), lines=[told], doors=doors)
    if target:
        return RedirectResponse(f"/entri/{target}{form}", 301)
    if form:
        raise HTTPException(404, "There is no such entry.")
    return page(request, "message.html", 404, heading=words("not_found"), lines=[words("not_found_help")], lost=True)


@router.get("/entri/{identity}.json")
async def entry_json(request: Request, identity: str) -> Response:
    found = await load_entry(request, identity, ".json")
    return found if isinstance(found, Response) else JSONResponse(public_record(found))


UNSAID = dict.fromkeys(
    ("url", "name", "caption", "creator", "licence", "licence_url", "page", "width", "height", "digest")
)
"""What may be told of a picture or file; of most only some of it is known."""


@router.get("/entri/{identity}", response_class=HTMLResponse)
async def entry(request: Request, identity: str) -> Response:
    row = await load_entry(request, identity)
    if isinstance(row, Response):
        return row
    system, language = system_of(request), chosen_language(request)
    async with system.people.reading() as tx:
        linked = {each: await entries.get(tx, each) for each in (row["supplement_of"], *row["supplements"]) if each}
        related = await related_to(tx, row)
        contested = await entries.contested(tx, identity)
        said = await remarks.count(tx, identity)
    own_address = f"{base_url(request)}/entri/{identity}"
    media = [UNSAID | each for each in inert(public_media(row))]
    shown = row | {
        "category_label": category_label(system.profile, row["category"], language),
        "places": places(system.profile, row["regions"]),
        "language": system.profile.language,
        "text": sourced_text(row, system.profile),
        "facts": fact_groups(system.profile, row["facts"], contested, language),
        "pictures": [each for each in media if each["digest"]],
        "files": [each for each in media if not each["digest"]],
        "remarks": said,
        "supplement_of": linked.get(row["supplement_of"]),
        "supplements": [linked[each] for each in row["supplements"] if linked.get(each)],
        "citation": f"“{row['title']}”. {system.profile.library_title}, {row['updated_at'].date()}. {own_address}",
    }
    others = [card(system.profile, each, language) for each in related]
    return page(request, "entry.html", entry=shown, related=others)


def way_back(row: dict[str, Any]) -> tuple[str, str]:
    return f"/entri/{row['identity']}", str(row["title"])


def correction_fields(words: Words, text: str = "", contact: str = "") -> list[dict[str, Any]]:
    return [
        {"name": "text", "label": words("correction_text"), "long": True, "value": text},
        {
            "name": "contact",
            "label": words("correction_contact"),
            "required": False,
            "type": "email",
            "value": contact,
            "autocomplete": "email",
        },
    ]


@router.get("/entri/{identity}/perbaiki", response_class=HTMLResponse)
async def correction_form(request: Request, identity: str) -> Response:
    row = await load_entry(request, identity)
    words = Words(chosen_language(request))
    if isinstance(row, Response):
        return row
    heading, told = words("correction_title", title=row["title"]), [words("correction_help")]
    return await form_page(request, heading, correction_fields(words), lines=told)


@router.post("/entri/{identity}/perbaiki", response_class=HTMLResponse)
async def correct(
    request: Request,
    identity: str,
    token: Annotated[str, Form()] = "",
    text: Annotated[str, Form()] = "",
    contact: Annotated[str, Form()] = "",
) -> Response:
    row = await load_entry(request, identity)
    words = Words(chosen_language(request))
    if isinstance(row, Response):
        return row
    if not text.strip() or not await form_holds(request, token):
        problem = words("bad_form", field=words("correction_text"))
        fields = correction_fields(words, text, contact)
        heading, told = words("correction_title", title=row["title"]), [words("correction_help")]
        return await form_page(request, heading, fields, problem, lines=told)
    async with system_of(request).people.transaction() as tx:
        await ask_for_correction(tx, identity, cleaned(text), cleaned(contact)[:LONGEST_CONTACT] or None)
    return page(
        request, "message.html", heading=words("correct_this"), lines=[words("correction_done")], doors=[way_back(row)]
    )


def takedown_fields(words: Words, requester: str = "", contact: str = "", reason: str = "") -> list[dict[str, Any]]:
    return [
        {"name": "requester", "label": words("takedown_requester"), "value": requester, "autocomplete": "name"},
        {
            "name": "contact",
            "label": words("takedown_contact"),
            "type": "email",
            "value": contact,
            "autocomplete": "email",
        },
        {"name": "reason", "label": words("takedown_reason"), "long": True, "value": reason},
    ]


@router.get("/entri/{identity}/turunkan", response_class=HTMLResponse)
async def takedown_form(request: Request, identity: str) -> Response:
    row = await load_entry(request, identity)
    words = Words(chosen_language(request))
    if isinstance(row, Response):
        return row
    heading, told = words("takedown_title", title=row["title"]), [words("takedown_help")]
    return await form_page(request, heading, takedown_fields(words), lines=told)


@router.post("/entri/{identity}/turunkan", response_class=HTMLResponse)
async def take_down(
    request: Request,
    identity: str,
    token: Annotated[str, Form()] = "",
    requester: Annotated[str, Form()] = "",
    contact: Annotated[str, Form()] = "",
    reason: Annotated[str, Form()] = "",
) -> Response:
    row = await load_entry(request, identity)
    words = Words(chosen_language(request))
    if isinstance(row, Response):
        return row
    missing = next(
        (
            name
            for name, value in (
                ("takedown_requester", requester),
                ("takedown_contact", contact),
                ("takedown_reason", reason),
            )
            if not value.strip()
        ),
        None,
    )
    if missing or not await form_holds(request, token):
        problem = words("bad_form", field=words(missing or "send"))
        fields = takedown_fields(words, requester, contact, reason)
        heading, told = words("takedown_title", title=row["title"]), [words("takedown_help")]
        return await form_page(request, heading, fields, problem, lines=told)
    async with system_of(request).people.transaction() as tx:
        await ask_for_removal(tx, identity, cleaned(requester), cleaned(contact), cleaned(reason))
    return page(
        request, "message.html", heading=words("takedown"), lines=[words("takedown_done")], doors=[way_back(row)]
    )


async def robot_page(request: Request, words: Words, host: str = "", problem: str = "") -> Response:
    system = system_of(request)
    async with system.people.transaction() as tx:
        delay = (await governed.values_now(tx)).get("crawl.host_delay_seconds", 5)
    fields: list[dict[str, Any]] = [
        {"name": "host", "label": words("robot_host"), "value": host},
        {"name": "reason", "label": words("robot_reason"), "required": False},
    ]
    return await form_page(
        request,
        words("robot_title"),
        fields,
        problem,
        template="robot.html",
        agent=user_agent(system.settings),
        delay=f"{float(delay):g}",
        robots_rule=f"User-agent: {system.settings.crawl.user_agent.split('/')[0]}\nDisallow: /",
        removal=removal_offer(request, words),
    )


@router.get("/robot", response_class=HTMLResponse)
async def robot(request: Request) -> Response:
    return await robot_page(request, Words(chosen_language(request)))


@router.post("/robot", response_class=HTMLResponse)
async def opt_out(
    request: Request,
    token: Annotated[str, Form()] = "",
    host: Annotated[str, Form()] = "",
    reason: Annotated[str, Form()] = "",
) -> Response:
    words = Words(chosen_language(request))
    if not host.strip() or not await form_holds(request, token):
        return await robot_page(request, words, host, words("bad_form", field=words("robot_host")))
    async with system_of(request).people.transaction() as tx:
        stopped = await opt_out_host(tx, cleaned(host), cleaned(reason))
    told = [words("robot_done", host=stopped), removal_offer(request, words)]
    return page(request, "message.html", heading=words("robot_title"), lines=told)


def removal_offer(request: Request, words: Words) -> str:
    """How the owner of a site gets removed what came from it."""
    contact = system_of(request).settings.crawl.contact
    return words("robot_remove", contact=contact) if contact else words("robot_remove_each")
