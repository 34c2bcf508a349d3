"""Labels: a person reads a sampled decision and says whether it was right; nothing said is ever changed, only withdrawn at once."""

from __future__ import annotations

from collections.abc import Sequence

from lumbung.errors import PermissionRefused, UsageError
from lumbung.governance.actions.review import decide_again, fact_code, remember
from lumbung.governance.audit.sampling import gold_copy
from lumbung.model.item import human_node, pair
from lumbung.model.permission import ALL_SCOPES, Actor, allow, may, person_of
from lumbung.store import audits, entries, governed, reviews
from lumbung.store.audits import NewLabel
from lumbung.store.database import Row, Transaction

VERDICTS = ("correct", "incorrect", "unclear")
ERROR_KINDS = (
    "wrong fact", "wrong quote", "wrong place", "not cultural", "sensitive", "copy", "licence", "wrongly refused",
)  # fmt: skip
NOVELTIES = ("novel", "duplicate")
PAIR = 2
ADJUDICATION = 3
WITHDRAWAL_SECONDS = 3600.0
"""Long enough for a slip of the hand, too short to wait for what the estimates will say."""


async def label_sample(
    tx: Transaction,
    actor: Actor,
    sample: int,
    verdict: str,
    novelty: str | None = None,
    error_kind: str | None = None,
    note: str = "",
    duplicate_of: str | None = None,
) -> int:
    """A first or a blind second reading; an error that a first reading finds in the library is taken out of it.

    Who calls an entry a duplicate names the one that it doubles: a first reading is then a word about the pair as well.
    """
    row = await _known(tx, sample)
    allow(actor, "label-sample", row["category"] or ALL_SCOPES)
    person = person_of(actor, "label-sample")
    _check(verdict, novelty, error_kind)
    other = await _doubled(tx, row, novelty, duplicate_of)
    before = await audits.labels_of(tx, sample)
    if any(each["person"] == person for each in before):
        raise PermissionRefused("You have read this sample already; a second reading is somebody else's.")
    if len(before) >= (2 if row["second_reading"] else 1):
        raise UsageError(f"Sample {sample} has all its readings.")
    effect = {"sample": sample, "verdict": verdict, "novelty": novelty, "error": error_kind}
    effect |= {"duplicate_of": other["identity"]} if other else {}
    action = await governed.append_action(tx, person, "label-sample", str(sample), note, effect)
    first = not before and row["kind"] == "publication"
    changed = first and verdict == "incorrect" and await _correct(tx, row, action)
    if first and not changed and other is not None:
        changed = await _join(tx, actor, row, other, action)
    return await audits.add_label(
        tx, NewLabel(sample, person, len(before) + 1, verdict, novelty, error_kind, note, changed, action)
    )


async def _known(tx: Transaction, sample: int) -> Row:
    row = await audits.get(tx, sample)
    if row is None:
        raise UsageError(f"There is no sample {sample}.")
    return row


def _check(verdict: str, novelty: str | None, error_kind: str | None) -> None:
    if verdict not in VERDICTS:
        raise UsageError(f"A verdict is {', '.join(VERDICTS)}.")
    if (verdict == "incorrect") != (error_kind is not None) or (error_kind and error_kind not in ERROR_KINDS):
        raise UsageError(f"An incorrect decision, and no other, has a kind of error: {', '.join(ERROR_KINDS)}.")
    if novelty is not None and novelty not in NOVELTIES:
        raise UsageError(f"Novelty is {' or '.join(NOVELTIES)}.")


async def _doubled(tx: Transaction, row: Row, novelty: str | None, duplicate_of: str | None) -> Row | None:
    """The entry that a duplicate doubles; of a single fact, or of what was refused, it need not be named."""
    if novelty != "duplicate":
        if duplicate_of is not None:
            raise UsageError("Only a duplicate doubles another entry.")
        return None
    if duplicate_of is None:
        if row["kind"] in {"publication", "gold"} and not row["attribute"]:
            raise UsageError("Name the entry that this one is a duplicate of.")
        return None
    other = await entries.get(tx, duplicate_of)
    if other is None or other["identity"] == row["subject"]:
        raise UsageError(f"There is no other entry {duplicate_of[:128]}.")
    return other


async def _join(tx: Transaction, actor: Actor, row: Row, other: Row, action: int) -> bool:
    """Whoever may judge pairs has said that the two are one; decide follows, as it does any such word."""
    nodes: list[str] = []
    for identity, owner in ((row["subject"], "machine"), (other["identity"], other["owner"])):
        item = await reviews.item_of(tx, identity) if owner == "machine" else None
        nodes += [human_node(identity)] if owner == "human" else item["members"][:1] if item else []
    if len(nodes) < PAIR or not may(actor, "judge-pair"):
        return False
    first, second = pair(*nodes)
    await governed.revoke_human_acts(tx, ("same", "different"), [first], action, b=second)
    await governed.add_human_act(tx, "same", first, action, b=second)
    await decide_again(tx, action, nodes=[first, second])
    return True


async def _correct(tx: Transaction, row: Row, action: int) -> bool:
    """The rejection of the fact, or of the entry, is remembered like any other word of a person."""
    item = await reviews.item_of(tx, row["subject"])
    if item is None or not item["members"]:
        return False
    value = fact_code(row["attribute"], row["value_key"]) if row["attribute"] else ""
    await remember(tx, item, "reject", value, action)
    return True


async def withdraw_label(tx: Transaction, actor: Actor, sample: int, reason: str = "") -> None:
    """A slip of the hand: the author takes a label back while nobody else has read the sample, and may read it again.

    A person's rejection that the label brought about goes with it; both labels and the withdrawal stay in the log.
    """
    row = await _known(tx, sample)
    allow(actor, "label-sample", row["category"] or ALL_SCOPES)
    person = person_of(actor, "label-sample")
    given = await audits.last_label(tx, person, WITHDRAWAL_SECONDS, sample)
    if given is None:
        raise UsageError(f"Nothing that you said of sample {sample} can be taken back any more.")
    effect = {"label": given["id"], "changed": given["changed"]}
    action = await governed.append_action(tx, person, "withdraw-label", str(sample), reason, effect)
    await audits.withdraw_label(tx, given["id"], action)
    if given["changed"]:
        await _take_back(tx, row, given["action"], action)


async def adjudicate_sample(
    tx: Transaction, actor: Actor, sample: int, verdict: str, error_kind: str | None, reason: str
) -> int:
    """Two readings differ: a third person, who read neither, decides, and the library follows that word."""
    row = await _known(tx, sample)
    allow(actor, "adjudicate-sample", row["category"] or ALL_SCOPES, reason)
    person = person_of(actor, "adjudicate-sample")
    _check(verdict, None, error_kind)
    before = await audits.labels_of(tx, sample)
    if len({each["verdict"] for each in before}) < 2 or any(each["reading"] == ADJUDICATION for each in before):
        raise UsageError(f"There is nothing to adjudicate about sample {sample}.")
    if any(each["person"] == person for each in before):
        raise PermissionRefused("Whoever read the sample does not adjudicate it.")
    action = await governed.append_action(
        tx, person, "adjudicate-sample", str(sample), reason, {"verdict": verdict, "error": error_kind}
    )
    changed = await _follow(tx, row, before, verdict, action)
    return await audits.add_label(
        tx, NewLabel(sample, person, ADJUDICATION, verdict, None, error_kind, reason, changed, action)
    )


async def _follow(tx: Transaction, row: Row, before: Sequence[Row], verdict: str, action: int) -> bool:
    """What a reading wrongly took out of the library comes back, and what it wrongly left there goes."""
    taken_out = [each for each in before if each["changed"] and each["verdict"] == "incorrect"]
    if verdict == "incorrect" and not taken_out:
        return row["kind"] == "publication" and await _correct(tx, row, action)
    if verdict != "correct" or not taken_out:
        return False
    for each in taken_out:
        await _take_back(tx, row, each["action"], action)
    return True


async def _take_back(tx: Transaction, row: Row, earlier: int, action: int) -> None:
    await governed.revoke_acts_of(tx, earlier, action)
    item = await reviews.item_of(tx, row["subject"])
    await decide_again(tx, action, item=item["id"] if item else None)


async def plant_gold(tx: Transaction, actor: Actor, sample: int, verdict: str, reason: str) -> int:
    """A copy of a sample whose answer is known goes into the queue unmarked; it tells how well people read.

    The log names it by its seal alone: readers of the log are readers of samples too.
    """
    allow(actor, "plant-gold", ALL_SCOPES, reason)
    person = person_of(actor, "plant-gold")
    row = await _known(tx, sample)
    if verdict not in {"correct", "incorrect"} or row["kind"] == "gold":
        raise UsageError("Gold is a copy of a real sample whose answer is correct or incorrect.")
    made = await audits.add(tx, gold_copy(row, verdict))
    if made is None:
        raise UsageError(f"Sample {sample} is gold already.")
    await governed.append_action(tx, person, "plant-gold", "*", reason, {"digest": await audits.seal_of(tx, made)})
    return made
