from __future__ import annotations

import pytest

from lumbung.errors import InputRefused
from lumbung.model.candidate import PageKind
from lumbung.text.markup import read_page
from lumbung.text.outline import outline_of_html, outline_of_page

URL = "http://a.example/koleksi/tari"


def outline(markup: str | bytes, known=lambda _: False):
    return outline_of_html(markup, URL, "text/html", "LumbungBot/0.1", known)


def test_links_are_distinct_identities_with_anchor_context_and_heading():
    found = outline(
        "<h2>Referensi</h2><ul><li>Lihat <a href='/x?utm_source=y#z'>Tari  Piring</a> di sini</li>"
        "<li><a href='http://a.example/x'>lagi</a><a href='mailto:a@b.c'>surat</a><a href='ftp://x/y'>f</a></li></ul>"
    )
    [link] = found.links
    assert (link.url, link.anchor, link.section) == ("http://a.example/x", "Tari Piring", "Referensi")
    assert link.context == "Lihat Tari Piring di sini"
    assert found.refused_links == {"scheme": 1}


def test_known_links_cost_no_object():
    found = outline("<a href='/a'>a</a><a href='b'>b</a>", lambda url: url.endswith("/a"))
    assert [link.url for link in found.links] == ["http://a.example/koleksi/b"]
    assert found.known == (("http://a.example/a", "a"),)


@pytest.mark.parametrize("wrap", ["<main>{}</main>", "<main><div><div>{}</div></div></main>", "<article>{}</article>"])
def test_a_long_page_is_judged_by_its_beginning_and_its_end(wrap):
    pages = [f"<p>Alinea {n}: {'tari topeng dari Cirebon ' * 10}<a href='/{n}'>taut</a></p>" for n in range(200)]
    pages[100] += "<meta name='robots' content='noindex'>"
    pages[199] += "<p>Disalin dari Wikipedia</p>"
    found = outline(f"<title>Tari</title><nav>menu</nav>{wrap.format(''.join(pages))}")
    assert len(found.links) == 200
    assert found.directives == {"noindex"}
    assert found.doubtful
    assert found.kind is PageKind.ITEM
    assert found.surroundings.startswith("menu")
    assert len(found.text) > 4_000
    assert found.text.startswith("Tari\nAlinea 0: tari topeng")
    assert [f"Alinea {n}:" in found.text for n in (0, 5, 10, 100)] == [True, True, True, False]
    assert found.characters == pytest.approx(200 * 265, rel=0.05)


def test_a_base_element_moves_relative_links():
    found = outline("<base href='http://b.example/arsip/'><a href='x'>x</a>")
    assert [link.url for link in found.links] == ["http://b.example/arsip/x"]


def test_declarations_of_the_head_are_read():
    found = outline(
        "<html lang='ID'><head><title> Tari\n Piring </title><meta name=robots content='noai, nofollow'>"
        "<meta name=googlebot content=noindex><link rel=canonical href='/tari'>"
        "<link rel=alternate type='application/rss+xml' href='/rss'></head><body>x</body>"
    )
    assert found.title == "Tari Piring"
    assert found.directives == {"noai", "nofollow"}
    assert found.canonical_url == "http://a.example/tari"
    assert found.feeds == ("http://a.example/rss",)
    assert found.declared_language == "id"


def test_the_text_begins_at_the_main_heading_and_the_menu_stays_around():
    found = outline(f"<nav>Beranda Toko Keranjang</nav><h1>Tari Piring</h1><p>{'Tarian dari Minangkabau. ' * 20}</p>")
    assert found.text.startswith("\nTari Piring")
    assert found.surroundings.startswith("Beranda")


def test_a_page_of_links_is_an_index_and_an_empty_one_noise():
    links = "".join(f"<li><a href='/{number}'>Tari nomor {number}</a></li>" for number in range(60))
    assert outline(f"<ul>{links}</ul>").kind is PageKind.INDEX
    assert outline("<p>x</p>").kind is PageKind.NOISE
    assert outline(f"<ul>{links}</ul><p>{'Kalimat panjang. ' * 400}</p>").kind is PageKind.ITEM


@pytest.mark.parametrize(
    "markup",
    ["<div id='mw-content-text'>x</div>", "<title>Angklung - Wikipedia</title>", "<p>Dari Ensiklopedia Bebas</p>"],
)
def test_what_may_be_an_encyclopaedia_is_left_to_the_full_reading(markup):
    assert outline(markup).doubtful


def test_an_encyclopaedia_shows_its_references_even_when_all_are_known():
    article = """<body class="mediawiki"><h1>Angklung</h1><p>Angklung adalah alat musik dari bambu.</p>
    <h2>Referensi</h2><ul><li><a href="http://b.example/angklung">Angklung</a></li></ul></body>"""
    page = read_page(article, "http://a.example/wiki/Angklung")
    assert page.kind is PageKind.ENCYCLOPAEDIA
    outline = outline_of_page(page, "http://a.example/wiki/Angklung", lambda _: True)
    assert [(link.url, link.section) for link in outline.links] == [("http://b.example/angklung", "Referensi")]
    assert outline.known == (("http://b.example/angklung", outline.links[0].anchor),)


def test_pages_in_other_charsets_are_read():
    assert (
        "kaf\u00e9"
        in outline("<meta charset=windows-1252><p>kaf\u00e9 tari lama sekali adanya di sini</p>".encode("cp1252")).text
    )


@pytest.mark.parametrize("markup", ["", "<div>" * 50_000, "<p " + " ".join(f"a{n}=1" for n in range(9_000)) + ">"])
def test_hostile_markup_is_refused_before_it_is_parsed(markup):
    with pytest.raises(InputRefused):
        outline(markup)


@pytest.mark.parametrize(
    "word", ["Wikipedia", "Ensiklopedia", "Encyclopaedia", "Encyclopedie", "Enciclopedia", "Britannica"]
)
def test_whatever_calls_itself_an_encyclopaedia_is_read_in_full(word):
    assert outline(f"<title>Angklung - {word}</title><p>Angklung adalah alat musik.").doubtful
    assert not outline("<title>Angklung</title><p>Angklung dikembangkan (developed) di Jawa Barat.").doubtful
