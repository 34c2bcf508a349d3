"""Novelty's grey zone: what may only say again what is held is for people or an agent, and holds up nothing else."""

from __future__ import annotations

import pytest
from tests.unit.stages.decide.test_rivals import PROFILE, RULES, saying

from lumbung.equations.novelty import Bounds
from lumbung.model.item import HumanRecord
from lumbung.stages.decide.agents import ADDED, RESTATED, UNSURE, PassageVerdict, ValidationAnswer, restatement_verdict
from lumbung.stages.decide.content import ItemEvidence, Judgement, content_of, fact_code
from lumbung.stages.decide.novelty import novelty_of
from lumbung.stages.decide.validating import restatement_of, told_by_people, told_by_the_agent
from lumbung.text.coverage import said_words


def novelty(candidate, *others, humans=(), told=None, bounds=RULES.bounds):
    evidence = ItemEvidence([candidate, *others], humans, (), PROFILE, {"ID-JT": "ID-JT"})
    content = content_of(evidence, RULES, lambda _: RULES.ratios["official"])
    return novelty_of(candidate, others, humans, PROFILE, content, RULES.tau, bounds, told or {})


REWORDED = saying(2, "gerak", "langkah ringan melingkar mengikuti gendang")
SAID = saying(1, "gerak", "langkah halus berputar mengikuti gendang")


def test_a_claim_between_the_bounds_is_for_review_and_named_beside_what_it_may_repeat():
    found = novelty(REWORDED, SAID, bounds=Bounds(0.4, 0.9))
    assert (found.outcome, found.verdict) == ("review", "review")
    [grey] = found.grey
    assert grey.claim == REWORDED.claims[0]
    assert grey.held == SAID.claims


def test_the_bounds_part_new_from_grey_and_grey_from_held():
    assert novelty(REWORDED, SAID, bounds=Bounds(0.9, 0.95)).outcome == "enrich"
    assert novelty(REWORDED, SAID, bounds=Bounds(0.3, 0.35)).outcome == "skip"


def test_a_grey_claim_holds_up_nothing_where_the_outcome_does_not_hang_on_it():
    more = saying(2, "gerak", REWORDED.claims[0].value, "melompat tinggi", "berjinjit")
    found = novelty(more, SAID, bounds=Bounds(0.4, 0.9))
    assert (found.outcome, found.grey) == ("enrich", ())
    assert {claim.value for claim in found.new} == {"melompat tinggi", "berjinjit"}


def test_every_fact_is_published_or_waits_as_before():
    evidence = ItemEvidence([REWORDED, SAID], (), (), PROFILE, {"ID-JT": "ID-JT"})
    content = content_of(evidence, RULES, lambda _: RULES.ratios["official"])
    assert [fact.state for fact in content.facts] == ["published", "published"]


def test_what_a_human_text_nearly_says_is_grey_and_no_question_for_the_agent():
    text = "Tari Contoh berasal dari Jawa. Penarinya melangkah ringan sambil berputar mengikuti gendang."
    human = HumanRecord("r", "Tari Contoh", (), "tarian", ("ID-JT",), "published", frozenset(), said_words(text))
    found = novelty(REWORDED, humans=[human])
    assert found.outcome == "review"
    assert [grey.held for grey in found.grey] == [()]


@pytest.mark.parametrize(("approved", "outcome"), [(True, "enrich"), (False, "skip")])
def test_a_persons_word_on_the_fact_settles_it_for_both_sides(approved, outcome):
    code = frozenset([fact_code("gerak", REWORDED.claims[0].value_key)])
    judgement = Judgement(approved=code) if approved else Judgement(rejected=code)
    told = told_by_people([REWORDED, SAID], judgement)
    assert novelty(REWORDED, SAID, told=told, bounds=Bounds(0.4, 0.9)).outcome == outcome
    assert novelty(SAID, REWORDED, told=told, bounds=Bounds(0.4, 0.9)).outcome == "enrich"


@pytest.mark.parametrize(("said", "outcome"), [(RESTATED, "skip"), (ADDED, "enrich"), (UNSURE, "review")])
def test_the_agents_answer_settles_its_own_claim_and_unsure_leaves_it_to_people(said, outcome):
    found = novelty(REWORDED, SAID, bounds=Bounds(0.4, 0.9))
    answers = {restatement_of(found.grey[0]): {"verdict": said}}
    told = told_by_the_agent(found.grey, answers)
    assert novelty(REWORDED, SAID, told=told, bounds=Bounds(0.4, 0.9)).outcome == outcome


@pytest.mark.parametrize(
    ("said", "verdict"),
    [
        (["supports", "neither"], RESTATED),
        (["neither", "neither"], ADDED),
        (["contradicts", "neither"], ADDED),
        (["neither"], UNSURE),
        ([], UNSURE),
    ],
)
def test_the_agent_must_have_looked_at_every_quote_before_a_value_is_new(said, verdict):
    passages = [PassageVerdict(number=number, verdict=each) for number, each in enumerate(said, 1)]
    assert restatement_verdict(ValidationAnswer(passages=passages, why="."), ("a", "b")) == verdict
