"""The grey zone of the validation agent: facts that pass, but only just, or against a rival, and claims that may say what
is held already.

A model is no witness: its answer never raises odds. It reads quotes again. One that says the contrary of what was noted
counts as its page's denial from then on, and a fact that its own quotes speak against waits for a person.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import Any

from pydantic_core import to_json

from lumbung.model.item import ItemContent, ItemFact, LiveCandidate, LiveClaim
from lumbung.stages.decide.agents import ADDED, RESTATED
from lumbung.stages.decide.content import Judgement, fact_code
from lumbung.stages.decide.novelty import Grey

CONTRADICTED = "contradicted"


def in_the_grey_zone(content: ItemContent) -> dict[str, ItemFact]:
    """Published facts just above their threshold, and those that won over a contradiction; by their question."""
    contested = {fact.attribute for fact in content.facts if fact.rank > 1}
    return {
        question_of(fact): fact
        for fact in content.facts
        if fact.state == "published" and (fact.flagged or fact.attribute in contested)
    }


def question_of(fact: ItemFact) -> str:
    """Other claims make another question: an answer never outlives the quotes it was given for."""
    return sha256(to_json([fact.attribute, fact.value_key, sorted(fact.claims)])).hexdigest()


def held_back(grey: Mapping[str, ItemFact], answers: Mapping[str, Mapping[str, Any]]) -> frozenset[str]:
    """The codes of facts that were found contradicted."""
    return frozenset(
        fact_code(fact.attribute, fact.value_key)
        for question, fact in grey.items()
        if question in answers and answers[question]["verdict"] == CONTRADICTED
    )


def denying(answers: Mapping[str, Mapping[str, Any]]) -> frozenset[int]:
    """Claims whose quotes were found to say the contrary."""
    return frozenset(claim for answer in answers.values() for claim in answer["denying"])


def restatement_of(grey: Grey) -> str:
    return sha256(to_json(["restates", grey.claim.attribute, grey.claim.value_key, claims_held(grey)])).hexdigest()


def claims_held(grey: Grey) -> list[int]:
    return sorted(claim.id for claim in grey.held)


def told_by_people(candidates: Sequence[LiveCandidate], judgement: Judgement) -> dict[LiveClaim, str]:
    """A fact that a person approved is one of its own; what a person rejected brings nothing."""
    claims = [claim for candidate in candidates for claim in candidate.claims]
    codes = {claim: fact_code(claim.attribute, claim.value_key) for claim in claims}
    rejected = {claim: "held" for claim, code in codes.items() if code in judgement.rejected}
    return rejected | {claim: "new" for claim, code in codes.items() if code in judgement.approved}


def told_by_the_agent(greys: Sequence[Grey], answers: Mapping[str, Mapping[str, Any]]) -> dict[LiveClaim, str]:
    means = {RESTATED: "held", ADDED: "new"}
    found = {grey.claim: answers.get(restatement_of(grey), {}).get("verdict", "") for grey in greys}
    return {claim: means[verdict] for claim, verdict in found.items() if verdict in means}
