"""Whether two records are about the same item, term by term, with the evidence a curator can check.

Rules settle what they can see; what lies between them is `unsure` and goes to the same-item agent or a person.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, islice, product
from typing import Literal

from rapidfuzz.distance import JaroWinkler

from lumbung.equations.similarity import Weights, similarity, without_attributes
from lumbung.text.bynames import bynames
from lumbung.text.features import content_vector, cosine
from lumbung.text.names import canonical_name
from lumbung.text.relating import SPELLING, NameRelation, ReadName, name_words, read_name, relate

Verdict = Literal["same", "different", "unsure", "unrelated"]
Relation = Callable[[str, str], bool]

DEFAULT_WEIGHTS = Weights()
AGREEING_FACTS = 2
ANOTHER_NAME = 0.8
UNKNOWN_REGION = "-"


@dataclass(frozen=True, slots=True)
class Comparable:
    """A record as the comparison sees it; facts are (attribute, value key) pairs."""

    name: str
    aliases: tuple[str, ...] = ()
    category: str | None = None
    regions: tuple[str, ...] = ()
    facts: tuple[tuple[str, str], ...] = ()
    generic_words: tuple[str, ...] = ()
    heads: tuple[str, ...] = ()
    """Words that say what kind of thing it is, but may be all of another's name: *nasi*, *gendang*."""
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


def same_or_nested(a: str, b: str) -> bool:
    """The region relation when no gazetteer is at hand: equal codes, or one nested in the other by its dots."""
    if UNKNOWN_REGION in {a, b}:
        return True
    return a == b or a.startswith(b + ".") or b.startswith(a + ".")


_CLOSENESS = {
    kind: place
    for place, kind in enumerate(["apart", "sibling", "part", "regional", "spelling", "headed", "sounding", "equal"])
}


def _read_names(item: Comparable, generic: tuple[str, ...], ordinary: frozenset[str]) -> list[tuple[ReadName, bool]]:
    """Name, aliases and the names said within them, each with whether it was only said so."""
    said = [(name, False) for name in (item.name, *item.aliases)]
    said += [(byname, True) for name, _ in said for byname in bynames(name)]
    read = [(read_name(name, generic), within) for name, within in said]
    return [(name, within) for name, within in read if not (within and set(name.words) <= ordinary)]


def closest_names(x: Comparable, y: Comparable) -> tuple[NameRelation, bool]:
    """The closest relation over names and aliases, and whether it needed an alias."""
    generic = tuple(sorted({*x.generic_words, *y.generic_words}))
    regional = frozenset(word for each in (*x.region_words, *y.region_words) for word in name_words(each))
    heads = frozenset(word for each in (*x.heads, *y.heads) for word in name_words(each))
    mine, others = (_read_names(each, generic, regional | heads) for each in (x, y))
    best, by_alias = relate(mine[0][0], others[0][0], regional, heads), False
    for (a, remarked), (b, also_remarked) in islice(product(mine, others), 1, None):
        if remarked and also_remarked:  # two glosses say little: many things are a *rice cake*
            continue
        relation = relate(a, b, regional, heads)
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


@lru_cache(maxsize=8_192)
def _vector(name: str, aliases: tuple[str, ...], category: str | None) -> tuple[float, ...]:
    return tuple(content_vector(name, sorted(aliases), (), (), category))


def _share_two_names(x: Comparable, y: Comparable) -> bool:
    """Under one name two things may go, hardly under two that have nothing in common."""
    mine, others = ({canonical_name(name).key for name in (each.name, *each.aliases)} for each in (x, y))
    return any(JaroWinkler.similarity(a, b) < ANOTHER_NAME for a, b in combinations(sorted(mine & others), 2))


def _judge(names: NameRelation, category: str, region: str, agreeing: int, differing: int, *, twice: bool) -> Verdict:
    """The rules, from the surest to the least sure."""
    if category == "apart" or names.kind in {"sibling", "part"}:
        return "different"
    supported = agreeing >= AGREEING_FACTS and agreeing > differing
    if region == "disjoint":
        return "same" if twice and category == "equal" else "unsure" if supported else "different"
    if category != "equal":
        return "unsure"
    if names.kind == "equal" and (region == "known" or supported):
        return "same"
    if names.kind == "headed" and region == "known":
        return "same"
    if names.kind == "sounding" and region == "known" and differing <= agreeing:
        return "same"
    if names.kind in {"spelling", "regional"} and region == "known" and supported:
        return "same"
    return "unsure"


def compare(
    x: Comparable, y: Comparable, weights: Weights = DEFAULT_WEIGHTS, related: Relation = same_or_nested
) -> Comparison:
    """Eq. (13) explained term by term, and a verdict by rule; compare(x, y) equals compare(y, x).

    Same: one name (or alias), be it as another hand or dialect writes it, one category, regions known and related. Different: another distinguishing word
    (Parang Rusak, Parang Kusumo), a part and its whole (Piring, Tari Piring in another category), or a homonym
    of a disjoint region, unless they share two names. Unrelated: nothing in the names is shared, so nothing else is looked at. All between is unsure.
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
        _judge(names, category, region, len(agreeing), len(differing), twice=_share_two_names(x, y)),
    )
