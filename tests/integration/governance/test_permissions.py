"""Every verb by every role, every pair of people for four eyes."""

from __future__ import annotations

from contextlib import suppress
from itertools import product

import pytest

from lumbung.errors import PermissionRefused, PolicyRefused, UsageError
from lumbung.governance.actions.approvals import CARRY_OUT, approve_request
from lumbung.governance.actions.calibration import recalibrate
from lumbung.governance.actions.constants import set_constant
from lumbung.governance.actions.matcher import adopt_matcher
from lumbung.governance.actions.modes import CHECKLISTS, emergency_stop, lower_mode, request_mode, sign_off
from lumbung.governance.actions.requests import ask, decline_request
from lumbung.governance.actions.scope import ratify, set_scope, set_sensitive_list, terms_in_force
from lumbung.governance.constants import rule_of
from lumbung.model.permission import OPERATOR_AT_THE_MACHINE, PERMISSIONS, Role
from lumbung.store import governed, requests, stages


class RolledBack(Exception):
    """Ends a transaction without a trace."""


GOVERNORS = (Role.OPERATOR, Role.CURATOR, Role.APPROVER, Role.AUDITOR, Role.GUARDIAN)


async def test_a_loosened_constant_is_carried_out_by_another_holder_of_the_role_and_nobody_else(house):
    first, second = await house.person("ayu", Role.APPROVER), await house.person("budi", Role.APPROVER)
    others = [await house.person(f"x-{role.value}", role) for role in Role if role is not Role.APPROVER]
    async with house.people.transaction() as tx:
        change = await set_constant(tx, first, "fusion.theta", 0.8, "more entries")
    assert change.version is None
    for actor in (first, OPERATOR_AT_THE_MACHINE, *others):
        with pytest.raises(PermissionRefused):
            async with house.people.transaction() as tx:
                await approve_request(tx, actor, change.request, "fine")
    async with house.people.transaction() as tx:
        assert (await governed.values_now(tx))["fusion.theta"] == 0.85
        await approve_request(tx, second, change.request, "agreed")
        assert (await governed.values_now(tx))["fusion.theta"] == 0.8
    with pytest.raises(UsageError, match="no open request"):
        async with house.people.transaction() as tx:
            await approve_request(tx, second, change.request, "again")


async def test_a_tightened_constant_needs_no_second_person_and_withdraws_nothing(house):
    approver = await house.person("ayu", Role.APPROVER)
    async with house.people.transaction() as tx:
        assert (await set_constant(tx, approver, "fusion.theta", 0.9, "stricter")).version == 2
        assert await tx.value("select count(*) from job where stage = 'steward'") == 0
        assert await tx.value("select count(*) from notice where kind = 'threshold-raised'") == 1


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("fusion.theta", 1.5),
        ("fusion.theta", float("nan")),
        ("fusion.theta", "0.9"),
        ("fusion.theta", True),
        ("no.such", 1),
        ("mode.tarian", 1),
        ("frontier.phi_min", 1.5),
    ],
)
async def test_a_constant_takes_only_what_it_can_mean(house, name, value):
    everything = await house.person("ayu", *Role)
    async with house.people.transaction() as tx:
        with pytest.raises(UsageError):
            await set_constant(tx, everything, name, value, "why not")


async def test_a_mode_is_raised_only_by_an_approver_who_did_not_ask(house):
    """Every pair of roles as asker and approver, each in a category of its own, all sign-offs given by others."""
    signer = await house.person("signer", *GOVERNORS)
    askers = {role: await house.person(f"asker-{role.value}", role) for role in GOVERNORS}
    approvers = {role: await house.person(f"approver-{role.value}", role) for role in GOVERNORS}
    async with house.people.transaction() as tx:
        await ratify(tx, signer, ["a community"], "talked over")
    may_ask = PERMISSIONS["request-mode"].roles
    for role in set(GOVERNORS) - may_ask:
        async with house.people.transaction() as tx:
            with pytest.raises(PermissionRefused):
                await request_mode(tx, askers[role], "tarian", "trickle", "ready")
    pairs = product(sorted(may_ask), GOVERNORS)
    for (asking, approving), category in zip(pairs, sorted(house.profile.categories), strict=True):
        async with house.people.transaction() as tx:
            number = await request_mode(tx, askers[asking], category, "trickle", "ready")
            for risk in CHECKLISTS:
                await sign_off(tx, signer, number, risk, CHECKLISTS[risk], "looked at")
        refused = [askers[asking], *([] if approving is Role.APPROVER else [approvers[approving]])]
        for actor in refused:
            with pytest.raises(PermissionRefused):
                async with house.people.transaction() as tx:
                    await approve_request(tx, actor, number, "all signed")
        async with house.people.transaction() as tx:
            assert (await governed.values_now(tx))[f"mode.{category}"] == "shadow"
            if approving is Role.APPROVER:
                await approve_request(tx, approvers[approving], number, "all signed")
                assert (await governed.values_now(tx))[f"mode.{category}"] == "trickle"


async def test_nothing_leaves_shadow_before_a_guardian_ratified(house):
    cast = await house.cast()
    async with house.people.transaction() as tx:
        with pytest.raises(PolicyRefused, match="ratified"):
            await request_mode(tx, cast[Role.CURATOR], "tarian", "trickle", "ready")
        with pytest.raises(UsageError, match="consulted"):
            await ratify(tx, cast[Role.GUARDIAN], [" "], "talked over")
        with pytest.raises(PermissionRefused):
            await ratify(tx, cast[Role.APPROVER], ["x"], "talked over")


async def test_all_three_risks_are_signed_by_others_with_the_whole_checklist_and_figures(house):
    cast = await house.cast()
    await house.ratified(cast)
    async with house.people.transaction() as tx:
        number = await request_mode(tx, cast[Role.CURATOR], "tarian", "trickle", "ready")
        with pytest.raises(PolicyRefused, match="culture, corpus, law"):
            await approve_request(tx, cast[Role.APPROVER], number, "no signature")
        with pytest.raises(UsageError, match="undo-tried"):
            await sign_off(tx, cast[Role.AUDITOR], number, "corpus", CHECKLISTS["corpus"][:3], "most of it")
        for role, risk in product(GOVERNORS, CHECKLISTS):
            if role not in PERMISSIONS[f"sign-{risk}"].roles:
                with pytest.raises(PermissionRefused):
                    await sign_off(tx, cast[role], number, risk, CHECKLISTS[risk], "not mine")
        await sign_off(tx, cast[Role.GUARDIAN], number, "culture", CHECKLISTS["culture"], "read them")
        signed = await requests.signed(tx, number)
        assert signed[0]["figures"]["p_min"] == 0.95
        with pytest.raises(UsageError, match="already"):
            await sign_off(tx, cast[Role.GUARDIAN], number, "culture", CHECKLISTS["culture"], "again")


async def test_one_step_at_a_time_and_never_up_by_lowering(house):
    cast = await house.cast()
    await house.ratified(cast)
    async with house.people.transaction() as tx:
        with pytest.raises(UsageError, match="one step"):
            await request_mode(tx, cast[Role.CURATOR], "tarian", "full", "hurry")
        with pytest.raises(UsageError):
            await lower_mode(tx, cast[Role.APPROVER], "tarian", "full", "trick")
        with pytest.raises(UsageError, match="no category"):
            await request_mode(tx, cast[Role.CURATOR], "nothing", "trickle", "x")


async def test_one_person_alone_goes_as_far_as_trickle_and_it_is_marked(house):
    alone = await house.person("ayu", *GOVERNORS)
    async with house.people.transaction() as tx:
        await ratify(tx, alone, ["a community"], "talked over")
        for mode in ("trickle", "full"):
            number = await request_mode(tx, alone, "tarian", mode, "ready")
            if mode == "full":
                with pytest.raises(PermissionRefused):
                    await sign_off(tx, alone, number, "law", CHECKLISTS["law"], "looked at")
                with pytest.raises(PermissionRefused):
                    await approve_request(tx, alone, number, "alone")
                break
            for risk in CHECKLISTS:
                await sign_off(tx, alone, number, risk, CHECKLISTS[risk], "looked at")
            await approve_request(tx, alone, number, "alone")
            assert (await requests.get(tx, number))["single_handed"]
        assert (await governed.values_now(tx))["mode.tarian"] == "trickle"


async def test_the_sensitive_list_grows_at_once_and_shrinks_by_two_guardians(house):
    first, second = await house.person("ayu", Role.GUARDIAN), await house.person("budi", Role.GUARDIAN)
    async with house.people.transaction() as tx:
        terms = terms_in_force(await governed.values_now(tx), house.profile)
        assert terms
        grown = (*terms, type(terms[0])("pingitan", "", "a word of the test"))
        assert (await set_sensitive_list(tx, first, grown, "a word more")).version == 2
        shrunk = await set_sensitive_list(tx, first, grown[1:], "a word less")
        assert shrunk.version is None
        with pytest.raises(PermissionRefused):
            await approve_request(tx, first, shrunk.request, "mine")
        await approve_request(tx, second, shrunk.request, "agreed")
        assert len(terms_in_force(await governed.values_now(tx), house.profile)) == len(terms)
        assert (await set_scope(tx, first, "what belongs", "clearer")).request is not None


async def test_the_emergency_stop_lowers_everything_and_pauses_publication(house):
    cast = await house.cast()
    await house.ratified(cast)
    await house.raised(cast, "tarian", "trickle")
    for role in (Role.CURATOR,):
        async with house.people.transaction() as tx:
            with pytest.raises(PermissionRefused):
                await emergency_stop(tx, cast[role], "fire")
    async with house.people.transaction() as tx:
        assert await emergency_stop(tx, cast[Role.AUDITOR], "fire") == ["tarian"]
        assert {value for name, value in (await governed.values_now(tx)).items() if name.startswith("mode.")} == {
            "shadow"
        }
        paused = {row["name"]: row["paused_reason"] for row in await stages.all_stages(tx)}
    assert paused["publish"] == "emergency stop: fire"


async def test_a_request_is_declined_by_others_and_withdrawn_by_its_asker(house):
    first, second = await house.person("ayu", Role.APPROVER), await house.person("budi", Role.APPROVER)
    async with house.people.transaction() as tx:
        for actor, state in ((second, "declined"), (first, "withdrawn")):
            change = await set_constant(tx, first, "fusion.theta", 0.8, "more entries")
            await decline_request(tx, actor, change.request, "no")
            assert (await requests.get(tx, change.request))["state"] == state


FOUR_EYES = {
    "set-constant": ("audit.p_min", {"value": 0.9}),
    "set-sensitive-list": ("sensitive.list", {"terms": [], "lost": []}),
    "set-scope": ("scope.text", {"text": "what belongs"}),
    "recalibrate": ("fusion.calibration", {"maps": [], "before": 0, "figures": {}}),
    "set-matcher": ("matcher.model", {"model": {}, "figures": {}, "before": 0}),
}
"""A request of each verb; raising a mode has a test of its own, because sign-offs belong to it."""


def may_carry_out(verb: str, subject: str) -> frozenset[Role]:
    return rule_of(subject).roles if verb == "set-constant" else PERMISSIONS[verb].roles


async def test_every_pair_of_people_for_four_eyes(house):
    """Every role asks and every role answers, the asker among them: only another person with the role carries it out."""
    asking = {role: await house.person(f"asks-{role.value}", role) for role in Role}
    answering = {role: await house.person(f"answers-{role.value}", role) for role in Role}
    for (verb, (subject, payload)), asker in product(FOUR_EYES.items(), asking.values()):
        for role, actor in (*answering.items(), (None, asker), (None, OPERATOR_AT_THE_MACHINE)):
            carried = False
            with suppress(RolledBack):
                async with house.people.transaction() as tx:
                    number = await ask(tx, asker, verb, subject, payload, "for the test")
                    with suppress(PermissionRefused):
                        await approve_request(tx, actor, number, "looked at")
                        carried = True
                    assert ((await requests.get(tx, number))["state"] == "carried out") is carried
                    raise RolledBack
            assert carried is (role in may_carry_out(verb, subject)), (verb, role)


async def test_who_may_not_carry_a_change_out_may_not_ask_for_it_either(house):
    actors = {role: await house.person(f"x-{role.value}", role) for role in Role}
    ask_for = {
        "set-constant": lambda tx, actor: set_constant(tx, actor, "audit.p_min", 0.9, "x"),
        "set-sensitive-list": lambda tx, actor: set_sensitive_list(tx, actor, (), "x"),
        "set-scope": lambda tx, actor: set_scope(tx, actor, "what belongs", "x"),
        "recalibrate": lambda tx, actor: recalibrate(tx, actor, "x"),
        "set-matcher": lambda tx, actor: adopt_matcher(tx, actor, "x"),
    }
    assert ask_for.keys() == FOUR_EYES.keys()
    for verb, (subject, _) in FOUR_EYES.items():
        for role in set(Role) - may_carry_out(verb, subject):
            async with house.people.transaction() as tx:
                with pytest.raises(PermissionRefused):
                    await ask_for[verb](tx, actors[role])


def test_every_verb_that_needs_four_eyes_has_a_way_to_be_carried_out():
    assert set(CARRY_OUT) == {verb for verb, permission in PERMISSIONS.items() if permission.four_eyes}
    assert set(CARRY_OUT) == {*FOUR_EYES, "set-mode"}
