"""Which region a name means, from the words beside it and from the rest of its text."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from lumbung.text.place import LEVELS
from lumbung.text.region_names import Mention, Reading, RegionNames, bare_key
from lumbung.text.stemming import root_words

_ADMINISTRATIVE = frozenset({"regency", "city"})
_STRONG_HINTS = frozenset(LEVELS)
_NOT_MEANT = frozenset({"feature", "negated"})
_LOCATIVE = frozenset({"locative", "regency", "city", "cultural"})
_PLURAL_LEVELS = frozenset({"regency", "city", "province", "people"})
_PAIRING = " -–/"
_MAX_GAP_CHARS = 28
_MIN_SMALL_NAME = 5
_MIN_TOLD_NAME = 4
_UNMISTAKABLE_NAME = 7

Readings = tuple[Reading, ...]


@dataclass(frozen=True, slots=True)
class Choice:
    mention: Mention
    reading: Reading | None
    """None: the name stays ambiguous, but all its readings lie in `province`."""
    province: str | None
    by_context: bool


class Chooser:
    """Settles the mentions of one text."""

    def __init__(self, names: RegionNames, text: str, mentions: Sequence[Mention]) -> None:
        self._names = names
        self._text = text
        self._mentions = [mention for mention in mentions if mention.hints.isdisjoint(_NOT_MEANT)]
        self._small_text = not any(char.isupper() for char in text)
        self._joints: dict[tuple[str, bool], bool] = {}
        self._whole_text = text.strip(" \t\r\n.,\"'")
        self._spoken = self._by_words()
        self._bound = [self._by_apposition(index) for index in range(len(self._mentions))]
        self._certain = self._provinces_by_key()
        self._places_in = Counter(province for sure in self._certain.values() for province in sure)
        self._given = self._readings_given_by_words()

    def choices(self) -> list[Choice]:
        settled: list[Choice] = []
        for index, mention in enumerate(self._mentions):
            if self._lies_elsewhere(index):
                continue
            options = self._bound[index] or self._spoken[index]
            supported = self._supported(mention, options)
            bound = bool(self._bound[index]) or self._is_listed(index)
            if self._is_place(mention, bound=bound, supported=bool(supported)):
                choice = self._choose(index, options, supported)
                if choice:
                    settled.append(choice)
        return settled

    def _by_words(self) -> list[Readings]:
        """Readings left by the words beside each name; in `Kabupaten A, B dan C` the word holds for all three."""
        left: list[Readings] = []
        inherited: frozenset[str] = frozenset()
        for index, mention in enumerate(self._mentions):
            hints = mention.hints & _STRONG_HINTS
            if not hints and index and self._joins(index - 1, as_list=True):
                hints = inherited
            if not hints and self._is_paired_with_people(index):
                hints = frozenset({"people"})
            inherited = (hints | mention.spelled_level) & _PLURAL_LEVELS
            fitting = tuple(reading for reading in mention.readings if reading.region.level in hints)
            left.append(fitting or mention.readings)
        return left

    def _is_paired_with_people(self, index: int) -> bool:
        """`Bugis-Makassar`: a name right beside one that only a people has is that of a people too."""
        beside = [place for place in (index - 1, index + 1) if 0 <= place < len(self._mentions)]
        return any(
            all(reading.region.level == "people" for reading in self._mentions[place].readings)
            and not self._between(min(index, place)).strip(_PAIRING)
            for place in beside
        )

    def _between(self, index: int) -> str:
        return self._text[self._mentions[index].end : self._mentions[index + 1].start]

    def _by_apposition(self, index: int) -> Readings:
        """Readings that lie in the region named right after: `Banjar, Jawa Barat`."""
        if index + 1 == len(self._mentions) or not self._joins(index, as_list=False):
            return ()
        following = self._spoken[index + 1]
        following = tuple(reading for reading in following if reading.region.level == "province") or following
        if len(following) != 1:
            return ()
        outer = following[0].region
        if outer.level in _ADMINISTRATIVE:
            return ()
        inside = set(outer.provinces)
        return tuple(
            reading
            for reading in self._spoken[index]
            if reading.region.code != outer.code and set(reading.region.provinces) & inside
        )

    def _is_listed(self, index: int) -> bool:
        """Whether the name stands in a list beside one that can only be a region: `Kupang, Bima dan Surabaya`."""
        beside = [place for place in (index - 1, index + 1) if 0 <= place < len(self._mentions)]
        return self._mentions[index].proper and any(
            self._lists(min(index, place)) and self._is_plain(self._mentions[place]) for place in beside
        )

    def _lies_elsewhere(self, index: int) -> bool:
        """Whether a name that is also a word is followed by a region in which none of its readings lies: `Puncak, Bogor`."""
        mention = self._mentions[index]
        if self._is_plain(mention) or _has_its_level(mention) or index + 1 == len(self._mentions):
            return False
        if self._lists(index) or not self._joins(index, as_list=False):
            return False
        after = {province for reading in self._spoken[index + 1] for province in reading.region.provinces}
        own = {province for reading in self._spoken[index] for province in reading.region.provinces}
        return bool(after) and after.isdisjoint(own)

    def _lists(self, index: int) -> bool:
        """Whether this mention and the next stand in one list; of two with a comma the second may hold the first."""
        if not self._joins(index, as_list=True):
            return False
        with_word = any(char.isalpha() for char in self._between(index))
        further = (place for place in (index - 1, index + 1) if 0 <= place < len(self._mentions) - 1)
        return with_word or any(self._joins(place, as_list=True) for place in further)

    def _is_plain(self, mention: Mention) -> bool:
        ambiguous = mention.key in self._names.common_words or mention.key in self._names.other_names
        return mention.proper and not ambiguous and not mention.shouted

    def _joins(self, index: int, *, as_list: bool) -> bool:
        """Whether the text between this mention and the next binds them; one that is too wide does not."""
        start, end = self._mentions[index].end, self._mentions[index + 1].start
        if end - start > _MAX_GAP_CHARS:
            return False
        gap = self._text[start:end]
        known = self._joints.get((gap, as_list))
        if known is None:
            known = self._joints[gap, as_list] = self._names.joins(gap, as_list=as_list)
        return known

    def _provinces_by_key(self) -> dict[str, frozenset[str]]:
        """By name: the one province that is sure for it."""
        certain: dict[str, frozenset[str]] = {}
        for index, mention in enumerate(self._mentions):
            options = self._bound[index] or self._spoken[index]
            provinces = frozenset(province for reading in options for province in reading.region.provinces)
            if len(provinces) == 1 and self._is_place(mention, bound=bool(self._bound[index]), supported=False):
                certain[mention.key] = provinces
        return certain

    def _supported(self, mention: Mention, options: Readings) -> Readings:
        """Readings that lie where the other names of the text lie."""
        own = self._certain.get(mention.key, frozenset())
        return tuple(
            reading
            for reading in options
            if any(self._places_in[province] > (province in own) for province in reading.region.provinces)
        )

    def _is_place(self, mention: Mention, *, bound: bool, supported: bool) -> bool:
        common, other = mention.key in self._names.common_words, mention.key in self._names.other_names
        named = bool(mention.hints & _STRONG_HINTS)
        if not mention.proper and (common or other):
            return self._small_text and _has_its_level(mention)
        if not mention.proper:
            return named or self._may_be_small(mention)
        if "person" in mention.hints and (common or other or mention.leading):
            return False
        if not (common or other) or self._is_whole_text(mention):
            return True
        if named or bound:
            return True
        if mention.leading or mention.shouted:
            return False
        if "locative" in mention.hints:
            return True
        return not mention.opening and (supported or not other)

    def _is_whole_text(self, mention: Mention) -> bool:
        """A field that holds a region's name and nothing else is meant as that name."""
        return not mention.shouted and self._whole_text == self._text[mention.start : mention.end]

    def _may_be_small(self, mention: Mention) -> bool:
        if self._small_text:
            is_province = any(each.region.level == "province" for each in mention.readings)
            told = "locative" in mention.hints or is_province
            long_enough = len(mention.key) >= (_MIN_TOLD_NAME if told else _MIN_SMALL_NAME)
            plain = _is_of_plain_words(mention.key) and not is_province and not mention.spelled_level
            return long_enough and not plain
        demonym = all(reading.region.level == "people" for reading in mention.readings)
        return demonym and len(mention.key) >= _UNMISTAKABLE_NAME

    def _choose(self, index: int, options: Readings, supported: Readings) -> Choice | None:
        mention = self._mentions[index]
        by_context = len(options) < len(self._spoken[index])
        located = bool(mention.hints & _LOCATIVE) or (bool(self._bound[index]) and mention.opening)
        options, supported = _places_if(located, options), _places_if(located, supported)
        if len(options) > 1:
            same_name = self._settled_elsewhere(mention, options)
            narrowed = same_name or (supported if len(supported) < len(options) else ())
            if narrowed:
                options, by_context = narrowed, True
        reading = _broadest(options, located=located)
        if reading:
            return Choice(mention, reading, reading.region.province, by_context)
        provinces = {province for option in options for province in option.region.provinces}
        return Choice(mention, None, provinces.pop(), by_context) if len(provinces) == 1 else None

    def _readings_given_by_words(self) -> dict[str, set[str]]:
        """By bare name: the regions that words beside it name somewhere in the text, as in `Kota X`."""
        given: dict[str, set[str]] = defaultdict(set)
        for mention, readings in zip(self._mentions, self._spoken, strict=True):
            if len(readings) == 1:
                for key in {mention.key, bare_key(readings[0].region)}:
                    given[key].add(readings[0].region.code)
        return given

    def _settled_elsewhere(self, mention: Mention, options: Readings) -> Readings:
        given = self._given.get(mention.key, set())
        fitting = tuple(reading for reading in options if reading.region.code in given)
        return fitting if len(fitting) == 1 else ()


def _has_its_level(mention: Mention) -> bool:
    """The word beside or in the name says what the name can mean: `kota medan`, `kab. agam`."""
    levels = (mention.hints & _STRONG_HINTS) | mention.spelled_level
    return any(reading.region.level in levels - {"people"} for reading in mention.readings)


def _is_of_plain_words(key: str) -> bool:
    """`lima puluh kota`: small letters do not tell the name from the words it is made of."""
    words = key.split()
    return len(words) > 1 and root_words().issuperset(words)


def _places_if(located: bool, options: Readings) -> Readings:
    """After a word such as `from`, and in an address, the land is meant, not the people who are called the same."""
    if not located:
        return options
    return tuple(reading for reading in options if reading.region.level != "people") or options


def _broadest(options: Readings, *, located: bool) -> Reading | None:
    """The reading that holds whichever was meant; None if there is none."""
    if len(options) == 1:
        return options[0]
    everywhere = {province for reading in options for province in reading.region.provinces}
    covering = [reading for reading in options if set(reading.region.provinces) == everywhere]
    by_level = {level: [reading for reading in covering if reading.region.level == level] for level in LEVELS}
    administrative = by_level["regency"] + by_level["city"]
    if len(everywhere) > 1:
        order = ("cultural", "people") if located else ("people", "cultural")
        return next((by_level[level][0] for level in order if by_level[level]), None)
    if by_level["province"] or by_level["cultural"]:
        return (by_level["province"] or by_level["cultural"])[0]
    if len(administrative) == 1 and (located or by_level["city"] or not by_level["people"]):
        return administrative[0]
    if by_level["people"] and not located:
        return by_level["people"][0]
    return None
