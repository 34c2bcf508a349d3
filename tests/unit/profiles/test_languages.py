"""Every text of a profile that people read exists in its own language and in English; the profiles are counted through."""

from __future__ import annotations

import re

import pytest

from lumbung.profiles.loader import load_profile, shipped_profiles

WORDS = {
    "ind": re.compile(r"\b(di|yang|untuk|dari|oleh|belum|tidak)\b"),
    "tet": re.compile(r"\b(iha|nian|ba|ho|seidauk|sira)\b"),
    "eng": re.compile(r"\b(of|the|by|under|unverified|to)\b"),
}
LEAST = {"pdbi": 420, "timor-leste": 30}


def texts(name):
    """What a page or a command shows of the profile: each in its own language and in English."""
    profile = load_profile(name)
    yield profile.scope, profile.scope_en
    yield from ((each.label, each.label_en) for each in profile.categories.values())
    yield from ((each.label, each.label_en) for each in profile.attributes.values())
    for remark in remarks(profile):
        yield remark, profile.remarks_en.get(remark, "")


def remarks(profile):
    yield from (rule.reason for rule in profile.sources)
    yield from (term.reason for term in profile.sensitive)
    yield from (seed.note for seeds in profile.seeds.values() for seed in seeds)


@pytest.mark.parametrize("name", shipped_profiles())
def test_every_text_of_a_profile_is_there_in_both_languages(name):
    both = list(texts(name))
    assert len(both) >= LEAST[name]
    assert [own for own, english in both if not (own.strip() and english.strip())] == []


@pytest.mark.parametrize("name", shipped_profiles())
def test_each_stands_in_the_language_that_it_is_said_to(name):
    profile = load_profile(name)
    own, english = WORDS[profile.language], WORDS["eng"]
    told = {pair for pair in profile.remarks_en.items() if pair[0] != pair[1]} | {(profile.scope, profile.scope_en)}
    assert [text for text, _ in told if english.search(text)] == []
    assert [text for _, text in told if own.search(text)] == []


def test_what_is_the_same_in_both_languages_is_a_name():
    profile = load_profile("pdbi")
    same = {own for own, english in profile.remarks_en.items() if own == english}
    assert {each for each in same if each[0].islower()} == {"forum", "museum"}
