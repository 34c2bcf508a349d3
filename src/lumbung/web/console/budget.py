"""Money and settings: what is spent, reserved and to be expected; alarms; each setting with its origin."""

from __future__ import annotations

from typing import Any

from fastapi import Request
from pydantic import SecretStr
from starlette.responses import Response

from lumbung.config import Origins, listed_settings, load_settings
from lumbung.errors import SettingsError
from lumbung.governance.actions.stages import acknowledge_alarm
from lumbung.model.permission import Role
from lumbung.store import ledger
from lumbung.store.database import Row
from lumbung.web.console.access import Desk, back, fields_of, sheet, visitor_of
from lumbung.web.console.figures import DAY_SECONDS
from lumbung.web.rendering import system_of

desk = Desk()
MASKED = "••••••••"


@desk.page("/anggaran", Role.OPERATOR, Role.APPROVER, Role.CURATOR)
async def budget(request: Request) -> Response:
    async with system_of(request).people.transaction() as tx:
        windows = await ledger.windows(tx)
        day = await ledger.by_stage(tx, DAY_SECONDS)
        month = await ledger.by_stage(tx, 30 * DAY_SECONDS)
        alarms = await ledger.alarms(tx, 50)
    return sheet(
        request,
        "budget.html",
        windows=[window | forecast(window, sum(row["micros"] or 0 for row in day)) for window in windows],
        spending=month,
        today={(row["stage"], row["provider"], row["model"]): row["micros"] or 0 for row in day},
        alarms=alarms,
    )


def forecast(window: Row, day_micros: int) -> dict[str, Any]:
    """If it goes on as in the last day: what the window will hold, and how long until it is full.

    A sliding window that the present pace does not fill never fills.
    """
    remaining = max(0, window["cap_micros"] - window["spent_micros"] - window["reserved_micros"])
    expected = round(day_micros * window["seconds"] / DAY_SECONDS)
    fills = expected > window["cap_micros"] and day_micros > 0
    hours = remaining / day_micros * 24 if fills else None
    return {"remaining_micros": remaining, "expected_micros": expected, "full_in_hours": hours}


@desk.act("/anggaran/peringatan/{alarm}", "acknowledge-alarm")
async def acknowledge(request: Request, alarm: int) -> Response:
    async with system_of(request).people.transaction() as tx:
        await acknowledge_alarm(tx, visitor_of(request).actor, min(alarm, 2**62), fields_of(request).reason)
    return back("/anggaran", "done_alarm")


@desk.page("/pengaturan", Role.OPERATOR)
async def settings(request: Request) -> Response:
    """As this process runs with them; a secret is never shown, not even its length."""
    running = system_of(request).settings
    try:
        told, origins = load_settings()
    except SettingsError:
        told, origins = running, Origins()
    present = {name: value for name, value, _ in listed_settings(told)}
    rows = []
    for name, value, description in listed_settings(running):
        changed = name in present and present[name] != value
        shown = MASKED if isinstance(value, SecretStr) else value
        rows.append((name, shown, "flag" if changed else origins.get(name, "default"), description))
    return sheet(request, "settings.html", rows=rows)
