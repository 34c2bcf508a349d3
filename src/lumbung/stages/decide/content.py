"""What the library should hold for one item: title, regions, facts and verdict, from its live claims alone."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass

from lumbung.equations.publication import may_publish
from lumbung.model.item import HumanRecord, ItemContent, ItemFact, LiveCandidate, LiveClaim
from lumbung.model.profile import Profile, ValueKind
from lumbung.stages.decide.evidence import (
    Cluster,
    Credence,
    Opposed,
    PrecisionOf,
    RatioOf,
    clusters_of,
    never,
    ranked_choice,
    stated_by,
    weigh,
)
from lumbung.stages.decide.novelty import held_by_people, kappa_of_people
from lumbung.stages.decide.rules import Rules
from lumbung.text.coverage import Said, covered
from lumbung.text.names import canonical_name
from lumbung.text.spelling import modernise
from lumbung.text.values import contradicts

UNKNOWN_REGION = "-"
EXISTENCE = ""


@dataclass(frozen=True, slots=True)
class Judgement:
    """What people said about the item: facts as `attribute\\x1fvalue_key`, the item itself as the empty string."""

    approved: frozenset[str] = frozenset()
    rejected: frozenset[str] = frozenset()


@dataclass(frozen=True)
class ItemEvidence:
    """One group of the partition, with all that its content depends on."""

    candidates: Sequence[LiveCandidate]
    humans: Sequence[HumanRecord]
    doubts: Collection[str]
    """Reasons why a person has to look: an unsure pair, an unsure scope, a bridge."""
    profile: Profile
    province_of: Mapping[str, str | None]
    judgement: Judgement = Judgement()
    contradicted: frozenset[str] = frozenset()
    """Facts that their own quotes speak against, as the validation agent found."""
    denying: frozenset[int] = frozenset()
    """Claims whose quote, read again, says the contrary of what was noted: they deny it."""


def fact_code(attribute: str, value_key: str) -> str:
    return f"{attribute}\x1f{value_key}"


def content_of(evidence: ItemEvidence, rules: Rules, ratio_of: RatioOf) -> ItemContent:
    clusters = clusters_of(evidence.candidates, ratio_of, evidence.profile.attributes)
    existence = weigh(clusters, (), rules.prior_odds, precision_of(evidence, rules, EXISTENCE))
    category = ranked_choice(credences(evidence, clusters, rules, lambda each: [each.category]))[0]
    title = best_title(evidence, clusters, rules)
    regions, primary = best_regions(evidence, clusters, rules)
    sensitive = any(candidate.sensitive for candidate in evidence.candidates)
    human = chosen_human(evidence.humans)
    facts = facts_of(evidence, clusters, rules, sensitive)
    verdict, reasons = verdict_of(evidence, facts, existence, rules, sensitive, human)
    names = {canonical_name(name).canonical for each in evidence.candidates for name in (each.name, *each.aliases)}
    spelled = {name for each in evidence.candidates for name in (each.name, *each.aliases)}
    return ItemContent(
        verdict=verdict,
        reasons=reasons,
        category=category,
        title=title,
        name_key=canonical_name(title).key,
        aliases=tuple(sorted((names | spelled) - {title})),
        regions=regions,
        primary_region=primary,
        supplement_of=human.identity if human and human.status != "tombstone" else None,
        sensitive=sensitive,
        probability=existence.probability,
        independent=existence.independent,
        facts=facts,
        media=media_of(evidence.candidates),
    )


def credences(
    evidence: ItemEvidence,
    clusters: Sequence[Cluster],
    rules: Rules,
    values_of: Callable[[LiveCandidate], Collection[str]],
) -> dict[str, Credence]:
    """The fused odds of each value that the candidates state for one question."""
    documents: dict[str, set[int]] = defaultdict(set)
    for candidate in evidence.candidates:
        for value in values_of(candidate):
            documents[value].add(candidate.document)
    stated = stated_by(clusters, documents)
    read = precision_of(evidence, rules, EXISTENCE)
    return {value: weigh(stated.get(value, ()), (), rules.prior_odds, read) for value in documents}


def precision_of(evidence: ItemEvidence, rules: Rules, attribute: str) -> PrecisionOf:
    """Of a cluster, by its surest reading: copies that were read once more are read no worse."""
    engines = {(each.document, each.engine) for each in evidence.candidates}
    return lambda cluster: max(
        rules.precision_of(engine, attribute) for document, engine in engines if document in cluster.documents
    )


def best_title(evidence: ItemEvidence, clusters: Sequence[Cluster], rules: Rules) -> str:
    """The best witnessed name; of its spellings the commonest, then the smallest."""
    keys = credences(evidence, clusters, rules, lambda each: [each.name_key])
    key = ranked_choice(keys)[0]
    spellings = Counter(canonical_name(each.name).canonical for each in evidence.candidates if each.name_key == key)
    return min(spellings, key=lambda name: (-spellings[name], name))


def best_regions(evidence: ItemEvidence, clusters: Sequence[Cluster], rules: Rules) -> tuple[tuple[str, ...], str]:
    """All claimed regions, and the primary one: a regency counts for its province too."""
    claimed = {code for each in evidence.candidates for code in each.regions}
    if not claimed:
        return (), UNKNOWN_REGION
    with_provinces = credences(
        evidence,
        clusters,
        rules,
        lambda each: {*each.regions, *(p for code in each.regions if (p := evidence.province_of.get(code)))},
    )
    return tuple(sorted(claimed)), ranked_choice(with_provinces)[0]


def chosen_human(humans: Sequence[HumanRecord]) -> HumanRecord | None:
    """A tombstone binds before all others; then the record of the smallest identity."""
    return min(humans, key=lambda human: (human.status != "tombstone", human.identity), default=None)


def facts_of(
    evidence: ItemEvidence, clusters: Sequence[Cluster], rules: Rules, sensitive: bool
) -> tuple[ItemFact, ...]:
    """Every claim of the item that no human record holds, weighed; rivals of a single-valued attribute ranked."""
    by_attribute: dict[str, dict[str, list[tuple[LiveCandidate, LiveClaim]]]] = defaultdict(lambda: defaultdict(list))
    for candidate in evidence.candidates:
        for claim in candidate.claims:
            by_attribute[claim.attribute][claim.value_key].append((candidate, claim))
    facts, people = list[ItemFact](), evidence.humans
    for attribute, values in sorted(by_attribute.items()):
        lacking = {
            key: claims for key, claims in values.items() if not held_by_people(claims, people, evidence.profile)
        }
        facts += facts_of_attribute(attribute, lacking, evidence, clusters, rules, sensitive)
    return tuple(facts)


def facts_of_attribute(
    attribute: str,
    claims_by_value: Mapping[str, Sequence[tuple[LiveCandidate, LiveClaim]]],
    evidence: ItemEvidence,
    clusters: Sequence[Cluster],
    rules: Rules,
    sensitive: bool,
) -> list[ItemFact]:
    known = evidence.profile.attributes.get(attribute)
    single = known is not None and known.single
    values = {key: commonest_value(claims) for key, claims in claims_by_value.items()}
    opposed = rivalry(values, known.kind) if known is not None and single else never
    documents = {
        key: {candidate.document for candidate, claim in claims if claim.id not in evidence.denying}
        for key, claims in claims_by_value.items()
    }
    stated = stated_by(clusters, documents, opposed)
    weighed, read = {}, precision_of(evidence, rules, attribute)
    for key in claims_by_value:
        denied = denied_by(attribute, key, evidence, clusters)
        supporting = [cluster for cluster in stated.get(key, ()) if cluster not in denied]
        against = {cluster.documents: cluster for cluster in (*opposing(key, stated, opposed), *denied)}
        against = {own: cluster for own, cluster in against.items() if cluster not in stated.get(key, ())}
        weighed[key] = weigh(supporting, against.values(), rules.prior_odds, read)
    ranks = {key: rank for rank, key in enumerate(ranked_choice(weighed), start=1)}
    return [
        fact_of(
            attribute, key, claims_by_value[key], weighed[key], ranks[key] if single else 1, evidence, rules, sensitive
        )
        for key in sorted(claims_by_value)
    ]


def commonest_value(claims: Sequence[tuple[LiveCandidate, LiveClaim]]) -> str:
    """Of values that are one, the spelling most often given; of equals one in today's spelling."""
    spellings = Counter(claim.value for _, claim in claims)
    return min(spellings, key=lambda value: (-spellings[value], value != modernise(value), value))


def rivalry(values: Mapping[str, str], kind: ValueKind) -> Opposed:
    """By the values behind the keys: what is merely coarser, as 1945 beside August 1945, opposes nothing."""
    return lambda key, other: key != other and contradicts(values[key], values[other], kind)


def opposing(key: str, stated: Mapping[str, Sequence[Cluster]], opposed: Opposed) -> list[Cluster]:
    """Every cluster that states a rival of this value, once."""
    rivals = {
        cluster.documents: cluster for other in sorted(stated) if opposed(key, other) for cluster in stated[other]
    }
    return list(rivals.values())


def denied_by(attribute: str, key: str, evidence: ItemEvidence, clusters: Sequence[Cluster]) -> list[Cluster]:
    """The clusters in which a page says that this value, or something that it implies, is not so."""
    known = evidence.profile.attributes.get(attribute)
    kind, label = (known.kind, known.label) if known else (ValueKind.TEXT, "")
    documents = {
        candidate.document
        for candidate in evidence.candidates
        for claim in (*candidate.denials, *(each for each in candidate.claims if each.id in evidence.denying))
        if claim.attribute == attribute and covered(Said(claim.value_key), [Said(key)], kind, label)
    }
    return [cluster for cluster in clusters if documents & cluster.documents]


def fact_of(
    attribute: str,
    value_key: str,
    claims: Sequence[tuple[LiveCandidate, LiveClaim]],
    credence: Credence,
    rank: int,
    evidence: ItemEvidence,
    rules: Rules,
    sensitive: bool,
) -> ItemFact:
    verdict = may_publish(
        credence.probability,
        rules.theta,
        sensitive,
        rules.theta_sensitive,
        credence.independent,
        rules.flag_margin,
        rules.independent_sensitive,
    )
    code = fact_code(attribute, value_key)
    rejected = code in evidence.judgement.rejected
    approved = code in evidence.judgement.approved
    contradicted = code in evidence.contradicted and not approved
    return ItemFact(
        attribute=attribute,
        value=commonest_value(claims),
        value_key=value_key,
        log_odds=credence.log_odds,
        probability=credence.probability,
        independent=credence.independent,
        state="published" if (verdict.passes or approved) and not (rejected or contradicted) else "waiting",
        flagged=verdict.flagged and not approved,
        reason=reason_of(verdict.reason, rejected=rejected, approved=approved, contradicted=contradicted),
        rank=rank,
        claims=stating(claims, evidence.denying),
    )


def stating(claims: Sequence[tuple[LiveCandidate, LiveClaim]], denying: frozenset[int]) -> tuple[int, ...]:
    """What a fact is shown to rest on: never a quote that denies it, unless nothing else was ever said for it."""
    everything = sorted(claim.id for _, claim in claims)
    return tuple(claim for claim in everything if claim not in denying) or tuple(everything)


def reason_of(by_rule: str, *, rejected: bool, approved: bool, contradicted: bool) -> str:
    """A person's word goes before an agent's, and an agent's before a rule's."""
    if rejected:
        return "rejected by a person"
    if approved:
        return "approved by a person"
    return "contradicted by its own quotes" if contradicted else by_rule


def verdict_of(
    evidence: ItemEvidence,
    facts: Sequence[ItemFact],
    existence: Credence,
    rules: Rules,
    sensitive: bool,
    human: HumanRecord | None,
) -> tuple[str, tuple[str, ...]]:
    """Refused by a tombstone, nothing new, for review with its reasons, or to be published."""
    if human and human.status == "tombstone":
        return "refused", ("people removed this item",)
    if EXISTENCE in evidence.judgement.rejected:
        return "refused", ("a person rejected this item",)
    if human and not starts_supplement(evidence, rules):
        return "nothing", ("all of it is held by people",)
    reasons = [] if EXISTENCE in evidence.judgement.approved else sorted(evidence.doubts)
    if human:
        if not any(fact.state == "published" for fact in facts):
            reasons.append("no fact passes its threshold")
    elif EXISTENCE not in evidence.judgement.approved:
        verdict = may_publish(
            existence.probability,
            rules.theta,
            sensitive,
            rules.theta_sensitive,
            existence.independent,
            rules.flag_margin,
            rules.independent_sensitive,
        )
        if not verdict.passes:
            reasons.append(f"existence: {verdict.reason}")
    return ("review", tuple(reasons)) if reasons else ("publish", ())


def starts_supplement(evidence: ItemEvidence, rules: Rules) -> bool:
    """If and only if some live candidate has kappa < tau against the human records alone, and one has a category."""
    if all(human.category is None for human in evidence.humans):
        return False
    return any(
        kappa_of_people(candidate, evidence.humans, evidence.profile) < rules.tau for candidate in evidence.candidates
    )


def media_of(candidates: Sequence[LiveCandidate]) -> tuple[dict[str, object], ...]:
    by_url = {str(media.get("url", "")): media for each in candidates for media in each.media}
    return tuple(by_url[url] for url in sorted(by_url) if url)
