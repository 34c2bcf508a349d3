"""Who may do what: one table for the console, the API and the command line."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from lumbung.errors import ContractError, PermissionRefused, UsageError
from lumbung.model.profile import Region


class Role(StrEnum):
    OPERATOR = "operator"
    CURATOR = "curator"
    APPROVER = "approver"
    AUDITOR = "auditor"
    GUARDIAN = "guardian"
    CONTRIBUTOR = "contributor"
    MODERATOR = "moderator"


ALL_SCOPES = "*"
PUBLISH = "publish"
"""What a machine account's token is good for; no role of people's allows it."""


@dataclass(frozen=True, slots=True)
class Actor:
    """A person with the grants in force, each a role and its scope; or the operator at the machine itself."""

    person: int | None
    grants: frozenset[tuple[Role, str]] = frozenset()
    verbs: frozenset[str] | None = None
    """All that an API token is good for; None where nothing narrows the grants."""
    implied: frozenset[tuple[Role, str]] = frozenset()
    """What the grants hold besides: who guards a province guards its regencies and peoples."""

    def holds(self, role: Role, scope: str = ALL_SCOPES) -> bool:
        return (role, ALL_SCOPES) in self.grants or (role, scope) in self.grants | self.implied

    def within(self, regions: Mapping[str, Region]) -> Actor:
        """The same person, whose provinces reach as far as the profile's regions say."""
        scopes = {scope for _, scope in self.grants if scope in regions}
        if not scopes:
            return self
        inside = [(code, province) for code, each in regions.items() for province in scopes & {*each.provinces}]
        implied = {(role, code) for role, scope in self.grants for code, province in inside if scope == province}
        return replace(self, implied=frozenset(implied))


OPERATOR_AT_THE_MACHINE = Actor(None, frozenset({(Role.OPERATOR, ALL_SCOPES)}))
"""Whoever may read the data folder: operator actions, and the creation of the first account."""


@dataclass(frozen=True, slots=True)
class Permission:
    roles: frozenset[Role]
    reason_needed: bool = False
    four_eyes: bool = False
    """Asked for by one person, carried out by another."""


def _may(*roles: Role, reason: bool = False, four_eyes: bool = False) -> Permission:
    return Permission(frozenset(roles), reason, four_eyes)


PERMISSIONS: dict[str, Permission] = {
    "inject-seeds": _may(Role.CURATOR, Role.OPERATOR),
    "import-records": _may(Role.OPERATOR, Role.MODERATOR),
    "pause-stage": _may(Role.OPERATOR, Role.APPROVER, reason=True),
    "resume-stage": _may(Role.OPERATOR, Role.APPROVER, reason=True),
    "acknowledge-alarm": _may(Role.OPERATOR, Role.APPROVER, reason=True),
    "redrive-dead-letters": _may(Role.OPERATOR, reason=True),
    "stop-host": _may(Role.OPERATOR, Role.CURATOR, Role.GUARDIAN, reason=True),
    "allow-host": _may(Role.OPERATOR, Role.CURATOR, reason=True),
    "set-host-delay": _may(Role.OPERATOR, Role.CURATOR, reason=True),
    "set-quiet-hours": _may(Role.OPERATOR, Role.CURATOR, reason=True),
    "refetch-page": _may(Role.OPERATOR, Role.CURATOR, Role.AUDITOR, Role.GUARDIAN, reason=True),
    "verify-archive": _may(Role.OPERATOR, reason=True),
    "erase-page": _may(Role.OPERATOR, Role.GUARDIAN, reason=True),
    "reset-crawl-weights": _may(Role.CURATOR, reason=True),
    "reextract": _may(Role.OPERATOR, Role.CURATOR),
    "set-source-rules": _may(Role.CURATOR, Role.APPROVER, reason=True, four_eyes=True),
    "set-lexicon": _may(Role.CURATOR, Role.GUARDIAN, reason=True),
    "set-denylist": _may(Role.CURATOR, Role.OPERATOR, Role.GUARDIAN, reason=True),
    "undo-batch": _may(Role.APPROVER, Role.OPERATOR, reason=True),
    "create-entry": _may(Role.CONTRIBUTOR, Role.MODERATOR),
    "revise-entry": _may(Role.CONTRIBUTOR, Role.MODERATOR),
    "revert-entry": _may(Role.MODERATOR, reason=True),
    "remove-entry": _may(Role.MODERATOR, Role.GUARDIAN, reason=True),
    "restore-entry": _may(Role.MODERATOR, Role.GUARDIAN, reason=True),
    "hide-entry": _may(Role.GUARDIAN, Role.MODERATOR, reason=True),
    "discuss-entry": _may(Role.CONTRIBUTOR, Role.MODERATOR, Role.CURATOR, Role.AUDITOR, Role.GUARDIAN),
    "withhold-remark": _may(Role.MODERATOR, Role.GUARDIAN, reason=True),
    "erase-remark": _may(Role.OPERATOR, Role.MODERATOR, Role.GUARDIAN, reason=True),
    "decide-correction": _may(Role.GUARDIAN, Role.MODERATOR, Role.CURATOR, reason=True),
    "decide-takedown": _may(Role.GUARDIAN, Role.MODERATOR, reason=True),
    "set-labels": _may(Role.GUARDIAN, reason=True),
    "demo-governance": _may(Role.OPERATOR),
    "create-person": _may(Role.OPERATOR),
    "erase-person": _may(Role.OPERATOR, reason=True),
    "set-password": _may(*Role),
    "reset-sign-in": _may(Role.OPERATOR, reason=True),
    "set-second-factor": _may(*Role),
    "grant-role": _may(Role.OPERATOR, reason=True),
    "revoke-role": _may(Role.OPERATOR, reason=True),
    "issue-token": _may(*Role),
    "revoke-token": _may(*Role),
    "set-constant": _may(
        Role.OPERATOR, Role.CURATOR, Role.APPROVER, Role.AUDITOR, Role.GUARDIAN, reason=True, four_eyes=True
    ),
    "set-sensitive-list": _may(Role.GUARDIAN, reason=True, four_eyes=True),
    "set-scope": _may(Role.GUARDIAN, reason=True, four_eyes=True),
    "set-machine-licence": _may(Role.GUARDIAN, reason=True),
    "ratify": _may(Role.GUARDIAN, reason=True),
    "request-mode": _may(Role.CURATOR, Role.APPROVER, Role.OPERATOR, reason=True),
    "set-mode": _may(Role.APPROVER, reason=True, four_eyes=True),
    "sign-culture": _may(Role.GUARDIAN, reason=True),
    "sign-corpus": _may(Role.AUDITOR, Role.APPROVER, reason=True),
    "sign-law": _may(Role.OPERATOR, Role.APPROVER, reason=True),
    "lower-mode": _may(Role.APPROVER, Role.GUARDIAN, Role.AUDITOR, Role.OPERATOR, reason=True),
    "emergency-stop": _may(Role.APPROVER, Role.GUARDIAN, Role.AUDITOR, Role.OPERATOR, reason=True),
    "decline-request": _may(Role.APPROVER, Role.GUARDIAN, Role.OPERATOR, reason=True),
    "label-sample": _may(Role.AUDITOR),
    "adjudicate-sample": _may(Role.AUDITOR, reason=True),
    "recalibrate": _may(Role.AUDITOR, Role.APPROVER, reason=True, four_eyes=True),
    "set-matcher": _may(Role.AUDITOR, Role.APPROVER, reason=True, four_eyes=True),
    "plant-gold": _may(Role.APPROVER, Role.GUARDIAN, reason=True),
    "approve-item": _may(Role.AUDITOR, Role.GUARDIAN, reason=True),
    "approve-sensitive": _may(Role.GUARDIAN, reason=True),
    "reject-item": _may(Role.AUDITOR, Role.GUARDIAN, reason=True),
    "judge-pair": _may(Role.AUDITOR, Role.CURATOR, reason=True),
    "retract-source": _may(Role.AUDITOR, Role.CURATOR, Role.GUARDIAN, reason=True),
    "mark-sensitive": _may(Role.GUARDIAN, Role.AUDITOR, reason=True),
    "add-tranche": _may(Role.CURATOR, Role.OPERATOR),
    "verify-seed": _may(Role.CURATOR),
    "inject-tranche": _may(Role.CURATOR, reason=True),
    "stop-tranche": _may(Role.CURATOR, Role.OPERATOR, reason=True),
    "explain-corpus-change": _may(Role.GUARDIAN, Role.OPERATOR, reason=True),
    "close-notice": _may(Role.OPERATOR, Role.CURATOR, Role.APPROVER, Role.AUDITOR, Role.GUARDIAN),
}
"""By verb; a verb that is not listed is nobody's."""


def allow(actor: Actor, verb: str, scope: str | Collection[str] = ALL_SCOPES, reason: str | None = "") -> None:
    """Raise PermissionRefused unless one of the actor's grants allows the verb in this scope, or in one of several."""
    permission = PERMISSIONS.get(verb)
    if permission is None:
        raise ContractError(f"There is no action {verb}.")
    if actor.verbs is not None and verb not in actor.verbs:
        raise PermissionRefused(f"This token is not good for {verb}.")
    scopes = (scope,) if isinstance(scope, str) else (ALL_SCOPES, *scope)
    if not any(actor.holds(role, each) for role in permission.roles for each in scopes):
        wanted = " or ".join(sorted(permission.roles))
        raise PermissionRefused(
            f"{verb} needs the role {wanted}; sign in with `lumbung user login` as somebody who has it."
        )
    if permission.reason_needed and reason is not None and not reason.strip():
        raise UsageError(f"{verb} needs a reason.")


def may(actor: Actor, verb: str, scope: str | Collection[str] = ALL_SCOPES) -> bool:
    try:
        allow(actor, verb, scope, None)
    except PermissionRefused:
        return False
    return True


def scopes_of(entry: Mapping[str, Any] | None) -> tuple[str, ...]:
    """The scopes in which an entry lies: its category, its regions and its peoples; none where there is no entry."""
    if entry is None:
        return ()
    return tuple(scope for scope in (entry["category"], entry["primary_region"], *entry["regions"]) if scope)


def person_of(actor: Actor, verb: str) -> int:
    """The person who acts, where a person must answer for it by name."""
    if actor.person is None:
        raise PermissionRefused(f"{verb} is done by a person with an account; sign in with `lumbung user login`.")
    return actor.person
