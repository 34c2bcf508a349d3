"""Who acts on the command line: the person of `lumbung user login`, or the operator at the machine."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from lumbung.errors import PermissionRefused, SettingsError
from lumbung.model.permission import OPERATOR_AT_THE_MACHINE, Actor

if TYPE_CHECKING:
    from lumbung.config import Settings
    from lumbung.store.database import Transaction

FILE_NAME = "session"


def session_file(settings: Settings) -> Path:
    return settings.data_dir / FILE_NAME


def keep_token(settings: Settings, token: str) -> None:
    """Readable by its owner alone, from the first byte on."""
    file = session_file(settings)
    file.unlink(missing_ok=True)
    with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as stream:
        stream.write(token)


def kept_token(settings: Settings) -> str | None:
    try:
        return session_file(settings).read_text(encoding="utf-8").strip() or None
    except FileNotFoundError:
        return None


def forget_token(settings: Settings) -> None:
    session_file(settings).unlink(missing_ok=True)


async def acting(tx: Transaction, settings: Settings) -> Actor:
    """A session that is over is said, never silently replaced by the operator's powers."""
    from lumbung.store import people

    if not settings.serves_people():
        raise SettingsError("What people do needs their login to the database: set LUMBUNG_DATABASE_URL.")
    token = kept_token(settings)
    if token is None:
        return OPERATOR_AT_THE_MACHINE
    signed_in = await people.actor_of_session(tx, token)
    if signed_in is None:
        raise PermissionRefused(
            "Your session is over; `lumbung user login` starts a new one, `lumbung user logout` ends it."
        )
    return signed_in.actor
