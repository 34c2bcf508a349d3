"""Evidence fusion for one item, Eq. (18): copy clusters count once, contradictions divide, sums are exact."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from lumbung.equations.odds import Witness, adjusted_ratio, log_odds, probability
from lumbung.model.item import LiveCandidate
from lumbung.model.profile import Attribute
from lumbung.text.kinship import Document, copy_clusters

RatioOf = Callable[[str], float]
"""The likelihood ratio of a source, by its URL."""
Opposed = Callable[[str, str], bool]
"""Whether two values of a question, by their keys, cannot both be right."""


@dataclass(frozen=True, slots=True)
class Credence:
    log_odds: float
    probability: float
    independent: int


@dataclass(frozen=True, slots=True)
class Cluster:
    """Documents that count as one witness."""

    documents: frozenset[int]
    ratio: float


def clusters_of(
    candidates: Sequence[LiveCandidate], ratio_of: RatioOf, attributes: Mapping[str, Attribute]
) -> list[Cluster]:
    """Documents that witness, clustered by kinship; a cluster has its least credible member's ratio.

    Kin are those of one domain, of one publisher, of one text, of one text in two languages, those that declare where
    they were taken from, and those that share what others contradict.
    """
    by_document = {candidate.document: candidate for candidate in candidates if candidate.witness}
    said: dict[int, set[tuple[str, str]]] = defaultdict(set)
    for each in candidates:
        said[each.document] |= {
            (claim.attribute, claim.value_key)
            for claim in each.claims
            if claim.attribute in attributes and attributes[claim.attribute].single
        }
    groups = copy_clusters(
        [
            Document(
                str(document),
                domain=each.domain,
                sketch=each.sketch,
                values=frozenset(said[document]),
                landmarks=each.landmarks,
                publisher=each.publisher,
                origins=frozenset(each.origins),
            )
            for document, each in sorted(by_document.items(), key=lambda pair: pair[1].url)
        ]
    )
    clusters = []
    for group in groups:
        members = [by_document[int(document)] for document in group]
        ratio = min(ratio_of(member.url) for member in originals(members))
        clusters.append(Cluster(frozenset(int(document) for document in group), ratio))
    return sorted(clusters, key=lambda cluster: (cluster.ratio, sorted(cluster.documents)))


PrecisionOf = Callable[[Cluster], float]
"""How surely a cluster was read."""


def originals(members: Sequence[LiveCandidate]) -> list[LiveCandidate]:
    """Members not known to copy: none that declares another as its origin; of the dated ones only the earliest."""
    domains = {member.domain for member in members}
    own = [member for member in members if domains.isdisjoint(member.origins)] or list(members)
    dated = sorted(member.published for member in own if member.published)
    if not dated:
        return own
    return [member for member in own if not member.published or member.published == dated[0]]


def weigh(
    supporting: Iterable[Cluster], opposing: Iterable[Cluster], prior_odds: float, precision_of: PrecisionOf
) -> Credence:
    witnesses = [Witness(adjusted_ratio(cluster.ratio, precision_of(cluster))) for cluster in supporting]
    independent = len(witnesses)
    witnesses += [Witness(adjusted_ratio(cluster.ratio, precision_of(cluster)), -1) for cluster in opposing]
    odds = log_odds(prior_odds, witnesses)
    return Credence(odds, probability(odds), independent)


def never(_value: str, _other: str) -> bool:
    """Values of a question that may have several right answers."""
    return False


def stated_by(
    clusters: Sequence[Cluster], documents_of: Mapping[str, set[int]], opposed: Opposed = never
) -> dict[str, list[Cluster]]:
    """Which clusters state each value; a cluster that contradicts itself states none."""
    stated: dict[str, list[Cluster]] = defaultdict(list)
    for cluster in clusters:
        values = sorted(value for value, documents in documents_of.items() if documents & cluster.documents)
        if any(opposed(value, other) for value, other in combinations(values, 2)):
            continue
        for value in values:
            stated[value].append(cluster)
    return stated


def ranked_choice(credences: Mapping[str, Credence]) -> list[str]:
    """Highest fused log-odds, then more clusters, then the smallest code."""
    return sorted(credences, key=lambda code: (-credences[code].log_odds, -credences[code].independent, code))
