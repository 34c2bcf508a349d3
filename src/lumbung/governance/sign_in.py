"""Signing in: login, password and, where set, a code; failures slow the next attempt down."""

from __future__ import annotations

import time

from lumbung.errors import PermissionRefused
from lumbung.governance.passwords import password_fits
from lumbung.governance.second_factor import step_of_code
from lumbung.store import governed, people
from lumbung.store.database import Database
from lumbung.store.people import OpenSession

REFUSED = "Login, password or code is wrong, or there were too many attempts; wait a little and try again."


async def sign_in(database: Database, login: str, password: str, code: str = "") -> OpenSession:
    """A new session; the same answer for every way of failing. Failures are kept although the session is not made."""
    async with database.transaction() as tx:
        row = await people.by_login(tx, login)
    fits = await password_fits(password, row["password_hash"] if row else None)
    if row is None or row["machine"] or row["blocked"]:
        raise PermissionRefused(REFUSED)
    async with database.transaction() as tx:
        if fits and row["totp_secret"]:
            step = step_of_code(row["totp_secret"], code, time.time())
            # A code is for one sign-in: whoever looks over a shoulder gets nothing from it.
            fits = step is not None and await people.use_code(tx, row["id"], step)
        if fits:
            await people.forget_failures(tx, row["id"])
            await governed.append_action(
                tx, row["id"], "sign-in", str(row["id"]), "", {"second_factor": bool(row["totp_secret"])}
            )
            return await people.open_session(tx, row["id"])
        await people.note_failure(tx, row["id"])
    raise PermissionRefused(REFUSED)
