"""Stage 4: each commit recomputes, for the component it touches, the items and what the library should hold of them."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import replace
from math import fsum, log
from typing import Any

from lumbung.equations.identity import identity
from lumbung.model.item import ItemContent, ItemFact, LiveCandidate, is_human
from lumbung.model.job import Job, NewJob
from lumbung.model.profile import Profile
from lumbung.ports.stage import Outcome
from lumbung.stages.decide.agents import Agents
from lumbung.stages.decide.asking import FactQuestion, Question, QuestionDesk
from lumbung.stages.decide.component import Component, ComponentReader
from lumbung.stages.decide.content import ItemEvidence, Judgement, content_of
from lumbung.stages.decide.evidence import RatioOf
from lumbung.stages.decide.novelty import Grey, Novelty, novelty_of
from lumbung.stages.decide.partition import Partition, partition
from lumbung.stages.decide.rules import Rules
from lumbung.stages.decide.scope import ScopeGate
from lumbung.stages.decide.validating import (
    denying,
    held_back,
    in_the_grey_zone,
    restatement_of,
    told_by_people,
    told_by_the_agent,
)
from lumbung.store import governed, items, lexicon
from lumbung.store.database import Transaction
from lumbung.text.region import Gazetteer
from lumbung.text.sources import CuratedSources
from lumbung.text.url import host_of, registrable_domain

SUPPLEMENT_MARK = "supplement"


class DecideHandler:
    stage = "decide"
    batch_size = 50

    def __init__(self, profile: Profile, gazetteer: Gazetteer, agents: Agents | None = None) -> None:
        self._profile = profile
        self._gazetteer = gazetteer
        self._sources = CuratedSources(profile)
        self._components = ComponentReader(profile, gazetteer)
        self._scope = ScopeGate(profile)
        self._desk = QuestionDesk(profile, agents)

    async def prepare(self, tx: Transaction, jobs: Sequence[Job]) -> dict[int, Question | FactQuestion]:
        """Only questions for agents are prepared; what rules settle is read under the lock, at the commit."""
        return await self._desk.prepare(tx, jobs)

    async def perform(self, prepared: dict[int, Question | FactQuestion], jobs: Sequence[Job]) -> Outcome:
        return await self._desk.perform(prepared, jobs)

    async def commit(self, tx: Transaction, jobs: Sequence[Job], outcome: Outcome) -> Iterable[NewJob]:
        rows, versions = await governed.values_now(tx), await governed.versions_now(tx)
        lexicon.require_version(versions, self._profile)
        rules = Rules.from_rows(rows, versions)
        self._sources.follow(rows.get("sources.rules") or [], versions.get("sources.rules", 0))
        traces = await self._subjects(tx, jobs)
        subjects = set(traces)
        await self._components.lock(tx, subjects)
        await self._desk.keep(tx, jobs, outcome, rules)
        await self._scope.judge(tx, subjects, rules)
        component = await self._components.around(tx, subjects, rules)
        parts = partition(frozenset(component.candidates) | frozenset(component.humans), component.verdicts)
        settled = await self._settle(tx, component, parts, traces, rules)
        return [*settled, *self._desk.questions(component, parts, subjects, rules)]

    async def _subjects(self, tx: Transaction, jobs: Sequence[Job]) -> dict[str, str | None]:
        """The nodes that the jobs name: a candidate, a human record, a pair in question, or the members of an item.

        Each with its job's trace.
        """
        subjects: dict[str, str | None] = {}
        for job in jobs:
            if "item" in job.payload:
                nodes = await items.members_of(tx, [job.payload["item"]])
            else:
                nodes = job.payload.get("ask") or [job.payload.get("node") or job.payload["scope"]]
            subjects |= dict.fromkeys(nodes, job.trace)
        return subjects

    async def _settle(
        self, tx: Transaction, component: Component, parts: Partition, subjects: Mapping[str, str | None], rules: Rules
    ) -> list[NewJob]:
        judgements = await items.judgements(tx, sorted(component.candidates))
        before = await items.items_of(tx, sorted(component.candidates.keys() | subjects))
        locked = await items.load(tx, sorted(set(before.values())))
        gone = [node for node in subjects if not is_human(node) and node not in component.candidates]
        await items.leave(tx, gone)
        groups = [*parts.groups, *(frozenset({bridge}) for bridge in sorted(parts.bridges))]
        doubts = doubts_of(parts, groups, component, self._ratio_of(rules))
        used: set[int] = set()
        jobs: list[NewJob] = []
        for group in groups:
            members = sorted(node for node in group if not is_human(node))
            if not members:
                continue
            evidence = self._evidence(component, group, members, doubts[group], judgements)
            content, grey = await self._content(tx, evidence, rules)
            item = chosen_item(members, before, locked, used)
            trace = next((subjects[node] for node in members if node in subjects), None)
            item, new = await self._write(tx, item, locked, content, members, used)
            asked = await self._desk.validations(tx, item, content, grey)
            asked += await self._record_novelty(tx, item, evidence, content, subjects, rules)
            jobs += [replace(each, trace=trace) for each in (*new, *asked)]
        return jobs + await self._retire(tx, locked, used)

    async def _content(
        self, tx: Transaction, evidence: ItemEvidence, rules: Rules
    ) -> tuple[ItemContent, dict[str, ItemFact]]:
        """As the rules have it, with what the validation agent read in the quotes; and what it may be asked about."""
        content = content_of(evidence, rules, self._ratio_of(rules))
        grey = in_the_grey_zone(content)
        answers = await items.validations(tx, list(grey))
        contradicted, denied = held_back(grey, answers), denying(answers)
        if contradicted or denied:
            read_again = replace(evidence, contradicted=contradicted, denying=denied)
            content = content_of(read_again, rules, self._ratio_of(rules))
        return content, grey

    def _ratio_of(self, rules: Rules) -> RatioOf:
        """What is known of the source itself, else of its type."""

        def ratio(url: str) -> float:
            own = rules.credibility.get(registrable_domain(host_of(url))) if rules.credibility else None
            return own or rules.ratios.get(self._sources.type_of(url).value, rules.ratios["unknown"])

        return ratio

    def _evidence(
        self,
        component: Component,
        group: frozenset[str],
        members: list[str],
        doubts: set[str],
        judgements: Sequence[dict[str, Any]],
    ) -> ItemEvidence:
        candidates = [component.candidates[digest] for digest in members]
        codes = {code for each in candidates for code in each.regions}
        acts = [act for act in judgements if act["a"] in group]
        return ItemEvidence(
            candidates=candidates,
            humans=[component.humans[node] for node in sorted(group) if is_human(node)],
            doubts=doubts | scope_doubts(candidates),
            profile=self._profile,
            province_of={code: self._gazetteer.province_of(code) for code in codes},
            judgement=Judgement(
                frozenset(act["value"] for act in acts if act["kind"] == "approve"),
                frozenset(act["value"] for act in acts if act["kind"] == "reject"),
            ),
        )

    async def _write(
        self,
        tx: Transaction,
        item: int | None,
        locked: dict[int, dict[str, Any]],
        content: ItemContent,
        members: list[str],
        used: set[int],
    ) -> tuple[int, list[NewJob]]:
        """Keep the item's content; a change, and only a change, queues a publication."""
        alive = content.verdict in {"publish", "review"}
        if item is None:
            item, revision = await self._create(tx, content, alive, members), 1
        elif locked[item]["digest"] == items.digest_of(content) and locked[item]["alive"] == alive:
            used.add(item)
            await items.join_item(tx, item, members)
            return item, []
        else:
            revision = await items.change(tx, item, content, alive)
        used.add(item)
        await items.join_item(tx, item, members)
        return item, [NewJob("publish", f"{item}:{revision}", {"item": item})]

    async def _create(self, tx: Transaction, content: ItemContent, alive: bool, members: list[str]) -> int:
        """Identity by Eq. (17) at creation; a namesake that is another item takes the next free one."""
        name = content.name_key
        if content.supplement_of:
            name = f"{SUPPLEMENT_MARK}\x1f{content.supplement_of}"
        created = await items.create(tx, identity(content.category, name, content.primary_region), content, alive)
        turn = 0
        while created is None:
            turn += 1
            own = identity(content.category, f"{name}\x1f{members[0]}\x1f{turn}", content.primary_region)
            created = await items.create(tx, own, content, alive)
        return created

    async def _record_novelty(
        self,
        tx: Transaction,
        item: int,
        evidence: ItemEvidence,
        content: ItemContent,
        subjects: Container[str],
        rules: Rules,
    ) -> list[NewJob]:
        """What the log shows for the candidates that this batch brought; and what their novelty hangs on, for the agent."""
        grey = list[Grey]()
        for candidate in evidence.candidates:
            if candidate.digest not in subjects:
                continue
            others = [each for each in evidence.candidates if each.digest != candidate.digest]
            found = await self._novelty(tx, candidate, others, evidence, content, rules)
            grey += found.grey
            await items.record(
                tx,
                candidate.digest,
                None,
                "novelty",
                found.verdict,
                {
                    "kappa": round(found.kappa, 6),
                    "with": sorted(each.digest for each in others),
                    "reasons": list(content.reasons),
                    "humans": sorted(human.identity for human in evidence.humans),
                    "outcome": found.outcome,
                }
                | ({"grey": [shown(each) for each in found.grey]} if found.grey else {}),
                {"rules": dict(rules.versions)},
                [[claim.attribute, claim.value] for claim in found.new],
            )
        return await self._desk.restatements(tx, item, content, grey)

    async def _novelty(
        self,
        tx: Transaction,
        candidate: LiveCandidate,
        others: Sequence[LiveCandidate],
        evidence: ItemEvidence,
        content: ItemContent,
        rules: Rules,
    ) -> Novelty:
        """By rule; in the grey zone as people told, then as the agent answered."""
        humans, told = evidence.humans, told_by_people(evidence.candidates, evidence.judgement)
        found = novelty_of(candidate, others, humans, self._profile, content, rules.tau, rules.bounds, told)
        answers = await items.validations(tx, [restatement_of(each) for each in found.grey])
        if not answers:
            return found
        told = told_by_the_agent(found.grey, answers) | told
        return novelty_of(candidate, others, humans, self._profile, content, rules.tau, rules.bounds, told)

    async def _retire(self, tx: Transaction, locked: dict[int, dict[str, Any]], used: set[int]) -> list[NewJob]:
        """Items that lost all their members to others, or to retraction, leave the library."""
        jobs = []
        for number, row in sorted(locked.items()):
            if number in used or not row["alive"] or await items.members_of(tx, [number]):
                continue
            content = ItemContent.from_json(row["content"])
            revision = await items.change(tx, number, content, alive=False)
            jobs.append(NewJob("publish", f"{number}:{revision}", {"item": number}))
        return jobs


def shown(grey: Grey) -> dict[str, Any]:
    """A claim in the grey zone, for the log and for the people who decide."""
    held = sorted({claim.value for claim in grey.held})
    return {"attribute": grey.claim.attribute, "value": grey.claim.value, "key": grey.claim.value_key, "held": held}


def chosen_item(
    members: Sequence[str], before: dict[str, int], locked: dict[int, dict[str, Any]], used: set[int]
) -> int | None:
    """The item that the group's smallest member had; the others are retired and redirect to it."""
    for digest in members:
        item = before.get(digest)
        if item is not None and item not in used and item in locked:
            return item
    return None


def scope_doubts(candidates: Sequence[LiveCandidate]) -> set[str]:
    """Scope is the item's: one page that shows it settles what another leaves open."""
    if any(each.scope == "in" for each in candidates):
        return set()
    return {f"scope of {each.name} is unsure" for each in candidates if each.scope == "unsure"}


def doubts_of(
    parts: Partition, groups: Sequence[frozenset[str]], component: Component, ratio_of: RatioOf
) -> dict[frozenset[str], set[str]]:
    """An unsure pair puts the lesser of its two groups before a person; a bridge always goes there."""
    doubts: dict[frozenset[str], set[str]] = {group: set() for group in groups}
    home = {node: group for group in groups for node in group}
    for bridge in parts.bridges:
        doubts[frozenset({bridge})].add("links two items that are not the same")
    for a, b in parts.unsure:
        lesser = max(home[a], home[b], key=lambda group: group_rank(group, component, ratio_of))
        doubts[lesser].add("may be the same as another item")
    return doubts


def group_rank(group: frozenset[str], component: Component, ratio_of: RatioOf) -> tuple[bool, float, int, str]:
    """People's records first, then the more credible domains together, more claims, and the smallest node: what an
    unknown site says of a thing, however much, does not put a well-known one aside.
    """
    own = [component.candidates[node] for node in group if node in component.candidates]
    by_domain: dict[str, float] = {}
    for each in own:
        if each.witness:
            by_domain[each.domain] = max(by_domain.get(each.domain, 0.0), log(ratio_of(each.url)))
    return (
        not any(is_human(node) for node in group),
        -fsum(by_domain.values()),
        -sum(len(each.claims) for each in own),
        min(group),
    )
