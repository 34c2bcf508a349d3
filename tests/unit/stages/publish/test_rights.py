"""A picture is copied only where everything that is said about it agrees, its own page says it, and somebody made it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from lumbung.stages.publish.rights import NO_AUTHOR, NOT_OF_ITS_PAGE, Shown, rights_of

OWN = Shown("https://creativecommons.org/licenses/by-sa/4.0/", "Museum Contoh", own_page=True)


@pytest.mark.parametrize(
    ("licence", "spdx"),
    [
        ("https://creativecommons.org/licenses/by/4.0/", "CC-BY-4.0"),
        ("http://creativecommons.org/licenses/by-sa/3.0/igo/", "CC-BY-SA-3.0-IGO"),
        ("https://creativecommons.org/publicdomain/zero/1.0/", "CC0-1.0"),
        ("CC BY-SA 4.0", "CC-BY-SA-4.0"),
    ],
)
def test_a_free_licence_of_its_own_page_with_an_author_allows_a_copy(licence, spdx):
    rights = rights_of([Shown(licence, "Museum Contoh", own_page=True)])
    assert (rights.allowed, rights.licence, rights.creator) == (True, spdx, "Museum Contoh")
    assert rights.licence_url.startswith("https://creativecommons.org/")


@pytest.mark.parametrize(
    "licence",
    [
        "",
        "All rights reserved",
        "Hak cipta dilindungi undang-undang",
        "CC BY-NC 4.0",
        "https://creativecommons.org/licenses/by-nd/4.0/",
        "http://rightsstatements.org/vocab/InC/1.0/",
        "boleh dipakai siapa saja kalau minta izin",
    ],
)
def test_any_other_word_of_the_page_leaves_a_reference(licence):
    assert not rights_of([Shown(licence, "Museum Contoh", own_page=True)]).allowed


@pytest.mark.parametrize("statement", ["All rights reserved.", "CC BY-NC-ND 4.0", "CC BY-NC 4.0"])
def test_metadata_that_contradicts_the_page_leaves_a_reference(statement):
    assert rights_of([OWN], ["© Museum Contoh 2020"]).allowed
    assert not rights_of([OWN], [statement]).allowed


def test_a_caption_that_reserves_what_the_page_grants_leaves_a_reference():
    reserved = "Foto kain milik kolektor. Hak cipta dilindungi undang-undang. All rights reserved."
    assert rights_of([replace(OWN, caption="Sebuah kain batik")]).allowed
    assert not rights_of([replace(OWN, caption=reserved)]).allowed


def test_nobody_grants_what_is_anothers_but_anybody_may_contradict():
    foreign = Shown("CC BY 4.0", "Seseorang", own_page=False)
    assert rights_of([foreign]).reason == NOT_OF_ITS_PAGE
    assert not rights_of([Shown("CC BY-NC-ND 4.0", "x", own_page=False), OWN]).allowed
    assert rights_of([Shown("", "x", own_page=False), OWN]).allowed


def test_a_licence_that_asks_for_the_author_needs_one_from_the_page_or_the_picture():
    unsigned = Shown("CC BY 4.0", " ", own_page=True)
    assert rights_of([unsigned]).reason == NO_AUTHOR
    assert rights_of([unsigned], (), "Siti").creator == "Siti"
    assert rights_of([Shown("https://creativecommons.org/publicdomain/zero/1.0/", "", own_page=True)]).allowed
