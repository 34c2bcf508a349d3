"""One table for the console, the API and the command line."""

from __future__ import annotations

import pytest

from lumbung.errors import ContractError, PermissionRefused, UsageError
from lumbung.model.permission import (
    ALL_SCOPES,
    OPERATOR_AT_THE_MACHINE,
    PERMISSIONS,
    Actor,
    Role,
    allow,
    person_of,
    scopes_of,
)
from lumbung.profiles.loader import load_profile

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


def test_who_guards_a_province_guards_its_regencies_and_peoples_and_nothing_beyond():
    regions = load_profile("pdbi").regions
    guardian = Actor(1, frozenset({(Role.GUARDIAN, "ID-SB"), (Role.AUDITOR, "tarian")})).within(regions)
    for scope in ("ID-SB", "13.06", "x-minangkabau"):
        assert guardian.holds(Role.GUARDIAN, scope)
        assert not guardian.holds(Role.AUDITOR, scope)
    assert not guardian.holds(Role.GUARDIAN, "ID-JI")
    assert not guardian.holds(Role.GUARDIAN, "35.78")
    allow(guardian, "hide-entry", scopes_of({"category": "ritual", "primary_region": "13.06", "regions": []}), "why")


def test_who_guards_a_people_or_a_regency_does_not_guard_the_province():
    guardian = Actor(1, frozenset({(Role.GUARDIAN, "13.06"), (Role.GUARDIAN, "x-minangkabau")}))
    assert not guardian.within(load_profile("pdbi").regions).holds(Role.GUARDIAN, "ID-SB")
