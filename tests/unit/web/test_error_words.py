"""What actions say when they refuse is told in Indonesian too."""

from __future__ import annotations

import ast
import tomllib
from importlib.resources import files
from string import Formatter

from lumbung.web.error_words import told_in

ROOT = files("lumbung")
REFUSALS = {"UsageError", "PermissionRefused", "PolicyRefused", "StaleRead"}
MOST_UNKNOWN = 3
"""A new sentence of an action may be told in English for a while."""


def sentence(node):
    """A raised sentence with every value written as a stroke; None where it is not written out."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr):
        return "".join(part.value if isinstance(part, ast.Constant) else "¦" for part in node.values)
    return None


def raised(folder):
    for file in folder.rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call) and node.exc.args:
                told = sentence(node.exc.args[0])
                if told and getattr(node.exc.func, "id", "") in REFUSALS:
                    yield told


def test_every_refusal_of_the_pages_themselves_is_known():
    assert sorted(told for told in raised(ROOT / "web") if told_in("id", told) == told) == []


def test_nearly_every_refusal_of_the_actions_is_known():
    told = [each for part in ("governance/actions", "library/actions", "model") for each in raised(ROOT / part)]
    unknown = [each for each in told if told_in("id", each) == each]
    assert len(told) > 60
    assert len(unknown) <= MOST_UNKNOWN, unknown


def test_values_are_carried_over_as_they_are():
    assert told_in("id", "There is no stage crawl}{; there are a, b.") == "Tahap crawl}{ tidak ada; yang ada: a, b."
    assert told_in("en", "A request needs a reason.") == "A request needs a reason."
    assert told_in("id", "something new") == "something new"


def test_a_bound_has_the_readers_decimal_sign_and_a_cause_is_told_in_words():
    assert told_in("id", "fusion.theta lies between 0.5 and 1.") == "fusion.theta berada di antara 0,5 dan 1."
    lowered = told_in("id", "It would be lowered again at once: the calibration error 0.08 is above 0.05.")
    assert lowered == "Mode itu akan segera diturunkan lagi: galat kalibrasi 0,08 di atas 0,05."


def test_both_sentences_have_the_same_values():
    text = (ROOT / "web" / "messages" / "errors.id.toml").read_text(encoding="utf-8")
    for english, indonesian in tomllib.loads(text).items():
        places = [{name for _, name, _, _ in Formatter().parse(each) if name} for each in (english, indonesian)]
        assert places[1] <= places[0], english
