"""Every text a reader sees exists in both languages, and none stands in a template."""

from __future__ import annotations

import re
import tomllib
from importlib.resources import files
from string import Formatter

import pytest

WEB = files("lumbung.web")
TEMPLATES = sorted(each.name for each in WEB.joinpath("templates").iterdir() if each.name.endswith(".html"))
READ_ALOUD = re.compile(r'\b(?:aria-label|placeholder|title|alt)="([^"]*)"')
USED = re.compile(r"words\('([a-z_]+)'")


def messages(name):
    return tomllib.loads(WEB.joinpath("messages", f"{name}.toml").read_text(encoding="utf-8"))


def source(template):
    return WEB.joinpath("templates", template).read_text(encoding="utf-8")


def without_code(text):
    return re.sub(r"\{%.*?%\}|\{\{.*?\}\}|\{#.*?#\}", "", text, flags=re.DOTALL)


def placeholders(text):
    return {name for _, name, _, _ in Formatter().parse(text) if name}


@pytest.mark.parametrize("part", ["", "-console"])
def test_both_languages_say_the_same_things_with_the_same_places_for_values(part):
    indonesian, english = messages("id" + part), messages("en" + part)
    assert indonesian.keys() == english.keys()
    assert [key for key in english if placeholders(indonesian[key]) != placeholders(english[key])] == []
    assert [key for key in english if not (indonesian[key].strip() and english[key].strip())] == []


@pytest.mark.parametrize("template", TEMPLATES)
def test_no_template_holds_a_word_of_its_own(template):
    text = source(template)
    bare = re.sub(r"<[^>]*>", " ", without_code(text))
    assert re.findall(r"[^\W\d_]+", bare) == []
    assert [value for value in READ_ALOUD.findall(text) if re.search(r"[^\W\d_]", without_code(value))] == []


def test_every_word_that_a_template_asks_for_is_there():
    known = messages("id")
    console = messages("id-console")
    asked = {key for template in TEMPLATES for key in USED.findall(source(template))}
    assert asked - known.keys() - console.keys() == set()
