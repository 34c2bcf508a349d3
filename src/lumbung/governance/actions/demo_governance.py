"""Every category to full by demo people: for the demo and for scripts, on the embedded library alone."""

from __future__ import annotations

from lumbung.errors import PolicyRefused
from lumbung.model.permission import Actor, allow
from lumbung.model.profile import Profile
from lumbung.store import governed
from lumbung.store.database import Transaction


async def demo_governance(tx: Transaction, actor: Actor, profile: Profile, embedded_library: bool) -> None:
    allow(actor, "demo-governance")
    if not embedded_library:
        raise PolicyRefused("Demo governance works on the embedded library only; a remote one is raised by its own people.")
    now = await governed.values_now(tx)
    raised = [code for code in profile.categories if now.get(f"mode.{code}") != "full"]
    if not raised:
        return
    action = await governed.append_action(
        tx, actor.person, "demo-governance", "*", "every category to full by demo people", {"categories": raised}
    )
    for code in raised:
        await governed.set_value(tx, f"mode.{code}", "full", action)
