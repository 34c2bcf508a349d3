"""The demo world read by the program's own text tools: what each page is there for can be seen in it."""

from __future__ import annotations

from functools import cache
from urllib.parse import urlsplit

from lumbung.demo.answers import answer_for
from lumbung.demo.expectations import Branch, load_expectations
from lumbung.demo.pages import Page, load_world
from lumbung.model.candidate import Candidate, PageKind, PageText
from lumbung.profiles.loader import load_profile
from lumbung.text.extraction import lexical
from lumbung.text.gate import Gate
from lumbung.text.kinship import akin, sketch
from lumbung.text.markup import read_page, read_pdf
from lumbung.text.names import name_key
from lumbung.text.region import Gazetteer

WORLD = load_world()
PROFILE = load_profile("pdbi")
READ_SHARE = 0.9
PASS_SHARE = 0.95


@cache
def gazetteer() -> Gazetteer:
    return Gazetteer(PROFILE)


@cache
def read(url: str) -> PageText:
    page = page_at(url)
    answer = answer_for(WORLD[page.host], page.path)
    return read_pdf(answer.body) if page.kind == "pdf" else read_page(answer.body, url, answer.content_type)


def page_at(url: str) -> Page:
    parts = urlsplit(url)
    return WORLD[parts.netloc].pages[parts.path]


def candidates(url: str) -> list[Candidate]:
    return lexical.extract(read(url), PROFILE, gazetteer())


def branches(name: str) -> list[Branch]:
    found = [branch for branch in load_expectations() if branch.name == name]
    assert found, name
    return found


def indonesian_items() -> list[Page]:
    return [page for site in WORLD.values() for page in site.item_pages() if page.language == "id" and not page.oddity]


def test_nearly_all_indonesian_item_pages_yield_the_item_of_their_title() -> None:
    pages = indonesian_items()
    keys = {page.url: {name_key(candidate.name) for candidate in candidates(page.url)} for page in pages}
    missed = [page.url for page in pages if name_key(page.title) not in keys[page.url]]
    assert len(missed) <= (1 - READ_SHARE) * len(pages), missed


def test_nearly_all_indonesian_item_pages_pass_the_gate() -> None:
    gate = Gate(PROFILE)
    pages = indonesian_items()
    refused = [page.url for page in pages if not gate.judge(read(page.url).text, read(page.url).language).passed]
    assert len(refused) <= (1 - PASS_SHARE) * len(pages), refused


def test_shops_news_and_small_talk_do_not_pass_the_gate() -> None:
    gate = Gate(PROFILE)
    for url in branches("noise")[0].pages:
        assert not gate.judge(read(url).text, read(url).language, url).passed, url


def test_listings_and_doorways_are_told_from_items() -> None:
    assert {read(url).kind for url in branches("index")[0].pages} == {PageKind.INDEX}
    assert {read(url).kind for url in branches("doorway")[0].pages} == {PageKind.ENCYCLOPAEDIA}


def test_copies_are_akin_and_independent_texts_are_not() -> None:
    for name, expected in (("sacred-copies", True), ("sacred-independent", False), ("second-witness", False)):
        first, *others = (sketch(read(url).text) for url in branches(name)[0].pages)
        assert {akin(first, other) for other in others} == {expected}, name


def test_a_mirror_is_akin_to_the_encyclopaedia() -> None:
    pairs = zip(branches("doorway")[0].pages, branches("mirror")[0].pages, strict=True)
    assert all(akin(sketch(read(original).text), sketch(read(mirror).text)) for original, mirror in pairs)


def test_old_spelling_and_javanese_script_name_the_same_item() -> None:
    for name in ("old-spelling", "javanese-script"):
        [branch] = branches(name)
        for url in branch.pages:
            assert name_key(branch.entry) in {name_key(candidate.name) for candidate in candidates(url)}, url


def test_witnesses_share_the_values_that_they_are_to_lift() -> None:
    for name in ("second-witness", "sacred-independent"):
        first, second = (facts_of(url) for url in branches(name)[0].pages)
        assert len(first & second) >= 3, name


def test_the_second_source_adds_facts_to_the_first() -> None:
    first, second = (facts_of(url) for url in branches("enrich")[0].pages)
    assert first & second
    assert len(second - first) >= 3


def test_no_hidden_or_ordered_value_is_extracted_from_the_hostile_host() -> None:
    [branch] = branches("prompt-injection")
    found = {value for _, value in facts_of(branch.pages[0])}
    assert found
    assert not found & set(branch.forbidden_values)


def facts_of(url: str) -> set[tuple[str, str]]:
    return {(fact.attribute, fact.value) for candidate in candidates(url) for fact in candidate.facts}
