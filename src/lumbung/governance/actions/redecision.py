"""Queue the re-decision of categories after a change of what decisions rest on."""

from __future__ import annotations

from collections.abc import Iterable

from lumbung.model.job import NewJob
from lumbung.store import jobs
from lumbung.store.database import Transaction


async def redecide(tx: Transaction, categories: Iterable[str], epoch: str) -> None:
    """`epoch` names the change, so that it is carried through once."""
    payload = {"verb": "redecide", "categories": sorted(categories), "epoch": epoch}
    await jobs.add(tx, [NewJob("steward", f"redecide:{epoch}", payload)])
