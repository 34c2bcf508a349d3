"""The names of a profile's regions and the words beside them, arranged for reading a text once."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from weakref import WeakValueDictionary

from ahocorasick_rs import AhoCorasick

from lumbung.model.profile import Profile, Region
from lumbung.text.folding import fold, stands_alone
from lumbung.text.place import Place
from lumbung.text.region_aksara import AksaraNames

_WINDOW_CHARS = 48
_PIECE_CHARS = 500_000
_PIECE_OVERLAP = 200
"""Longer than any name, so that none is lost between two pieces."""
_MOST_REPEATS = 2_000
"""A name is taken up so often in the very same surroundings; further ones would say nothing new of the text."""
_WORD = re.compile(r"[^\s,;:!?()\[\]{}\"“”«»/|]+")
_GAP = re.compile(r"[\s\"“”'«»]*")
_ADMINISTRATIVE = frozenset({"regency", "city"})
_SENTENCE_END = frozenset(".!?:;\n\r•|")


@dataclass(frozen=True, slots=True)
class Reading:
    """A region that a name may mean, and whether the name is its own, another or an old one."""

    region: Region
    via: str


@dataclass(frozen=True, slots=True)
class Mention:
    start: int
    end: int
    key: str
    readings: tuple[Reading, ...]
    hints: frozenset[str]
    """What the words beside the name say: a level, or locative, person, feature, negated."""
    proper: bool
    """Written as a name: with a capital letter, or in a script that has none."""
    opening: bool
    """At the start of a sentence or line, where every word has a capital."""
    leading: bool
    """Followed at once by another word with a capital: perhaps only part of a longer name."""
    shouted: bool
    """Amid words in capitals throughout, which say nothing."""

    @property
    def spelled_level(self) -> frozenset[str]:
        """The level that the name itself spells out, as in `Kota X`."""
        region = self.readings[0].region
        whole = isinstance(region, Place) and region.bare != region.name and fold(region.name) == self.key
        return frozenset({region.level}) if whole and len(self.readings) == 1 else frozenset()


_SHARED: WeakValueDictionary[int, RegionNames] = WeakValueDictionary()
"""By the identity of their profile, which they keep alive."""


class RegionNames:
    @classmethod
    def of(cls, profile: Profile) -> RegionNames:
        """Shared by all who read with the same profile: the tables take megabytes."""
        names = _SHARED.get(id(profile))
        if names is None:
            names = _SHARED[id(profile)] = cls(profile)
        return names

    def __init__(self, profile: Profile) -> None:
        self.profile = profile
        self._readings = _readings_by_name(profile)
        self._before: dict[str, set[str]] = defaultdict(set)
        self._after: dict[str, set[str]] = defaultdict(set)
        self._coordinators: set[str] = set()
        self.common_words: set[str] = set()
        self.other_names: set[str] = set()
        for term in profile.lexicon:
            self._take_context_word(fold(term.term), term.role)
        self._add_without_kind(profile)
        self._acronyms = _acronyms(profile)
        self._word_of_level = {
            key: first for key in self._readings if (first := key.split(" ", 1)[0]) != key and first in self._before
        }
        self._patterns = sorted(self._readings)
        self._automaton = AhoCorasick(self._patterns)
        doubtful = self.common_words | self.other_names | self._acronyms
        self._in_aksara = AksaraNames(key for key in self._patterns if self._readings[key] and key not in doubtful)

    def _take_context_word(self, word: str, role: str) -> None:
        if role.endswith("-before"):
            self._before[word].add(role.removesuffix("-before"))
        elif role.endswith("-after"):
            self._after[word].add(role.removesuffix("-after"))
        elif role == "coordinator":
            self._coordinators.add(word)
        elif role == "common-word":
            self.common_words.add(word)
        elif role == "other-name":
            self.other_names.add(word)
        elif role == "not-place":
            self._readings[word] = ()

    def _add_without_kind(self, profile: Profile) -> None:
        """`Kabupaten Mentawai` is the regency `Kepulauan Mentawai`: after the word for its level that for islands goes."""
        for region in profile.regions.values():
            kind, _, rest = bare_key(region).partition(" ")
            if region.level in _ADMINISTRATIVE and rest and "cultural" in self._before.get(kind, ()):
                for word, roles in self._before.items():
                    if region.level in roles:
                        self._readings.setdefault(f"{word} {rest}", (Reading(region, "alias"),))

    def mentions(self, text: str) -> list[Mention]:
        """Every name in the text, the longest where several overlap; phrases that are no places swallow theirs."""
        folded = fold(text)
        found: list[Mention] = []
        repeats: dict[tuple[str, str], int] = defaultdict(int)
        reached = 0
        for start, end, key in self._spans(folded):
            if start < reached or not self._fits(text, folded, start, end, key):
                continue
            reached = end
            if not self._readings[key]:
                continue
            around = (text[max(0, start - _WINDOW_CHARS) : end], text[end : end + _WINDOW_CHARS])
            repeats[around] += 1
            if repeats[around] <= _MOST_REPEATS:
                found.append(self._mention(text, folded, start, end, key))
        found += [self._mention(text, folded, *name) for name in self._in_aksara.spans(text)]
        return sorted(found, key=lambda mention: mention.start)

    def _spans(self, folded: str) -> Iterator[tuple[int, int, str]]:
        """Where names stand, in order and the longest first; piece by piece, so that long texts take little memory."""
        for first in range(0, len(folded), _PIECE_CHARS):
            piece = folded[first : first + _PIECE_CHARS + _PIECE_OVERLAP]
            spans = [
                (first + start, first + end, self._patterns[pattern])
                for pattern, start, end in self._automaton.find_matches_as_indexes(piece, overlapping=True)
                if start < _PIECE_CHARS and stands_alone(folded, first + start, first + end)
            ]
            spans.sort(key=lambda span: (span[0], -span[1]))
            farthest: dict[int, int] = {}
            for start, end, _ in spans:
                farthest.setdefault(start, end)
            yield from (span for span in spans if not self._is_cut_off(span, farthest))

    def _is_cut_off(self, span: tuple[int, int, str], farthest: dict[int, int]) -> bool:
        """`Kota Padang` in `Kota Padang Sidempuan`: behind its word stands a longer name, of which this is a part."""
        start, end, key = span
        word = self._word_of_level.get(key)
        return word is not None and farthest.get(start + len(word) + 1, end) > end

    def _fits(self, text: str, folded: str, start: int, end: int, key: str) -> bool:
        """An abbreviation must be in capitals; in `ibu kota X`, `kabupaten/kota X` and `kabupaten dan kota X` the word is not
        the name's own."""
        if key in self._acronyms:
            return text[start:end].isupper()
        first = self._word_of_level.get(key)
        if first is None:
            return True
        if self._roles_across_slash(folded, start):
            return False
        words = _words_before(folded, start)
        return not any(" ".join([*words[place:], first]) in self._before for place in range(len(words)))

    def _roles_across_slash(self, folded: str, start: int) -> set[str]:
        """Roles of the word in `word/` right before this place: in `Kabupaten/Kota X` both words hold."""
        if folded[start - 1 : start] != "/":
            return set()
        words = _WORD.findall(folded[max(0, start - _WINDOW_CHARS) : start - 1])
        return self._before.get(words[-1], set()) if words else set()

    def joins(self, gap: str, *, as_list: bool) -> bool:
        """Whether the text between two names binds them: `X, province of Y`, or as a list `X, Y and Z`."""
        words = _WORD.findall(fold(gap))
        if as_list:
            return all(word in self._coordinators for word in words) and not any(mark in gap for mark in ".;:!?(")
        phrase = " ".join(words)
        return not any(mark in gap for mark in ".;:!?)") and (not words or phrase in self._before)

    def _mention(self, text: str, folded: str, start: int, end: int, key: str) -> Mention:
        words = _words_before(folded, start)
        before = _roles_of_longest(self._before, words, last=True)
        if len(words) == 1 and before:
            before = before | self._roles_across_slash(folded, folded.rfind(words[0], 0, start))
        after = _roles_of_longest(self._after, _words_after(folded, end), last=False)
        return Mention(
            start=start,
            end=end,
            key=key,
            readings=self._readings[key],
            hints=frozenset(before | after),
            proper=not text[start:end].islower(),
            opening=_opens_sentence(text, start),
            leading=text[end : end + 1] == " " and text[end + 1 : end + 2].isupper(),
            shouted=_is_shouted(text, start, end),
        )


def bare_key(region: Region) -> str:
    return fold(region.bare if isinstance(region, Place) else region.name)


def _readings_by_name(profile: Profile) -> dict[str, tuple[Reading, ...]]:
    collected: dict[str, dict[str, Reading]] = defaultdict(dict)
    for region in profile.regions.values():
        for name in (region.name, *region.aliases):
            collected[fold(name)].setdefault(region.code, Reading(region, _via(region, name)))
    _add_run_together(profile, collected)
    return {key: tuple(readings.values()) for key, readings in collected.items()}


def _add_run_together(profile: Profile, collected: dict[str, dict[str, Reading]]) -> None:
    """`Bandar Lampung` is also written in one word; a name of one word that means something else keeps its meaning."""
    for region in profile.regions.values():
        words = bare_key(region).split()
        joined = "".join(words)
        if region.level in _ADMINISTRATIVE and len(words) == 2 and joined not in collected:
            collected[joined][region.code] = Reading(region, "alias")


def _acronyms(profile: Profile) -> frozenset[str]:
    """Names that the profile writes in capitals only."""
    names = (name for region in profile.regions.values() for name in (region.name, *region.aliases))
    return frozenset(fold(name) for name in names if name.isupper() and name.isalpha())


def _via(region: Region, name: str) -> str:
    if isinstance(region, Place) and name in region.former:
        return "old-name"
    if region.level == "people":
        return "people"
    own = {region.name, region.bare} if isinstance(region, Place) else {region.name}
    return "name" if name in own else "alias"


def _words_before(folded: str, start: int) -> list[str]:
    """Up to three words that lead straight to the name, nearest last."""
    window = folded[max(0, start - _WINDOW_CHARS) : start]
    words = list(_WORD.finditer(window))
    if not words or not _GAP.fullmatch(window, words[-1].end()):
        return []
    kept = [words[-1]]
    for word in reversed(words[:-1]):
        if len(kept) == 3 or window[word.end() : kept[0].start()] != " ":
            break
        kept.insert(0, word)
    return [word.group() for word in kept]


def _words_after(folded: str, end: int) -> list[str]:
    window = folded[end : end + _WINDOW_CHARS]
    words = list(_WORD.finditer(window))
    if not words or not _GAP.fullmatch(window, 0, words[0].start()):
        return []
    return [word.group().rstrip(".") for word in words[:2]]


def _roles_of_longest(table: dict[str, set[str]], words: list[str], *, last: bool) -> set[str]:
    for length in range(len(words), 0, -1):
        phrase = " ".join(words[-length:] if last else words[:length])
        if phrase in table:
            return table[phrase]
    return set()


def _opens_sentence(text: str, start: int) -> bool:
    index = start - 1
    while index >= 0 and text[index] in " \t\"“'‘«(*#":
        index -= 1
    return index < 0 or text[index] in _SENTENCE_END


def _is_shouted(text: str, start: int, end: int) -> bool:
    name = text[start:end]
    near = text[max(0, start - 12) : start] + text[end : end + 12]
    return len(name) > 1 and name.isupper() and not any(char.islower() for char in near)
