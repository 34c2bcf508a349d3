"""One act on the command line: the system, a transaction, and whoever is signed in."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

from lumbung.bootstrap import System
from lumbung.cli.identity import acting
from lumbung.cli.session import system
from lumbung.errors import UsageError
from lumbung.model.permission import Actor
from lumbung.store import people
from lumbung.store.database import Transaction


@dataclass(frozen=True, slots=True)
class Act:
    system: System
    tx: Transaction
    actor: Actor


@asynccontextmanager
async def act() -> AsyncIterator[Act]:
    """All that happens inside is committed together, or not at all."""
    async with system() as opened, opened.people.transaction() as tx:
        yield Act(opened, tx, await acting(tx, opened.settings))


async def person_named(tx: Transaction, login: str) -> dict[str, Any]:
    row = await people.by_login(tx, login)
    if row is None:
        raise UsageError(f"There is no person {login}; `lumbung user list` shows who there is.")
    return row


def plain(value: Any) -> Any:
    """Times as text, so that rows can be written as JSON."""
    if isinstance(value, dict):
        return {name: plain(each) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [plain(each) for each in value]
    return value.isoformat() if hasattr(value, "isoformat") else value
