"""The front page: objective, modes, what waits for whom, and the funnel, live where the browser can."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from typing import Any

from fastapi import Request
from pydantic_core import to_json
from starlette.responses import Response, StreamingResponse

from lumbung.governance.actions.corpus import close_notice
from lumbung.governance.reports.funnel import FunnelReport
from lumbung.model.permission import Role
from lumbung.store import audits, console, governed
from lumbung.web.console.access import GOVERNING, HOME, Desk, back, sheet, visitor_of
from lumbung.web.console.figures import figures_of
from lumbung.web.console.health import MENDED_AT, troubles
from lumbung.web.console.pictures import Bars, bars_of
from lumbung.web.language import Words, chosen_language
from lumbung.web.rendering import system_of
from lumbung.web.shown import category_label, notice_told

desk = Desk()
LIVE_SECONDS = 30
"""A stream ends by itself, so that whoever was signed out loses it; the browser opens the next one."""
WAITING_AT = {
    "review": "/tinjauan",
    "samples": "/audit",
    "pairs": "/pasangan",
    "requests": "/permintaan",
    "takedowns": "/penurunan",
    "corrections": "/penurunan",
    "held": "/otonomi",
    "tranches": "/benih",
    "dead_letters": "/gagal",
    "parked": "/mesin",
}


IMPROVED_AT = {
    "raise-categories-out-of-shadow": "/otonomi",
    "answer-requests": "/permintaan",
    "read-the-review-queue": "/tinjauan",
    "label-samples": "/audit",
    "redrive-dead-letters": "/gagal",
    "inject-a-tranche": "/benih",
}


NOTICE_AT = {
    "review-waiting": "/tinjauan",
    "request-waiting": "/permintaan",
    "labels-late": "/audit",
    "dead-letters": "/gagal",
    "frontier-low": "/benih",
    "breaker-open": "/mesin",
    "budget-near-cap": "/anggaran",
    "budget-overrun": "/anggaran",
    "demotion": "/otonomi",
    "matcher-better": "/bobot",
    "calibration-off": "/mutu",
    "takedown": "/penurunan",
    "takedown-due": "/penurunan",
    "correction": "/penurunan",
    "human-corpus-changed": "/catatan",
    "entries-alike": "/bayangan",
    "scope-changed": "/bayangan",
    "tranche-barren": "/benih",
    "threshold-raised": "/bayangan",
}
"""Where that of which a notice tells is looked at or settled."""


@desk.page("", *Role)
async def front(request: Request) -> Response:
    """Whoever only writes entries has nothing to govern, and is led to their account."""
    if not visitor_of(request).has(*GOVERNING):
        return back("/akun")
    system, language = system_of(request), chosen_language(request)
    figures = figures_of(request)
    report, rates, pace = await figures.funnel.now(), await figures.rates.now(), await figures.pages_per_second.now()
    async with system.people.transaction() as tx:
        wrong = await troubles(tx, report)
        waiting = await console.waiting(tx)
        values = await governed.values_now(tx)
        notices = await audits.notices(tx, limit=20)
    modes = [
        {"code": code, "label": category_label(system.profile, code, language), "mode": values.get(f"mode.{code}")}
        for code in system.profile.categories
    ]
    return sheet(
        request,
        "front.html",
        troubles=[(name, number, way_to(request, MENDED_AT[name])) for name, number in wrong.items()],
        waiting=[(name, number, way_to(request, WAITING_AT[name])) for name, number in waiting.items() if number],
        count_cap=console.COUNT_CAP,
        modes=modes,
        notices=[
            row
            | {
                "sentence": notice_told(row, system.profile, Words(language)),
                "path": way_to_notice(request, row["kind"]),
            }
            for row in notices
        ],
        funnel=live_figures(report) | {"pace": Words(language).number(60 * pace, 1)},
        rates=rates,
        report=report,
        drawn=drawn(report, rates, Words(language), system.settings.budget.currency),
        objective=await figures.quality.soon(),
        ways={code: way_to(request, path) for code, path in IMPROVED_AT.items()},
    )


def drawn(report: FunnelReport, rates: list[dict[str, Any]], words: Words, currency: str) -> dict[str, Bars | None]:
    """The funnel, the time that each stage worked, and the money it spent; no picture of money where none was."""
    stages = [(words.code("stage", row["stage"]), row["busy_seconds"], row["micros"]) for row in rates]
    return {
        "funnel": bars_of([(words(f"step_{name}"), number, str(number)) for name, number in report.steps().items()]),
        "time": bars_of([(stage, seconds, words.number(seconds, 1)) for stage, seconds, _ in stages]),
        "cost": bars_of([(stage, micros, words.money(micros, currency)) for stage, _, micros in stages])
        if any(micros for _, _, micros in stages)
        else None,
    }


def way_to(request: Request, path: str) -> str:
    """The page's address, for whoever may open it; others see what waits, without a door that is shut to them."""
    declared: dict[tuple[str, str], frozenset[Role]] = request.app.state.console_roles
    return HOME + path if visitor_of(request).has(*declared["GET", HOME + path]) else ""


def way_to_notice(request: Request, kind: str) -> str:
    return way_to(request, NOTICE_AT[kind]) if kind in NOTICE_AT else ""


def stage_figures(
    report: FunnelReport, rates: Sequence[Mapping[str, Any]], words: Words, currency: str
) -> dict[str, str | int]:
    """Rates, costs and drop reasons by the names that their cells on the page bear."""
    found: dict[str, str | int] = {f"drop {name}": number for name, number in report.refusals.items()}
    for row in rates:
        found[f"rate {row['stage']}"] = words.number(row["jobs_a_second"], 1)
        found[f"cost {row['stage']}"] = words.money(row["micros"] or 0, currency)
        found |= {f"outcome {row['stage']} {name}": number for name, number in row["outcomes"].items()}
    return found


def live_figures(report: FunnelReport) -> dict[str, str | int]:
    """The steps of the funnel as single numbers, by the names that the page and the stream share."""
    return {
        "frontier": report.frontier.get("waiting", 0) + report.frontier.get("leased", 0),
        "pages": sum(report.pages.values()),
        "candidates": sum(report.candidates.values()),
        "decisions": sum(report.decisions.values()),
        "review": report.entries.get("machine review", 0),
        "shadow": report.entries.get("machine shadow", 0),
        "held": report.entries.get("machine held", 0),
        "published": report.entries.get("machine published", 0),
        "queued": sum(number for name, number in report.jobs.items() if name.endswith((" ready", " waiting"))),
        "dead": sum(number for name, number in report.jobs.items() if name.endswith(" dead")),
        "paused": len(report.paused),
    }


@desk.page("/arus", *GOVERNING)
async def stream(request: Request) -> Response:
    """The same figures as events; a browser that loses the server asks again by itself."""
    headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    return StreamingResponse(events(request), media_type="text/event-stream", headers=headers)


async def events(request: Request) -> AsyncIterator[bytes]:
    yield b"retry: 1000\n\n"
    last: dict[str, Any] = {}
    words = Words(chosen_language(request))
    for _ in range(LIVE_SECONDS):
        report, pace = await figures_of(request).funnel.now(), await figures_of(request).pages_per_second.now()
        rates, currency = await figures_of(request).rates.now(), system_of(request).settings.budget.currency
        present = live_figures(report) | stage_figures(report, rates, words, currency)
        present["pace"] = words.number(60 * pace, 1)
        if present != last:
            yield b"data: " + to_json(present) + b"\n\n"
            last = present
        else:
            yield b": still here\n\n"
        await asyncio.sleep(1.0)


@desk.act("/kabar/{notice}", "close-notice")
async def close(request: Request, notice: int) -> Response:
    async with system_of(request).people.transaction() as tx:
        await close_notice(tx, visitor_of(request).actor, notice)
    return back("", "done_notice")
