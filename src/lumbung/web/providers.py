"""Outside services as pages and figures show them: all that the settings name, and those of before."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lumbung.outside import configured_providers

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lumbung.bootstrap import System
    from lumbung.store.database import Row

HEALTHY = {"state": "closed", "failures": 0, "reason": None, "open_seconds": 0.0, "rest_seconds": 0.0}


def with_configured(system: System, known: Sequence[Row]) -> list[Row]:
    """Every provider that the settings name, with its health; one that never failed has no row. Then those of before."""
    named = configured_providers(system.settings)
    if system.remote_library is not None:
        named.append(("library", system.remote_library.name))
    rows = {(row["capability"], row["provider"]): row for row in known}
    shown = [rows.pop(each, {"capability": each[0], "provider": each[1]} | HEALTHY) for each in named]
    return [row | {"configured": True} for row in shown] + [row | {"configured": False} for row in rows.values()]
