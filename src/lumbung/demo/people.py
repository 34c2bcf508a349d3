"""The demo's people, who can sign in: one a role, with passwords that are made anew and told once."""

from __future__ import annotations

import secrets

from lumbung.governance.actions.demo_governance import DEMO_PEOPLE
from lumbung.governance.actions.people import set_password
from lumbung.model.permission import OPERATOR_AT_THE_MACHINE
from lumbung.store import people
from lumbung.store.database import Transaction

PASSWORD_BYTES = 12
REASON = "a new password for this start of the demo"


async def give_passwords(tx: Transaction) -> dict[str, str]:
    """Login and new password of each demo person that exists; whoever was signed in is signed out."""
    given: dict[str, str] = {}
    for login, _ in DEMO_PEOPLE.values():
        known = await people.by_login(tx, login)
        if known is not None:
            given[login] = secrets.token_urlsafe(PASSWORD_BYTES)
            await set_password(tx, OPERATOR_AT_THE_MACHINE, known["id"], given[login], REASON)
    return given
