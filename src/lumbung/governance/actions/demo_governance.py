"""Every category to full by demo people, through the actions that real people use; on the embedded library alone."""

from __future__ import annotations

from lumbung.errors import PolicyRefused
from lumbung.governance.actions.approvals import approve_request
from lumbung.governance.actions.modes import CHECKLISTS, MODES, mode_of, request_mode, sign_off
from lumbung.governance.actions.people import create_person, grant_role
from lumbung.governance.actions.scope import ratify
from lumbung.governance.scope_rows import RATIFICATION
from lumbung.model.permission import Actor, Role, allow
from lumbung.model.profile import Profile
from lumbung.store import governed, people
from lumbung.store.database import Transaction

REASON = "the demo's own people play all the roles"
DEMO_PEOPLE: dict[Role, tuple[str, str]] = {
    Role.OPERATOR: ("demo-operator", "Demo: operator"),
    Role.CURATOR: ("demo-curator", "Demo: kurator"),
    Role.APPROVER: ("demo-approver", "Demo: penyetuju"),
    Role.AUDITOR: ("demo-auditor", "Demo: auditor"),
    Role.GUARDIAN: ("demo-guardian", "Demo: penjaga makna"),
    Role.CONTRIBUTOR: ("demo-contributor", "Demo: kontributor"),
    Role.MODERATOR: ("demo-moderator", "Demo: moderator"),
}
SIGNERS = {"culture": Role.GUARDIAN, "corpus": Role.AUDITOR, "law": Role.OPERATOR}


async def demo_governance(tx: Transaction, actor: Actor, profile: Profile, embedded_library: bool) -> None:
    """Safe to repeat: what stands already is left as it is."""
    allow(actor, "demo-governance")
    if not embedded_library:
        raise PolicyRefused(
            "Demo governance works on the embedded library only; a remote one is raised by its own people."
        )
    rows = await governed.values_now(tx)
    if all(rows.get(f"mode.{code}") == "full" for code in profile.categories):
        return
    cast = await demo_people(tx, actor)
    if RATIFICATION not in rows:
        await ratify(tx, cast[Role.GUARDIAN], ["nobody: this is a demo"], REASON)
    for code in profile.categories:
        while (present := mode_of(await governed.values_now(tx), code)) != "full":
            await raise_one_step(tx, cast, code, MODES[MODES.index(present) + 1])


async def demo_people(tx: Transaction, actor: Actor) -> dict[Role, Actor]:
    """One person a role; they have no password until the demo gives them one."""
    cast: dict[Role, Actor] = {}
    for role, (login, name) in DEMO_PEOPLE.items():
        known = await people.by_login(tx, login)
        if known is None:
            person = await create_person(tx, actor, login, name, None)
            await grant_role(tx, actor, person, role, REASON)
        else:
            person = known["id"]
        cast[role] = await people.actor_of(tx, person)
    return cast


async def raise_one_step(tx: Transaction, cast: dict[Role, Actor], category: str, mode: str) -> None:
    number = await request_mode(tx, cast[Role.CURATOR], category, mode, REASON)
    for risk, role in SIGNERS.items():
        await sign_off(tx, cast[role], number, risk, CHECKLISTS[risk], REASON)
    await approve_request(tx, cast[Role.APPROVER], number, REASON)
