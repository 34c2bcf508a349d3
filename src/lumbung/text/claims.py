"""Claims of many sources, ready to be weighed: values under their keys, and who copies whom.

Copying shows in the texts (one stands within the other, or its names and numbers do in their order), in agreeing too
often, in answering the same questions too often, and in sharing what nobody else says.
"""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from lumbung.equations.fusion import Claim, FusedValue, fuse_several, fuse_single
from lumbung.model.profile import ValueKind
from lumbung.text.kinship import Groups, Prints, akin_prints, prints, words
from lumbung.text.matching.columns import ColumnKind, kind_of
from lumbung.text.names import name_key
from lumbung.text.values import value_key

_COPIES = math.log(0.03 / 0.97)
_AGREED, _DISAGREED = math.log(0.97 / 0.85), math.log(0.03 / 0.15)
_SAME_TEXT, _OTHER_TEXT = 5.0, -0.7
_RARE_SHARED = math.log(0.97 / 0.03)
_COVERAGE_CAP = 6.0
_LEAST_SHARED = 3
_SHORTEST_TEXT_WORDS = 6
_FEWEST_SHINGLES = 3
_PHRASE = 3
_CROWD, _NEXT_IN_A_CROWD = 400, 20
_SHORTEST_NAME = 3


@dataclass(frozen=True, slots=True)
class SourceClaim:
    """A claim as a table has it. `ratio` is None for an unknown type; a source whose word counts nothing has 0."""

    source: str
    question: str
    value: str
    ratio: float | None = None
    text: str = ""
    owner: str = ""
    """Whom the source belongs to (its domain, its publisher), if known: one owner is one witness."""
    about: str = ""
    """The thing the question asks about."""
    domain: str = ""
    """The attribute it asks for."""


@dataclass(frozen=True)
class _Said:
    """What a source answers and the prints of its texts, by question."""

    values: Mapping[str, frozenset[str]]
    texts: Mapping[str, Prints]


def _masked(claim: SourceClaim) -> str:
    """The text with the thing asked about and the answer blanked: both stand in every text on the question."""
    known = {*words(claim.about), *words(claim.value)}
    return re.sub(
        r"[^\W_]+", lambda found: "\u00b7" if found.group().casefold() in known else found.group(), claim.text
    )


def _boilerplate(pages: Mapping[tuple[str, str], Prints]) -> frozenset[int]:
    """Phrases that stand in texts on several questions by several sources: manners of speaking, not copies."""
    questions: dict[int, set[str]] = defaultdict(set)
    sources: dict[int, set[str]] = defaultdict(set)
    for (source, question), found in pages.items():
        for each in found.shingles | found.landmarks:
            questions[each].add(question)
            sources[each].add(source)
    return frozenset(e for e, asked in questions.items() if len(asked) >= _PHRASE and len(sources[e]) >= _PHRASE)


def _by_source(claims: Sequence[SourceClaim]) -> dict[str, _Said]:
    values: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    pages: dict[tuple[str, str], Prints] = {}
    for claim in sorted(claims, key=lambda each: (each.source, each.question, each.text, each.value)):
        values[claim.source][claim.question].add(claim.value)
        if len(claim.text.split()) >= _SHORTEST_TEXT_WORDS:
            pages[claim.source, claim.question] = prints(_masked(claim))
    common = _boilerplate(pages)
    texts: dict[str, dict[str, Prints]] = defaultdict(dict)
    for (source, question), found in pages.items():
        if len((rest := found.without(common)).shingles) >= _FEWEST_SHINGLES:
            texts[source][question] = rest
    return {s: _Said({q: frozenset(v) for q, v in found.items()}, texts.get(s, {})) for s, found in values.items()}


def _meetings(said: Mapping[str, _Said]) -> dict[tuple[str, str], list[str]]:
    """Pairs of sources with the questions both answer; who answers one question alone can only be known by its text."""
    answering: dict[str, list[str]] = defaultdict(list)
    for source in sorted(said):
        several = len(said[source].values) > 1
        for question in said[source].values:
            if several or question in said[source].texts:
                answering[question].append(source)
    meetings: dict[tuple[str, str], list[str]] = defaultdict(list)
    crowded = {question for question, sources in answering.items() if len(sources) > _CROWD}
    for question in sorted(answering.keys() - crowded):
        for pair in combinations(answering[question], 2):
            meetings[pair].append(question)
    for a, b in _in_crowds([answering[question] for question in sorted(crowded)], said):
        meetings.setdefault((a, b), [])
    for (a, b), shared in meetings.items() if crowded else ():
        shared.extend(sorted(crowded & said[a].values.keys() & said[b].values.keys()))
    return meetings


def _in_crowds(crowds: Iterable[Sequence[str]], said: Mapping[str, _Said]) -> Iterable[tuple[str, str]]:
    """Where very many answer one question, each is paired with those whose answers are most like its own."""
    for crowd in crowds:
        told = {source: sorted((q, sorted(found)) for q, found in said[source].values.items()) for source in crowd}
        ranked = sorted(crowd, key=lambda source: (told[source], source))
        for place, source in enumerate(ranked):
            for other in ranked[place + 1 : place + 1 + _NEXT_IN_A_CROWD]:
                yield min(source, other), max(source, other)


def _coverage(shared: int, a_size: int, b_size: int, questions: int) -> float:
    """How much likelier so large an overlap is if one copies the other than by chance (log, capped)."""
    expected, copied = a_size * b_size / questions, 0.6 * min(a_size, b_size)
    if shared < _LEAST_SHARED or copied <= expected:
        return 0.0
    return max(-2.0, min(_COVERAGE_CAP, shared * math.log(copied / expected) - (copied - expected)))


def _text_kin(a: _Said, b: _Said, questions: Iterable[str]) -> tuple[list[str], int]:
    """The shared questions on which the texts are akin, and the number on which both have texts to compare."""
    both = [question for question in questions if question in a.texts and question in b.texts]
    return [q for q in both if akin_prints(a.texts[q], b.texts[q])], len(both)


@dataclass(frozen=True)
class CopyClusters:
    """Copy clusters of whole sources, and of single pages where only these are akin."""

    sources: Mapping[str, str]
    pages: Mapping[tuple[str, str], str]

    def of(self, source: str, question: str) -> str:
        return self.pages.get((source, question), self.sources.get(source, source))


def copy_clusters_of(claims: Sequence[SourceClaim]) -> CopyClusters:
    """Who counts as one witness; depends on the set of claims, not on their order."""
    said = _by_source(claims)
    questions = len({claim.question for claim in claims})
    groups, pages = Groups(sorted(said)), defaultdict(list)
    first_of: dict[str, str] = {}
    for source, owner in sorted({(claim.source, claim.owner) for claim in claims if claim.owner}):
        groups.join(first_of.setdefault(owner, source), source)
    meetings = _meetings(said)
    evidence: dict[tuple[str, str], float] = {}
    for (a, b), shared in meetings.items():
        agreed = sum(1 for q in shared if said[a].values[q] & said[b].values[q])
        akin, compared = _text_kin(said[a], said[b], shared)
        for question in akin:
            pages[question].append((a, b))
        score = _COPIES + agreed * _AGREED + (len(shared) - agreed) * _DISAGREED
        score += len(akin) * _SAME_TEXT + (compared - len(akin)) * _OTHER_TEXT
        score += _coverage(len(shared), len(said[a].values), len(said[b].values), questions)
        evidence[a, b] = score
        if score > 0 and (len(shared) >= _LEAST_SHARED or len(akin) >= 2):
            groups.join(a, b)
    _join_by_rare_values(said, meetings, evidence, groups)
    return CopyClusters({s: groups.find(s) for s in said}, _page_clusters(pages, groups))


def _join_by_rare_values(
    said: Mapping[str, _Said],
    meetings: Mapping[tuple[str, str], list[str]],
    evidence: Mapping[tuple[str, str], float],
    groups: Groups,
) -> None:
    """Sharing what at least two clusters beside them contradict; judged before any of it is joined."""
    holders: dict[tuple[str, str], set[str]] = defaultdict(set)
    values: dict[str, set[str]] = defaultdict(set)
    for source, found in said.items():
        for question, told in found.values.items():
            values[question] |= told
            for value in told:
                holders[question, value].add(groups.find(source))
    joined = []
    for (a, b), shared in meetings.items():
        own = {groups.find(a), groups.find(b)}
        if len(own) == 1:
            continue
        rare = 0
        for question in shared:
            for value in said[a].values[question] & said[b].values[question]:
                against = max((len(holders[question, v] - own) for v in values[question] - {value}), default=0)
                rare += holders[question, value] <= own and against >= 2
        if rare >= 2 and evidence[a, b] + rare * _RARE_SHARED > 0:
            joined.append((a, b))
    for a, b in joined:
        groups.join(a, b)


def _page_clusters(pages: Mapping[str, list[tuple[str, str]]], groups: Groups) -> dict[tuple[str, str], str]:
    found: dict[tuple[str, str], str] = {}
    for question, couples in pages.items():
        sources = sorted({source for couple in couples for source in couple})
        local = Groups(sorted({*sources, *(groups.find(source) for source in sources)}))
        for source in sources:
            local.join(source, groups.find(source))
        for a, b in couples:
            local.join(a, b)
        for source in local.members():
            found[source, question] = local.find(source)
    return found


def fuse(
    claims: Sequence[SourceClaim], single_valued: frozenset[str], kinship: bool = True, prior_odds: float = 1.0
) -> list[FusedValue]:
    """Weigh all claims; `single_valued` are the questions whose values compete.

    Sources whose word counts nothing (ratio 0: encyclopaedias, the library itself) still show their values.
    """
    heard = [claim for claim in claims if claim.ratio is None or claim.ratio > 0]
    clusters = copy_clusters_of(heard) if kinship else None
    cluster_of: dict[tuple[str, str], str] = {}
    if clusters is not None:
        cluster_of = {(c.source, c.question): clusters.of(c.source, c.question) for c in heard}
    plain = [Claim(c.source, c.question, c.value, c.ratio, c.domain) for c in heard]
    fused = fuse_single([c for c in plain if c.question in single_valued], cluster_of, prior_odds)
    fused += fuse_several([c for c in plain if c.question not in single_valued], cluster_of, prior_odds)
    return fused + _unheard(claims, fused)


def _unheard(claims: Sequence[SourceClaim], fused: Sequence[FusedValue]) -> list[FusedValue]:
    """Values that only sources without a say hold: shown, believed by nobody."""
    known = {(each.question, each.value) for each in fused}
    silent: dict[tuple[str, str], set[str]] = defaultdict(set)
    for claim in claims:
        if (claim.question, claim.value) not in known:
            silent[claim.question, claim.value].add(claim.source)
    return [FusedValue(q, v, 0.0, tuple(sorted(sources)), 0, False) for (q, v), sources in sorted(silent.items())]


def value_keys(attributes: Sequence[str], values: Sequence[str]) -> list[str]:
    """Each value under its key, as the kind of its attribute, read off the values, demands."""
    by_attribute: dict[str, list[str]] = defaultdict(list)
    for attribute, value in zip(attributes, values, strict=True):
        by_attribute[attribute].append(value)
    kinds = {attribute: _KINDS.get(kind_of(found)) for attribute, found in by_attribute.items()}
    return [_key(value, kinds[attribute]) for attribute, value in zip(attributes, values, strict=True)]


_KINDS = {ColumnKind.DATE: ValueKind.DATE, ColumnKind.NUMBER: ValueKind.NUMBER}


def _key(value: str, kind: ValueKind | None) -> str:
    """A single word is compared as a name: stemming it could make two names one. A letter or two are no name."""
    if kind is not None:
        return value_key(value, kind)
    if len(value.strip()) < _SHORTEST_NAME:
        return value.strip().casefold()
    return value_key(value, ValueKind.TEXT) if " " in value.strip() else name_key(value)
