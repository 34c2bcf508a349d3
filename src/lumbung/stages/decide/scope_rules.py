"""The cultural gate by rule: what is clearly a named item of the tradition, what clearly is not; the rest stays open.

Words come from the profile: its generic words, regions and peoples, and the lexicon's roles `commerce`, `foreign`,
`neighbour`, `heritage`, `origin`, `listing`, `event` and `title`. A rule that refuses needs a sign in the name itself, or several in what is
said; a single one leaves the question to an agent or a person.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from lumbung.model.profile import Profile, ValueKind
from lumbung.stages.decide.agents import ALIAS_ATTRIBUTE, Described
from lumbung.text.folding import fold

UNSURE = "unsure"
ENOUGH_COMMERCE = 3.0
SURELY_A_LIST = 3.0
"""Weight of a word that makes any name the heading of a list; lighter ones only fill a name up."""
RECENT = 2000
"""What was made since is no tradition by itself: whether people carry it on, a rule cannot see."""
ORIGIN_REACH = 3
WEIGHTY = 2.0
_WORD = re.compile(r"[^\W_]+(?:-[^\W_]+)*|\d+")
_YEAR = re.compile(r"(?:1[5-9]|20)\d\d")
_TURN = re.compile(r"\bke \d+\b|\b\d+(?:st|nd|rd|th)\b")


@dataclass(frozen=True, slots=True)
class ScopeVerdict:
    verdict: str
    """in, out or unsure."""
    criterion: str
    signs: tuple[str, ...] = ()
    """The words that decided."""


class Phrases:
    """Terms of one or several words, found as whole words, longest first."""

    def __init__(self, weights: Mapping[str, float]) -> None:
        self._weights = {tuple(_words(term)): weight for term, weight in weights.items() if _words(term)}
        self._longest = max(map(len, self._weights), default=0)

    def found(self, words: list[str]) -> list[tuple[str, float]]:
        return [
            (" ".join(words[start:end]), self._weights[tuple(words[start:end])]) for start, end in self._spans(words)
        ]

    def without(self, words: list[str]) -> list[str]:
        taken = {place for start, end in self._spans(words) for place in range(start, end)}
        return [word for place, word in enumerate(words) if place not in taken]

    def begins(self, words: list[str]) -> bool:
        return any(start == 0 for start, _ in self._spans(words))

    def _spans(self, words: list[str]) -> list[tuple[int, int]]:
        spans, place = [], 0
        while place < len(words):
            lengths = range(min(self._longest, len(words) - place), 0, -1)
            length = next((n for n in lengths if tuple(words[place : place + n]) in self._weights), 0)
            if length:
                spans.append((place, place + length))
            place += max(1, length)
        return spans


def _words(text: str) -> list[str]:
    return _WORD.findall(fold(text))


def _made_recently(value: str) -> bool:
    years = [int(year) for year in _YEAR.findall(value)]
    return bool(years) and min(years) >= RECENT


class ScopeRules:
    def __init__(self, profile: Profile) -> None:
        self._profile = profile
        by_role: dict[str, dict[str, float]] = {}
        for term in profile.lexicon:
            by_role.setdefault(term.role, {})[term.term] = term.weight
        self._commerce = Phrases(by_role.get("commerce", {}))
        self._foreign = Phrases(by_role.get("foreign", {}))
        self._abroad = Phrases({**by_role.get("foreign", {}), **by_role.get("neighbour", {})})
        self._heritage = Phrases(by_role.get("heritage", {}))
        self._listing = Phrases(by_role.get("listing", {}))
        self._event = Phrases(by_role.get("event", {}))
        self._origin_words = frozenset(map(fold, by_role.get("origin", {})))
        generic = {word: 1.0 for each in profile.categories.values() for word in each.generic_words}
        self._generic = Phrases(generic)
        self._title = Phrases(by_role.get("title", {}))
        named = [name for region in profile.regions.values() for name in (region.name, *region.aliases)]
        self._regions = Phrases(dict.fromkeys(named, 1.0))
        self._known_names = {fold(t.term) for t in profile.lexicon if t.language == "mul" and t.category}

    def judge(self, item: Described) -> ScopeVerdict:
        """The signs against first: what is for sale stays so however well it is described."""
        name = _words(item.name)
        said = {attribute: _words(value) for attribute, value in item.facts if attribute != ALIAS_ATTRIBUTE}
        for rule in (self._goods, self._single_event, self._not_specific):
            if found := rule(name, said):
                return found
        placed = any(code in self._profile.regions for code in item.regions)
        if found := self._other_nation(name, said, placed=placed):
            return found
        if any(self._is(attribute, ValueKind.DATE) and _made_recently(value) for attribute, value in item.facts):
            return ScopeVerdict(UNSURE, "none", ("recent",))
        known = fold(item.name) in self._known_names
        if item.category in self._profile.categories and said and (placed or known):
            return ScopeVerdict("in", "named-item")
        return ScopeVerdict(UNSURE, "none")

    def _goods(self, name: list[str], said: Mapping[str, list[str]]) -> ScopeVerdict | None:
        in_name = self._commerce.found(name)
        in_facts = {each for words in said.values() for each in self._commerce.found(words) if each[1] >= WEIGHTY}
        signs = tuple(term for term, _ in (*in_name, *sorted(in_facts)))
        weight = 2 * sum(weight for _, weight in in_name) + sum(weight for _, weight in in_facts)
        if weight >= ENOUGH_COMMERCE:
            return ScopeVerdict("out", "goods-or-promotion", signs)
        return ScopeVerdict(UNSURE, "goods-or-promotion", signs) if in_name else None

    def _single_event(self, name: list[str], _: Mapping[str, list[str]]) -> ScopeVerdict | None:
        signs = tuple(term for term, _ in self._event.found(name))
        if not signs:
            recent = tuple(word for word in name if _YEAR.fullmatch(word) and _made_recently(word))
            return ScopeVerdict(UNSURE, "single-event", recent) if recent else None
        dated = (*(word for word in name if _YEAR.fullmatch(word)), *_TURN.findall(" ".join(name)))
        return ScopeVerdict("out" if dated else UNSURE, "single-event", (*signs, *dated))

    def _not_specific(self, name: list[str], _: Mapping[str, list[str]]) -> ScopeVerdict | None:
        """A kind of thing and a place are no name; with a sign of a list, or without a place, they are clearly none."""
        own = [word for word in self._generic.without(name) if not word.isdigit()]
        found = self._listing.found(name)
        listing = tuple(term for term, _ in found)
        if any(weight >= SURELY_A_LIST for _, weight in found) or self._is_count_of_kind(name):
            return ScopeVerdict("out", "not-specific", listing)
        rest = self._regions.without(self._listing.without(own))
        if rest or not name or self._title.found(name):
            return None
        placed = len(self._listing.without(own)) > 0
        counted = any(word.isdigit() for word in name)
        clear = bool(listing) or counted or not placed
        return ScopeVerdict("out" if clear else UNSURE, "not-specific", listing)

    def _is_count_of_kind(self, name: list[str]) -> bool:
        """So many of a kind (*12 permainan*): the heading of a list, whatever follows."""
        return len(name) > 1 and name[0].isdigit() and self._generic.begins(name[1:])

    def _other_nation(self, name: list[str], said: Mapping[str, list[str]], *, placed: bool) -> ScopeVerdict | None:
        """A history may mention anybody; another nation counts where it stands in the name or as the origin."""
        texts = [name, *said.values()]
        heritage = tuple(term for words in texts for term, _ in self._heritage.found(words))
        mentioned = tuple(term for words in texts for term, _ in self._abroad.found(words))
        if placed and heritage and mentioned:
            return ScopeVerdict("in", "diaspora", (*heritage, *mentioned))
        origins = [name, *(self._origins(attribute, words) for attribute, words in said.items())]
        foreign = tuple(term for words in origins for term, _ in self._foreign.found(words))
        if not foreign:
            return None
        return ScopeVerdict(UNSURE if placed else "out", "other-nation", foreign)

    def _is(self, attribute: str, kind: ValueKind) -> bool:
        known = self._profile.attributes.get(attribute)
        return known is not None and known.kind is kind

    def _origins(self, attribute: str, words: list[str]) -> list[str]:
        """All of a place; of other values what follows a word of origin, within reach."""
        if self._is(attribute, ValueKind.PLACE):
            return words
        starts = [place for place, word in enumerate(words) if word in self._origin_words]
        return [word for start in starts for word in words[start + 1 : start + 1 + ORIGIN_REACH]]
