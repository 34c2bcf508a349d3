"""Extraction error stays apart from source error: what an engine misreads of an attribute weighs less."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.unit.stages.decide.test_rivals import PROFILE, RULES, saying

from lumbung.stages.decide.content import ItemEvidence, content_of
from lumbung.stages.decide.rules import Rules

ROWS = dict(PROFILE.constants) | {"extractor.precision.llm": 0.8, "extractor.precision.llm.bahan": 0.5}


def odds(attribute, *engines, rows=ROWS):
    pages = [replace(saying(n, attribute, "kayu"), engine=engine) for n, engine in enumerate(engines, 1)]
    evidence = ItemEvidence(pages, (), (), PROFILE, {"ID-JT": "ID-JT"})
    return content_of(evidence, Rules.from_rows(rows, {}), lambda _: 9.0).facts[0].log_odds


def test_the_narrowest_precision_known_holds():
    rules = Rules.from_rows(ROWS, {})
    assert rules.precision_of("llm", "bahan") == 0.5
    assert rules.precision_of("llm", "makna") == 0.8
    assert rules.precision_of("lexical", "bahan") == RULES.precision


def test_what_an_engine_misreads_weighs_less_and_only_there():
    assert odds("bahan", "llm") < odds("makna", "llm") < odds("bahan", "lexical")
    assert odds("bahan", "lexical") == pytest.approx(odds("bahan", "llm", rows=PROFILE.constants))


def test_a_copy_that_was_read_by_a_poorer_engine_takes_nothing_away():
    copies = [
        replace(saying(n, "bahan", "kayu"), engine=engine, domain="satu.example")
        for n, engine in enumerate(("lexical", "llm"), 1)
    ]
    evidence = ItemEvidence(copies, (), (), PROFILE, {"ID-JT": "ID-JT"})
    [fact] = content_of(evidence, Rules.from_rows(ROWS, {}), lambda _: 9.0).facts
    assert fact.log_odds == pytest.approx(odds("bahan", "lexical"))
