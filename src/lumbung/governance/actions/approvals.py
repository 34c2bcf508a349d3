"""The second person says yes: the request is carried out, once."""

from __future__ import annotations

from lumbung.errors import PolicyRefused
from lumbung.governance.actions.calibration import carry_out_calibration
from lumbung.governance.actions.constants import carry_out_constant
from lumbung.governance.actions.matcher import carry_out_matcher
from lumbung.governance.actions.modes import carry_out_mode
from lumbung.governance.actions.requests import CarryOut, another_person, open_request, still_holds
from lumbung.governance.actions.scope import carry_out_scope, carry_out_sensitive_list
from lumbung.governance.actions.source_rules import carry_out_source_rules
from lumbung.governance.constants import rule_of
from lumbung.model.permission import ALL_SCOPES, PERMISSIONS, Actor, person_of
from lumbung.store import requests
from lumbung.store.database import Row, Transaction

CARRY_OUT: dict[str, CarryOut] = {
    "recalibrate": carry_out_calibration,
    "set-constant": carry_out_constant,
    "set-matcher": carry_out_matcher,
    "set-mode": carry_out_mode,
    "set-scope": carry_out_scope,
    "set-sensitive-list": carry_out_sensitive_list,
    "set-source-rules": carry_out_source_rules,
}


async def _asked_by_one_who_may(tx: Transaction, row: Row) -> None:
    """Four eyes are those of two people who hold the role today."""
    verb, scope = row["verb"], ALL_SCOPES
    roles = rule_of(row["subject"]).roles if verb == "set-constant" else PERMISSIONS[verb].roles
    if verb == "set-mode":
        roles, scope = PERMISSIONS["request-mode"].roles, str(row["subject"])
    if not await still_holds(tx, row["asked_by"], roles, scope):
        raise PolicyRefused(
            "Whoever asked for this no longer holds a role that may; decline the request and ask again."
        )


async def approve_request(tx: Transaction, actor: Actor, number: int, reason: str) -> None:
    """Carries the request out, if this is another person who may do it and all that it needs is there."""
    row = await open_request(tx, number)
    person = person_of(actor, row["verb"])
    await _asked_by_one_who_may(tx, row)
    single_handed = await CARRY_OUT[row["verb"]](tx, actor, row, reason)
    if not single_handed:
        another_person(actor, row)
    await requests.close(tx, number, "carried out", person, reason, single_handed)
