"""A page as visible text with structure: exact spans, links, media, declarations."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lumbung.errors import InputRefused
from lumbung.model.candidate import Block, PageKind, PageText
from lumbung.text.markup import Unreadable, read_any, read_page

URL = "https://budaya.example/tari/gambyong"
PAGE = """<!doctype html><html lang=id><head><title>Tari Gambyong - Portal Budaya</title>
<meta name=robots content="noarchive, noai"><meta name="tdm-reservation" content="1">
<link rel=canonical href="/tari/gambyong?utm=1"><meta property="og:site_name" content="Portal Budaya">
<script type="application/ld+json">{"@type":"Article","datePublished":"2020-03-04T00:00","license":"https://creativecommons.org/licenses/by-sa/4.0/"}</script></head>
<body><header><a href="/">Beranda</a></header><nav><ul><li><a href=/a>Seni</a><li><a href=/b>Tari</a></ul></nav>
<main><h1>Tari Gambyong</h1><p>Tari Gambyong adalah <a href="/tari">tarian</a> klasik yang berasal dari Surakarta, Jawa Tengah.</p>
<table class="infobox"><tr><th>Asal</th><td>Surakarta</td></tr><tr><td>Fungsi</td><td>:</td><td>Penyambutan tamu<br>hiburan</td></tr></table>
<h2>Busana</h2><ul><li>Kemben</li><li>Selendang kuning</li></ul>
<figure><img src="g.jpg" width=600 alt="foto"><figcaption>Penari Gambyong. Foto: Budi</figcaption></figure>
<dl><dt>Iringan</dt><dd>Gamelan</dd></dl>
<table><tr><th>Nama</th><th>Asal</th></tr><tr><td>Gambyong Pareanom</td><td>Surakarta</td></tr><tr><td>Gambyong Pangkur</td><td>Solo</td></tr></table>
<h2>Referensi</h2><p><a href="https://jurnal.example/1">Jurnal Seni</a></p>
</main><footer>Hak cipta <a href="/kontak">Kontak</a></footer></body></html>"""


@pytest.fixture(scope="module")
def page() -> PageText:
    return read_page(PAGE.encode(), URL)


def spans(page: PageText, kind: str) -> list[str]:
    return [page.text[block.start : block.end] for block in page.blocks if block.kind == kind]


def test_headings_lists_rows_and_captions_keep_their_structure(page: PageText) -> None:
    assert spans(page, "heading")[:2] == ["Tari Gambyong", "Busana"]
    assert spans(page, "list-item") == ["Kemben", "Selendang kuning"]
    assert spans(page, "caption") == ["Penari Gambyong. Foto: Budi"]
    labels = [(block.label, page.text[block.start : block.end]) for block in page.blocks if block.kind == "row"]
    assert ("Asal", "Surakarta") in labels
    assert ("Fungsi", "Penyambutan tamu\nhiburan") in labels
    assert ("Iringan", "Gamelan") in labels


def test_the_cells_of_one_record_share_a_level(page: PageText) -> None:
    records = [block for block in page.blocks if block.kind == "row" and block.level]
    assert [(block.level, block.label) for block in records] == [(1, "Nama"), (1, "Asal"), (2, "Nama"), (2, "Asal")]


def test_a_label_stands_before_its_value_in_the_text(page: PageText) -> None:
    row = next(block for block in page.blocks if block.label == "Iringan")
    assert page.text[row.start - 9 : row.end] == "Iringan: Gamelan"


def test_navigation_and_footer_are_no_text(page: PageText) -> None:
    assert "Beranda" not in page.text
    assert "Hak cipta" not in page.text


def test_links_carry_anchor_words_around_and_section(page: PageText) -> None:
    links = {link.url: link for link in page.links}
    assert links["https://budaya.example/tari"].anchor == "tarian"
    assert "berasal dari Surakarta" in links["https://budaya.example/tari"].context
    assert links["https://jurnal.example/1"].section == "Referensi"
    assert len(links) == len(page.links)


def test_the_head_declares(page: PageText) -> None:
    assert page.title == "Tari Gambyong"
    assert page.directives >= {"noarchive", "noai", "tdm-reservation"}
    assert page.canonical_url == "https://budaya.example/tari/gambyong?utm=1"
    assert page.published == "2020-03-04"
    assert page.licence == "https://creativecommons.org/licenses/by-sa/4.0/"
    assert page.kind is PageKind.ITEM
    assert page.language == "ind"


def test_a_picture_is_a_reference_with_caption_and_creator(page: PageText) -> None:
    (picture,) = page.media
    assert picture.url == "https://budaya.example/tari/g.jpg"
    assert picture.caption.startswith("Penari Gambyong")
    assert picture.creator == "Budi"
    assert "by-sa" in picture.licence_hint


@pytest.mark.parametrize(
    ("html", "kind"),
    [
        ("<body class='mediawiki'><h1>Angklung</h1><div id=mw-content-text><p>Angklung adalah alat musik.</p></div>", "encyclopaedia"),
        ("<p>Artikel ini dari Wikipedia, ensiklopedia bebas.</p><p>Angklung adalah alat musik bambu dari Jawa Barat.</p>", "encyclopaedia"),
        ("<p>Ti Wikipédia Sunda, énsiklopédi bébas</p><p>Angklung téh pakakas musik tina awi ti Jawa Barat.</p>", "encyclopaedia"),
        ("<p>Saka Wikipédia, bauwarna mardika</p><p>Angklung iku piranti musik saka pring saka Jawa Kulon.</p>", "encyclopaedia"),
        ("<title>404 Not Found</title><h1>Not Found</h1><p>The page you asked for does not exist.</p>", "noise"),
        ("<title>Masuk</title><h1>Masuk</h1><form><input type=password></form>", "noise"),
        ("<script type='application/ld+json'>{\"@type\":\"Product\"}</script><h1>Angklung</h1><p>Harga Rp50.000 untuk satu set angklung.</p>", "noise"),
        ("<h1>Semua tarian</h1><ul>" + "".join(f"<li><a href='/t{n}'>Tari daerah nomor {n}</a>" for n in range(60)) + "</ul>", "index"),
        ("<h1>Tari Piring</h1><p>Tari Piring adalah tarian dari Minangkabau, Sumatera Barat.</p>", "item"),
    ],
)  # fmt: skip
def test_page_kinds_are_told_by_structure(html: str, kind: str) -> None:
    assert read_page(html, "https://situs.example/x").kind == kind


def test_long_pages_lose_their_boilerplate() -> None:
    prose = "".join(
        f"<p>Alinea {n} menjelaskan tari Gambyong, geraknya, busananya, dan gending pengiringnya.</p>"
        for n in range(30)
    )
    html = (
        "<nav>"
        + "".join(f"<a href='/{n}'>Menu {n}</a>" for n in range(40))
        + "</nav><div class=sidebar><p>Berlangganan"
        f" sekarang juga</p></div><article><h1>Tari Gambyong</h1>{prose}<figure><img src=x.jpg><figcaption>Penari di pendapa"
        "</figcaption></figure></article><footer><p>Hak cipta situs ini</p></footer>"
    )
    page = read_page(html, URL)
    assert page.text.startswith("Tari Gambyong\nAlinea 0")
    assert "Alinea 29" in page.text
    assert "Penari di pendapa" in page.text
    assert "Menu 3" not in page.text
    assert "Berlangganan" not in page.text


def test_joiners_of_aksara_survive_in_long_pages() -> None:
    aksara = "ꦲꦏ꧀\u200cꦱꦫꦗꦮ"
    prose = "".join(
        f"<p>Aksara {aksara} dipakai dalam naskah lama nomor {n} di keraton Surakarta dan Yogyakarta.</p>"
        for n in range(40)
    )
    assert read_page(f"<article><h1>Aksara</h1>{prose}</article>", URL).text.count(aksara) == 40


@pytest.mark.parametrize(
    ("body", "content_type", "reason"),
    [
        (b"", "text/html", Unreadable.EMPTY),
        (b"\x89PNG\r\n\x1a\n" + bytes(200), "image/png", Unreadable.UNSUPPORTED_TYPE),
        (b"%PDF-1.7 broken", "application/pdf", Unreadable.DAMAGED_PDF),
        (b"<div>" * 50_000, "text/html", Unreadable.TOO_DEEP),
    ],
)
def test_what_cannot_be_read_is_refused_with_a_reason(body: bytes, content_type: str, reason: Unreadable) -> None:
    with pytest.raises(InputRefused) as refusal:
        read_any(body, URL, content_type)
    assert refusal.value.reason == reason


def covers(block: Block, text: str) -> bool:
    return 0 <= block.start < block.end <= len(text)


TAGS = st.sampled_from(
    ["<p>", "</p>", "<table><tr><td>", "</td><td>", "<li>", "<ul>", "<h1>", "</h1>", "<dl><dt>", "<dd>", "<b>", "</b>",
     "<br>", "<a href='x'>", "</a>", "<figcaption>", "<div class='infobox'>", "<style>p{display:none}</style>", "<!--", "-->",
     "<script>", "</table>", "&amp;", "&#x202e;", "<svg>", "<template>", "<th>", "<html", "<select>"]
)  # fmt: skip


@settings(max_examples=150, derandomize=True, deadline=None)
@given(st.lists(st.one_of(TAGS, st.text(max_size=12)), max_size=40))
def test_any_markup_is_read_or_refused_and_spans_are_exact(parts: list[str]) -> None:
    try:
        page = read_page("".join(parts), URL)
    except InputRefused as refusal:
        assert refusal.reason in set(Unreadable)
        return
    assert all(covers(block, page.text) for block in page.blocks)


def test_a_form_around_the_whole_page_hides_nothing() -> None:
    prose = "".join(
        f"<p>Alinea {n} menjelaskan upacara Sekaten di Yogyakarta, gamelan, dan gunungannya.</p>" for n in range(20)
    )
    page = read_page(f"<form id=aspnetForm><input type=hidden name=x><h1>Sekaten</h1>{prose}</form>", URL)
    assert "Alinea 0" in page.text
    assert "Alinea 19" in page.text


def test_a_page_with_stray_control_bytes_is_still_a_page() -> None:
    page = read_any(
        b"<html><body><h1>Tari\x01 Piring</h1><p>Tarian dari Solok.\x00</p></body></html>", "https://a.example/"
    )
    assert "Tarian dari Solok." in page.text
    with pytest.raises(InputRefused):
        read_any(b"<a>" + bytes(range(32)) * 40, "https://a.example/")


@pytest.mark.parametrize("anchor", ['<a name="isi">', "<a>", '<a id="isi">'])
@pytest.mark.parametrize("paragraphs", [2, 30])
def test_an_anchor_that_leads_nowhere_and_is_never_closed_hides_nothing(anchor: str, paragraphs: int) -> None:
    prose = "".join(
        f"<p>Gambyong nomor {number} menyambut tamu di pendapa keraton Surakarta.</p>" for number in range(paragraphs)
    )
    page = read_page(f"<h1>Tari Gambyong</h1>{anchor}{prose}", "https://seni.example/g")
    assert page.text.count("menyambut tamu") == paragraphs
