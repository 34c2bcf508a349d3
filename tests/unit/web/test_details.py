"""Stored details are told in words: every name under which the code stores one has its label in both languages."""

from __future__ import annotations

import ast
from datetime import UTC, datetime
from importlib.resources import files
from typing import get_args

import pytest

from lumbung.equations.novelty import Outcome
from lumbung.model.candidate import PageKind
from lumbung.profiles.loader import load_profile
from lumbung.stages.decide.agents import ScopeAnswer
from lumbung.web.details import MANY_ROWS, MOST_LISTED, Details, Labelled, Listed
from lumbung.web.language import LANGUAGES, Words, code_key, messages

PROFILE = load_profile("pdbi")
KEEPERS = {"append_action", "add_notice", "NewJob"}
"""Whatever calls one of these gives it a detail that a page shows."""
REPORTS = ("governance/reports/explanation.py", "governance/steward/reminders.py", "stages/decide/scope.py")


def called(node):
    return {
        getattr(each.func, "attr", getattr(each.func, "id", ""))
        for each in ast.walk(node)
        if isinstance(each, ast.Call)
    }


def names_in(node):
    return {
        key.value
        for each in ast.walk(node)
        if isinstance(each, ast.Dict)
        for key in each.keys
        if isinstance(key, ast.Constant) and isinstance(key.value, str)
    }


def stored_names():
    root = files("lumbung")
    found = set()
    for folder in ("governance", "library", "stages/crawl", "stages/extract", "stages/publish"):
        for file in (root / folder).rglob("*.py"):
            for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
                if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and called(node) & KEEPERS:
                    found |= names_in(node)
    for path in REPORTS:
        found |= names_in(ast.parse((root / path).read_text(encoding="utf-8")))
    return found


def test_every_name_of_a_stored_detail_has_its_label_in_both_languages():
    names = stored_names()
    assert len(names) > 100
    for language in LANGUAGES:
        missing = {name for name in names if code_key("detail", name) not in messages(language)}
        assert sorted(name for name in missing if "-" not in name) == []


def test_codes_of_decisions_have_their_words():
    criteria = get_args(ScopeAnswer.model_fields["criterion"].annotation)
    assert len(criteria) > 5
    wanted = {code_key("criterion", each) for each in criteria} | {code_key("decision", each) for each in Outcome}
    wanted |= {code_key("kind", each) for each in PageKind}
    assert sorted(wanted - messages("id").keys()) == []


@pytest.mark.parametrize(
    ("name", "value", "told"),
    [
        ("mode", "shadow", "bayangan"),
        ("role", "guardian", "penjaga makna"),
        ("category", "tarian", PROFILE.categories["tarian"].label),
        ("regions", ["ID-JB", "ID-BA"], "Jawa Barat, Bali"),
        ("hidden", True, "ya"),
        ("spent_micros", 1_250_000, "1,2500"),
        ("delay_seconds", 2.5, "2,5000 s"),
        ("person", 7, "Ayu"),
        ("agree", ["name (equal)", "asal-daerah"], f"nama (sama), {PROFILE.attributes['asal-daerah'].label}"),
        ("fact", "asal-daerah\x1fpadang", f"{PROFILE.attributes['asal-daerah'].label}: padang"),
        ("reason", "blocked: login-required", "ditolak situs: harus masuk"),
        ("candidate", "ab" * 32, "abababababab…"),
        ("until", None, "–"),
        ("at", datetime(2026, 5, 3, 8, 0, tzinfo=UTC), "2026-05-03 15:00 WIB"),
        ("text", "<b>apa adanya</b>", "<b>apa adanya</b>"),
        ("members", [], "tidak ada"),
    ],
)
def test_a_value_is_told_by_its_name(name, value, told):
    found = Details(Words("id"), PROFILE, {7: "Ayu"}).of({name: value})
    assert isinstance(found, Labelled)
    shown = found.rows[0][1]
    assert shown == told if name != "reason" else shown != value


def test_what_nests_stays_nested_and_what_is_long_is_cut_or_folded():
    details = Details(Words("en"), PROFILE)
    found = details.of([{"id": number} for number in range(MOST_LISTED + 3)])
    assert isinstance(found, Listed)
    assert (len(found.items), found.left_off) == (MOST_LISTED, 3)
    assert details.of(list(range(MOST_LISTED + 2))).endswith("39, and 2 more")
    many = details.of({f"unknown-{number}": number for number in range(MANY_ROWS + 1)})
    assert isinstance(many, Labelled)
    assert many.folded
    assert many.rows[0] == ("unknown-0", "0")


def test_numbers_are_written_as_the_reader_writes_them():
    assert Words("id").number(1234.5, 1) == "1.234,5"
    assert Words("en").number(1234.5, 1) == "1,234.5"
