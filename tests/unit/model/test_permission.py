"""One table for the console, the API and the command line."""

from __future__ import annotations

import pytest

from lumbung.errors import ContractError, PermissionRefused, UsageError
from lumbung.model.permission import ALL_SCOPES, OPERATOR_AT_THE_MACHINE, PERMISSIONS, Actor, Role, allow, person_of

MATRIX = [(verb, role) for verb in sorted(PERMISSIONS) for role in Role]


@pytest.mark.parametrize(("verb", "role"), MATRIX, ids=str)
def test_a_role_may_do_exactly_what_the_table_says(verb, role):
    anywhere, here = Actor(1, frozenset({(role, ALL_SCOPES)})), Actor(1, frozenset({(role, "tarian")}))
    if role in PERMISSIONS[verb].roles:
        allow(anywhere, verb, "ritual", "why")
        allow(here, verb, "tarian", "why")
        with pytest.raises(PermissionRefused):
            allow(here, verb, "ritual", "why")
        with pytest.raises(PermissionRefused):
            allow(Actor(1, anywhere.grants, frozenset({"another-verb"})), verb, "ritual", "why")
        if PERMISSIONS[verb].reason_needed:
            with pytest.raises(UsageError):
                allow(anywhere, verb, "ritual", " ")
    else:
        with pytest.raises(PermissionRefused):
            allow(anywhere, verb, "ritual", "why")


def test_nobody_may_do_what_is_not_in_the_table():
    with pytest.raises(ContractError):
        allow(Actor(1, frozenset((role, ALL_SCOPES) for role in Role)), "grow-wings")


def test_the_operator_at_the_machine_answers_for_nothing_that_needs_a_name():
    with pytest.raises(PermissionRefused):
        person_of(OPERATOR_AT_THE_MACHINE, "ratify")
