"""The second person says yes: the request is carried out, once."""

from __future__ import annotations

from lumbung.governance.actions.calibration import carry_out_calibration
from lumbung.governance.actions.constants import carry_out_constant
from lumbung.governance.actions.matcher import carry_out_matcher
from lumbung.governance.actions.modes import carry_out_mode
from lumbung.governance.actions.requests import CarryOut, another_person, open_request
from lumbung.governance.actions.scope import carry_out_scope, carry_out_sensitive_list
from lumbung.model.permission import Actor, person_of
from lumbung.store import requests
from lumbung.store.database import Transaction

CARRY_OUT: dict[str, CarryOut] = {
    "recalibrate": carry_out_calibration,
    "set-constant": carry_out_constant,
    "set-matcher": carry_out_matcher,
    "set-mode": carry_out_mode,
    "set-scope": carry_out_scope,
    "set-sensitive-list": carry_out_sensitive_list,
}


async def approve_request(tx: Transaction, actor: Actor, number: int, reason: str) -> None:
    """Carries the request out, if this is another person who may do it and all that it needs is there."""
    row = await open_request(tx, number)
    person = person_of(actor, row["verb"])
    single_handed = await CARRY_OUT[row["verb"]](tx, actor, row, reason)
    if not single_handed:
        another_person(actor, row)
    await requests.close(tx, number, "carried out", person, reason, single_handed)
