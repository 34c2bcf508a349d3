"""Whose page it is, and where it says it was taken from."""

from __future__ import annotations

import pytest

from lumbung.text.markup import read_page

WORDS = "Tari Piring adalah tarian dari Minangkabau yang ditarikan dengan piring di kedua telapak tangan. " * 3


def page(head="", tail="", url="https://blog.example/tari-piring"):
    return read_page(f"<html><head>{head}</head><body><article><p>{WORDS}</p>{tail}</article></body></html>", url)


@pytest.mark.parametrize(
    ("head", "publisher"),
    [
        ('<meta property="og:site_name" content="Kabar Ranah">', "kabar ranah"),
        ('<meta name="DC.publisher" content="Dinas  Kebudayaan">', "dinas kebudayaan"),
        (
            '<script type="application/ld+json">{"@type":"Article","publisher":{"name":"Kabar Ranah"}}</script>',
            "kabar ranah",
        ),
        ('<meta name="publisher" content="Blogger"><meta property="og:site_name" content="WordPress.com">', ""),
        ("", ""),
    ],
)
def test_the_publisher_is_whom_the_page_names_and_not_the_software_that_made_it(head, publisher):
    assert page(head).publisher == publisher


@pytest.mark.parametrize(
    ("head", "tail", "origins"),
    [
        ('<link rel="canonical" href="https://www.kabar-ranah.id/2020/tari">', "", ("kabar-ranah.id",)),
        ('<link rel="canonical" href="https://www.blog.example/2020/tari">', "", ()),
        ('<meta name="syndication-source" content="https://kabar.co.id/x">', "", ("kabar.co.id",)),
        (
            '<script type="application/ld+json">{"@type":"Article","isBasedOn":"https://kabar.co.id/x"}</script>',
            "",
            ("kabar.co.id",),
        ),
        ("", "<p>Artikel ini telah tayang di KabarRanah.com dengan judul Tari Piring.</p>", ("kabarranah.com",)),
        ("", "<p>Sumber: https://budaya.kabar.go.id/tari/piring</p>", ("kabar.go.id",)),
        ("", "<p>Dikutip dari laman kabar.co.id, tarian ini ditarikan saat panen.</p>", ("kabar.co.id",)),
        ("", "<p>This story originally appeared on heritage.org.</p>", ("heritage.org",)),
        ("", "<p>Sumber: dok.pribadi</p>", ()),
        ("", "<p>Sumber: wawancara dengan penari, hal.12</p>", ()),
        ("", "<p>Lihat juga kabar.co.id untuk jadwal pertunjukan.</p>", ()),
    ],
)
def test_an_origin_is_another_site_that_the_page_declares_to_come_from(head, tail, origins):
    assert page(head, tail).origins == origins
