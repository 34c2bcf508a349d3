"""Undo in the review queue: a word about an item or a fact is taken back, and the machine's own decision stands again."""

from __future__ import annotations

from lumbung.errors import UsageError
from lumbung.governance.actions.review import decide_again, machine_item
from lumbung.model.permission import Actor, allow, person_of
from lumbung.store import console, governed
from lumbung.store.database import Transaction


async def take_back(tx: Transaction, actor: Actor, entry: str, value: str, reason: str) -> None:
    """Whoever may judge the item may take a judgement back; both lines stay in the log."""
    item = await machine_item(tx, entry)
    given = [row["kind"] for row in await console.judgements(tx, entry) if row["value"] == value]
    if not given:
        raise UsageError("Nothing was said about this that could be taken back.")
    verb = "approve-sensitive" if item["sensitive"] and given[-1] == "reject" else "reject-item"
    allow(actor, verb, item["category"], reason)
    person = person_of(actor, verb)
    effect = {"fact": value, "took_back": given[-1], "members": item["members"]}
    action = await governed.append_action(tx, person, "take-back", entry, reason, effect)
    await governed.revoke_human_acts(tx, ("approve", "reject"), item["members"], action, value=value)
    await decide_again(tx, action, item=item["id"])
