from __future__ import annotations

import pypdfium2
from lxml import etree

from lumbung.demo.pdf import write_pdf
from lumbung.demo.prose import plain, prose_html


def test_paragraphs_headings_lists_and_tables_become_html() -> None:
    html = prose_html("## Bahan\n- sagu\n- air\n\n1. Aduk\n2. Sajikan\n\n| a | b |\n| 1 | 2 |\n\n> kutipan")
    assert html == (
        "<h2>Bahan</h2><ul><li>sagu</li><li>air</li></ul>\n<ol><li>Aduk</li><li>Sajikan</li></ol>\n"
        "<table><thead><tr><th>a</th><th>b</th></tr></thead><tbody><tr><td>1</td><td>2</td></tr></tbody></table>\n"
        "<blockquote><p>kutipan</p></blockquote>"
    )


def test_links_bold_and_italics_are_kept_and_markup_is_escaped() -> None:
    html = prose_html("**Noken** <b> & [tifa](/koleksi/tifa?a=1&b=2) _ini_")
    assert html == (
        '<p><strong>Noken</strong> &lt;b&gt; &amp; <a href="/koleksi/tifa?a=1&amp;b=2">tifa</a> <em>ini</em></p>'
    )
    etree.fromstring(html)


def test_plain_text_has_no_markup() -> None:
    assert plain("## Bahan\n- **sagu** dari [Seram](http://a.example/)\n---\nakhir") == "Bahan\nsagu dari Seram\nakhir"


def test_a_written_pdf_has_a_text_layer_over_several_pages() -> None:
    paragraphs = [f"Baris ke-{number} (dengan kurung) dan é." for number in range(60)]
    document = pypdfium2.PdfDocument(write_pdf("Gordang Sambilan", paragraphs, "Penulis"))
    assert len(document) == 3
    text = "\n".join(page.get_textpage().get_text_bounded() for page in document)
    assert "Gordang Sambilan" in text
    assert "Baris ke-59 (dengan kurung) dan é." in text
    assert document.get_metadata_value("Author") == "Penulis"
