"""A block of the feature index has outgrown exact search: its nodes go into a graph of its own, a portion at a time."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from lumbung.model.job import NewJob
from lumbung.store import feature_versions, features
from lumbung.store.database import Transaction


async def carry_out(tx: Transaction, payload: Mapping[str, Any]) -> Iterable[NewJob]:
    if await feature_versions.left_behind(tx, payload["version"]):
        return []
    await features.settle(tx, payload["version"], payload["category"], payload["province"])
    return []
