"""The cheap filters of the relevance gate: each reads a page by itself, so that their order is free."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from math import sqrt

from lumbung.model.profile import LexiconTerm, Profile
from lumbung.text.folding import fold
from lumbung.text.gate_words import ANY_LANGUAGE, NAME, Meaning, Page, Place, Vocabulary, counted
from lumbung.text.region_names import Reading, RegionNames

PASS_SCORE = 0.5
_CATEGORY_ROLES = frozenset({"head", "genus", "marker"})
_ROLE_WEIGHT = {"head": 0.3, "genus": 0.6, "marker": 1.0}
_DEFINITION_REACH = 50
_DEFINITION_POINTS = 4.0
_TITLE_POINTS = 1.5
_GENERAL_SHARE = 0.5
_THIN_SHARE = 0.75
_LANGUAGE_POINTS = 1.2
_TECHNICAL_LIMIT = 6.0
_ANCHOR_POINTS = 1.5
_UNANCHORED_FACTOR = 1.5
_DEFINED_WITHIN = 300
_MIN_NAME_CHARS = 4
_PEOPLE_WEIGHT = 1.5
_PLACE_WEIGHT = 0.8
_ABROAD_IN_EARNEST = 3.0
_WIDE = 5
_DATELINE = re.compile(
    r"\(\s?\d{1,2}[/.-]\d{1,2}(?:[/.-]\d{2,4})?\s?\)|^[A-Z][A-Z .]{3,30}(?:, ?[\w.]{3,30})? [-–—] ", re.MULTILINE
)
"""A day in brackets, or a line that begins with a town in capitals and perhaps the paper's name: `PALU, X.COM –`."""
_ADDRESS_WORD = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
_ABROAD = frozenset({"foreign", "neighbour"})
_COVERED_UNKNOWN = frozenset({"und", "", "mul"})


@dataclass(frozen=True, slots=True)
class FilterVerdict:
    name: str
    passed: bool
    score: float


@dataclass(frozen=True, slots=True)
class Filter:
    """`cost` is only a starting guess in seconds; who runs the filters measures it."""

    name: str
    cost: float
    score: Callable[[Page], float]
    bound: Callable[[Page], float] | None = None
    """A cheap lower bound of the score: a page that passes by it need not be weighed exactly."""

    def judge(self, page: Page, threshold: float = PASS_SCORE) -> FilterVerdict:
        return self._verdict(self.score(page), threshold)

    def judge_cheaply(self, page: Page, threshold: float = PASS_SCORE) -> FilterVerdict:
        """The same verdict; the score of what passes may be too low."""
        if self.bound is not None:
            verdict = self._verdict(self.bound(page), threshold)
            if verdict.passed:
                return verdict
        return self._verdict(self.score(page), threshold)

    def _verdict(self, score: float, threshold: float) -> FilterVerdict:
        bounded = min(1.0, max(0.0, score))
        return FilterVerdict(self.name, bounded >= threshold, round(bounded, 4))


def filters_of(profile: Profile) -> tuple[Filter, ...]:
    """Every filter, in an order that is good before anything was measured."""
    place = _PlaceScore(profile)
    return (
        Filter("address", 2e-6, _address_score(profile)),
        Filter("length", 1e-5, _length_score(profile)),
        Filter("language", 1e-6, _language_score(profile)),
        Filter("commerce", 1e-4, _commerce_score(profile)),
        Filter("news", 1e-4, _news_score(profile)),
        Filter("technical", 1e-4, _absence_of(profile, "technical", _TECHNICAL_LIMIT)),
        Filter("culture", 3e-4, _culture_score(profile)),
        Filter("place", 4e-4, place.score, place.bound),
    )


def _length_score(profile: Profile) -> Callable[[Page], float]:
    least_words = max(1.0, constant(profile, "gate.min_words", 8))
    least_characters = max(1.0, constant(profile, "gate.min_characters", 50))

    def score(page: Page) -> float:
        return PASS_SCORE * min(page.words / least_words, len(page.text.strip()) / least_characters, 2.0)

    return score


def _language_score(profile: Profile) -> Callable[[Page], float]:
    covered = {term.language for term in profile.lexicon}

    def score(page: Page) -> float:
        if page.language in covered:
            return 1.0
        return 0.7 if page.language in _COVERED_UNKNOWN else 0.3

    return score


def _address_score(profile: Profile) -> Callable[[Page], float]:
    """Words of the path that mark shops, forms and sections of news; a page without an address is not judged."""
    marks = {term.term: term.weight for term in profile.lexicon if term.role == "address"}

    def score(page: Page) -> float:
        path = page.url.lower().partition("://")[2].partition("/")[2].partition("?")[0]
        steps = path.split("/")
        found = [marks[step] for step in steps if step in marks]
        last = _ADDRESS_WORD.findall(steps[-1]) if steps else []
        found += [marks[word] / 2 for word in last if word in marks and word not in steps]
        return 2.5 / (2.5 + sum(found)) if found else 1.0

    return score


class _Weighed:
    """The points of a vocabulary's words in a page; the weight of a form is worked out where it is first met."""

    def __init__(self, vocabulary: Vocabulary, counts: Callable[[LexiconTerm], bool] = lambda _: True) -> None:
        self._vocabulary = vocabulary
        self._counts = counts
        self._weights: dict[Meaning, float] = {}

    def points(self, page: Page, counts: dict[str, float]) -> float:
        meanings = self._vocabulary.meanings(page, counts)
        return sum([self._weight(meaning) * count for meaning, count in zip(meanings, counts.values(), strict=True)])

    def _weight(self, meaning: Meaning) -> float:
        weight = self._weights.get(meaning)
        if weight is None:
            weight = self._weights[meaning] = _weight([term for term in meaning.terms if self._counts(term)])
        return weight


def _weight(terms: list[LexiconTerm]) -> float:
    """A form that several lexicons give in one role counts a little more in it than one that only one gives."""
    by_role: dict[tuple[str, str], list[float]] = {}
    for term in terms:
        by_role.setdefault((term.term, term.role), []).append(term.weight)
    return sum(max(weights) * sqrt(min(len(weights), 4)) for weights in by_role.values())


def _points_of(profile: Profile, role: str) -> Callable[[Page], float]:
    vocabulary = Vocabulary(profile, lambda term: term.role == role)
    weighed = _Weighed(vocabulary)

    def points_in(page: Page) -> float:
        places = vocabulary.places(page)
        return weighed.points(page, counted(places)) if places else 0.0

    return points_in


def _absence_of(profile: Profile, role: str, limit: float) -> Callable[[Page], float]:
    points_in = _points_of(profile, role)

    def score(page: Page) -> float:
        tolerance = _tolerance(limit, page)
        return tolerance / (tolerance + points_in(page))

    return score


def _commerce_score(profile: Profile) -> Callable[[Page], float]:
    judge_text = _absence_of(profile, "commerce", 5.0)
    judge_surroundings = _absence_of(profile, "commerce", 8.0)

    def score(page: Page) -> float:
        if not page.surroundings:
            return judge_text(page)
        around = Page(page.surroundings, page.language, page.url)
        return min(judge_text(page), judge_surroundings(around))

    return score


def _news_score(profile: Profile) -> Callable[[Page], float]:
    points_in = _points_of(profile, "news")

    def score(page: Page) -> float:
        datelines = min(2, len(_DATELINE.findall(page.text[:4000])))
        limit = _tolerance(6.0, page)
        return limit / (limit + points_in(page) + 3.0 * datelines)

    return score


@dataclass(frozen=True, slots=True)
class _CultureWord:
    """What a form says about culture."""

    general: float
    by_category: tuple[tuple[str, float], ...]
    """Categories that it speaks of, and how strongly."""
    roles: frozenset[str]
    is_item_name: bool

    @classmethod
    def of(cls, meaning: Meaning) -> _CultureWord:
        terms = meaning.terms
        without = [term for term in terms if not term.category and term.role != "copula"]
        categories = sorted({term.category for term in terms if term.category})
        return cls(
            general=_weight(without),
            by_category=tuple((category, _strength(terms, category)) for category in categories),
            roles=frozenset(term.role for term in terms),
            is_item_name=any(map(_is_item_name, terms)),
        )


class _CultureWords:
    """The words of pages, each worked out where it is first met."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._vocabulary = vocabulary
        self._known: dict[Meaning, _CultureWord] = {}

    def of(self, page: Page, forms: Collection[str]) -> dict[str, _CultureWord]:
        return dict(zip(forms, map(self._word, self._vocabulary.meanings(page, forms)), strict=True))

    def _word(self, meaning: Meaning) -> _CultureWord:
        word = self._known.get(meaning)
        if word is None:
            word = self._known[meaning] = _CultureWord.of(meaning)
        return word


def _best_category(words: Mapping[str, _CultureWord], counts: Mapping[str, float]) -> float:
    totals: dict[str, float] = {}
    for form, count in counts.items():
        for category, strength in words[form].by_category:
            totals[category] = totals.get(category, 0.0) + strength * count
    return max(totals.values(), default=0.0)


def _strength(terms: tuple[LexiconTerm, ...], category: str) -> float:
    """Each role of a word weighs differently."""
    roles = {term.role for term in terms if term.category == category}
    return sum(
        _ROLE_WEIGHT[role] * _weight([term for term in terms if term.category == category and term.role == role])
        for role in roles
    )


def _culture_score(profile: Profile) -> Callable[[Page], float]:
    """Words of one category of the profile and of culture in general, best in a sentence that defines something."""
    vocabulary = Vocabulary(profile, _speaks_of_culture, _region_names(profile))
    thin = _thinly_covered(profile)
    known = _CultureWords(vocabulary)

    def score(page: Page) -> float:
        places = vocabulary.places(page)
        counts = counted(places)
        words = known.of(page, counts)
        general = sum(words[form].general * count for form, count in counts.items())
        best = _best_category(words, counts)
        defined = _defines(words, places)
        raw = best + _GENERAL_SHARE * min(general, best + 4.0)
        raw += _DEFINITION_POINTS * defined + _TITLE_POINTS * _titled(page, words, places)
        need = min(18.0, max(4.0, 4.0 * sqrt(page.words / 50))) * (_THIN_SHARE if page.language in thin else 1.0)
        if not defined and general < _ANCHOR_POINTS and not any(word.is_item_name for word in words.values()):
            need *= _UNANCHORED_FACTOR
        return raw / (raw + need)

    return score


def _is_item_name(term: LexiconTerm) -> bool:
    """Words of one category in all languages are names of items."""
    return term.language == ANY_LANGUAGE and bool(term.category)


def _region_names(profile: Profile) -> tuple[LexiconTerm, ...]:
    """Names of regions; who speaks of peoples and cultural regions mostly speaks of culture."""
    doubtful = {fold(term.term) for term in profile.lexicon if term.role in {"common-word", "other-name"}}
    weights: dict[str, float] = {}
    for region in profile.regions.values():
        weight = _PEOPLE_WEIGHT if region.level in {"people", "cultural"} else _PLACE_WEIGHT
        for name in (region.name, *region.aliases):
            if len(name) >= _MIN_NAME_CHARS and fold(name) not in doubtful:
                weights[name] = max(weight, weights.get(name, 0.0))
    return tuple(LexiconTerm(name, ANY_LANGUAGE, "", NAME, weight) for name, weight in weights.items())


def _thinly_covered(profile: Profile) -> frozenset[str]:
    """Languages for which the profile has no words by category: less can be asked of their pages."""
    languages = {term.language for term in profile.lexicon}
    return frozenset(languages - {term.language for term in profile.lexicon if term.category})


def _speaks_of_culture(term: LexiconTerm) -> bool:
    return term.role in _CATEGORY_ROLES or term.role == "copula"


def _defines(words: Mapping[str, _CultureWord], places: list[Place]) -> bool:
    """Whether an early copula is soon followed by the genus of a category: `X is a traditional dance`."""
    genera: list[int] | None = None
    for form, start in places:
        if start < _DEFINED_WITHIN and "copula" in words[form].roles:
            if genera is None:
                genera = [start for form, start in places if "genus" in words[form].roles]
            end = start + len(form)
            index = bisect_left(genera, end)
            if index < len(genera) and genera[index] - end <= _DEFINITION_REACH:
                return True
    return False


def _titled(page: Page, words: Mapping[str, _CultureWord], places: list[Place]) -> bool:
    """Whether the text begins with the head word of a name: `Tari Piring`."""
    first = len(page.folded) - len(page.folded.lstrip())
    return any(start == first and "head" in words[form].roles for form, start in places[:1])


class _PlaceScore:
    """Regions, peoples and words of the profile's own world against those of others."""

    def __init__(self, profile: Profile) -> None:
        self._names = RegionNames.of(profile)
        self._vocabulary = Vocabulary(profile, lambda term: term.role in {"domestic", *_ABROAD} or _is_item_name(term))
        self._home = _Weighed(self._vocabulary, lambda term: term.role not in _ABROAD)
        self._abroad = _Weighed(self._vocabulary, lambda term: term.role in _ABROAD)
        self._spoken_at_home = local_languages(profile) | _COVERED_UNKNOWN
        self._is_of_culture = _absence_of(profile, "technical", _TECHNICAL_LIMIT)

    def score(self, page: Page) -> float:
        home, abroad = self._by_words(page)
        mentions = self._names.mentions(page.text[:8000])
        if abroad >= _ABROAD_IN_EARNEST:
            mentions = [mention for mention in mentions if not all(map(_is_wide_people, mention.readings))]
        if any(mention.proper for mention in mentions):
            home += 2.0 * sqrt(min(len(mentions), 12))
        return _balance(home, abroad)

    def bound(self, page: Page) -> float:
        """Without a look at the names of places, which only add to the score."""
        return _balance(*self._by_words(page))

    def _by_words(self, page: Page) -> tuple[float, float]:
        counts = counted(self._vocabulary.places(page))
        home = self._home.points(page, counts)
        if page.language in self._spoken_at_home:
            home += self._language_points(page, home)
        return home, self._abroad.points(page, counts)

    def _language_points(self, page: Page, home: float) -> float:
        """Where nothing but its language ties a page to home, talk of medicine or schools, which is the same everywhere,
        unties it.
        """
        return _LANGUAGE_POINTS if home >= 1.0 else _LANGUAGE_POINTS * self._is_of_culture(page)


def _is_wide_people(reading: Reading) -> bool:
    """A people of many provinces lives beyond the border as well: it does not tell on which side a page is at home."""
    return reading.region.level == "people" and len(reading.region.provinces) >= _WIDE


def _balance(home: float, abroad: float) -> float:
    return (home + 0.01) / (home + 0.01 + max(abroad, 1.0))


def local_languages(profile: Profile) -> frozenset[str]:
    """Languages spoken where the culture is: to write in them is a sign of home."""
    return frozenset({profile.language, *(term.language for term in profile.lexicon if term.role == "own-language")})


def _tolerance(limit: float, page: Page) -> float:
    """Long pages hold stray words of every kind."""
    return limit * max(1.0, sqrt(page.words / 150))


def constant(profile: Profile, name: str, default: float) -> float:
    """A constant of the gate; profiles made by hand may leave it out."""
    value = profile.constants.get(name, default)
    return float(value) if isinstance(value, int | float) else default
