"""The text of a page that may not be kept goes, with its claims, once no fact rests on it any more."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from lumbung.errors import TransientError
from lumbung.model.job import NewJob
from lumbung.store import documents
from lumbung.store.database import Transaction


async def carry_out(tx: Transaction, payload: Mapping[str, Any]) -> Iterable[NewJob]:
    if not await documents.erase_text(tx, payload["document"], payload.get("reason")):
        raise TransientError("A fact still rests on this page; its item is being decided again.")
    return []
