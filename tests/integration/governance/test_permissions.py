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
from lumbung.governance.actions.people import revoke_role
from lumbung.governance.actions.requests import ask, decline_request
from lumbung.governance.actions.scope import (
    ratify,
    set_scope,
    set_sensitive_list,
    terms_in_force,
)
from lumbung.governance.actions.source_rules import set_source_rules
from lumbung.governance.constants import rule_of
from lumbung.governance.scope_rows import terms_as_rows
from lumbung.model.permission import OPERATOR_AT_THE_MACHINE, PERMISSIONS, Role
from lumbung.model.profile import SensitiveTerm, SourceRule, SourceType
from lumbung.profiles.loader import load_profile
from lumbung.store import governed, requests, stages

PROFILE = load_profile("pdbi")


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


async def test_what_changed_since_it_was_asked_for_is_not_approved_as_if_it_had_not(house):
    """The second person says yes to the step shown: another word added meanwhile would go unseen with the list."""
    first, second = [await house.person(name, Role.GUARDIAN, Role.APPROVER) for name in ("ayu", "budi")]
    another = SensitiveTerm("keris pusaka", "", "")
    async with house.people.transaction() as tx:
        present = terms_in_force(await governed.values_now(tx), house.profile)
        stale = [
            (await set_sensitive_list(tx, first, present[1:], "a word less")).request,
            (await set_scope(tx, first, "what belongs", "clearer")).request,
            (await set_constant(tx, first, "fusion.theta", 0.8, "more")).request,
        ]
        await set_sensitive_list(tx, second, [*present, another], "a word more")
        newer = await set_scope(tx, second, "what else belongs", "clearer still")
        await approve_request(tx, first, newer.request, "agreed")
        await set_constant(tx, second, "fusion.theta", 0.95, "stricter")
    for number in stale:
        with pytest.raises(PolicyRefused, match="changed since"):
            async with house.people.transaction() as tx:
                await approve_request(tx, second, number, "fine")
    async with house.people.transaction() as tx:
        values = await governed.values_now(tx)
    assert another in terms_in_force(values, house.profile)
    assert (values["scope.text"], values["fusion.theta"]) == ("what else belongs", 0.95)


def rules(*lines):
    return [SourceRule(SourceType(kind), rule, pattern, "because") for kind, rule, pattern in lines]


@pytest.mark.parametrize(
    ("held", "wanted", "two_people"),
    [
        ([], [("academic", "host", "arsip.example")], True),
        ([], [("community", "host", "x.go.id")], False),
        ([("community", "host", "x.go.id")], [], True),
        ([("academic", "host", "arsip.example")], [], False),
        ([], [("community", "suffix", "ac.id")], True),
        ([], [("official", "path", "*/blog")], True),
        ([("community", "host", "x.go.id")], [("unknown", "host", "x.go.id")], False),
        ([], [("academic", "suffix", "org")], True),
        ([], [("encyclopaedia", "host", "salinan.example")], False),
    ],
)
async def test_a_rule_that_lends_a_source_more_weight_takes_two_people(house, held, wanted, two_people):
    curator, approver = await house.person("ayu", Role.CURATOR), await house.person("budi", Role.APPROVER)
    async with house.people.transaction() as tx:
        first = await set_source_rules(tx, curator, rules(*held), house.profile, "as it stands")
        if first.request is not None:
            await approve_request(tx, approver, first.request, "agreed")
        change = await set_source_rules(tx, curator, rules(*wanted), house.profile, "looked at them")
        assert (change.request is not None) is two_people
        assert ((await governed.values_now(tx))["sources.rules"] == as_held(wanted)) is not two_people
        if two_people:
            with pytest.raises(PermissionRefused):
                await approve_request(tx, curator, change.request, "mine")
            await approve_request(tx, approver, change.request, "agreed")
            assert (await governed.values_now(tx))["sources.rules"] == as_held(wanted)


def as_held(lines):
    return [{"type": kind, "rule": rule, "pattern": pattern, "reason": "because"} for kind, rule, pattern in lines]


async def revoked(house, actor, role):
    async with house.people.transaction() as tx:
        await revoke_role(tx, OPERATOR_AT_THE_MACHINE, actor.person, role, "left us")


async def test_a_sign_off_and_a_request_end_with_the_role_of_who_gave_them(house):
    cast = await house.cast()
    await house.ratified(cast)
    async with house.people.transaction() as tx:
        number = await request_mode(tx, cast[Role.CURATOR], "tarian", "trickle", "ready")
        for risk, role in (("culture", Role.GUARDIAN), ("corpus", Role.AUDITOR), ("law", Role.OPERATOR)):
            await sign_off(tx, cast[role], number, risk, CHECKLISTS[risk], "looked at")
        other = await request_mode(tx, cast[Role.CURATOR], "ritual", "trickle", "ready")
    await revoked(house, cast[Role.GUARDIAN], Role.GUARDIAN)
    with pytest.raises(PolicyRefused, match="signed for culture no longer"):
        async with house.people.transaction() as tx:
            await approve_request(tx, cast[Role.APPROVER], number, "all signed")
    await house.person("the-guardian", Role.GUARDIAN, scope="ritual")
    with pytest.raises(PolicyRefused, match="signed for culture no longer"):
        async with house.people.transaction() as tx:
            await approve_request(tx, cast[Role.APPROVER], number, "a role for another category")
    await house.person("the-guardian", Role.GUARDIAN, scope="tarian")
    async with house.people.transaction() as tx:
        await approve_request(tx, cast[Role.APPROVER], number, "all signed")
    await revoked(house, cast[Role.CURATOR], Role.CURATOR)
    with pytest.raises(PolicyRefused, match="Whoever asked"):
        async with house.people.transaction() as tx:
            await approve_request(tx, cast[Role.APPROVER], other, "asked by one who left")


async def test_a_ratification_covers_what_was_talked_over_and_no_more(house):
    """A longer list is stricter and needs no new one; another scope or a shorter list does, before any mode rises."""
    cast = await house.cast()
    second = await house.person("second", Role.GUARDIAN)

    async def asked():
        async with house.people.transaction() as tx:
            return await request_mode(tx, cast[Role.CURATOR], "tarian", "trickle", "ready")

    async def agreed(change):
        async with house.people.transaction() as tx:
            await approve_request(tx, second, (await change(tx)).request, "agreed")

    await house.ratified(cast)
    async with house.people.transaction() as tx:
        terms = terms_in_force(await governed.values_now(tx), house.profile)
        await set_sensitive_list(tx, second, [*terms, SensitiveTerm("pingitan", "", "")], "one more")
    await asked()
    await agreed(lambda tx: set_sensitive_list(tx, cast[Role.GUARDIAN], terms, "the added one goes again"))
    number = await asked()
    await agreed(lambda tx: set_sensitive_list(tx, cast[Role.GUARDIAN], terms[1:], "one less"))
    with pytest.raises(PolicyRefused, match="lost terms"):
        await asked()
    with pytest.raises(PolicyRefused, match="lost terms"):
        async with house.people.transaction() as tx:
            await approve_request(tx, cast[Role.APPROVER], number, "asked before")
    await house.ratified(cast)
    await asked()
    await agreed(lambda tx: set_scope(tx, cast[Role.GUARDIAN], "what belongs", "clearer"))
    with pytest.raises(PolicyRefused, match="scope changed"):
        await asked()
    await house.ratified(cast)
    await house.raised(cast, "tarian", "trickle")


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
    "set-constant": ("audit.p_min", {"value": 0.9, "before": 0.95}),
    "set-sensitive-list": ("sensitive.list", {"terms": terms_as_rows(PROFILE.sensitive), "lost": []}),
    "set-scope": ("scope.text", {"text": "what belongs", "version": 1}),
    "set-source-rules": ("sources.rules", {"rules": [], "raised": [], "version": 0}),
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
    for (verb, (subject, payload)), (asks, asker) in product(FOUR_EYES.items(), asking.items()):
        for role, actor in (*answering.items(), (None, asker), (None, OPERATOR_AT_THE_MACHINE)):
            carried = False
            with suppress(RolledBack):
                async with house.people.transaction() as tx:
                    number = await ask(tx, asker, verb, subject, payload, "for the test")
                    with suppress(PermissionRefused, PolicyRefused):
                        await approve_request(tx, actor, number, "looked at")
                        carried = True
                    assert ((await requests.get(tx, number))["state"] == "carried out") is carried
                    raise RolledBack
            assert carried is ({role, asks} <= may_carry_out(verb, subject)), (verb, role)


async def test_who_may_not_carry_a_change_out_may_not_ask_for_it_either(house):
    actors = {role: await house.person(f"x-{role.value}", role) for role in Role}
    ask_for = {
        "set-constant": lambda tx, actor: set_constant(tx, actor, "audit.p_min", 0.9, "x"),
        "set-sensitive-list": lambda tx, actor: set_sensitive_list(tx, actor, (), "x"),
        "set-scope": lambda tx, actor: set_scope(tx, actor, "what belongs", "x"),
        "set-source-rules": lambda tx, actor: set_source_rules(tx, actor, (), PROFILE, "x"),
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
