"""Undo: a word about an item, a fact or a pair is taken back, and the machine's own decision stands again."""

from __future__ import annotations

from lumbung.errors import UsageError
from lumbung.governance.actions.review import decide_again, machine_item
from lumbung.model.item import pair
from lumbung.model.permission import ALL_SCOPES, Actor, allow, person_of
from lumbung.store import console, governed, pair_labels
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


async def take_back_pair(tx: Transaction, actor: Actor, a: str, b: str, reason: str) -> None:
    """Whoever may judge a pair may take a judgement back; the pair waits again where rule and matcher leave it open."""
    allow(actor, "judge-pair", ALL_SCOPES, reason)
    person = person_of(actor, "judge-pair")
    first, second = pair(a, b)
    given = await pair_labels.word_on(tx, first, second)
    if given is None:
        raise UsageError("Nothing was said about this that could be taken back.")
    action = await governed.append_action(tx, person, "take-back", first, reason, {"with": second, "took_back": given})
    await governed.revoke_human_acts(tx, ("same", "different"), [first], action, b=second)
    await decide_again(tx, action, nodes=[first, second])
