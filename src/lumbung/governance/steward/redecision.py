"""A mode, a threshold or a rule changed: the items it touches are decided again."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from lumbung.model.job import NewJob
from lumbung.store import items
from lumbung.store.database import Transaction


async def carry_out(tx: Transaction, payload: Mapping[str, Any]) -> Iterable[NewJob]:
    """`epoch` makes the jobs new each time; each item is decided, and published again even if its content stays."""
    numbers = await items.of_categories(tx, payload["categories"])
    epoch = payload["epoch"]
    return [
        *(NewJob("decide", f"redecide:{number}:{epoch}", {"item": number}) for number in numbers),
        *(NewJob("publish", f"republish:{number}:{epoch}", {"item": number}) for number in numbers),
    ]
