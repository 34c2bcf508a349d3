"""One entry into a library, whatever the wire does: look, reconcile, write, and after a lost answer look again."""

from __future__ import annotations

from dataclasses import dataclass, replace

from lumbung.equations.identity import identity
from lumbung.errors import StaleRead, TransientError
from lumbung.ports.library import HumanOwned, Library, LibraryEntry, OutcomeUnknown, SeenEntry
from lumbung.stages.publish.composition import SUPPLEMENT_MARK, SUPPLEMENT_TITLE

MOST_ROUNDS = 6


@dataclass(frozen=True, slots=True)
class Published:
    """written, supplemented, removed-by-people, withdrawn, absent or looked-only; with what the library holds now."""

    outcome: str
    seen: SeenEntry | None = None


async def publish_entry(library: Library, entry: LibraryEntry, remote_id: str | None = None) -> Published:
    """Upsert by identity, Eq. (20). A human's word since we looked turns the entry into a supplement of theirs."""
    for _ in range(MOST_ROUNDS):
        try:
            seen = await library.look(entry.identity, remote_id)
            if seen is not None and seen.owner == "human":
                return await supplement(library, entry, seen)
            if seen is not None and entry.stands_as(seen):
                return Published("written", seen)
            if library.read_only:
                return Published("looked-only", seen)
            return Published("written", await library.write(entry, seen))
        except (StaleRead, OutcomeUnknown, HumanOwned):
            continue
    raise TransientError(f"{library.name} left the outcome of a write open {MOST_ROUNDS} times.")


async def supplement(library: Library, entry: LibraryEntry, human: SeenEntry) -> Published:
    """A distinctly titled entry of its own that names the human one; nothing against what people removed."""
    if human.removed:
        return Published("removed-by-people", human)
    if entry.supplement_of is not None:
        return Published("removed-by-people", human)
    name = f"{SUPPLEMENT_MARK}\x1f{human.remote_id}"
    own = replace(
        entry,
        identity=identity(entry.category, name, entry.primary_region),
        title=SUPPLEMENT_TITLE.format(name=human.title),
        supplement_of=human.remote_id,
    )
    written = await publish_entry(library, own)
    return Published("supplemented" if written.outcome == "written" else written.outcome, written.seen)


async def withdraw_entry(library: Library, identity_: str, remote_id: str | None, reason: str) -> Published:
    for _ in range(MOST_ROUNDS):
        try:
            seen = await library.look(identity_, remote_id)
            if seen is None:
                return Published("absent")
            if seen.owner == "human" or seen.removed:
                return Published("removed-by-people" if seen.owner == "human" else "withdrawn", seen)
            if library.read_only:
                return Published("looked-only", seen)
            await library.withdraw(identity_, seen, reason)
            return Published("withdrawn", seen)
        except (StaleRead, OutcomeUnknown, HumanOwned):
            continue
    raise TransientError(f"{library.name} left the outcome of a withdrawal open {MOST_ROUNDS} times.")
