from __future__ import annotations

from dataclasses import replace
from random import Random

from lumbung.profiles.loader import load_profile
from lumbung.stages.crawl.judging import RECORDED_IN_FULL, Judge
from lumbung.text.gate import Gate
from lumbung.text.outline import EMPTY

GATE = Gate(load_profile("pdbi"))
CULTURE = (
    "Tari Piring adalah tarian tradisional dari Minangkabau, Sumatra Barat. Tarian ini dibawakan para penari dengan "
    "piring di kedua tangan, diiringi talempong dan saluang pada upacara adat dan pesta panen. "
)
OTHER = "Cara memasang peladen basis data di komputer: unduh berkas, buka terminal, jalankan perintah pemasangan. " * 10


def outline(text: str):
    return replace(EMPTY, text=text, surroundings=text[:600], characters=len(text), declared_language="id")


def test_a_page_of_culture_passes_and_another_names_the_filter_that_refused_it():
    judge = Judge(GATE, Random(1))
    passed, language = judge.judge(outline(CULTURE * 3), "http://a.example/tari", "a.example")
    refused, _ = judge.judge(outline(OTHER), "http://a.example/x", "a.example")
    assert passed.passed
    assert language in {"ind", "msa"}
    assert not refused.passed
    assert not refused.filters[-1].passed


def test_what_the_first_look_misses_the_second_finds():
    judge = Judge(GATE, Random(1))
    late = "Selamat datang di laman kami. Silakan membaca tulisan di bawah ini dengan tenang. " * 9 + CULTURE * 8
    assert judge.judge(outline(late), "http://a.example/tari", "a.example")[0].passed


def test_the_order_follows_the_measured_costs():
    judge = Judge(GATE, Random(1))
    names = {each.name for each in GATE.filters}
    judge.load([{"filter": "culture", "runs": 100, "seconds": 100.0, "trials": 50, "passes": 49}], [])
    assert set(judge.order) == names
    assert judge.order[-1] == "culture"


def test_a_small_share_of_pages_is_judged_by_all_filters_in_random_order():
    judge = Judge(GATE, Random(3))
    judge.statistics.random_share = 1.0
    for number in range(20):
        judge.judge(outline(CULTURE * 2), f"http://a.example/{number}", "a.example")
    assert sum(judge.patterns.values()) == 20
    assert all(len(pattern) == len(GATE.filters) for pattern in judge.patterns)
    assert sum(record.trials for record in judge.fresh.values()) == 20


def test_a_host_whose_pages_agree_is_identified_only_now_and_then():
    judge = Judge(GATE, Random(1))
    seen = [judge.languages.of("a.example", "id", CULTURE * 3) for _ in range(40)]
    assert len({language for language, _ in seen}) == 1
    assert sum(sure for _, sure in seen) < 12


def test_refusals_are_all_recorded_at_first_and_then_with_a_known_probability():
    judge = Judge(GATE, Random(1))
    shares = [judge.inclusion("culture") for _ in range(4 * RECORDED_IN_FULL)]
    assert shares[RECORDED_IN_FULL - 1] == 1.0
    assert shares[-1] == 0.25
    assert judge.inclusion("news") == 1.0


def test_the_rows_in_force_decide_what_passes_and_how_much_is_measured():
    judge = Judge(GATE, Random(1))
    page = (outline(CULTURE), "http://a.example/tari", "a.example")
    assert judge.judge(*page)[0].passed
    rows = {"gate.threshold": 0.5, "gate.min_words": 500, "gate.min_characters": 50, "gate.random_order_share": 0.25}
    judge.abide_by(rows)
    assert judge.statistics.random_share == 0.25
    assert [each.name for each in judge.judge(*page)[0].filters if not each.passed] == ["length"]
    judge.abide_by(rows | {"gate.min_words": 8, "gate.min_characters": 100_000})
    assert not judge.judge(*page)[0].passed
    judge.abide_by(rows | {"gate.min_words": 8})
    assert judge.judge(*page)[0].passed
    judge.abide_by(rows | {"gate.min_words": 8, "gate.threshold": 0.9999})
    assert not judge.judge(*page)[0].passed
