"""Questions to the agents: each is a job of its own, asked outside any transaction, answered for its own node alone."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import Any

from lumbung.errors import LumbungError
from lumbung.model.item import HumanRecord, ItemContent, ItemFact, LiveCandidate, PairVerdict, is_human
from lumbung.model.job import Job, NewJob
from lumbung.model.profile import Profile
from lumbung.ports.stage import Outcome
from lumbung.stages.decide.agents import Agents, AgentVerdict, ComparedEvidence, Described
from lumbung.stages.decide.component import Component
from lumbung.stages.decide.nodes import human_record, live_candidate
from lumbung.stages.decide.novelty import Grey
from lumbung.stages.decide.partition import Partition
from lumbung.stages.decide.rules import Rules
from lumbung.stages.decide.scope import described
from lumbung.stages.decide.validating import claims_held, restatement_of
from lumbung.store import candidates, governed, items
from lumbung.store.database import Transaction

SCOPE_ROW = "scope.text"


@dataclass(frozen=True, slots=True)
class FactQuestion:
    """Whether the quotes of a fact bear it out."""

    question: str
    item: str
    attribute: str
    value: str
    claims: tuple[int, ...]
    passages: tuple[str, ...]
    """Of the claims, in their order."""
    sensitive: bool
    restating: bool = False
    """Whether they are quotes of what is held, which may say this value as well."""


@dataclass(frozen=True, slots=True)
class Question:
    """About a pair, or about the scope of one candidate."""

    nodes: tuple[str, ...]
    described: tuple[Described, ...]
    sensitive: bool
    evidence: ComparedEvidence | None = None
    score: float = 0.0
    scope: str = ""
    """The guardians' wording in force when the question was put."""


def scope_question(digest: str, wording: int) -> NewJob:
    return NewJob("decide", f"scope:{digest}:{wording}", {"scope": digest})


def pair_question(a: str, b: str) -> NewJob:
    return NewJob("decide", f"same-item:{a}:{b}", {"ask": [a, b]})


async def questions_left_open(tx: Transaction) -> list[NewJob]:
    """What rules left to people while there was no model to ask."""
    wording = (await governed.versions_now(tx)).get(SCOPE_ROW, 0)
    scopes = [scope_question(digest, wording) for digest in await candidates.open_scopes(tx)]
    pairs = [pair_question(a, b) for a, b in await items.pairs_left_open(tx)]
    grey = [NewJob("decide", f"grey:{decision}", {"node": node}) for decision, node in await items.grey_left_open(tx)]
    return scopes + pairs + grey


class QuestionDesk:
    def __init__(self, profile: Profile, agents: Agents | None) -> None:
        self._profile = profile
        self._agents = agents

    def questions(self, component: Component, parts: Partition, subjects: set[str], rules: Rules) -> Iterable[NewJob]:
        """What rules left open about this batch's subjects; without a model a person decides instead.

        About the scope once for each wording of it.
        """
        if self._agents is None:
            return
        wording = rules.versions.get(SCOPE_ROW, 0)
        for a, b in sorted(parts.unsure):
            if a in subjects or b in subjects:
                yield pair_question(a, b)
        for digest, candidate in sorted(component.candidates.items()):
            if digest in subjects and candidate.scope == "unsure":
                yield scope_question(digest, wording)

    async def validations(
        self, tx: Transaction, item: int, content: ItemContent, grey: Mapping[str, ItemFact]
    ) -> list[NewJob]:
        """Facts in the grey zone that nobody has looked at; without a model their flag and the audit stand for it."""
        if self._agents is None or content.verdict != "publish":
            return []
        known = await items.validations(tx, list(grey))
        return [
            NewJob(
                "decide", f"validation:{item}:{question}", {"item": item, "validate": asked_of(question, fact, content)}
            )
            for question, fact in sorted(grey.items())
            if question not in known
        ]

    async def restatements(
        self, tx: Transaction, item: int, content: ItemContent, greys: Sequence[Grey]
    ) -> list[NewJob]:
        """Claims that may say what others say, on which it hangs whether their candidate brings anything new."""
        if self._agents is None or content.verdict != "publish":
            return []
        asked = {restatement_of(grey): grey for grey in greys if grey.held}
        known = await items.validations(tx, list(asked))
        return [
            NewJob(
                "decide", f"restates:{item}:{question}", {"item": item, "validate": restating(question, grey, content)}
            )
            for question, grey in sorted(asked.items(), key=itemgetter(0))
            if question not in known
        ]

    async def prepare(self, tx: Transaction, jobs: Sequence[Job]) -> dict[int, Question | FactQuestion]:
        prepared: dict[int, Question | FactQuestion] = {}
        for job in jobs if self._agents else ():
            if "validate" in job.payload:
                asked = dict(job.payload["validate"])
                quotes = await items.quotes(tx, asked.pop("claims"))
                prepared[job.id] = FactQuestion(**asked, claims=tuple(quotes), passages=tuple(quotes.values()))
            elif "ask" in job.payload or "scope" in job.payload:
                prepared[job.id] = await self._question(tx, job.payload)
        return prepared

    async def _question(self, tx: Transaction, payload: dict[str, Any]) -> Question:
        nodes = tuple(payload.get("ask") or [payload["scope"]])
        rows = {
            row["digest"]: live_candidate(row)
            for row in await candidates.load(tx, [n for n in nodes if not is_human(n)])
        }
        humans = {
            f"h:{row['identity']}": human_record(row, {})
            for row in await items.humans(tx, [n for n in nodes if is_human(n)])
        }
        sensitive = any(candidate.sensitive for candidate in rows.values())
        shown = tuple(described_node(rows.get(node) or humans.get(node)) for node in nodes)
        if "scope" in payload:
            return Question(nodes, shown, sensitive, scope=await self._scope_in_force(tx))
        stored = await items.pair_evidence(tx, (nodes[0], nodes[1]))
        evidence = ComparedEvidence(
            tuple(stored["evidence"].get("agree", ())),
            tuple(stored["evidence"].get("differ", ())),
            tuple(sorted(stored["evidence"].get("terms", {}).items())),
        )
        return Question(nodes, shown, sensitive, evidence, stored["score"])

    async def _scope_in_force(self, tx: Transaction) -> str:
        """The guardians' governed row, or the profile's proposal where there is none."""
        stored = (await governed.values_now(tx)).get(SCOPE_ROW)
        return stored if isinstance(stored, str) and stored.strip() else self._profile.scope

    async def perform(self, prepared: dict[int, Question | FactQuestion], jobs: Sequence[Job]) -> Outcome:
        """A batch's questions are put side by side; how many at a time is for the model's guard to say."""
        answers = await asyncio.gather(*(self._answer(prepared.get(job.id)) for job in jobs))
        return dict(zip([job.id for job in jobs], answers, strict=True))

    async def _answer(
        self, question: Question | FactQuestion | None
    ) -> tuple[Question | FactQuestion, AgentVerdict] | LumbungError | None:
        if question is None or self._agents is None:
            return None
        try:
            if isinstance(question, FactQuestion):
                agent = self._agents.restatement if question.restating else self._agents.validation
                verdict = await agent(
                    question.question,
                    question.item,
                    question.attribute,
                    question.value,
                    question.passages,
                    sensitive=question.sensitive,
                )
            elif question.evidence is None:
                verdict = await self._agents.scope(
                    question.nodes[0], question.described[0], question.scope, sensitive=question.sensitive
                )
            else:
                pair = (question.nodes[0], question.nodes[1])
                verdict = await self._agents.same_item(
                    pair, question.described[0], question.described[1], question.evidence, sensitive=question.sensitive
                )
        except LumbungError as error:
            return error
        return question, verdict

    async def keep(self, tx: Transaction, jobs: Sequence[Job], outcome: Outcome, rules: Rules) -> None:
        """Store each answer as the verdict of its own node, with what is needed to explain it."""
        versions = {"rules": dict(rules.versions)}
        for job in jobs:
            if outcome.get(job.id) is None:
                continue
            question, answer = outcome[job.id]
            if isinstance(question, FactQuestion):
                found = answer.evidence | {"denying": denied_claims(question, answer)}
                await items.keep_validation(tx, question.question, answer.verdict, found, versions)
                evidence = found | {"attribute": question.attribute, "value": question.value}
                subject = question.question
                await items.record(tx, subject, job.payload["item"], "validation", answer.verdict, evidence, versions)
                continue
            subject = question.nodes[0]
            if question.evidence is None:
                if question.scope != await self._scope_in_force(tx):
                    continue  # the guardians worded it anew meanwhile: the gate asks again
                is_sensitive = bool(answer.evidence.get("answer", {}).get("sensitive"))
                await candidates.set_scope(tx, subject, answer.verdict, answer.evidence, sensitive=is_sensitive)
                await items.record(tx, subject, None, "scope", answer.verdict, answer.evidence, versions)
            else:
                verdict = PairVerdict(question.score, answer.verdict)
                pair = (question.nodes[0], question.nodes[1])
                await items.keep_verdict(
                    tx, pair, verdict, "agent", seen_by_rule(question.evidence) | answer.evidence, versions
                )
                evidence = answer.evidence | {"pair": list(pair)}
                await items.record(tx, subject, None, "same-item", answer.verdict, evidence, versions)


def denied_claims(question: FactQuestion, answer: AgentVerdict) -> list[int]:
    """Of the claims that were shown, those whose passage says the contrary of what was noted of them."""
    if question.restating:
        return []
    said = answer.evidence.get("answer", {}).get("passages", ())
    contrary = {each["number"] for each in said if each["verdict"] == "contradicts"}
    return [claim for number, claim in enumerate(question.claims, 1) if number in contrary]


def seen_by_rule(evidence: ComparedEvidence) -> dict[str, Any]:
    """What the rule saw stays beside the agent's answer: people's later verdicts teach the matcher by it."""
    return {"terms": dict(evidence.terms), "agree": list(evidence.agree), "differ": list(evidence.differ)}


def asked_of(question: str, fact: ItemFact, content: ItemContent) -> dict[str, Any]:
    return {
        "question": question,
        "item": content.title,
        "attribute": fact.attribute,
        "value": fact.value,
        "claims": list(fact.claims),
        "sensitive": content.sensitive,
    }


def restating(question: str, grey: Grey, content: ItemContent) -> dict[str, Any]:
    return {
        "question": question,
        "item": content.title,
        "attribute": grey.claim.attribute,
        "value": grey.claim.value,
        "claims": claims_held(grey),
        "sensitive": content.sensitive,
        "restating": True,
    }


def described_node(node: LiveCandidate | HumanRecord | None) -> Described:
    if isinstance(node, LiveCandidate):
        return described(node)
    if node is None:
        return Described("", (), None, (), ())
    return Described(node.title, node.aliases, node.category, node.regions, tuple(sorted(node.facts)))
