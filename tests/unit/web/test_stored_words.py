"""Everything of a closed list that the console may show has words in both languages; the lists are read from the code."""

from __future__ import annotations

import ast
import re
from importlib.resources import files
from itertools import chain

import pytest

from lumbung.config import Settings, listed_settings
from lumbung.demo.curation import tranches
from lumbung.demo.script import source_rules
from lumbung.governance.constants import CONSTANTS, DEFAULTS
from lumbung.governance.notices import WORDS as NOTICES
from lumbung.model.permission import PERMISSIONS
from lumbung.profiles.loader import load_profile
from lumbung.providers.fetch.limits import Reason
from lumbung.text.gate import Gate
from lumbung.text.markup.refusal import Unreadable
from lumbung.text.optout import keeping_refused
from lumbung.web.console.autonomy import meaning_key
from lumbung.web.language import Words, code_key, messages
from lumbung.web.stored_words import JOINT, is_known, stored_in

ROOT = files("lumbung")
SHOWN_COLUMNS = {
    ("stage", "name"): "stage", ("request", "state"): "request_state", ("breaker", "state"): "breaker",
    ("frontier", "state"): "frontier", ("tranche", "state"): "tranche", ("entry", "status"): "status",
    ("label", "verdict"): "verdict", ("label", "error_kind"): "error", ("fact", "state"): "fact",
    ("pair_verdict", "verdict"): "pair", ("pair_verdict", "decided_by"): "decided_by",
}  # fmt: skip
"""Columns with a closed list of values that a page of the console shows, and the kind of their words."""
TABLE = re.compile(r"create table (\w+) \((.*?)\n\);", re.DOTALL)
CHECKED = re.compile(r"(\w+) text[^\n]*?check \(\1 in \(([^)]*)\)\)")
STROKE = "¦"


def module(path):
    return ast.parse(ROOT.joinpath(path).read_text(encoding="utf-8"))


def modules(*folders):
    return (ast.parse(file.read_text(encoding="utf-8")) for folder in folders for file in (ROOT / folder).rglob("*.py"))


def function(path, name):
    return next(each for each in ast.walk(module(path)) if getattr(each, "name", "") == name)


def sentence(node):
    """A text with every value written as a stroke; None where it is no text."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr):
        return "".join(part.value if isinstance(part, ast.Constant) else STROKE for part in node.values)
    return None


def given(tree, name, place):
    """The texts that stand at one place of every call of a function; a module's own constants are looked up."""
    constants = {
        target.id: node.value.value
        for node in tree.body
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and name == getattr(node.func, "attr", getattr(node.func, "id", "")):
            told = node.args[place] if len(node.args) > place else None
            text = constants.get(told.id) if isinstance(told, ast.Name) else sentence(told)
            if isinstance(text, str):
                yield text


def returned(path, name):
    nodes = (node for node in ast.walk(function(path, name)) if isinstance(node, ast.Return))
    return [text for node in nodes if (text := sentence(node.value))]


def missing(kind, values):
    return sorted(value for value in values if code_key(kind, value) not in messages("id"))


def unknown(language, texts):
    pieces = chain.from_iterable(text.split(JOINT) for text in texts)
    return sorted({piece for piece in pieces if piece and not is_known(language, piece)})


def test_every_verb_of_the_log_has_its_word():
    written = {
        verb
        for tree in modules("governance", "library", "stages", "store", "runtime", "demo")
        for verb in given(tree, "append_action", 2)
    }
    assert len(written) > 40
    schema = (
        each.read_text(encoding="utf-8")
        for each in (ROOT / "store" / "migrations").iterdir()
        if each.name.endswith(".sql")
    )
    written |= {verb for sql in schema for verb in re.findall(r"action_append\([^,']*, '([a-z-]+)'", sql)}
    whole = {verb for verb in written if STROKE not in verb}
    assert missing("verb", whole | PERMISSIONS.keys()) == []


def test_every_value_of_a_column_that_is_shown_has_its_word():
    found = {}
    for file in sorted((ROOT / "store" / "migrations").iterdir(), key=lambda each: each.name):
        for table, body in TABLE.findall(file.read_text(encoding="utf-8")) if file.name.endswith(".sql") else ():
            for column, values in CHECKED.findall(body):
                found[table, column] = re.findall(r"'([^']*)'", values)
    assert found.keys() >= SHOWN_COLUMNS.keys()
    assert [
        (place, missing(kind, found[place])) for place, kind in SHOWN_COLUMNS.items() if missing(kind, found[place])
    ] == []


def test_every_notice_says_what_it_is_about():
    kinds = {kind for tree in modules("governance", "library", "stages") for kind in given(tree, "add_notice", 1)}
    reminders = ast.walk(module("governance/steward/reminders.py"))
    pairs = [node.elts for node in reminders if isinstance(node, ast.Tuple) and len(node.elts) == 2]
    kinds |= {pair[0].value for pair in pairs if isinstance(pair[0], ast.Constant) and isinstance(pair[0].value, str)}
    assert {"demotion", "labels-late", "breaker-open"} <= kinds
    assert sorted(kinds - NOTICES.keys()) == []


def test_outcomes_workers_and_windows_have_their_words():
    tree = module("runtime/worker.py")
    assert missing("outcome", {*returned("runtime/retry.py", "react"), *given(tree, "record_figure", 2)}) == []
    assert missing("worker", given(tree, "_see", 0)) == []
    sql = (ROOT / "store" / "migrations" / "0007_providers.sql").read_text(encoding="utf-8")
    windows = re.search(r"insert into budget_window .*?values (.*?);", sql, re.DOTALL)
    assert windows is not None
    assert missing("window", re.findall(r"\('(\w+)'", windows.group(1))) == []
    assert missing("alarm", re.findall(r"insert into alarm [^']*\('([^']+)'", sql)) == []


def test_the_figures_of_a_sign_off_have_their_words():
    def keys(name):
        nodes = ast.walk(function("governance/reports/quality.py", name))
        return {key.value for node in nodes if isinstance(node, ast.Dict) for key in node.keys}

    audit = {f"audit.{name}" for name in keys("told")}
    assert len(audit) == 6
    assert missing("signed", audit | (keys("figures_for") - {"audit"})) == []


def test_every_constant_and_every_setting_is_explained():
    installed = {**DEFAULTS, **load_profile("pdbi").constants}
    rules = {name: next(rule for rule in CONSTANTS if rule.covers(name)) for name in installed}
    asked = {meaning_key(name, rule) for name, rule in rules.items()}
    asked |= {meaning_key(rule.prefix, rule) for rule in CONSTANTS if not any(rule is each for each in rules.values())}
    assert sorted(asked - messages("id").keys()) == []
    assert unknown("id", [description for _, _, description in listed_settings(Settings())]) == []


def codes():
    traps = returned("text/traps.py", "trap_reason") + returned("text/traps.py", "soft_404")
    blocks = returned("text/refusals.py", "block_reason")
    assert len(traps) > 5
    assert len(blocks) > 4
    filters = [each.name for each in Gate(load_profile("pdbi")).judge("Tari Saman ialah tari orang Gayo.").filters]
    return {*map(str, Reason), *map(str, Unreadable), *traps, *blocks, *filters, "score", "denied"}


@pytest.mark.parametrize("language", ["id", "en"])
def test_every_code_of_a_refusal_has_words(language):
    assert unknown(language, codes()) == []


def test_every_sentence_that_stages_store_is_known():
    crawl, rest = list(modules("stages/crawl")), list(modules("stages"))
    told = {text for tree in crawl for text in given(tree, "Ending", 1)}
    told |= {text for tree in rest for text in given(tree, "add", 3) if text not in {"extract", "crawl"}}
    told |= set(returned("stages/crawl/policy.py", "refusal"))
    told |= set(returned("stages/decide/content.py", "reason_of"))
    told |= set(returned("stages/crawl/links.py", "_reason_to_leave"))
    told |= set(given(module("equations/publication.py"), "PublicationVerdict", 2))
    told |= set(given(module("stages/decide/content.py"), "append", 0))
    told |= set(given(module("stages/decide/handler.py"), "add", 0))
    told |= {str(keeping_refused({each})) for each in ("noindex", "noarchive", "nosnippet", "noai", "tdm-reservation")}
    assert len(told) > 30
    assert unknown("id", told) == []


def test_what_the_demo_writes_into_the_log_is_known():
    script, curation = module("demo/script.py"), module("demo/curation.py")
    told = {text for tree in (script, curation) for text in given(tree, "append_action", 4)}
    told |= {
        sentence(node.value)
        for node in ast.walk(curation)
        if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "reason"
    }
    assert len(told) > 1
    remarks = [row.reason for row in source_rules()] + [seed.note for seeds in tranches().values() for seed in seeds]
    assert len(remarks) > 40
    assert unknown("id", [*told, *remarks]) == []


def test_values_are_found_again_and_looked_up_themselves():
    stored = "existence: probability 0.896 is below theta_s 0.970; may be the same as another item"
    assert stored_in("id", stored) == (
        "keberadaannya: peluang 0,896 di bawah ambang hal sakral 0,970; mungkin sama dengan hal lain"
    )
    assert stored_in("en", "blocked: login-required") == "turned away by the site: a sign-in is required"
    assert stored_in("id", "connect: the {x} went away") == "tidak dapat tersambung: the {x} went away"


def test_decimals_have_the_readers_sign_and_nothing_else_is_taken_for_one():
    assert stored_in("id", "probability 0.896 reaches 0.850") == "peluang 0,896 mencapai ambang 0,850"
    assert "0.896" in stored_in("en", "probability 0.896 reaches 0.850")
    assert stored_in("id", "a mirror of 10.0.0.1") == "cermin dari 10.0.0.1"
    assert stored_in("id", "robots.txt: Disallow: /v1.5/x") == "robots.txt: Disallow: /v1.5/x"


def test_what_nobody_wrote_down_is_shown_as_it_was_stored():
    words = Words("id")
    assert words.told("menurut penjaga: jangan") == "menurut penjaga: jangan"
    assert words.told("x" * 100_000) == "x" * 100_000
    assert words.told(None) == ""
    assert words.code("verb", "dance-now") == "dance-now"
    assert words.code("request_state", "carried out") == "dilaksanakan"
