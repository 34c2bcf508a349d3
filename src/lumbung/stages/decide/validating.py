"""The grey zone of the validation agent: facts that pass, but only just, or against a rival.

Its answer moves no odds, since a model is no witness. It can only hold a fact back: one that its own quotes speak against
waits for a person.
"""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha256

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


def held_back(grey: Mapping[str, ItemFact], verdicts: Mapping[str, str]) -> frozenset[str]:
    """The codes of facts that were found contradicted."""
    return frozenset(
        fact_code(fact.attribute, fact.value_key)
        for question, fact in grey.items()
        if verdicts.get(question) == CONTRADICTED
    )
