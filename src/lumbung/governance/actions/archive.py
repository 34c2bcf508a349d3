"""A verification of the archive, asked for by a person and made by the archiver, a batch at a time."""

from __future__ import annotations

from lumbung.errors import UsageError
from lumbung.model.permission import Actor, allow
from lumbung.store import archive_checks, governed
from lumbung.store.database import Transaction


async def ask_archive_check(tx: Transaction, actor: Actor, reason: str) -> int:
    """Every archived page is read back and compared with its digest; what is found stands on the archive's page."""
    allow(actor, "verify-archive", reason=reason)
    action = await governed.append_action(tx, actor.person, "verify-archive", "archive", reason, {"asked": True})
    number = await archive_checks.ask(tx, action)
    if number is None:
        raise UsageError("A verification of the archive is under way already.")
    return number
