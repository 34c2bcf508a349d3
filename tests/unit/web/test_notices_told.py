"""Notices speak of categories, windows and stages by their names, and lead to where the matter is settled."""

from __future__ import annotations

import pytest

from lumbung.governance.notices import WORDS
from lumbung.profiles.loader import load_profile
from lumbung.web.console.access import HOME
from lumbung.web.console.front import NOTICE_AT
from lumbung.web.console.routes import DECLARED
from lumbung.web.language import Words
from lumbung.web.shown import notice_told

PROFILE = load_profile("pdbi")


@pytest.mark.parametrize(
    ("language", "kind", "subject", "told"),
    [
        ("id", "demotion", "seni-pertunjukan", "Kategori Seni Pertunjukan diturunkan otomatis."),
        ("en", "demotion", "seni-pertunjukan", "The category Performing arts was lowered by itself."),
        ("id", "demotion", "kategori-lama", "Kategori kategori-lama diturunkan otomatis."),
        ("id", "budget-near-cap", "hour *", "Anggaran satu jam hampir mencapai batas."),
        ("en", "budget-near-cap", "day decide", "The budget window a day (decide) is near its cap."),
    ],
)
def test_codes_have_their_names(language, kind, subject, told):
    assert notice_told({"kind": kind, "subject": subject, "detail": {}}, PROFILE, Words(language)) == told


def test_entries_that_may_be_one_are_told_by_their_titles():
    detail = {"other": "b", "title": "Tari Piring", "other_title": "Tari Piriang"}
    row = {"kind": "entries-alike", "subject": "a", "detail": detail}
    assert notice_told(row, PROFILE, Words("id")).startswith("Entri Tari Piring dan Tari Piriang mungkin")
    before = row | {"detail": {"other": "b"}}
    assert notice_told(before, PROFILE, Words("en")).startswith("The entries a and b may")


def test_every_notice_leads_to_a_page_of_the_console():
    assert NOTICE_AT.keys() == WORDS.keys()
    assert {path for path in NOTICE_AT.values() if ("GET", HOME + path) not in DECLARED} == set()
