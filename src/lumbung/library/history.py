"""What changed from one revision of an entry to the next, of what readers were shown."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Any, Literal

from lumbung.library.plain_text import inert
from lumbung.model.profile import Profile

Content = dict[str, Any]
FIELDS = ("title", "aliases", "category", "regions", "text", "facts", "files", "licence")
MOST_COMPARED = 400
"""Words between the first and the last difference that are compared one by one; more are told as a whole."""
LONGEST_SHOWN = 5_000
AROUND = 80
_WORD = re.compile(r"\S+\s*|\s+")


@dataclass(frozen=True, slots=True)
class Piece:
    kind: Literal["same", "added", "removed"]
    text: str


@dataclass(frozen=True, slots=True)
class Change:
    field: str
    pieces: tuple[Piece, ...]


def changes_at(contents: Sequence[Content], profile: Profile) -> list[Change] | None:
    """What the last of these revisions, in their order, changed for readers; None if it never was theirs to read.

    A revision holds what it set, and leaves the rest as it was. What waited, or was held back, is not told afterwards.
    """
    state: dict[str, Any] = {}
    shown: dict[str, Any] = {}
    for content in contents[:-1]:
        state = state | content
        shown = state if is_public(content) else shown
    if not contents or not is_public(contents[-1]):
        return None
    before, after = readable(shown, profile), readable(state | contents[-1], profile)
    compared = ((field, differences(before.get(field, ""), after.get(field, ""))) for field in FIELDS)
    return [Change(field, pieces) for field, pieces in compared if any(piece.kind != "same" for piece in pieces)]


def is_public(content: Content) -> bool:
    return bool(content.get("status", "published") == "published")


def readable(content: Content, profile: Profile) -> dict[str, str | list[str]]:
    """The fields as a reader knows them: names for codes, and no character that cannot be seen."""
    category = profile.categories.get(content.get("category") or "")
    facts = [each for each in content.get("facts") or [] if each.get("state") == "published"]
    told: dict[str, str | list[str]] = {
        "title": content.get("title") or "",
        "aliases": list(content.get("aliases") or []),
        "category": category.label if category else "",
        "regions": [profile.regions[code].name for code in content.get("regions") or [] if code in profile.regions],
        "text": content.get("body") or "",
        "facts": [f"{_label(each['attribute'], profile)}: {each['value']}" for each in facts],
        "files": [str(each["url"] if isinstance(each, dict) else each) for each in content.get("files") or []],
        "licence": content.get("licence") or "",
    }
    return {name: inert(value) for name, value in told.items()}


def _label(attribute: str, profile: Profile) -> str:
    return profile.attributes[attribute].label if attribute in profile.attributes else attribute


def differences(before: str | list[str], after: str | list[str]) -> tuple[Piece, ...]:
    if isinstance(before, str) and isinstance(after, str):
        return tuple(_shortened(_of_words(_WORD.findall(before), _WORD.findall(after))))
    gone = [Piece("removed", each) for each in before if each not in after]
    return (*gone, *(Piece("added", each) for each in after if each not in before))


def _of_words(before: list[str], after: list[str]) -> list[Piece]:
    start = _shared(before, after)
    end = _shared(before[start:][::-1], after[start:][::-1])
    old, new = before[start : len(before) - end], after[start : len(after) - end]
    middle = [("removed", old), ("added", new)]
    if max(len(old), len(new)) <= MOST_COMPARED:
        middle = []
        for kind, a, b, c, d in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
            middle += [("same", old[a:b])] if kind == "equal" else [("removed", old[a:b]), ("added", new[c:d])]
    parts = [("same", before[:start]), *middle, ("same", before[len(before) - end :])]
    return [Piece(kind, "".join(words)) for kind, words in parts if words]  # type: ignore[arg-type]


def _shared(one: Sequence[str], other: Sequence[str]) -> int:
    """How many words the two begin with alike."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((place for place, (a, b) in pairs if a != b), min(len(one), len(other)))


def _shortened(pieces: Sequence[Piece]) -> list[Piece]:
    """What stayed is told only around what did not."""
    return [Piece(piece.kind, _cut(piece, place == 0, place == len(pieces) - 1)) for place, piece in enumerate(pieces)]


def _cut(piece: Piece, first: bool, last: bool) -> str:
    text = piece.text
    if piece.kind != "same":
        return text if len(text) <= LONGEST_SHOWN else text[:LONGEST_SHOWN] + "…"
    if len(text) <= 2 * AROUND:
        return text
    return ("" if first else text[:AROUND]) + "…" + ("" if last else text[-AROUND:])
