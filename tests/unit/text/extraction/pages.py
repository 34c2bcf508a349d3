"""A page as the lexical extractor reads it."""

from __future__ import annotations

from lumbung.model.candidate import Candidate
from lumbung.profiles.loader import load_profile
from lumbung.text.extraction.lexical import extract
from lumbung.text.markup import read_page
from lumbung.text.region import Gazetteer

PROFILE = load_profile()
GAZETTEER = Gazetteer(PROFILE)


def read(html: str) -> list[Candidate]:
    return extract(read_page(html, "https://budaya.example/x"), PROFILE, GAZETTEER)


def facts(candidate: Candidate) -> set[tuple[str, str]]:
    return {(fact.attribute, fact.value) for fact in candidate.facts}
