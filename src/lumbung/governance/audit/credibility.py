"""How often sources are right, and how often we misread them, from labels: proposals, on which people decide."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from lumbung.equations.audit import kish_design_effect, wilson
from lumbung.errors import RefusedError
from lumbung.governance.audit.quality import weights_of, wrong
from lumbung.governance.constants import number
from lumbung.model.profile import Profile
from lumbung.store import audits, governed
from lumbung.store.database import Transaction
from lumbung.text.sources import CuratedSources
from lumbung.text.url import host_of, registrable_domain

TYPE_ROW = "fusion.ratio."
SOURCE_ROW = "fusion.credibility."
PRECISION_ROW = "extractor.precision"
START_WORTH = "audit.start_worth_labels"
"""What was believed before any label stands for so many: few labels move it little."""
LEAST_LABELS = "audit.labels_of_a_source"
LARGEST_RATIO = 1000.0
MISREAD = "wrong quote"
_ABOUT_TRUTH = frozenset({"wrong fact", "wrong place"})
"""Errors of a source; that an item is no culture, a copy or sacred does not make its page untrue."""
TypeOf = Callable[[str], str]


@dataclass(frozen=True, slots=True)
class JudgedFact:
    """A fact that people read, with the pages it rests on."""

    urls: tuple[str, ...]
    is_right: bool
    weight: float = 1.0


@dataclass(frozen=True, slots=True)
class JudgedReading:
    """Whether a quote was found to say what one engine took from it; the engine is empty where it is not known."""

    engine: str
    attribute: str
    is_right: bool
    weight: float = 1.0


@dataclass(frozen=True, slots=True)
class CredibilityProposal:
    name: str
    """The governed row it is about."""
    present: float
    suggested: float
    labels: int
    is_clear: bool
    """Chance alone hardly explains the difference: what is believed now lies outside the interval of what was found."""


async def credibility_proposals(tx: Transaction, profile: Profile) -> list[CredibilityProposal]:
    """Of every type and source of which facts were judged, and of the extractor."""
    rows = [row for row in await audits.samples(tx) if wrong(row) is not None and row["attribute"]]
    urls = await audits.source_urls(tx, [row["id"] for row in rows])
    values, started = await governed.values_now(tx), await governed.first_values(tx)
    sources = CuratedSources(profile)
    sources.follow(values.get("sources.rules") or [], (await governed.versions_now(tx)).get("sources.rules", 0))
    weighed = list(zip(rows, weights_of(rows), strict=True))
    truths = [
        JudgedFact(urls[row["id"]], not wrong(row), weight)
        for row, weight in weighed
        if not wrong(row) or row["error_kind"] in _ABOUT_TRUTH
    ]
    engines = await audits.source_engines(tx, [row["id"] for row in rows])
    readings = [
        JudgedReading(only(engines.get(row["id"], ())), row["attribute"], row["error_kind"] != MISREAD, weight)
        for row, weight in weighed
    ]
    return [
        *type_proposals(truths, values, started, sources.type_of),
        *source_proposals(truths, values, started, sources.type_of),
        *precision_proposals(readings, values, started),
    ]


def type_proposals(
    facts: Iterable[JudgedFact], values: Mapping[str, Any], started: Mapping[str, Any], type_of: TypeOf
) -> list[CredibilityProposal]:
    """From facts that rest on one type alone: of several it is not known which erred."""
    found = []
    for kind, group in sorted(_alone(facts, type_of).items()):
        name = TYPE_ROW + kind
        start, present = float(started.get(name, 0.0)), float(values.get(name, 0.0))
        if start > 1.0:
            found.append(_ratio(name, start, present, group, values))
    return found


def source_proposals(
    facts: Iterable[JudgedFact], values: Mapping[str, Any], started: Mapping[str, Any], type_of: TypeOf
) -> list[CredibilityProposal]:
    """From facts that rest on one source alone; it starts as its type does."""
    found = []
    for source, group in sorted(_alone(facts, source_of).items()):
        type_row = TYPE_ROW + type_of(group[0].urls[0])
        start = float(started.get(type_row, 0.0))
        name = SOURCE_ROW + source
        if source and start > 1.0 and len(group) >= number(values, LEAST_LABELS):
            present = float(values.get(name, values.get(type_row, start)))
            found.append(_ratio(name, start, present, group, values))
    return found


def precision_proposals(
    readings: Sequence[JudgedReading], values: Mapping[str, Any], started: Mapping[str, Any]
) -> list[CredibilityProposal]:
    """How often a quote says what we took from it: by anything, by each engine, and by it for each attribute.

    Each starts as the wider one was found to be, so that few labels of one attribute move it little.
    """
    if not readings:
        return []
    start, present = float(started[PRECISION_ROW]), float(values[PRECISION_ROW])
    least = number(values, LEAST_LABELS)
    found = [_precision(PRECISION_ROW, start, present, readings, values)]
    for engine, own in sorted(_grouped(readings, lambda each: each.engine).items()):
        if not engine or len(own) < least:
            continue
        row = f"{PRECISION_ROW}.{engine}"
        wider = _precision(row, float(started.get(row, start)), float(values.get(row, present)), own, values)
        found.append(wider)
        for attribute, few in sorted(_grouped(own, lambda each: each.attribute).items()):
            if len(few) >= least:
                name = f"{row}.{attribute}"
                found.append(_precision(name, wider.suggested, float(values.get(name, wider.present)), few, values))
    return found


def _precision(
    name: str, start: float, present: float, readings: Sequence[JudgedReading], values: Mapping[str, Any]
) -> CredibilityProposal:
    worth = number(values, START_WORTH)
    rights, labels = _counted([(each.is_right, each.weight) for each in readings])
    suggested = (rights + worth * start) / (labels + worth)
    is_clear = _differs(rights, labels, present, values)
    return CredibilityProposal(name, present, round(suggested, 4), len(readings), is_clear)


def _differs(rights: float, labels: float, believed: float, values: Mapping[str, Any]) -> bool:
    """Too few labels show nothing, however far off they lie."""
    return labels >= number(values, LEAST_LABELS) and not wilson(rights, labels).covers(believed)


def _grouped(
    readings: Iterable[JudgedReading], part_of: Callable[[JudgedReading], str]
) -> dict[str, list[JudgedReading]]:
    groups: dict[str, list[JudgedReading]] = defaultdict(list)
    for each in readings:
        groups[part_of(each)].append(each)
    return groups


def only(engines: Sequence[str]) -> str:
    """Of several it is not known which misread."""
    return engines[0] if len(engines) == 1 else ""


def source_of(url: str) -> str:
    try:
        return registrable_domain(host_of(url))
    except RefusedError:
        return ""


def _alone(facts: Iterable[JudgedFact], part_of: Callable[[str], str]) -> dict[str, list[JudgedFact]]:
    groups: dict[str, list[JudgedFact]] = defaultdict(list)
    for fact in facts:
        parts = {part_of(url) for url in fact.urls}
        if len(parts) == 1:
            groups[parts.pop()].append(fact)
    return groups


def _ratio(
    name: str, start: float, present: float, facts: Sequence[JudgedFact], values: Mapping[str, Any]
) -> CredibilityProposal:
    worth = number(values, START_WORTH)
    rights, labels = _counted([(fact.is_right, fact.weight) for fact in facts])
    believed = start / (1 + start)
    errors = labels - rights + worth * (1 - believed)
    suggested = (rights + worth * believed) / errors
    is_clear = _differs(rights, labels, present / (1 + present), values)
    return CredibilityProposal(name, present, round(max(1.0, min(LARGEST_RATIO, suggested)), 3), len(facts), is_clear)


def _counted(outcomes: Sequence[tuple[bool, float]]) -> tuple[float, float]:
    """How many were right of how many, in labels of equal weight."""
    weights = [weight for _, weight in outcomes]
    labels = len(weights) / kish_design_effect(weights)
    share = math.fsum(weight for is_right, weight in outcomes if is_right) / math.fsum(weights)
    return labels * share, labels
