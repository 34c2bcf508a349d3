"""Who may do what: one table for the console, the API and the command line."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from lumbung.errors import ContractError, PermissionRefused, UsageError


class Role(StrEnum):
    OPERATOR = "operator"
    CURATOR = "curator"
    APPROVER = "approver"
    AUDITOR = "auditor"
    GUARDIAN = "guardian"
    CONTRIBUTOR = "contributor"
    MODERATOR = "moderator"


ALL_SCOPES = "*"


@dataclass(frozen=True, slots=True)
class Actor:
    """A person with the grants in force, each a role and its scope; or the operator at the machine itself."""

    person: int | None
    grants: frozenset[tuple[Role, str]] = frozenset()

    def holds(self, role: Role, scope: str = ALL_SCOPES) -> bool:
        return (role, ALL_SCOPES) in self.grants or (role, scope) in self.grants


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
    "redrive-dead-letters": _may(Role.OPERATOR, reason=True),
    "stop-host": _may(Role.OPERATOR, Role.CURATOR, Role.GUARDIAN, reason=True),
    "allow-host": _may(Role.OPERATOR, Role.CURATOR, reason=True),
    "set-host-delay": _may(Role.OPERATOR, Role.CURATOR, reason=True),
    "reextract": _may(Role.OPERATOR, Role.CURATOR),
    "set-source-rules": _may(Role.CURATOR, reason=True),
    "demo-governance": _may(Role.OPERATOR),
}
"""By verb; a verb that is not listed is nobody's."""


def allow(actor: Actor, verb: str, scope: str = ALL_SCOPES, reason: str | None = "") -> None:
    """Raise PermissionRefused unless one of the actor's grants allows the verb in this scope."""
    permission = PERMISSIONS.get(verb)
    if permission is None:
        raise ContractError(f"There is no action {verb}.")
    if not any(actor.holds(role, scope) for role in permission.roles):
        wanted = " or ".join(sorted(permission.roles))
        raise PermissionRefused(f"{verb} needs the role {wanted}; sign in with `lumbung user login` as somebody who has it.")
    if permission.reason_needed and reason is not None and not reason.strip():
        raise UsageError(f"{verb} needs a reason.")
