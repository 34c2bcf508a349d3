"""The lexicon in force: the profile's words, with what people added to them and took out of them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from hashlib import sha256
from typing import Any

from lumbung.errors import UsageError
from lumbung.model.profile import LexiconTerm, Profile
from lumbung.text.place import LEVELS

CATEGORY_ROLES = frozenset({"head", "genus", "marker"})
GENERAL_ROLES = frozenset(
    {
        "marker",
        "domestic",
        "own-language",
        "copula",
        "commerce",
        "news",
        "technical",
        "foreign",
        "neighbour",
        "heritage",
        "origin",
        "listing",
        "event",
        "person",
        "life",
        "clause",
        "address",
        "title",
        "goods",
        "other-before",
        "other-after",
    }
)
CONTEXT_ROLES = frozenset(
    {
        f"{level}-{side}"
        for level in (*LEVELS, "locative", "person", "feature", "negated")
        for side in ("before", "after")
    }
    | {"coordinator", "common-word", "other-name", "not-place"}
)
"""Words that say, beside a name, what kind of region it is, or that it is none."""
LONGEST_TERM = 100
HEAVIEST = 100.0
Key = tuple[str, str, str, str]


def key_of(word: LexiconTerm) -> Key:
    """A form stands once in a language for a category and a role."""
    return word.language, word.term.casefold(), word.category, word.role


@dataclass(frozen=True, slots=True)
class Words:
    """What people changed of the profile's lexicon, under its version."""

    version: int = 1
    added: tuple[LexiconTerm, ...] = ()
    """Also words of the profile with another weight."""
    dropped: tuple[LexiconTerm, ...] = ()

    @classmethod
    def from_row(cls, row: Mapping[str, Any] | None, version: int) -> Words:
        added, dropped = (tuple(LexiconTerm(**each) for each in (row or {}).get(part, ())) for part in PARTS)
        return cls(version, added, dropped)

    def as_row(self, profile: Profile) -> dict[str, Any]:
        """With what it changes: the profile's own words, known again by their digest."""
        shipped = {"words": len(profile.lexicon), "digest": digest_of(profile.lexicon)}
        return shipped | {part: [asdict(word) for word in getattr(self, part)] for part in PARTS}

    def applied_to(self, profile: Profile) -> Profile:
        """The profile as it was shipped, with the words in force."""
        if self == Words(profile.words_version):
            return profile
        gone = {key_of(word) for word in (*self.added, *self.dropped)}
        kept = [word for word in profile.lexicon if key_of(word) not in gone]
        return replace(profile, lexicon=(*kept, *self.added), words_version=self.version)


PARTS = ("added", "dropped")
SHIPPED = Words()
"""Nothing is changed."""


def digest_of(words: Iterable[LexiconTerm]) -> str:
    lines = sorted(f"{each.language}\t{each.term}\t{each.category}\t{each.role}\t{each.weight:g}" for each in words)
    return sha256("\n".join(lines).encode()).hexdigest()


def checked_word(word: LexiconTerm, profile: Profile) -> LexiconTerm:
    """The word without needless blanks, if it is one that the gate and the extractor can use."""
    term = " ".join(word.term.split())
    if not term or len(term) > LONGEST_TERM:
        raise UsageError(f"A word of the lexicon has 1 to {LONGEST_TERM} characters.")
    if not (len(word.language) == 3 and word.language.isascii() and word.language.islower()):
        raise UsageError(f"{term}: the language is a code of three letters, such as ind, jav or mul for any.")
    if word.category not in {"", *profile.categories}:
        raise UsageError(f"There is no category {word.category} (at {term}).")
    roles = CATEGORY_ROLES if word.category else GENERAL_ROLES | CONTEXT_ROLES
    if word.role not in roles:
        raise UsageError(f"{term}: the role is one of {', '.join(sorted(roles))}.")
    if not (math.isfinite(word.weight) and 0 < word.weight <= HEAVIEST):
        raise UsageError(f"{term}: the weight is a number above 0, at most {HEAVIEST:g}.")
    return replace(word, term=term)


def read_with(extractor: str, profile: Profile) -> str:
    """The extractor's version; with words that people changed it reads otherwise than with the shipped ones."""
    return extractor if profile.words_version == 1 else f"{extractor}+words-{profile.words_version}"
