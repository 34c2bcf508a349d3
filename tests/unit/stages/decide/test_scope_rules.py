from __future__ import annotations

import pytest

from lumbung.profiles.loader import load_profile
from lumbung.stages.decide.agents import Described
from lumbung.stages.decide.scope_rules import ScopeRules

RULES = ScopeRules(load_profile("pdbi"))
SAID = (("iringan", "talempong"),)


def judged(name: str, category: str | None = "tarian", regions: tuple[str, ...] = ("ID-SB",), facts=SAID) -> str:
    return RULES.judge(Described(name, (), category, regions, facts)).verdict


@pytest.mark.parametrize(
    ("name", "verdict"),
    [
        ("Tari Piring", "in"),
        ("Tari Minangkabau", "unsure"),
        ("Tarian Tradisional", "out"),
        ("Aneka Tari Sumatera Barat", "out"),
        ("7 Tarian Khas Sumatera Barat", "out"),
        ("Jual Kostum Tari Piring Murah", "out"),
        ("Lomba Tari Piring 2023", "out"),
        ("Festival Tari Piring", "unsure"),
    ],
)
def test_the_name_tells_a_named_item_from_kinds_goods_and_events(name: str, verdict: str) -> None:
    assert judged(name) == verdict


def test_what_lacks_a_category_a_place_or_any_statement_is_left_open() -> None:
    assert judged("Tari Cokek Baru", regions=()) == "unsure"
    assert judged("Tari Piring", category=None) == "unsure"
    assert judged("Tari Piring", facts=(("nama-lain", "Tari Piriang"),)) == "unsure"
    assert judged("Tari Piring", facts=(*SAID, ("tahun", "2019"))) == "unsure"


def test_another_nations_tradition_is_refused_and_a_diasporas_is_not() -> None:
    assert judged("Kabuki", "seni-pertunjukan", (), (("asal-daerah", "Jepang"),)) == "out"
    heritage = (("sejarah", "diwariskan keturunan Jawa di Suriname"),)
    assert judged("Jaran Kepang Suriname", "seni-pertunjukan", ("x-jawa",), heritage) == "in"


def test_a_history_may_mention_anybody() -> None:
    assert judged("Tari Piring", facts=(("sejarah", "pernah dipentaskan di Belanda dan Jepang"),)) == "in"
    assert judged("Tari Piring", facts=(("sejarah", "berasal dari Jepang"),)) == "unsure"
