"""The curator's desk: coverage with its holes, tranches and seeds, and the rules of source types."""

from __future__ import annotations

from typing import Any

from fastapi import Request
from starlette.responses import Response

from lumbung.errors import UsageError
from lumbung.governance.actions.denylist import ROW as DENYLIST
from lumbung.governance.actions.denylist import set_denylist
from lumbung.governance.actions.inject_seeds import inject_seeds
from lumbung.governance.actions.source_rules import ROW, set_source_rules
from lumbung.governance.actions.tranches import add_tranche, choose, inject_tranche, stop_tranche, verify_seeds
from lumbung.governance.reports.coverage import Matrix, matrix, provinces
from lumbung.governance.suggestions import query_for, seeds_from
from lumbung.model.permission import Role
from lumbung.model.profile import Profile, Seed, SourceRule, SourceType
from lumbung.store import coverage, governed
from lumbung.web.console.access import Desk, as_lines, back, fields_of, from_lines, sheet, unchanged, visitor_of
from lumbung.web.language import chosen_language
from lumbung.web.rendering import system_of
from lumbung.web.shown import category_label

desk = Desk()
CURATORS = (Role.CURATOR, Role.OPERATOR)
MOST_SEEDS = 5000
MOST_SUGGESTED = 20
LONGEST_QUERY = 300
RULE_KINDS = ("host", "suffix", "path")


@desk.page("/cakupan", Role.CURATOR, Role.OPERATOR, Role.GUARDIAN)
async def coverage_matrix(request: Request) -> Response:
    system, language = system_of(request), chosen_language(request)
    async with system.people.transaction() as tx:
        held = await matrix(tx, system.profile, system.gazetteer.provinces_of)
    labels = {code: category_label(system.profile, code, language) for code in system.profile.categories}
    return sheet(
        request,
        "coverage.html",
        matrix=held,
        rows=matrix_rows(system.profile, held),
        labels=labels,
        holes=held.holes(20),
        regions=system.profile.regions,
        value=held.value,
    )


def matrix_rows(profile: Profile, held: Matrix) -> list[dict[str, Any]]:
    """Provinces down, categories across; each cell with its number, so that no shade carries the meaning alone."""
    rows = []
    for place in sorted(provinces(profile), key=lambda code: profile.regions[code].name):
        cells = []
        for code in profile.categories:
            target = held.targets.get((code, place))
            share = min(1.0, target.held / target.wanted) if target else 0.0
            number = int(target.held) if target else 0
            cells.append({"held": number, "level": min(4, int(share * 4 + (0.999 if share else 0)))})
        rows.append({"name": profile.regions[place].name, "cells": cells})
    return rows


@desk.page("/benih", *CURATORS)
async def seeds(request: Request, pilih: str = "") -> Response:
    system = system_of(request)
    async with system.people.transaction() as tx:
        tranches = await coverage.tranches(tx)
        choice = None
        if pilih.isascii() and pilih.isdigit() and len(pilih) < 3 and 0 < int(pilih) <= 20:
            choice = await choose(tx, system.profile, system.gazetteer.provinces_of, limit=int(pilih))
    regions = sorted(system.profile.regions.values(), key=lambda each: each.name)
    return sheet(
        request,
        "seeds.html",
        tranches=tranches,
        choice=choice,
        wanted=pilih,
        searches=bool(system.settings.search.url),
        categories=system.profile.categories,
        provinces=[each for each in regions if each.level == "province"],
    )


@desk.page("/benih/{name}", *CURATORS)
async def tranche(request: Request, name: str) -> Response:
    async with system_of(request).people.transaction() as tx:
        rows = await coverage.seeds(tx, name)
        dead = await coverage.dead_seeds(tx, name)
    return sheet(request, "tranche.html", name=name, rows=rows[:1000], dead=dead)


@desk.act("/benih/suntik", "inject-seeds")
async def inject(request: Request) -> Response:
    fields = fields_of(request)
    urls = fields.text("urls").split()
    if not urls or len(urls) > MOST_SEEDS:
        raise UsageError(f"Give one to {MOST_SEEDS} addresses, one a line.")
    async with system_of(request).people.transaction() as tx:
        result = await inject_seeds(
            tx, visitor_of(request).actor, urls, fields.text("tranche", "console"), fields.reason
        )
    return sheet(request, "injected.html", result=result)


@desk.act("/benih/cari", "add-tranche")
async def suggest(request: Request) -> Response:
    """What a search service finds, as lines of a tranche that the curator edits and proposes; nothing is kept or fetched."""
    system, fields = system_of(request), fields_of(request)
    search = system.capabilities.search()
    if search is None:
        raise UsageError("No search service is set up; an operator names one in the settings.")
    category, region = fields.text("category"), fields.text("region")
    query = fields.text("words") or query_for(system.profile, category, region)
    found = await search.find(query[:LONGEST_QUERY], MOST_SUGGESTED)
    rows = as_lines(
        [seed.url, seed.category, seed.region or "-", f"{seed.cost:g}", seed.note]
        for seed in seeds_from(found, category, region)
    )
    return sheet(request, "suggested.html", found=found, rows=rows, query=query)


@desk.act("/benih/usul", "add-tranche")
async def propose(request: Request) -> Response:
    fields, system = fields_of(request), system_of(request)
    async with system.people.transaction() as tx:
        added = await add_tranche(
            tx,
            visitor_of(request).actor,
            fields.text("name"),
            seeds_of(fields.text("rows")),
            system.profile,
            fields.reason,
        )
    return sheet(request, "proposed.html", added=added)


def seeds_of(text: str) -> list[Seed]:
    """Lines of `url,category,region,cost,note`; all but the address may be left out."""
    found = []
    for url, category, region, cost, note in from_lines(text, 5):
        if url == "url":
            continue
        try:
            found.append(Seed(url, category, region or "-", float(cost or 1), note))
        except ValueError as error:
            raise UsageError(f"The cost {cost} of {url} is not a number.") from error
    if not found or len(found) > MOST_SEEDS:
        raise UsageError(f"Give one to {MOST_SEEDS} seeds, one a line.")
    return found


@desk.act("/benih/{name}/periksa", "verify-seed")
async def verify(request: Request, name: str) -> Response:
    urls = fields_of(request).many("url")
    if not urls:
        raise UsageError("Tick at least one seed.")
    async with system_of(request).people.transaction() as tx:
        await verify_seeds(tx, visitor_of(request).actor, name, urls)
    return back(f"/benih/{name}", "done_verified")


@desk.act("/benih/{name}/tanam", "inject-tranche")
async def plant(request: Request, name: str) -> Response:
    system = system_of(request)
    async with system.people.transaction() as tx:
        await inject_tranche(
            tx,
            visitor_of(request).actor,
            name,
            system.profile,
            system.gazetteer.provinces_of,
            fields_of(request).reason,
        )
    return back("/benih", "done_injected")


@desk.act("/benih/{name}/henti", "stop-tranche")
async def stop(request: Request, name: str) -> Response:
    async with system_of(request).people.transaction() as tx:
        await stop_tranche(tx, visitor_of(request).actor, name, fields_of(request).reason)
    return back("/benih", "done_stopped_tranche")


@desk.page("/sumber", *CURATORS, Role.GUARDIAN, Role.APPROVER)
async def sources(request: Request) -> Response:
    system = system_of(request)
    async with system.people.transaction() as tx:
        values = await governed.values_now(tx)
        versions = await governed.versions_now(tx)
    rules, denied = values.get(ROW) or [], values.get(DENYLIST) or []
    text = as_lines([rule["type"], rule["rule"], rule["pattern"], rule["reason"]] for rule in rules)
    return sheet(
        request,
        "sources.html",
        rules=rules,
        text=text,
        shipped=system.profile.sources,
        types=list(SourceType),
        seen={"rules": versions.get(ROW, 0), "denied": versions.get(DENYLIST, 0)},
        denied=as_lines([each["pattern"], each["reason"]] for each in denied),
    )


@desk.act("/sumber/larangan", "set-denylist")
async def change_denylist(request: Request) -> Response:
    """Lines of `pattern,reason`."""
    fields = fields_of(request)
    patterns = {pattern: why for pattern, why in from_lines(fields.text("patterns"), 2)}  # noqa: C416
    async with system_of(request).people.transaction() as tx:
        await unchanged(tx, fields, DENYLIST)
        await set_denylist(tx, visitor_of(request).actor, patterns, fields.reason)
    return back("/sumber", "done_set")


@desk.act("/sumber", "set-source-rules")
async def change_sources(request: Request) -> Response:
    fields, system = fields_of(request), system_of(request)
    async with system.people.transaction() as tx:
        await unchanged(tx, fields, ROW)
        change = await set_source_rules(
            tx, visitor_of(request).actor, rules_of(fields.text("rules")), system.profile, fields.reason
        )
    return back("/permintaan", "done_asked") if change.request else back("/sumber", "done_set")


def rules_of(text: str) -> list[SourceRule]:
    """Lines of `type,rule,pattern,reason`."""
    rules = []
    for kind, rule, pattern, reason in from_lines(text, 4):
        if kind not in set(SourceType) or rule not in RULE_KINDS or not pattern or not reason:
            raise UsageError(f"A rule is type,rule,pattern,reason; not {kind[:50]},{rule[:50]}.")
        rules.append(SourceRule(SourceType(kind), rule, pattern, reason))
    return rules
