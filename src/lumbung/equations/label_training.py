"""What labelled pairs teach: corrections of log-odds already believed, as far as held-out labels bear them out.

Labelled matches are taken for a fair sample of all matches, and nothing is assumed of how the others were picked (at
random, or hard ones, as many as matches): what is no match looks like the compared pairs do, each to the part to which
it is believed to be none, and labelled ones stand for those of their range of belief. So the level of the model is that
of the table, not of the labels. Only where somebody labelled one range of belief, the unsure pairs as a rule, labels are
taken as they are. Weights are drawn towards nothing and answers towards what was believed; how far, cross-validation
says, in parts that share no record.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lumbung.equations.matcher import Logistic, fit_logistic, logistic
from lumbung.equations.pair_training import mcnemar

Numbers = NDArray[np.float64]
Flags = NDArray[np.bool_]
Places = NDArray[np.intp]

PARTS = 5
TRIED = ((100.0, 100.0), (30.0, 50.0), (10.0, 20.0), (3.0, 10.0), (1.0, 5.0), (0.3, 2.0))
"""How firmly weights are drawn towards nothing, and for how many labels the beliefs stand; from the firmest on."""
OF_EACH_KIND = 5
"""Labels of each kind below which nothing is learned."""
_ROUNDS, _MOST_ROUNDS = 4, 15
_SETTLED = 0.003
_SURE = 0.95
_HALF_BELIEVED = 10.0
"""So many labels of a range of belief say as much about what is no match there as the compared pairs do."""
_EITHER_SIDE = 0.05
_CHANCE = 0.05


@dataclass(frozen=True)
class Sample:
    """Pairs by features, the log-odds already believed of them, the range of belief, and for how many each stands."""

    features: Numbers
    offset: Numbers
    ranges: Places
    counts: Numbers

    def only(self, rows: Flags) -> Sample:
        return Sample(self.features[rows], self.offset[rows], self.ranges[rows], self.counts[rows])

    def believed(self, model: Logistic) -> Numbers:
        return self.offset + model.log_odds(self.features)


def parts_of(pairs: Sequence[tuple[int, int]]) -> Places:
    """A part for every pair; pairs that hang together by a record lie in one, the largest groups spread first."""
    root: dict[int, int] = {}

    def find(node: int) -> int:
        while root.setdefault(node, node) != node:
            root[node] = node = root.setdefault(root[node], root[node])
        return node

    for a, b in pairs:
        low, high = sorted((find(a), find(b)))
        root[high] = low
    homes = [find(a) for a, _ in pairs]
    sizes = {home: homes.count(home) for home in dict.fromkeys(homes)}
    filled, place = [0] * PARTS, {}
    for home in sorted(sizes, key=lambda each: (-sizes[each], each)):
        place[home] = min(range(PARTS), key=lambda part: (filled[part], part))
        filled[place[home]] += sizes[home]
    return np.array([place[home] for home in homes], dtype=np.intp)


def picked_by_belief(table: Sample, matches: Numbers) -> bool:
    """Whether labelled matches are of one range of belief; picked fairly, some lie on either side of the middle."""
    order = np.argsort(table.offset)
    held = np.cumsum((table.counts * logistic(table.offset))[order])
    middle = table.offset[order][int(np.searchsorted(held, held[-1] / 2))]
    return bool((matches >= middle).mean() < _EITHER_SIDE or (matches <= middle).mean() < _EITHER_SIDE)


def _none_of(labelled: Sample, labels: Flags, table: Sample, now: Numbers) -> tuple[Numbers, Numbers]:
    """How much each labelled pair and each pair of the table counts as no match, if a labelled match counts as one.

    In each range of belief as much as is believed, or as the labels there show where that is more.
    """
    beliefs = logistic(now)
    scale = labels.sum() / max(float((table.counts * beliefs).sum()), 1e-9)
    soft = table.counts * (1 - beliefs) * scale
    width = int(max(table.ranges.max(initial=0), labelled.ranges.max(initial=0))) + 1
    known, right = (
        np.bincount(labelled.ranges[same], minlength=width).astype(np.float64) for same in (~labels, labels)
    )
    believed = np.bincount(table.ranges, weights=soft, minlength=width)
    shown = known / (known + right + 2) * np.bincount(table.ranges, weights=table.counts * scale, minlength=width)
    share = known / (known + _HALF_BELIEVED)
    each = share * np.maximum(believed, shown) / np.maximum(known, 1.0)
    return np.where(labels, 1.0, each[labelled.ranges]), soft * (1 - share[table.ranges])


def _fit(labelled: Sample, labels: Flags, table: Sample, penalty: float, worth: float, rounds: int) -> Logistic:
    """With `rounds` 0 the labels are taken as they are."""
    anchor = np.full(len(table.offset), worth / max(1, len(table.offset)))
    was = logistic(table.offset)
    features = np.concatenate([labelled.features, table.features])
    offset = np.concatenate([labelled.offset, table.offset])
    ones, none = np.ones(len(labels)), np.zeros(len(table.offset))
    now, model = table.offset, Logistic(0.0, np.zeros(features.shape[1]))
    for _ in range(max(1, rounds)):
        counts, soft = _none_of(labelled, labels, table, now) if rounds else (ones, none)
        targets = np.concatenate([labels.astype(np.float64), anchor * was / (anchor + soft)])
        model = fit_logistic(features, targets, penalty, offset, np.concatenate([counts, anchor + soft]))
        model = _certain(model, labelled, labels) if rounds else model
        before, now = now, table.believed(model)
        if float(np.abs(logistic(now) - logistic(before)).max()) < _SETTLED:
            break
    return model


def _certain(model: Logistic, labelled: Sample, labels: Flags) -> Logistic:
    """The level raised until the surest quarter of the labelled matches is believed as far as labels among them allow.

    Where all beliefs are low, a table of few matches and one of many look alike but for that.
    """
    odds = labelled.believed(model)
    surest = float(np.quantile(odds[labels], 0.75))
    others = int((odds[~labels] >= surest).sum())
    right = (0.25 * labels.sum() + 0.5) / (0.25 * labels.sum() + others + 1)
    wanted = float(np.clip(right, 0.5, _SURE))
    return Logistic(model.intercept + max(0.0, float(np.log(wanted / (1 - wanted))) - surest), model.weights)


def train(labelled: Sample, labels: Flags, table: Sample, parts: Places) -> Logistic | None:
    """None where there are too few labels to tell, or no correction holds on labels it has not seen."""
    if min(int(labels.sum()), int((~labels).sum())) < OF_EACH_KIND or len(table.offset) == 0:
        return None
    fairly = not picked_by_belief(table, labelled.offset[labels])
    nothing = Logistic(0.0, np.zeros(labelled.features.shape[1]))
    tried, unseen = [_losses(labelled, labels, table, nothing, fairly=fairly)], [labelled.offset]
    for penalty, worth in TRIED:
        losses, odds = np.zeros(len(labels)), np.zeros(len(labels))
        for part in np.unique(parts):
            out = parts == part
            model = _fit(labelled.only(~out), labels[~out], table, penalty, worth, _ROUNDS * fairly)
            losses[out] = _losses(labelled.only(out), labels[out], table, model, fairly=fairly)
            odds[out] = labelled.only(out).believed(model)
        tried.append(losses)
        unseen.append(odds)
    best = min(range(len(tried)), key=lambda place: float(tried[place].mean()))
    gaps = [losses - tried[best] for losses in tried]
    doubts = [1.0] + [0.5] * len(TRIED)
    chosen = next(i for i, gap in enumerate(gaps) if gap.mean() <= doubts[i] * gap.std() / np.sqrt(len(gap)))
    if not chosen:
        return None
    model = _fit(labelled, labels, table, *TRIED[chosen - 1], _MOST_ROUNDS * fairly)
    now, then = (Verdicts.of(table, *each) for each in ((nothing, unseen[0]), (model, unseen[chosen])))
    holds = _right_more_often(labels, now, then) and _f1(labelled, labels, table, now) <= _f1(
        labelled, labels, table, then
    )
    return model if holds and (not fairly or finds_as_much(table, labels, now, then)) else None


@dataclass(frozen=True)
class Verdicts:
    """What a model makes of the table, and of the labels by models that had not seen them."""

    beliefs: Numbers
    called: Flags
    of_labels: Flags

    @classmethod
    def of(cls, table: Sample, model: Logistic, unseen: Numbers) -> Verdicts:
        odds = table.believed(model)
        least = _called_from(table.counts, odds)
        return cls(logistic(odds), odds >= least, unseen >= least)


def _right_more_often(labels: Flags, now: Verdicts, then: Verdicts) -> bool:
    """The paired test: a few labels, of which some may be wrong, show nothing however far the model was from them."""
    right, right_then = now.of_labels == labels, then.of_labels == labels
    return mcnemar(int((right & ~right_then).sum()), int((right_then & ~right).sum())) <= _CHANCE


def _f1(labelled: Sample, labels: Flags, table: Sample, said: Verdicts) -> float:
    """In each range of belief what the labels there show of all its pairs, and what was believed where they are few."""
    width = int(max(table.ranges.max(initial=0), labelled.ranges.max(initial=0))) + 1
    known = np.bincount(labelled.ranges, minlength=width)
    pairs = np.bincount(table.ranges, weights=table.counts, minlength=width)
    share = known / (known + _HALF_BELIEVED)
    each = (share * pairs / np.maximum(known, 1))[labelled.ranges]
    rest = table.counts * (1 - share[table.ranges])
    matches = rest * logistic(table.offset)
    hits = (each * labels)[said.of_labels].sum() + matches[said.called].sum()
    called = each[said.of_labels].sum() + rest[said.called].sum()
    return float(2 * hits / max(1e-9, called + (each * labels).sum() + matches.sum()))


def finds_as_much(table: Sample, labels: Flags, now: Verdicts, then: Verdicts) -> bool:
    """Whether F1 does not fall, by what a fair sample of matches shows: the share of them found, and how many pairs that takes.

    Labelled others are too few to show what a model lets in among all that are compared; the number of pairs that it calls
    matches shows it.
    """
    matches = float(np.mean([(table.counts * each.beliefs).sum() for each in (now, then)]))
    called, new_called = (float(table.counts[each.called].sum()) for each in (now, then))
    found, new_found = (float(each.of_labels[labels].mean()) for each in (now, then))
    return new_found * (called + matches) >= found * (new_called + matches)


def _called_from(counts: Numbers, log_odds: Numbers) -> float:
    """The log-odds from which pairs are called matches: where expected F1 is best."""
    order = np.argsort(-log_odds)
    beliefs, pairs = logistic(log_odds)[order], np.cumsum(counts[order])
    hits = np.cumsum(counts[order] * beliefs)
    least = float(np.clip(beliefs[int(np.argmax(hits / (pairs + hits[-1])))], 0.05, 0.5))
    return float(np.log(least / (1 - least)))


def _losses(labelled: Sample, labels: Flags, table: Sample, model: Logistic, *, fairly: bool) -> Numbers:
    """What each label costs: a match by how little it stands out among all pairs, another by how far it is believed."""
    odds, everywhere = labelled.believed(model), table.believed(model)
    none = np.logaddexp(0, odds)
    if not fairly:
        return np.asarray(none - labels * odds)
    matches = float((table.counts * logistic(everywhere)).sum())
    counts, _ = _none_of(labelled, labels, table, everywhere)
    return np.asarray(np.where(labels, none - odds + np.log(max(matches, 1e-9)), counts * none))
