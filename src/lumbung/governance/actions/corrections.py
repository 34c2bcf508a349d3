"""Readers' corrections are decided by people: taken up, the entry's pages go through the funnel once more; or declined."""

from __future__ import annotations

from dataclasses import dataclass, field

from lumbung.errors import RefusedError, UsageError
from lumbung.governance.actions.pages import ask_again
from lumbung.model.permission import Actor, allow, person_of, scopes_of
from lumbung.store import audits, entry_requests, governed
from lumbung.store.database import Transaction

VERB = "decide-correction"


@dataclass(frozen=True, slots=True)
class DecidedCorrection:
    entry: str
    pages: list[str] = field(default_factory=list)
    """Asked for again."""
    left: dict[str, str] = field(default_factory=dict)
    """Pages that are not asked for, each with the reason."""


async def decide_correction(
    tx: Transaction, actor: Actor, number: int, accepted: bool, reason: str
) -> DecidedCorrection:
    """An entry without pages is people's own words: taken up, it is theirs to revise."""
    about = await entry_requests.correction_entry(tx, number)
    allow(actor, VERB, scopes_of(about), reason)
    person = person_of(actor, VERB)
    if about is None:
        raise UsageError(f"There is no open correction {number}.")
    decided = DecidedCorrection(about["identity"])
    for url in await entry_requests.pages_of(tx, decided.entry) if accepted else ():
        try:
            decided.pages.append(await ask_again(tx, person, url, "correction", reason))
        except (UsageError, RefusedError) as error:
            decided.left[url] = str(error)
    state = "taken up" if accepted else "declined"
    await entry_requests.decide_correction(tx, number, state)
    effect = {"correction": number, "state": state, "pages": decided.pages, "left": decided.left}
    await governed.append_action(tx, person, VERB, decided.entry, reason, effect)
    await audits.close_notice_key(tx, f"correction:{number}", person)
    return decided
