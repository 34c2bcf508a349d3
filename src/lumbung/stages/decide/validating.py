"""The grey zone of the validation agent: facts that pass, but only just, or against a rival.

A model is no witness: its answer never raises odds. It reads quotes again. One that says the contrary of what was noted
counts as its page's denial from then on, and a fact that its own quotes speak against waits for a person.
"""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha256
from typing import Any

from pydantic_core import to_json

from lumbung.model.item import ItemContent, ItemFact
from lumbung.stages.decide.content import fact_code

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
