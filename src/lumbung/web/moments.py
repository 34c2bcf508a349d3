"""Moments as people read them: stored in UTC, shown in the profile's zone, which is named."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo


def moment_in(zone: str, at: datetime) -> str:
    return f"{at.astimezone(ZoneInfo(zone)):%Y-%m-%d %H:%M %Z}"
