"""Eq. (18) over many claims at once: competing values, copy clusters as one witness, credibility learned or given.

A source's accuracy is judged by the witnesses outside its own copy cluster alone. Otherwise a cluster vouches for
itself: six copies of one error agree six times, and agreement is what accuracy is read from.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from lumbung.equations.accuracy import Judged, likelihoods, typed_means, untyped_means
from lumbung.equations.answers import alternatives
from lumbung.errors import ContractError

_ROUNDS = 30
_TYPED_PRIOR_CLAIMS = 15.0
_AGREEMENT_PRIOR = 20.0
_UNTYPED_RATIO = 4.0
_ACCURACY_BOUNDS = (0.05, 0.99)


@dataclass(frozen=True, slots=True)
class Claim:
    """One source's value for one question; `ratio` is the likelihood ratio of its source type, None if unknown.

    Questions of one `domain` (an attribute) draw their answers from one stock of values.
    """

    source: str
    question: str
    value: str
    ratio: float | None = None
    domain: str = ""


@dataclass(frozen=True, slots=True)
class FusedValue:
    question: str
    value: str
    probability: float
    sources: tuple[str, ...]
    independent_sources: int
    winner: bool


@dataclass
class _Voice:
    """A cluster's say on one question: the value that more than half of its members hold, or None.

    What a few of many copies say otherwise is a slip in copying.
    """

    said: tuple[tuple[str, str], ...]
    """(source, value), sorted."""
    members: tuple[str, ...]
    values: tuple[str, ...]

    value: str | None


@dataclass
class _State:
    accuracy: dict[str, float]
    guess: dict[str, float]
    typed: frozenset[str]
    voices: dict[str, list[_Voice]] = field(default_factory=dict)
    alternatives: dict[str, float] = field(default_factory=dict)
    """By question: among how many wrong answers an error falls."""
    experience: dict[str, float] = field(default_factory=dict)
    """0: the source is known by its type alone; 1: by its claims alone."""


def _voice(couples: Sequence[tuple[str, str]]) -> _Voice:
    members = tuple(dict.fromkeys(source for source, _ in couples))
    counts = Counter(value for _, value in couples)
    leading = next((value for value, count in counts.items() if 2 * count > len(couples)), None)
    return _Voice(tuple(couples), members, tuple(sorted(counts)), leading)


def _accuracy(ratio: float) -> float:
    return ratio / (1 + ratio)


def _voices(claims: Sequence[Claim], cluster_of: Mapping[tuple[str, str], str]) -> dict[str, list[_Voice]]:
    said: dict[str, dict[str, dict[str, set[str]]]] = defaultdict(lambda: defaultdict(lambda: defaultdict(set)))
    for claim in claims:
        cluster = cluster_of.get((claim.source, claim.question), claim.source)
        said[claim.question][cluster][claim.source].add(claim.value)
    voices: dict[str, list[_Voice]] = {}
    for question in sorted(said):
        voices[question] = []
        for cluster in sorted(said[question]):
            couples = sorted((source, value) for source, found in said[question][cluster].items() for value in found)
            voices[question].append(_voice(couples))
    return voices


def _log_ratio(voice: _Voice, question: str, state: _State) -> float:
    """log lambda of a cluster: that of its least credible member.

    The ratio of a source type is taken as it is given. A learned accuracy a becomes a / ((1 - a) / n): an error must
    hit this very value among n wrong ones. With experience the one passes into the other.
    """
    spread = math.log(state.alternatives[question])
    ratios = []
    for member in voice.members:
        a = state.accuracy[member]
        ratios.append(math.log(a) - math.log1p(-a) + state.experience[member] * spread)
    return min(ratios)


@dataclass(frozen=True)
class _Weighed:
    """The values of one question under the ratios of this moment."""

    ratios: list[float]
    """Of each voice."""
    terms: dict[str, list[float]]
    logs: dict[str, float]
    unsaid: float

    def beliefs(self) -> dict[str, float]:
        largest = max(0.0, *self.logs.values())
        total = self._total(self.logs.values(), largest)
        return {value: math.exp(each - largest) / total for value, each in self.logs.items()}

    def belief_without(self, value: str, ratio: float, prior_odds: float) -> float:
        """The belief in a value if one of its witnesses had not spoken."""
        terms = list(self.terms[value])
        terms.remove(ratio)
        alone = math.log(prior_odds) + math.fsum(terms)
        others = [each for said, each in self.logs.items() if said != value]
        largest = max(0.0, alone, *others)
        return math.exp(alone - largest) / self._total([alone, *others], largest)

    def _total(self, logs: Iterable[float], largest: float) -> float:
        return math.fsum([*(math.exp(each - largest) for each in logs), self.unsaid * math.exp(-largest)])


def _weighed(question: str, state: _State, prior_odds: float) -> _Weighed:
    """Competing values: each weighs the product of its witnesses' ratios, every value nobody named weighs one.

    With the ratios of source types a lone value has the odds of Eq. (18), and a contradiction divides them.
    """
    voices = state.voices[question]
    ratios = [_log_ratio(voice, question, state) for voice in voices]
    terms: dict[str, list[float]] = {value: [] for voice in voices for value in voice.values}
    for voice, ratio in zip(voices, ratios, strict=True):
        if voice.value is not None:
            terms[voice.value].append(ratio)
    logs = {value: math.log(prior_odds) + math.fsum(found) for value, found in terms.items()}
    return _Weighed(ratios, terms, logs, _unsaid(len(logs), voices, question, state))


def _unsaid(said: int, voices: Sequence[_Voice], question: str, state: _State) -> float:
    """The weight of all values that nobody named; the ratio of a source type already speaks against all of them."""
    stock = state.alternatives[question]
    experience = min(state.experience[member] for voice in voices for member in voice.members)
    return max(0.0, stock + 1 - said) / math.pow(stock, 1 - experience)


def _judged(state: _State, prior_odds: float) -> list[Judged]:
    """Each claim with the belief that the *other* clusters give its value; where nobody else answers, none can say."""
    judged = []
    for question, voices in state.voices.items():
        if len(voices) < 2:
            continue
        weighed = _weighed(question, state, prior_odds)
        everybody, weight = weighed.beliefs(), _unechoed(len(voices), state.alternatives[question])
        for voice, ratio in zip(voices, weighed.ratios, strict=True):
            alone = voice.value
            others = None if alone is None else weighed.belief_without(alone, ratio, prior_odds)
            for member, value in voice.said:
                belief = others if others is not None and value == alone else everybody[value]
                judged.append(Judged(member, belief, state.alternatives[question], weight))
    return judged


def _unechoed(voices: int, wrong: float) -> float:
    """What the others' belief in a claim is worth as a judgement of its source.

    Of two voices each is judged by the other alone, and so by itself; the fewer wrong answers there are, the more often they
    agree by chance. Taken at full weight, sparse claims talk each other up.
    """
    return 1 - 2 / voices / (1 + wrong)


def _shares(state: _State) -> dict[str, float]:
    """What part of its clusters each source is, on average."""
    parts: dict[str, list[float]] = defaultdict(list)
    for voices in state.voices.values():
        for voice in voices:
            for member in voice.members:
                parts[member].append(1 / len(voice.members))
    return {source: math.fsum(sorted(found)) / len(found) for source, found in parts.items()}


def _learn_accuracy(state: _State, prior_odds: float, common: float, shares: Mapping[str, float]) -> None:
    """Each source by what the *other* clusters make of its values, beside what its type or its like let expect."""
    judged = _judged(state, prior_odds)
    asked = Counter(each.source for each in judged)
    typed, untyped = sorted(state.typed), sorted(state.accuracy.keys() - state.typed)
    if typed:
        found = likelihoods([each for each in judged if each.source in state.typed], typed)
        means = typed_means(found, [state.guess[source] for source in typed], _TYPED_PRIOR_CLAIMS)
        state.accuracy.update(zip(typed, map(_bounded, means.tolist()), strict=True))
        state.experience.update({s: asked[s] / (_TYPED_PRIOR_CLAIMS + asked[s]) for s in typed})
    if untyped:
        found = likelihoods([each for each in judged if each.source not in state.typed], untyped)
        means = untyped_means(found, [shares[source] for source in untyped], common)
        state.accuracy.update(zip(untyped, map(_bounded, means.tolist()), strict=True))


def _bounded(accuracy: float) -> float:
    low, high = _ACCURACY_BOUNDS
    return min(high, max(low, accuracy))


def _alternatives(claims: Sequence[Claim], voices: Mapping[str, Sequence[_Voice]]) -> dict[str, float]:
    """By question: how many wrong answers its domain has, so to speak."""
    values: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    asked: dict[str, set[str]] = defaultdict(set)
    for claim in claims:
        values[claim.domain][claim.value].add(claim.question)
        asked[claim.domain].add(claim.question)
    spread = {}
    for domain, found in values.items():
        divisions = [_division(voices[question]) for question in sorted(asked[domain])]
        spread[domain] = alternatives([len(questions) for questions in found.values()], divisions)
    return {claim.question: spread[claim.domain] for claim in claims}


def _division(voices: Sequence[_Voice]) -> list[int]:
    return sorted(Counter(voice.value for voice in voices if voice.value is not None).values())


def _common_accuracy(state: _State) -> float:
    """The average accuracy of sources without a type, from how often independent ones agree.

    Two of accuracy a agree with probability a^2 + (1 - a)^2 / n. Reading it off the agreement, not off our own
    beliefs, is what keeps a few claims from talking themselves up.
    """
    pairs, agreed, errors = _AGREEMENT_PRIOR, 0.0, 0.0
    for question, voices in state.voices.items():
        heard = [v for v in voices if v.value is not None and not any(m in state.typed for m in v.members)]
        met = len(heard) * (len(heard) - 1) / 2
        pairs += met
        agreed += sum(count * (count - 1) / 2 for count in Counter(voice.value for voice in heard).values())
        errors += met / state.alternatives[question]
    inverse = (errors + _AGREEMENT_PRIOR) / pairs
    start = _accuracy(_UNTYPED_RATIO)
    rate = (agreed + _AGREEMENT_PRIOR * (start**2 + (1 - start) ** 2 * inverse)) / pairs
    root = inverse**2 - (1 + inverse) * (inverse - rate)
    return min(0.95, max(0.5, (inverse + math.sqrt(max(0.0, root))) / (1 + inverse)))


def _start(claims: Sequence[Claim], cluster_of: Mapping[tuple[str, str], str]) -> _State:
    """A source that is said to be of several types is believed as the least credible of them."""
    ratios: dict[str, float | None] = {}
    for claim in claims:
        if claim.ratio is not None and not (math.isfinite(claim.ratio) and claim.ratio > 0):
            raise ContractError(f"A likelihood ratio must be a positive number, not {claim.ratio}.")
        known = [each for each in (ratios.get(claim.source), claim.ratio) if each is not None]
        ratios[claim.source] = min(known, default=None)
    guess = {source: _accuracy(_UNTYPED_RATIO if ratio is None else ratio) for source, ratio in ratios.items()}
    typed = frozenset(source for source, ratio in ratios.items() if ratio is not None)
    experience = {source: 0.0 if source in typed else 1.0 for source in ratios}
    voices = _voices(claims, cluster_of)
    return _State(dict(guess), guess, typed, voices, _alternatives(claims, voices), experience)


def fuse_single(
    claims: Sequence[Claim], cluster_of: Mapping[tuple[str, str], str], prior_odds: float = 1.0
) -> list[FusedValue]:
    """Questions with one right answer. `cluster_of` maps (source, question) to its copy cluster, if it has one.

    A cluster counts once, with its least credible member; where no value has more than half of them, it has no say. With given source
    types their ratios hold until many claims speak against them; without, accuracies start alike and are learned.
    """
    state = _start(claims, cluster_of)
    common = _common_accuracy(state)
    for source in state.accuracy.keys() - state.typed:
        state.accuracy[source] = common
    shares = _shares(state)
    for _ in range(_ROUNDS):
        before = dict(state.accuracy)
        _learn_accuracy(state, prior_odds, common, shares)
        if max((abs(before[s] - state.accuracy[s]) for s in before), default=0.0) < 1e-4:
            break
    return [fused for question in state.voices for fused in _fused(question, state, prior_odds)]


def _fused(question: str, state: _State, prior_odds: float) -> list[FusedValue]:
    beliefs = _weighed(question, state, prior_odds).beliefs()
    ranked = sorted(beliefs, key=lambda value: (-beliefs[value], value))
    speaking: dict[str, list[_Voice]] = defaultdict(list)
    for voice in state.voices[question]:
        for value in voice.values:
            speaking[value].append(voice)
    return [_told(question, value, beliefs[value], speaking[value], winner=value == ranked[0]) for value in ranked]


def _told(question: str, value: str, belief: float, voices: Sequence[_Voice], *, winner: bool) -> FusedValue:
    """`voices` are those that name the value."""
    holders = sorted({member for voice in voices for member in voice.members})
    independent = sum(1 for voice in voices if voice.value == value)
    return FusedValue(question, value, belief, tuple(holders), independent, winner)


def fuse_several(
    claims: Sequence[Claim], cluster_of: Mapping[tuple[str, str], str], prior_odds: float = 1.0
) -> list[FusedValue]:
    """Questions that may have several right answers: each value stands by its own witnesses, none contradicts."""
    state = _start(claims, cluster_of)
    holders: dict[tuple[str, str], dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for claim in claims:
        cluster = cluster_of.get((claim.source, claim.question), claim.source)
        holders[claim.question, claim.value][cluster].append(claim.source)
    fused = []
    for (question, value), clusters in sorted(holders.items()):
        voices = [_voice([(s, value) for s in sorted(set(members))]) for _, members in sorted(clusters.items())]
        odds = math.log(prior_odds) + math.fsum(sorted(_log_ratio(voice, question, state) for voice in voices))
        belief = 1 / (1 + math.exp(-odds)) if odds >= 0 else math.exp(odds) / (1 + math.exp(odds))
        fused.append(_told(question, value, belief, voices, winner=belief > 0.5))
    return fused
