"""Whether two records are about the same item, term by term, with the evidence a curator can check.

Rules settle what they can see; what lies between them is `unsure` and goes to the same-item agent or a person.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice, product
from typing import Literal

from rapidfuzz.distance import JaroWinkler, Levenshtein

from lumbung.equations.similarity import Weights, similarity, without_attributes
from lumbung.text.features import content_vector, cosine, word_keys
from lumbung.text.names import canonical_name, spoken_alike, strip_generic

Verdict = Literal["same", "different", "unsure", "unrelated"]
Relation = Callable[[str, str], bool]

DEFAULT_WEIGHTS = Weights()
SPELLING = 0.88
SHORTEST_SPOKEN = 5
AGREEING_FACTS = 2
UNKNOWN_REGION = "-"
_LINKING_WORDS = frozenset(
    ["dan", "di", "dari", "ke", "khas", "asal", "adat", "the", "of", "and", "van", "de", "het", "en", "ala", "ing"]
)


@dataclass(frozen=True, slots=True)
class Comparable:
    """A record as the comparison sees it; facts are (attribute, value key) pairs."""

    name: str
    aliases: tuple[str, ...] = ()
    category: str | None = None
    regions: tuple[str, ...] = ()
    facts: tuple[tuple[str, str], ...] = ()
    generic_words: tuple[str, ...] = ()
    region_words: tuple[str, ...] = ()
    """Names of the record's own regions: a name that adds one of them need not be another item."""
    confusable: tuple[str, ...] = ()
    """Categories that people mix up with this record's own."""


@dataclass(frozen=True, slots=True)
class Comparison:
    score: float
    terms: dict[str, float]
    agree: tuple[str, ...]
    differ: tuple[str, ...]
    verdict: Verdict


@dataclass(frozen=True, slots=True)
class NameRelation:
    """How two names relate: equal, spelling (near), part (one adds words), sibling (each adds words), apart."""

    kind: Literal["equal", "spelling", "regional", "part", "sibling", "apart"]
    likeness: float


def same_or_nested(a: str, b: str) -> bool:
    """The region relation when no gazetteer is at hand: equal codes, or one nested in the other by its dots."""
    if UNKNOWN_REGION in {a, b}:
        return True
    return a == b or a.startswith(b + ".") or b.startswith(a + ".")


@lru_cache(maxsize=100_000)
def name_words(name: str) -> tuple[str, ...]:
    """The keys of the name's words, without linking words unless there is nothing else."""
    words = word_keys(name)
    return tuple(word for word in words if word not in _LINKING_WORDS) or words


@lru_cache(maxsize=100_000)
def distinguishing_words(name: str, generic: tuple[str, ...]) -> tuple[str, ...]:
    """What is left of a name without the generic words at its ends; a name of generic words alone keeps them."""
    return name_words(strip_generic(name, generic)) if generic else name_words(name)


def spelling_likeness(a: str, b: str) -> float:
    """How far two words may be one word spelled twice: 1 equal; short words must be equal to be alike."""
    if a == b:
        return 1.0
    if min(len(a), len(b)) < 4 or a.isdigit() or b.isdigit():
        return 0.0
    allowed = 1 if min(len(a), len(b)) < 8 else 2
    if Levenshtein.distance(a, b, score_cutoff=allowed) > allowed:
        return 0.0
    return 1.0 if len(a) >= SHORTEST_SPOKEN and spoken_alike(a, b) else JaroWinkler.similarity(a, b)


def _pair_words(left: Iterable[str], right: Iterable[str]) -> tuple[float, list[str], list[str]]:
    """Greedy one-to-one pairing by likeness: the mean likeness of the pairs, and what is left on each side."""
    mine, others = sorted(left), sorted(right)
    ranked = sorted(((spelling_likeness(a, b), a, b) for a in mine for b in others), reverse=True)
    total, pairs = 0.0, 0
    for likeness, a, b in ranked:
        if likeness >= SPELLING and a in mine and b in others:
            mine.remove(a)
            others.remove(b)
            total, pairs = total + likeness, pairs + 1
    return (total / pairs if pairs else 0.0), mine, others


def relate_names(a: str, b: str, generic: tuple[str, ...] = (), regional: frozenset[str] = frozenset()) -> NameRelation:
    """The relation of two names, the same in both directions."""
    return _relate(_read_name(a, generic), _read_name(b, generic), regional)


def _read_name(name: str, generic: tuple[str, ...]) -> tuple[str, tuple[str, ...]]:
    return canonical_name(name).key, distinguishing_words(name, generic)


def _relate(a: tuple[str, tuple[str, ...]], b: tuple[str, tuple[str, ...]], regional: frozenset[str]) -> NameRelation:
    (key, left), (other_key, right) = a, b
    if key == other_key or sorted(left) == sorted(right) or "".join(left) == "".join(right):
        return NameRelation("equal", 1.0)
    likeness, mine, others = _pair_words(left, right)
    covered = 1 - (len(mine) + len(others)) / max(1, len(left) + len(right))
    joined = spelling_likeness("".join(left), "".join(right)) if len(left) != len(right) else 0.0
    if not mine and not others:
        return NameRelation("equal" if likeness == 1 else "spelling", likeness)
    if joined >= SPELLING:
        return NameRelation("spelling", joined)
    if likeness == 0:
        return NameRelation("apart", JaroWinkler.similarity("".join(left), "".join(right)) / 2)
    if mine and others:
        return NameRelation("sibling", likeness * covered)
    if set(mine or others) <= regional:
        return NameRelation("regional", likeness * covered)
    return NameRelation("part", likeness * covered)


_CLOSENESS = {"equal": 5, "spelling": 4, "regional": 3, "part": 2, "sibling": 1, "apart": 0}


def closest_names(x: Comparable, y: Comparable) -> tuple[NameRelation, bool]:
    """The closest relation over names and aliases, and whether it needed an alias."""
    generic = tuple(sorted({*x.generic_words, *y.generic_words}))
    regional = frozenset(word for each in (*x.region_words, *y.region_words) for word in name_words(each))
    mine, others = ([_read_name(name, generic) for name in (each.name, *each.aliases)] for each in (x, y))
    best, by_alias = _relate(mine[0], others[0], regional), False
    for a, b in islice(product(mine, others), 1, None):
        relation = _relate(a, b, regional)
        if (_CLOSENESS[relation.kind], relation.likeness) > (_CLOSENESS[best.kind], best.likeness):
            best, by_alias = relation, True
    return best, by_alias


def _region_relation(x: Comparable, y: Comparable, related: Relation) -> Literal["known", "unknown", "disjoint"]:
    mine = [code for code in x.regions if code and code != UNKNOWN_REGION]
    others = [code for code in y.regions if code and code != UNKNOWN_REGION]
    if not mine or not others:
        return "unknown"
    return "known" if any(related(a, b) or related(b, a) for a in mine for b in others) else "disjoint"


def _category_relation(x: Comparable, y: Comparable) -> Literal["equal", "unknown", "confusable", "apart"]:
    if not x.category or not y.category:
        return "unknown"
    if x.category == y.category:
        return "equal"
    return "confusable" if y.category in x.confusable or x.category in y.confusable else "apart"


def _facts(x: Comparable, y: Comparable) -> tuple[float, list[str], list[str]]:
    """Jaccard of the attribute bags, the attributes that agree, and those both have without agreeing."""
    mine, others = set(x.facts), set(y.facts)
    agree = sorted({attribute for attribute, _ in mine & others})
    both = {attribute for attribute, _ in mine} & {attribute for attribute, _ in others}
    union = mine | others
    return (len(mine & others) / len(union) if union else 0.0), agree, sorted(both - set(agree))


@lru_cache(maxsize=20_000)
def _vector(name: str, aliases: tuple[str, ...], category: str | None) -> tuple[float, ...]:
    return tuple(content_vector(name, sorted(aliases), (), (), category))


def _judge(names: NameRelation, category: str, region: str, agreeing: int, differing: int) -> Verdict:
    """The rules, from the surest to the least sure."""
    if category == "apart" or names.kind in {"sibling", "part"}:
        return "different"
    supported = agreeing >= AGREEING_FACTS and agreeing > differing
    if region == "disjoint":
        return "unsure" if supported else "different"
    if category != "equal":
        return "unsure"
    if names.kind == "equal" and (region == "known" or supported):
        return "same"
    if names.kind in {"spelling", "regional"} and region == "known" and supported:
        return "same"
    return "unsure"


def compare(
    x: Comparable, y: Comparable, weights: Weights = DEFAULT_WEIGHTS, related: Relation = same_or_nested
) -> Comparison:
    """Eq. (13) explained term by term, and a verdict by rule; compare(x, y) equals compare(y, x).

    Same: one name (or alias), one category, regions known and related. Different: another distinguishing word
    (Parang Rusak, Parang Kusumo), a part and its whole (Piring, Tari Piring in another category), or a homonym
    of a disjoint region. Unrelated: nothing in the names is shared, so nothing else is looked at. All between is unsure.
    """
    names, by_alias = closest_names(x, y)
    if names.kind == "apart":
        return Comparison(0.0, {"name": names.likeness}, (), ("name (apart)",), "unrelated")
    region, category = _region_relation(x, y, related), _category_relation(x, y)
    jaccard, agreeing, differing = _facts(x, y)
    cos = cosine(_vector(x.name, x.aliases, None), _vector(y.name, y.aliases, None))
    used = weights if x.facts or y.facts else without_attributes(weights)
    score = similarity(max(0.0, cos), jaccard, names.likeness, used.alpha, used.beta, used.gamma)
    agree = [f"alias ({names.kind})" if by_alias else f"name ({names.kind})"] if names.likeness >= SPELLING else []
    differ = [] if agree else [f"name ({names.kind})"]
    agree += [word for word, holds in (("category", category == "equal"), ("region", region == "known")) if holds]
    differ += [word for word, holds in (("category", category == "apart"), ("region", region == "disjoint")) if holds]
    return Comparison(
        score,
        {"cosine": max(0.0, cos), "attributes": jaccard, "name": names.likeness},
        (*agree, *agreeing),
        (*differ, *differing),
        _judge(names, category, region, len(agreeing), len(differing)),
    )
