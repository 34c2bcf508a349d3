from __future__ import annotations

import csv
import json
from importlib.resources import files
from urllib.parse import urlsplit

import pytest
from lxml import etree

from lumbung.demo.answers import Answer, answer_for, robots_text
from lumbung.demo.expectations import OUTCOMES, load_expectations
from lumbung.demo.layouts import LAYOUTS
from lumbung.demo.oddities import ODDITIES
from lumbung.demo.pages import FACT_KINDS, Page, Site, load_world, read_site, world_folder
from lumbung.demo.prose import plain
from lumbung.demo.sources import read_bibliography, sources_markdown
from lumbung.errors import ContractError
from lumbung.model.profile import Region
from lumbung.profiles.loader import load_profile

WORLD = load_world()
PAGES = [page for site in WORLD.values() for page in site.pages.values()]
SHORTEST_ITEM_WORDS = 110
LANGUAGES_WITH_SPACES = {"id", "ms", "en", "nl", "su", "ban", "jv"}


def human_entries() -> list[dict[str, object]]:
    text = files("lumbung.demo").joinpath("corpus", "human.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


def rows(path: str) -> list[dict[str, str]]:
    return list(csv.DictReader(world_folder().joinpath(path).read_text(encoding="utf-8").splitlines()))


def tranche_rows() -> dict[str, list[dict[str, str]]]:
    folder = world_folder().joinpath("tranches")
    names = sorted(entry.name for entry in folder.iterdir() if entry.name.endswith(".csv"))
    return {name: rows(f"tranches/{name}") for name in names}


def tree(answer: Answer) -> etree._Element:
    charset = answer.content_type.partition("charset=")[2]
    return etree.fromstring(answer.body.decode(charset))


def test_the_world_has_at_least_thirty_hosts_and_two_hundred_pages() -> None:
    assert len(WORLD) >= 30
    assert len(PAGES) >= 200


def test_every_host_is_a_reserved_name() -> None:
    assert [host for host in WORLD if not host.endswith(".example")] == []


def test_every_html_page_is_well_formed() -> None:
    for site in WORLD.values():
        for page in site.pages.values():
            answer = answer_for(site, page.path)
            if answer.body and answer.content_type.startswith("text/html"):
                assert tree(answer).tag == "html"


def test_every_layout_is_used_and_every_oddity_is_reachable() -> None:
    assert {page.layout for page in PAGES} == set(LAYOUTS)
    assert {page.oddity for page in PAGES if page.oddity} == set(ODDITIES)


def test_every_fact_page_names_known_sources_and_stands_in_the_list() -> None:
    works = read_bibliography().works
    listed = world_folder().joinpath("SOURCES.md").read_text(encoding="utf-8")
    for page in PAGES:
        if page.kind in FACT_KINDS:
            assert page.sources, page.url
            assert f"| {page.url} |" in listed
        assert set(page.sources) <= set(works), page.url


def test_the_list_of_sources_is_the_one_that_the_pages_give() -> None:
    stored = world_folder().joinpath("SOURCES.md").read_text(encoding="utf-8")
    assert stored == sources_markdown(WORLD, read_bibliography())


def test_item_pages_are_long_enough_for_the_gate() -> None:
    for page in PAGES:
        if page.kind == "item" and page.language in LANGUAGES_WITH_SPACES and not in_aksara(page):
            said = plain(page.body) + " " + " ".join(f"{label} {value}" for label, value in page.facts)
            assert len(said.split()) >= SHORTEST_ITEM_WORDS, page.url


def in_aksara(page: Page) -> bool:
    return any("\ua980" <= character <= "\ua9df" for character in page.title)


def test_every_link_inside_the_world_leads_to_an_answer() -> None:
    for site in WORLD.values():
        for page in site.pages.values():
            answer = answer_for(site, page.path)
            if not answer.body or not answer.content_type.startswith("text/html"):
                continue
            for target in tree(answer).xpath("//a/@href|//img/@src"):
                assert answers(page, target), f"{page.url} -> {target}"


def answers(page: Page, target: str) -> bool:
    parts = urlsplit(target)
    if parts.scheme == "https":
        return True
    site = WORLD[parts.netloc or page.host]
    if parts.path == "/keranjang":
        return True
    if parts.path == "/sitemap.xml":
        return site.sitemap or site.host == page.host
    return answer_for(site, parts.path, {"verb": "ListRecords"}).status != 404


def test_the_fifteen_categories_and_the_provinces_are_met() -> None:
    profile = load_profile("pdbi")
    entries = human_entries()
    assert {entry["category"] for entry in entries} == set(profile.categories)
    provinces = {code for code, region in profile.regions.items() if region.level == "province"}
    told = "\n".join(value for page in PAGES for _, value in page.facts)
    assert [code for code in provinces if not is_told(profile.regions[code], told)] == []


def is_told(region: Region, told: str) -> bool:
    return any(name in told for name in (region.name, *region.aliases))


def test_the_human_corpus_is_valid_and_without_twins() -> None:
    profile = load_profile("pdbi")
    entries = human_entries()
    assert len(entries) >= 80
    assert len({entry["title"] for entry in entries}) == len(entries)
    assert len({entry["remote_id"] for entry in entries}) == len(entries)
    fields = {
        "title",
        "text",
        "category",
        "regions",
        "aliases",
        "contributor",
        "licence",
        "revision",
        "remote_id",
        "updated_at",
    }
    for entry in entries:
        assert set(entry) == fields
        assert entry["category"] in profile.categories
        assert isinstance(entry["regions"], list)
        assert set(entry["regions"]) <= set(profile.regions)
    corpus = read_bibliography().corpus
    assert list(corpus) == [entry["title"] for entry in entries]


def test_every_expected_branch_points_at_pages_of_the_world() -> None:
    categories = load_profile("pdbi").categories
    urls = {page.url for page in PAGES} | {"http://kalender-acara.example/agenda/2026/01"}
    for branch in load_expectations():
        assert branch.outcome in OUTCOMES
        assert set(branch.pages) <= urls, branch.name
        assert not branch.category or branch.category in categories


def test_each_branch_of_the_design_is_named() -> None:
    named = {branch.name for branch in load_expectations()}
    assert named >= {
        "net-new", "enrich", "supplement", "skip", "second-witness", "sacred-one-source", "sacred-copies",
        "sacred-independent", "doorway", "index", "robots", "opt-out", "trap", "redirect", "pdf", "javanese-script",
        "old-spelling", "prompt-injection", "licence-refusal", "contradiction", "own-copy", "tombstone", "reseed",
    }  # fmt: skip


def test_the_two_independent_texts_on_the_sacred_share_values_but_no_sentence() -> None:
    [branch] = [branch for branch in load_expectations() if branch.name == "sacred-independent"]
    first, second = (page_at(url) for url in branch.pages)
    assert set(first.facts) & set(second.facts)
    assert not sentences(first) & sentences(second)


def test_the_copies_of_the_sacred_text_share_most_sentences() -> None:
    [branch] = [branch for branch in load_expectations() if branch.name == "sacred-copies"]
    original, *copies = (page_at(url) for url in branch.pages)
    for copy in copies:
        assert len(sentences(original) & sentences(copy)) >= 0.6 * len(sentences(original))


def test_the_copy_of_our_own_entry_repeats_the_human_text() -> None:
    [branch] = [branch for branch in load_expectations() if branch.name == "own-copy"]
    [entry] = [entry for entry in human_entries() if entry["title"] == branch.entry]
    assert str(entry["text"]) in page_at(branch.pages[0]).body


def test_contradicting_pages_state_the_two_values() -> None:
    for branch in load_expectations():
        if branch.name == "contradiction":
            stated = [{value for _, value in page_at(url).facts} for url in branch.pages]
            assert all(value in facts for value, facts in zip(branch.values, stated, strict=True)), branch.entry


def page_at(url: str) -> Page:
    parts = urlsplit(url)
    return WORLD[parts.netloc].pages[parts.path]


def sentences(page: Page) -> set[str]:
    return {part.strip() for part in plain(page.body).replace("\n", " ").split(". ") if len(part.split()) > 3}


def test_source_rules_name_hosts_of_the_world_and_known_types() -> None:
    rules = rows("sources.csv")
    assert {rule["type"] for rule in rules} == {"academic", "official", "community", "encyclopaedia"}
    assert {rule["pattern"] for rule in rules} <= set(WORLD)
    assert {rule["rule"] for rule in rules} == {"host"}


def test_tranches_hold_seeds_of_the_world() -> None:
    profile = load_profile("pdbi")
    tranches = tranche_rows()
    assert len(tranches) >= 2
    for seeds in tranches.values():
        for seed in seeds:
            assert list(seed) == ["url", "category", "region", "cost", "note"]
            assert urlsplit(seed["url"]).netloc in WORLD
            assert not seed["category"] or seed["category"] in profile.categories
            assert not seed["region"] or seed["region"] in profile.regions


def test_robots_text_says_what_the_host_wants() -> None:
    assert "Disallow: /\n" in robots_text(WORLD["tertutup.example"])
    assert "Crawl-delay: 3" in robots_text(WORLD["lambat.example"])
    assert "Sitemap: http://museum-kain.example/sitemap.xml" in robots_text(WORLD["museum-kain.example"])


def test_the_whole_world_stays_small() -> None:
    total = sum(len(answer_for(site, path).body) for site in WORLD.values() for path in site.pages)
    assert total < 1_500_000


@pytest.mark.parametrize(
    "text",
    [
        "not toml =",
        '[host]\nname = "a.example"\n',
        '[host]\nname = "a.example"\ntitle = "A"\nlayout = "plain"\nunknown = 1\n',
        (
            '[host]\nname = "a.example"\ntitle = "A"\nlayout = "plain"\n'
            '[[page]]\npath = "/x"\ntitle = "X"\n[[page]]\npath = "/x"\ntitle = "Y"\n'
        ),
    ],
)
def test_a_wrong_host_file_is_refused_with_its_name(text: str) -> None:
    with pytest.raises(ContractError, match="broken.toml"):
        read_site(text, "broken.toml")


def test_a_host_without_a_front_page_gets_a_listing() -> None:
    site = read_site(
        '[host]\nname = "a.example"\ntitle = "A"\nlayout = "plain"\n[[page]]\npath = "/x"\ntitle = "X"\n', "a.toml"
    )
    assert isinstance(site, Site)
    assert b'<a href="/x">X</a>' in answer_for(site, "/").body
