"""The cultural gate by rule: what is clearly a named item of the tradition, what clearly is not; the rest stays open.

Words come from the profile: its generic words, regions and peoples, and the lexicon's roles `commerce`, `foreign`,
`neighbour`, `heritage`, `origin`, `listing`, `event`, `person`, `life`, `title`, `head`, `clause`, `goods`,
`other-before` and `other-after`. A rule that refuses needs a sign in the name itself, or several in what is
said; a single one leaves the question to an agent or a person.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from lumbung.model.profile import Profile, ValueKind, ValueShape
from lumbung.stages.decide.agents import ALIAS_ATTRIBUTE, Described
from lumbung.stages.decide.headings import Headings, is_agent
from lumbung.stages.decide.phrases import Phrases, words_of
from lumbung.text.folding import fold

UNSURE = "unsure"
ENOUGH_COMMERCE = 3.0
SURELY_OUT = 3.0
"""Weight of a word that makes any name the heading of a list, or of a single event; lighter ones need a further sign."""
RECENT = 2000
"""What was made since is no tradition by itself: whether people carry it on, a rule cannot see."""
ORIGIN_REACH = 3
WEIGHTY = 2.0
_YEAR = re.compile(r"(?:1[5-9]|20)\d\d")
_DAY = re.compile(r"\b\d{1,2} [^\W\d_]+ (?:1[5-9]|20)\d\d\b")
_MARKS = re.compile(r"[?!|:…]|\s[-–—]\s")
"""Of a headline, not of a name."""
_TITLES = re.compile(r"(?:[A-Z][a-z]{0,2}\.\s*)+(?=[A-Z])")
"""Shortened titles and names before a person's own (*R. Ng.*, *K.H.*)."""
_TURN = re.compile(r"\bke \d+\b|\b\d+(?:st|nd|rd|th)\b")


@dataclass(frozen=True, slots=True)
class ScopeVerdict:
    verdict: str
    """in, out or unsure."""
    criterion: str
    signs: tuple[str, ...] = ()
    """The words that decided."""


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
        self._for_sale = Phrases({**by_role.get("goods", {}), **by_role.get("commerce", {})})
        self._other_before = Phrases(by_role.get("other-before", {}))
        self._other_after = Phrases(by_role.get("other-after", {}))
        self._foreign = Phrases(by_role.get("foreign", {}))
        self._abroad = Phrases({**by_role.get("foreign", {}), **by_role.get("neighbour", {})})
        self._heritage = Phrases(by_role.get("heritage", {}))
        self._listing = Phrases(by_role.get("listing", {}))
        self._event = Phrases(by_role.get("event", {}))
        self._person = Phrases(by_role.get("person", {}))
        self._life = Phrases(by_role.get("life", {}))
        self._origin_words = frozenset(map(fold, by_role.get("origin", {})))
        generic = {word: 1.0 for each in profile.categories.values() for word in each.generic_words}
        self._generic = Phrases(generic)
        self._kinds = {c: Phrases(dict.fromkeys(each.generic_words, 1.0)) for c, each in profile.categories.items()}
        self._title = Phrases(by_role.get("title", {}))
        named = [name for region in profile.regions.values() for name in (region.name, *region.aliases)]
        self._regions = Phrases(dict.fromkeys(named, 1.0))
        self._headings = Headings(profile)
        acting = (each for each in profile.attributes.values() if each.shape is ValueShape.CHARACTERS)
        self._told = frozenset(category for each in acting for category in each.categories)
        self._heads = Phrases(generic | by_role.get("head", {}))
        self._openings = {
            (term.category, words_of(term.term)[0])
            for term in profile.lexicon
            if term.language == "mul" and term.category and words_of(term.term)
        }
        """First words of known names, by category: *Parang* is a weapon, and the beginning of many a motif."""
        self._known_names = {fold(t.term) for t in profile.lexicon if t.language == "mul" and t.category}

    def judge(self, item: Described) -> ScopeVerdict:
        """The signs against first: what is for sale stays so however well it is described."""
        name = words_of(item.name)
        said = {attribute: words_of(value) for attribute, value in item.facts if attribute != ALIAS_ATTRIBUTE}
        known = fold(item.name) in self._known_names
        titled = known or self._has_its_hero(name, said)
        rules = (self._goods, self._single_event, self._not_specific, self._someone)
        doubts = [found for rule in rules if (found := rule(name, said))]
        if titles := _TITLES.match(item.name):
            doubts.append(ScopeVerdict(UNSURE, "private-person", (titles[0].strip(),)))
        heading = None if titled else self._another_kind(name) or self._about_an_item(item, name)
        for found in (*doubts, heading):
            if found and found.verdict == "out":
                return found
        if doubts:
            return doubts[0]
        placed = any(code in self._profile.regions for code in item.regions)
        if found := self._other_nation(name, said, placed=placed) or heading:
            return found
        if any(self._is(attribute, ValueKind.DATE) and _made_recently(value) for attribute, value in item.facts):
            return ScopeVerdict(UNSURE, "none", ("recent",))
        if not known and self._miscast(item.category, name, said):
            return ScopeVerdict(UNSURE, "none", ("category",))
        if item.category in self._profile.categories and said and (placed or known):
            return ScopeVerdict("in", "named-item")
        return ScopeVerdict(UNSURE, "none")

    def _goods(self, name: list[str], said: Mapping[str, list[str]]) -> ScopeVerdict | None:
        in_name = self._for_sale.found(name)
        in_facts = {each for words in said.values() for each in self._commerce.found(words) if each[1] >= WEIGHTY}
        signs = tuple(term for term, _ in (*in_name, *sorted(in_facts)))
        weight = 2 * sum(weight for _, weight in in_name) + sum(weight for _, weight in in_facts)
        if weight >= ENOUGH_COMMERCE:
            return ScopeVerdict("out", "goods-or-promotion", signs)
        return ScopeVerdict(UNSURE, "goods-or-promotion", signs) if in_name else None

    def _single_event(self, name: list[str], _: Mapping[str, list[str]]) -> ScopeVerdict | None:
        found = self._event.found(name)
        signs = tuple(term for term, _ in found)
        if not signs:
            recent = tuple(word for word in name if _YEAR.fullmatch(word) and _made_recently(word))
            return ScopeVerdict(UNSURE, "single-event", recent) if recent else None
        dated = (*(word for word in name if _YEAR.fullmatch(word)), *_TURN.findall(" ".join(name)))
        sure = dated or any(weight >= SURELY_OUT for _, weight in found)
        return ScopeVerdict("out" if sure else UNSURE, "single-event", (*signs, *dated))

    def _not_specific(self, name: list[str], _: Mapping[str, list[str]]) -> ScopeVerdict | None:
        """A kind of thing and a place are no name; with a sign of a list, or without a place, they are clearly none."""
        own = [word for word in self._generic.without(name) if not word.isdigit()]
        found = self._listing.found(name)
        listing = tuple(term for term, _ in found)
        counted_list = bool(found) and name[0].isdigit()
        if counted_list or any(weight >= SURELY_OUT for _, weight in found) or self._is_count_of_kind(name):
            return ScopeVerdict("out", "not-specific", listing)
        rest = self._regions.without(self._listing.without(own))
        if rest or not name or (self._title.found(name) and self._title.without(name)):
            return None
        placed = len(self._listing.without(own)) > 0
        counted = any(word.isdigit() for word in name)
        clear = bool(listing) or counted or not placed
        return ScopeVerdict("out" if clear else UNSURE, "not-specific", listing)

    def _someone(self, name: list[str], said: Mapping[str, list[str]]) -> ScopeVerdict | None:
        """A person or a body of people, by the head of the name or by a life told with its dates.

        A dance too is born and dies, in a year; only of people do pages tell the day, or birth and death together.
        """
        called = self._person.head(name)
        if called and self._person.weight(called) >= 1:
            return ScopeVerdict("out", "private-person", called)
        if self._generic.begins(name):
            return None
        for words in said.values():
            signs = tuple(dict.fromkeys(term for term, _ in self._life.found(words)))
            dates = _DAY.findall(" ".join(words))
            if signs and (dates or (len(signs) > 1 and any(map(_YEAR.fullmatch, words)))):
                return ScopeVerdict("out", "private-person", (*signs, *dates))
        calling = tuple(words[0] for words in self._told_freely(said) if words and is_agent(words[0]))
        if calling or (called and not self._has_its_hero(name, said)):
            return ScopeVerdict(UNSURE, "private-person", called or calling)
        return None

    def _has_its_hero(self, name: list[str], said: Mapping[str, list[str]]) -> bool:
        """Tales are told as sentences (*Kancil Mencuri Timun*), in which their characters appear."""
        acting = {
            word
            for attribute, words in said.items()
            if self._shape(attribute) is ValueShape.CHARACTERS
            for word in words
        }
        return not acting.isdisjoint(name)

    def _told_freely(self, said: Mapping[str, list[str]]) -> list[list[str]]:
        """What is said of any kind of thing in words of any shape: how it is introduced."""
        return [
            words
            for attribute, words in said.items()
            if self._is(attribute, ValueKind.TEXT)
            and self._shape(attribute) is ValueShape.FREE
            and not self._profile.attributes[attribute].categories
        ]

    def _another_kind(self, name: list[str]) -> ScopeVerdict | None:
        """The head of a name says what it is: an office, a place, an aspect, a copy for sale."""
        bare = name[next((place for place, word in enumerate(name) if not self._listing.weight((word,))), 0) :]
        first = self._other_before.head(bare)
        weight = self._other_before.weight(first) if len(first) > len(self._heads.head(bare)) else 0.0
        phrase = name[: next((n for n, word in enumerate(name) if n and self._listing.weight((word,))), len(name))]
        last = self._other_after.tail(phrase) if len(phrase) > 1 else ()
        weight = max(weight, self._other_after.weight(last))
        if not weight:
            return None
        return ScopeVerdict("out" if weight >= SURELY_OUT else UNSURE, "not-specific", (*first, *last))

    def _about_an_item(self, item: Described, name: list[str]) -> ScopeVerdict | None:
        """A phrase that speaks of items names none: one sign leaves that open, two of different kinds are clear.

        A phrase of two words is never clear, nor one where characters act: tales have sentences for titles.
        """
        signs = self._headings.signs(name)
        words = tuple(dict.fromkeys(word for found in signs for word in found))
        marks = tuple(_MARKS.findall(item.name))
        clear = len(signs) + bool(marks) > 1 and len(words) > 2 and item.category not in self._told
        return ScopeVerdict("out" if clear else UNSURE, "not-specific", words + marks) if signs or marks else None

    def _is_count_of_kind(self, name: list[str]) -> bool:
        """So many of a kind (*12 permainan*): the heading of a list, whatever follows."""
        return len(name) > 1 and name[0].isdigit() and self._generic.begins(name[1:])

    def _other_nation(self, name: list[str], said: Mapping[str, list[str]], *, placed: bool) -> ScopeVerdict | None:
        """A history may mention anybody; another nation counts where it stands in the name or as the origin."""
        texts = [name, *said.values()]
        heritage = tuple(term for words in texts for term, _ in self._heritage.found(words))
        mentioned = tuple(term for words in texts for term, _ in self._abroad.found(words))
        if heritage and mentioned and (placed or self._stems_from_here(said)):
            return ScopeVerdict("in", "diaspora", (*heritage, *mentioned))
        origins = [name, *(self._origins(attribute, words) for attribute, words in said.items())]
        origins += [words[:ORIGIN_REACH] for words in self._told_freely(said)]
        foreign = tuple(term for words in origins for term, _ in self._foreign.found(words))
        if foreign:
            return ScopeVerdict(UNSURE if placed else "out", "other-nation", foreign)
        stated = [words for attribute, words in said.items() if self._is(attribute, ValueKind.PLACE)]
        shared = tuple(term for words in stated for term, _ in self._abroad.found(words))
        return ScopeVerdict(UNSURE, "other-nation", shared) if shared and not placed else None

    def _stems_from_here(self, said: Mapping[str, list[str]]) -> bool:
        """Whether a place that is told of it is one of the profile's, and of no other nation."""
        places = [words for attribute, words in said.items() if self._is(attribute, ValueKind.PLACE)]
        return any(self._regions.found(words) and not self._abroad.found(words) for words in places)

    def _miscast(self, category: str | None, name: list[str], said: Mapping[str, list[str]]) -> bool:
        """The name begins with a kind of thing, or all facts are of a sort, that other categories have and this has not."""
        own = self._profile.categories.get(category or "")
        if own is None:
            return False
        alike = {own.code, *own.confusable}
        kinds = {code for code, words in self._kinds.items() if words.begins(name)}
        known = [self._profile.attributes[attribute] for attribute in said if attribute in self._profile.attributes]
        foreign = [each for each in known if each.categories and own.code not in each.categories]
        opens = bool(name) and (own.code, name[0]) in self._openings
        return bool(kinds and not kinds & alike and not opens) or bool(known and len(foreign) == len(known))

    def _is(self, attribute: str, kind: ValueKind) -> bool:
        known = self._profile.attributes.get(attribute)
        return known is not None and known.kind is kind

    def _shape(self, attribute: str) -> ValueShape | None:
        known = self._profile.attributes.get(attribute)
        return known.shape if known else None

    def _origins(self, attribute: str, words: list[str]) -> list[str]:
        """All of a place; of other values what follows a word of origin, within reach."""
        if self._is(attribute, ValueKind.PLACE):
            return words
        starts = [place for place, word in enumerate(words) if word in self._origin_words]
        return [word for start in starts for word in words[start + 1 : start + 1 + ORIGIN_REACH]]
