"""The cheap filters of the relevance gate: each reads a page by itself, so that their order is free."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from math import sqrt

from lumbung.model.profile import LexiconTerm, Profile
from lumbung.text.folding import fold
from lumbung.text.gate_words import ANY_LANGUAGE, NAME, Hit, Page, Vocabulary, points
from lumbung.text.region_names import RegionNames

PASS_SCORE = 0.5
_CATEGORY_ROLES = frozenset({"head", "genus", "marker"})
_ROLE_WEIGHT = {"head": 0.3, "genus": 0.6, "marker": 1.0}
_DEFINITION_REACH = 50
_DEFINITION_POINTS = 4.0
_TITLE_POINTS = 1.5
_GENERAL_SHARE = 0.5
_THIN_SHARE = 0.75
_LANGUAGE_POINTS = 1.2
_ANCHOR_POINTS = 1.5
_UNANCHORED_FACTOR = 1.5
_DEFINED_WITHIN = 300
_MIN_NAME_CHARS = 4
_PEOPLE_WEIGHT = 1.5
_PLACE_WEIGHT = 0.8
_DATELINE = re.compile(r"\(\s?\d{1,2}[/.-]\d{1,2}(?:[/.-]\d{2,4})?\s?\)")
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

    def judge(self, page: Page, threshold: float = PASS_SCORE) -> FilterVerdict:
        score = min(1.0, max(0.0, self.score(page)))
        return FilterVerdict(self.name, score >= threshold, round(score, 4))


def filters_of(profile: Profile) -> tuple[Filter, ...]:
    """Every filter, in an order that is good before anything was measured."""
    return (
        Filter("address", 2e-6, _address_score(profile)),
        Filter("length", 1e-5, _length_score(profile)),
        Filter("language", 1e-6, _language_score(profile)),
        Filter("commerce", 1e-4, _commerce_score(profile)),
        Filter("news", 1e-4, _news_score(profile)),
        Filter("technical", 1e-4, _absence_of(profile, "technical", 6.0)),
        Filter("culture", 3e-4, _culture_score(profile)),
        Filter("place", 4e-4, _place_score(profile)),
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


def _absence_of(profile: Profile, role: str, limit: float) -> Callable[[Page], float]:
    vocabulary = Vocabulary(profile, lambda term: term.role == role)

    def score(page: Page) -> float:
        return _tolerance(limit, page) / (_tolerance(limit, page) + points(vocabulary.hits(page)))

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
    vocabulary = Vocabulary(profile, lambda term: term.role == "news")

    def score(page: Page) -> float:
        datelines = min(2, len(_DATELINE.findall(page.text[:4000])))
        limit = _tolerance(6.0, page)
        return limit / (limit + points(vocabulary.hits(page)) + 3.0 * datelines)

    return score


def _culture_score(profile: Profile) -> Callable[[Page], float]:
    """Words of one category of the profile and of culture in general, best in a sentence that defines something."""
    vocabulary = Vocabulary(profile, _speaks_of_culture, _region_names(profile))
    thin = _thinly_covered(profile)

    def score(page: Page) -> float:
        hits = vocabulary.hits(page)
        general = points(hit for hit in hits if not hit.term.category and hit.term.role != "copula")
        best = _best_category(hits)
        defined = _defines(hits)
        raw = best + _GENERAL_SHARE * min(general, best + 4.0)
        raw += _DEFINITION_POINTS * defined + _TITLE_POINTS * _titled(page, hits)
        need = min(18.0, max(4.0, 4.0 * sqrt(page.words / 50))) * (_THIN_SHARE if page.language in thin else 1.0)
        if not defined and general < _ANCHOR_POINTS and not any(_is_item_name(hit.term) for hit in hits):
            need *= _UNANCHORED_FACTOR
        return raw / (raw + need)

    return score


def _best_category(hits: list[Hit]) -> float:
    by_category: dict[str, list[Hit]] = defaultdict(list)
    for hit in hits:
        if hit.term.category:
            by_category[hit.term.category].append(hit)
    return max((_category_points(found) for found in by_category.values()), default=0.0)


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


def _category_points(hits: list[Hit]) -> float:
    by_role: dict[str, list[Hit]] = defaultdict(list)
    for hit in hits:
        by_role[hit.term.role].append(hit)
    return sum(_ROLE_WEIGHT[role] * points(found) for role, found in by_role.items())


def _defines(hits: list[Hit]) -> bool:
    """Whether an early copula is soon followed by the genus of a category: `X is a traditional dance`."""
    genera = sorted(hit.start for hit in hits if hit.term.role == "genus")
    for hit in hits:
        if hit.term.role == "copula" and hit.start < _DEFINED_WITHIN:
            index = bisect_left(genera, hit.end)
            if index < len(genera) and genera[index] - hit.end <= _DEFINITION_REACH:
                return True
    return False


def _titled(page: Page, hits: list[Hit]) -> bool:
    """Whether the text begins with the head word of a name: `Tari Piring`."""
    first = len(page.folded) - len(page.folded.lstrip())
    return any(hit.start == first and hit.term.role == "head" for hit in hits)


def _place_score(profile: Profile) -> Callable[[Page], float]:
    """Regions, peoples and words of the profile's own world against those of others."""
    names = RegionNames(profile)
    vocabulary = Vocabulary(profile, lambda term: term.role in {"domestic", *_ABROAD} or _is_item_name(term))
    spoken_at_home = local_languages(profile) | _COVERED_UNKNOWN

    def score(page: Page) -> float:
        hits = vocabulary.hits(page)
        home = points(hit for hit in hits if hit.term.role not in _ABROAD)
        abroad = points(hit for hit in hits if hit.term.role in _ABROAD)
        mentions = names.mentions(page.text[:8000])
        regions = {code for mention in mentions if mention.proper for code in (mention.readings[0].region.code,)}
        home += 2.0 * sqrt(min(len(mentions), 12)) if regions else 0.0
        home += _LANGUAGE_POINTS if page.language in spoken_at_home else 0.0
        return (home + 0.01) / (home + 0.01 + max(abroad, 1.0))

    return score


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
