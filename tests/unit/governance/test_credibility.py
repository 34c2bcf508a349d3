"""Labels propose, people decide."""

from __future__ import annotations

import pytest

from lumbung.governance.audit.credibility import (
    JudgedFact,
    JudgedReading,
    precision_proposals,
    source_proposals,
    type_proposals,
)

VALUES = {
    "fusion.ratio.academic": 19.0,
    "fusion.ratio.community": 4.0,
    "fusion.ratio.encyclopaedia": 1.0,
    "extractor.precision": 0.95,
}
CAMPUS, BLOG, OTHER_BLOG = "https://isi.ac.id/1", "https://blog.example/1", "https://warga.example/1"
ENCYCLOPAEDIA = "https://id.wikipedia.org/wiki/Tari"


def type_of(url):
    return "academic" if "ac.id" in url else "encyclopaedia" if "wiki" in url else "community"


def facts(url, right, wrong, weight=1.0):
    return [JudgedFact((url,), number < right, weight) for number in range(right + wrong)]


def test_a_type_that_errs_more_than_believed_is_proposed_lower_and_one_that_errs_less_higher():
    judged = facts(CAMPUS, 80, 20) + facts(BLOG, 100, 0)
    found = {each.name: each for each in type_proposals(judged, VALUES, VALUES, type_of)}
    assert found["fusion.ratio.academic"].suggested < 19 / 2
    assert found["fusion.ratio.academic"].is_clear
    assert found["fusion.ratio.community"].suggested > 4


def test_few_labels_move_a_ratio_little_and_facts_of_several_types_not_at_all():
    [few] = type_proposals(facts(CAMPUS, 1, 0), VALUES, VALUES, type_of)
    assert few.suggested == pytest.approx(20.0, abs=1.5)
    assert not few.is_clear
    [wrong] = type_proposals(facts(CAMPUS, 0, 1), VALUES, VALUES, type_of)
    assert not wrong.is_clear
    assert type_proposals([JudgedFact((CAMPUS, BLOG), is_right=False)], VALUES, VALUES, type_of) == []
    assert type_proposals(facts(ENCYCLOPAEDIA, 5, 0), VALUES, VALUES, type_of) == []


def test_the_same_labels_read_again_after_they_were_adopted_suggest_the_same():
    judged = facts(CAMPUS, 80, 20)
    [first] = type_proposals(judged, VALUES, VALUES, type_of)
    [again] = type_proposals(judged, VALUES | {first.name: first.suggested}, VALUES, type_of)
    assert (again.suggested, again.present) == (first.suggested, first.suggested)


def test_a_source_is_told_from_others_of_its_type_once_it_has_labels_of_its_own():
    judged = facts(BLOG, 20, 20) + facts(OTHER_BLOG, 40, 0) + facts(CAMPUS, 9, 0)
    found = {each.name: each for each in source_proposals(judged, VALUES, VALUES, type_of)}
    assert found.keys() == {"fusion.credibility.blog.example", "fusion.credibility.warga.example"}
    assert found["fusion.credibility.blog.example"].suggested < 4 < found["fusion.credibility.warga.example"].suggested
    assert {each.present for each in found.values()} == {4.0}


def test_labels_drawn_more_often_than_others_weigh_less():
    rare, common = facts(BLOG, 0, 10, weight=9.0), facts(BLOG, 90, 0, weight=1.0)
    [weighed] = source_proposals(rare + common, VALUES, VALUES, type_of)
    [plain] = source_proposals(facts(BLOG, 90, 10), VALUES, VALUES, type_of)
    assert weighed.suggested < plain.suggested


def test_what_we_misread_is_the_extractor_s_and_not_the_source_s():
    readings = [JudgedReading("", "bahan", number >= 30) for number in range(100)]
    [found] = precision_proposals(readings, VALUES, VALUES)
    assert found.name == "extractor.precision"
    assert found.suggested == pytest.approx((70 + 19) / 120, abs=1e-4)
    assert found.is_clear
    assert precision_proposals([], VALUES, VALUES) == []


def test_each_engine_and_attribute_has_a_precision_of_its_own_drawn_to_the_wider_one():
    readings = [
        *(JudgedReading("llm", "bahan", number >= 20) for number in range(40)),
        *(JudgedReading("llm", "asal-daerah", True) for _ in range(40)),
        *(JudgedReading("llm", "makna", True) for _ in range(3)),
        *(JudgedReading("lexical", "bahan", True) for _ in range(40)),
    ]
    found = {
        each.name.removeprefix("extractor.precision"): each for each in precision_proposals(readings, VALUES, VALUES)
    }
    assert found.keys() == {"", ".llm", ".llm.bahan", ".llm.asal-daerah", ".lexical", ".lexical.bahan"}
    engine = (63 + 19) / 103
    assert found[".llm"].suggested == pytest.approx(engine, abs=1e-4)
    assert found[".llm.bahan"].suggested == pytest.approx((20 + 20 * engine) / 60, abs=1e-4)
    assert found[".llm.bahan"].suggested < found[".llm"].suggested < found[".llm.asal-daerah"].suggested
    assert found[".lexical"].suggested > 0.95
    assert found[".llm.bahan"].is_clear
