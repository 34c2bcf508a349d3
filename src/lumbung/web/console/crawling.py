"""The frontier: how much waits, what ended and why, and its hosts; learned weights; and why anything is as it is."""

from __future__ import annotations

import math
from datetime import UTC, datetime
from typing import Any

from fastapi import Request
from starlette.responses import Response

from lumbung.equations.branching import (
    Offspring,
    expected_pages_left,
    extinction_interval,
    forecast_dry,
    mean_interval,
)
from lumbung.equations.priority import in_force
from lumbung.errors import UsageError
from lumbung.governance.actions.hosts import allow_host, reset_crawl_weights, set_host_delay, stop_host
from lumbung.governance.actions.matcher import adopt_matcher, revert_matcher
from lumbung.governance.audit.matching import ROW as MATCHER
from lumbung.governance.reports.explanation import explain
from lumbung.governance.reports.frontier import moments
from lumbung.model.permission import Role
from lumbung.store import coverage, documents, frontier, governed, learning, pair_labels, people
from lumbung.web.console.access import GOVERNING, Desk, back, cleaned, fields_of, sheet, visitor_of
from lumbung.web.console.forecast import forecast_of
from lumbung.web.language import Words, chosen_language
from lumbung.web.rendering import system_of

desk = Desk()
PAGE_SIZE = 50
PAGES_FOR_A_MEAN = 20
PRIORITY = "crawl.priority."


@desk.page("/frontier", Role.CURATOR, Role.OPERATOR, Role.GUARDIAN)
async def frontier_page(request: Request, dari: str = "") -> Response:
    async with system_of(request).people.transaction() as tx:
        values = await governed.values_now(tx)
        delay = float(values.get("crawl.host_delay_seconds", 5))
        hosts = await frontier.hosts(tx, delay, dari[:300], PAGE_SIZE + 1)
        depth = await frontier.depth(tx)
        sample = await frontier.recent_offspring(tx)
        rate = await documents.pages_per_second(tx)
        states = await frontier.states(tx)
        ends = await frontier.ends(tx)
        proposed = [row["seeds"] for row in await coverage.tranches(tx) if row["state"] == "proposed" and row["seeds"]]
    phi_min, words = int(values.get("frontier.phi_min", 200)), Words(chosen_language(request))
    return sheet(
        request,
        "frontier.html",
        states=states,
        ends=ends,
        depth=depth,
        life=life_of(sample, depth["urls"], rate),
        phi_min=phi_min,
        forecast=await forecast_of(sample, depth["urls"], proposed, phi_min, words),
        hosts=hosts[:PAGE_SIZE],
        following=hosts[PAGE_SIZE - 1]["name"] if len(hosts) > PAGE_SIZE else "",
        wanted=dari,
    )


def life_of(sample: list[int], waiting: int, pages_per_second: float) -> dict[str, Any] | None:
    """Eqs. (7) and (8) on the last pages; None while there are too few of them to say."""
    if len(sample) < PAGES_FOR_A_MEAN:
        return None
    law, mean = Offspring.observed(sample), mean_interval(sample)
    left = expected_pages_left(waiting, mean.value)
    forecast = forecast_dry(waiting, mean, pages_per_second, law.variance)
    return {
        "mean": mean,
        "extinction": extinction_interval(sample, mean),
        "pages_left": None if math.isinf(left) else round(left),
        "pages": len(sample),
        "dry_at": moments(forecast.seconds, datetime.now(UTC)),
    }


@desk.act("/frontier/henti", "stop-host")
async def stop(request: Request) -> Response:
    fields = fields_of(request)
    async with system_of(request).people.transaction() as tx:
        await stop_host(tx, visitor_of(request).actor, fields.text("host"), fields.reason)
    return back("/frontier", "done_host_stopped")


@desk.act("/frontier/izinkan", "allow-host")
async def allow_again(request: Request) -> Response:
    fields = fields_of(request)
    async with system_of(request).people.transaction() as tx:
        await allow_host(tx, visitor_of(request).actor, fields.text("host"), fields.reason)
    return back("/frontier", "done_host_allowed")


@desk.act("/frontier/jeda", "set-host-delay")
async def slow_down(request: Request) -> Response:
    fields = fields_of(request)
    try:
        seconds = float(Words(chosen_language(request)).number_from(fields.text("seconds")))
    except ValueError as error:
        raise UsageError("The delay is a number of seconds.") from error
    async with system_of(request).people.transaction() as tx:
        await set_host_delay(tx, visitor_of(request).actor, fields.text("host"), seconds, fields.reason)
    return back("/frontier", "done_set")


@desk.page("/bobot", Role.CURATOR, Role.OPERATOR, Role.AUDITOR, Role.APPROVER)
async def weights(request: Request) -> Response:
    """The weights of Eq. (5), given and learned; and the matcher that people's verdicts about pairs teach."""
    async with system_of(request).people.transaction() as tx:
        values = await governed.values_now(tx)
        model = await learning.model(tx)
        trials = await pair_labels.trials(tx)
    given = {name.removeprefix(PRIORITY): value for name, value in values.items() if name.startswith(PRIORITY)}
    learned = in_force(model["weights"], given) if model else {}
    rows = [(name, given.get(name), learned.get(name)) for name in sorted({*given, *learned})]
    return sheet(request, "weights.html", rows=rows, model=model, matcher=values.get(MATCHER), trials=trials)


@desk.act("/bobot", "reset-crawl-weights")
async def reset_weights(request: Request) -> Response:
    async with system_of(request).people.transaction() as tx:
        await reset_crawl_weights(tx, visitor_of(request).actor, fields_of(request).reason)
    return back("/bobot", "done_weights")


@desk.act("/bobot/pencocok", "set-matcher")
async def ask_for_matcher(request: Request) -> Response:
    fields = fields_of(request)
    wanted = revert_matcher if fields.text("what") == "revert" else adopt_matcher
    async with system_of(request).people.transaction() as tx:
        await wanted(tx, visitor_of(request).actor, fields.reason)
    return back("/permintaan", "done_asked")


@desk.page("/jelaskan", *GOVERNING)
async def why(request: Request, hal: str = "") -> Response:
    """Why a page, an entry or a decision is as it is, from what was stored when it was decided."""
    asked = cleaned(hal)[:2000]
    async with system_of(request).people.transaction() as tx:
        found = await explain(tx, asked) if asked else {}
        names = await people.names(tx)
    return sheet(request, "explain.html", names=names, asked=asked, found=found)
