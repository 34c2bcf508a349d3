"""The words of the gate and the extractor: the profile's lexicon, with what curators and guardians change of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict

from lumbung.errors import UsageError
from lumbung.governance.steward import rescoping
from lumbung.model.permission import Actor, allow
from lumbung.model.profile import LexiconTerm, Profile
from lumbung.store import governed, jobs, lexicon
from lumbung.store.database import Transaction
from lumbung.text.lexicon import Words, checked_word, key_of

VERB = "set-lexicon"
MOST_CHANGES = 5_000


async def set_lexicon(
    tx: Transaction,
    actor: Actor,
    shipped: Profile,
    added: Sequence[LexiconTerm],
    dropped: Sequence[LexiconTerm],
    reason: str,
) -> int:
    """Replaces what people changed of the shipped words; stages take it over at once. Returns the row's version."""
    allow(actor, VERB, reason=reason)
    if len(added) + len(dropped) > MOST_CHANGES:
        raise UsageError(f"People change at most {MOST_CHANGES} words; more than that belong into the profile.")
    before = await lexicon.in_force(tx)
    wanted = Words(before.version, _checked(added, shipped), _checked(dropped, shipped))
    _consistent(wanted, shipped)
    if wanted == before:
        raise UsageError("These are the words in force already.")
    effect = {part: _changed(getattr(before, part), getattr(wanted, part)) for part in ("added", "dropped")}
    action = await governed.append_action(tx, actor.person, VERB, lexicon.ROW, reason, effect)
    version = await governed.set_value(tx, lexicon.ROW, wanted.as_row(shipped), action)
    await jobs.add(tx, [rescoping.job(version, rescoping.BY_RULE)])
    return version


def _checked(words: Sequence[LexiconTerm], shipped: Profile) -> tuple[LexiconTerm, ...]:
    return tuple(sorted((checked_word(word, shipped) for word in words), key=key_of))


def _consistent(wanted: Words, shipped: Profile) -> None:
    keys = [key_of(word) for word in (*wanted.added, *wanted.dropped)]
    twice = next((key for key in keys if keys.count(key) > 1), None) if len(set(keys)) < len(keys) else None
    if twice is not None:
        raise UsageError(f"{twice[1]} ({twice[0]}, {twice[3]}) is named twice.")
    known = {key_of(word) for word in shipped.lexicon}
    unknown = next((word for word in wanted.dropped if key_of(word) not in known), None)
    if unknown is not None:
        raise UsageError(f"{unknown.term} ({unknown.language}, {unknown.role}) is no word of the profile.")
    if not wanted.applied_to(shipped).lexicon:
        raise UsageError("A lexicon without words would let no page through.")


def _changed(before: Sequence[LexiconTerm], after: Sequence[LexiconTerm]) -> dict[str, list[dict[str, object]]]:
    """What this step put on the list and took off it."""
    return {
        "put": [asdict(word) for word in after if word not in before],
        "taken": [asdict(word) for word in before if word not in after],
    }
