from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lumbung.text.licence import read_licence

CC = "https://creativecommons.org"


@pytest.mark.parametrize(
    ("address", "licence", "reusable"),
    [
        (f"{CC}/licenses/by/4.0/", "CC-BY-4.0", True),
        ("http://creativecommons.org/licenses/by-sa/3.0/deed.id", "CC-BY-SA-3.0", True),
        ("//www.creativecommons.org/licenses/by-sa/4.0", "CC-BY-SA-4.0", True),
        ("creativecommons.org/licenses/by/2.0/legalcode", "CC-BY-2.0", True),
        (f"{CC}/licenses/by/3.0/igo/legalcode", "CC-BY-3.0-IGO", True),
        (f"{CC}/licenses/by-sa/3.0/nl/", "CC-BY-SA-3.0", True),
        (f"{CC}/licenses/by-sa/3.0/de/deed.en", "CC-BY-SA-3.0-DE", True),
        (f"{CC}/licenses/by-nc/4.0/", "CC-BY-NC-4.0", False),
        (f"{CC}/licenses/by-nc-nd/4.0/deed.nl", "CC-BY-NC-ND-4.0", False),
        (f"{CC}/licenses/by-nd/2.5/", "CC-BY-ND-2.5", False),
        (f"{CC}/licenses/by-sa/", "CC-BY-SA-4.0", True),
        (f"{CC}/publicdomain/zero/1.0/deed.id", "CC0-1.0", True),
        (f"{CC}/publicdomain/mark/1.0/", "CC-PDM-1.0", True),
        ("https://spdx.org/licenses/CC-BY-4.0.html", "CC-BY-4.0", True),
        ("https://www.gnu.org/licenses/fdl-1.3.html", "GFDL-1.3-only", False),
        ("https://opendatacommons.org/licenses/odbl/1-0/", "ODbL-1.0", False),
        (f"{CC}/licenses/by/5.0/", None, False),
        (f"{CC}/licenses/sampling+/1.0/", None, False),
        (f"{CC}/licenses/by-nd-sa/4.0/", None, False),
        (f"{CC}/", None, False),
        ("http://rightsstatements.org/vocab/InC/1.0/", None, False),
        ("http://rightsstatements.org/vocab/NoC-US/1.0/", None, False),
        ("https://i.creativecommons.org/l/by-sa/4.0/88x31.png", "CC-BY-SA-4.0", True),
        ("https://licensebuttons.net/p/zero/1.0/80x15.png", "CC0-1.0", True),
        ("https://licensebuttons.net/l/by-nc/4.0/88x31.png", "CC-BY-NC-4.0", False),
        (f"{CC}/licenses/sa/1.0/", "CC-SA-1.0", False),
        ("https://www.gnu.org/licenses/gpl-3.0.html", "GPL-3.0-only", False),
        ("https://example.org/terms", None, False),
    ],
)
def test_the_address_of_a_licence_names_it(address, licence, reusable):
    verdict = read_licence(url=address)
    assert (verdict.licence, verdict.reusable) == (licence, reusable)
    assert verdict.reason


@pytest.mark.parametrize(
    "address",
    [
        "https://creativecommons.org.example.com/licenses/by/4.0/",
        "https://example.com/?see=https://creativecommons.org/licenses/by/4.0/",
        "https://creativecommons.org@example.com/licenses/by/4.0/",
        "https://notcreativecommons.org/licenses/by/4.0/",
        "https://creativecommons.org:8443/licenses/by/4.0/",
        "javascript:creativecommons.org/licenses/by/4.0/",
    ],
)
def test_only_the_licences_own_host_counts(address):
    assert not read_licence(url=address).reusable


@pytest.mark.parametrize(
    ("text", "licence"),
    [
        ("CC-BY-SA-4.0", "CC-BY-SA-4.0"),
        ("cc-by-4.0", "CC-BY-4.0"),
        ("Foto: Arsip Desa / CC BY 2.0", "CC-BY-2.0"),
        ("Lisensi CC BY-SA 3.0 IGO", "CC-BY-SA-3.0-IGO"),
        ("licensed under a Creative Commons Attribution-ShareAlike 4.0 International License", "CC-BY-SA-4.0"),
        ("Creative Commons Attribution 4.0", "CC-BY-4.0"),
        ("Lisensi Creative Commons Atribusi-BerbagiSerupa 4.0 Internasional", "CC-BY-SA-4.0"),
        ("Creative Commons Naamsvermelding-GelijkDelen 3.0", "CC-BY-SA-3.0"),
        ("Except where otherwise noted, content is licensed under CC BY 4.0.", "CC-BY-4.0"),
        ("Lihat https://creativecommons.org/licenses/by/4.0/.", "CC-BY-4.0"),
        ("CC0", "CC0-1.0"),
        ("cc-zero", "CC0-1.0"),
        ("CC-BY-4.0 OR MIT", "CC-BY-4.0"),
        ("spdx-license-identifier: (MIT OR CC-BY-SA-4.0)", "CC-BY-SA-4.0"),
        ("Creative Commons Attribution 3.0 Germany", "CC-BY-3.0-DE"),
        ("Creative Commons Attribution Share Alike 2.0 England and Wales", "CC-BY-SA-2.0-UK"),
        ("Creative Commons Attribution 3.0 (Netherlands)", "CC-BY-3.0-NL"),
        ("Creative Commons Attribution Share Alike 2.1 Japan", "CC-BY-SA-2.1-JP"),
        ("Creative Commons Public Domain Dedication and Certification", "CC-PDDC"),
        ("クリエイティブ・コモンズ Creative Commons 表示-継承 4.0 国際", "CC-BY-SA-4.0"),
        ("Creative Commons 署名-相同方式共享 4.0", "CC-BY-SA-4.0"),
        ("Public Domain Mark 1.0", "CC-PDM-1.0"),
        ("GFDL 1.2 or later, CC BY-SA 3.0", "CC-BY-SA-3.0"),
        ("CC BY-SA 3.0 and CC BY-SA 4.0", "CC-BY-SA-4.0"),
        ("SPDX-License-Identifier: CC-BY-4.0", "CC-BY-4.0"),
        ("(CC) BY 4.0", "CC-BY-4.0"),
        ("CC 4.0 BY-SA", "CC-BY-SA-4.0"),
        ("CC\u00a0BY\u2011SA\u00a04.0", "CC-BY-SA-4.0"),
        ("CC BY\u2013SA 4.0", "CC-BY-SA-4.0"),
        ("Jika tidak dinyatakan lain, isi situs ini berlisensi CC BY 4.0", "CC-BY-4.0"),
        ("Bukan CC BY-NC 4.0 melainkan CC BY 4.0", "CC-BY-4.0"),
        ("Creative Commons Atribuição-CompartilhaIgual 4.0 Internacional", "CC-BY-SA-4.0"),
    ],
)
def test_words_with_a_version_name_a_free_licence(text, licence):
    verdict = read_licence(text=text)
    assert (verdict.licence, verdict.reusable) == (licence, True)


@pytest.mark.parametrize(
    ("text", "licence"),
    [
        ("Creative Commons Attribution-NonCommercial-ShareAlike 4.0", "CC-BY-NC-SA-4.0"),
        ("Creative Commons Atribusi-NonKomersial-TanpaTurunan 4.0 Internasional", "CC-BY-NC-ND-4.0"),
        ("Creative Commons Naamsvermelding-NietCommercieel 4.0", "CC-BY-NC-4.0"),
        ("CC BY-NC-ND 4.0", "CC-BY-NC-ND-4.0"),
        ("GNU Free Documentation License, Version 1.3", "GFDL-1.3-only"),
        ("SPDX-License-Identifier: MIT", "MIT"),
        ("GNU Free Documentation License v1.2 only", "GFDL-1.2-only"),
        ("GNU Free Documentation License v1.1 or later", "GFDL-1.1-or-later"),
        ("GFDL-1.2-no-invariants-only", "GFDL-1.2-no-invariants-only"),
        ("GPL-3.0+", "GPL-3.0-or-later"),
        ("GPL-2.0", "GPL-2.0-only"),
        ("Licence Art Libre 1.2", "LAL-1.2"),
        ("MPL-2.0", "MPL-2.0"),
        ("Creative Commons 署名-非商业性使用-禁止演绎 4.0", "CC-BY-NC-ND-4.0"),
        ("Creative Commons Attribution-NonCommercial-NoDerivatives 4.0 International", "CC-BY-NC-ND-4.0"),
        ("Creative Commons Attribution-NoDerivs 3.0 Unported", "CC-BY-ND-3.0"),
        (
            "Creative Commons Attribution - Pas d'Utilisation Commerciale - Partage dans les Mêmes Conditions 4.0",
            "CC-BY-NC-SA-4.0",
        ),
        ("Creative Commons Reconocimiento-NoComercial-CompartirIgual 4.0", "CC-BY-NC-SA-4.0"),
        ("CC BY-NC 4.0: hanya untuk tujuan nonkomersial", "CC-BY-NC-4.0"),
        ("Kode sumber di bawah MIT License", "MIT"),
    ],
)
def test_licences_that_do_not_let_the_library_copy_are_named_and_refused(text, licence):
    verdict = read_licence(text=text)
    assert (verdict.licence, verdict.reusable) == (licence, False)


@pytest.mark.parametrize(
    "text",
    [
        "Hak cipta dilindungi undang-undang.",
        "All rights reserved.",
        "Alle rechten voorbehouden",
        "Boleh disebarluaskan dengan menyebut sumber.",
        "Free for personal use",
        "Domain publik",
        "CC BY",
        "Lisensi Creative Commons",
        "Gambar ini tidak dilisensikan di bawah CC BY 4.0.",
        "This image is not released under CC BY-SA 4.0",
        "Lisensi CC BY 4.0 sudah tidak berlaku lagi untuk halaman ini",
        "CC BY 4.0 does not apply to the pictures",
        "Dibagikan tanpa lisensi CC BY 4.0",
        "Previously CC BY 4.0",
        "This work isn't licensed under https://creativecommons.org/licenses/by/4.0/",
        "Foto milik pribadi",
        "by 4.0",
        "",
    ],
)
def test_what_names_no_licence_allows_nothing(text):
    verdict = read_licence(text=text)
    assert (verdict.licence, verdict.reusable) == (None, False)
    assert verdict.reason


@pytest.mark.parametrize(
    "text",
    [
        "CC BY 4.0 and CC BY-NC 4.0",
        "© Museum. All rights reserved. CC BY 4.0",
        "CC BY-SA 4.0. Dilarang memperbanyak tanpa izin.",
        "CC BY 4.0, hanya untuk penggunaan nonkomersial",
        "CC BY 4.0 / CC0",
        "CC BY 4.0, no commercial use",
        "CC BY 4.0. Gambar tidak boleh diubah.",
        "http://rightsstatements.org/vocab/InC/1.0/ CC BY 4.0",
    ],
)
def test_contradicting_statements_allow_nothing(text):
    assert not read_licence(text=text).reusable
    assert "conflict" in read_licence(text=text).reason


@pytest.mark.parametrize(
    ("html", "licence"),
    [
        (f'<a rel="license" href="{CC}/licenses/by/4.0/">CC</a>', "CC-BY-4.0"),
        ("<link rel=license href=//creativecommons.org/licenses/by-sa/4.0/>", "CC-BY-SA-4.0"),
        (f'<a class=x href="{CC}/licenses/by-sa/3.0/" REL="nofollow license">CC</a>', "CC-BY-SA-3.0"),
        (
            '<script type="application/ld+json">{"license":"https://creativecommons.org/licenses/by/4.0/"}</script>',
            "CC-BY-4.0",
        ),
        (
            '<script type="application/ld+json">[{"image":{"license":{"@id":"https://creativecommons.org/publicdomain/zero/1.0/"}}}]</script>',
            "CC0-1.0",
        ),
        ('<meta name="dcterms.license" content="CC BY-SA 4.0">', "CC-BY-SA-4.0"),
        (f'<div itemprop="license" content="{CC}/licenses/by/4.0/"></div>', "CC-BY-4.0"),
        (f'<meta property="og:license" content="{CC}/licenses/by/4.0/">', "CC-BY-4.0"),
        (f'<span itemprop="license">{CC}/licenses/by/4.0/</span>', "CC-BY-4.0"),
        ('<script type="application/ld+json">{"license":"CC BY-SA 4.0"}</script>', "CC-BY-SA-4.0"),
        (f'<p hidden>rahasia</p><img src="x.png" hidden><a href="{CC}/licenses/by/4.0/">CC</a>', "CC-BY-4.0"),
        ("<footer><p>Lisensi: CC&nbsp;BY&nbsp;4.0</footer>", "CC-BY-4.0"),
        (
            f'<link rel=license href="{CC}/licenses/by-sa/4.0/"><p>Bandingkan <a href="{CC}/licenses/by/4.0/">CC BY 4.0</a>',
            "CC-BY-SA-4.0",
        ),
    ],
)
def test_a_page_states_its_licence_for_machines_or_readers(html, licence):
    verdict = read_licence(html=html)
    assert (verdict.licence, verdict.reusable) == (licence, True)


@pytest.mark.parametrize(
    "html",
    [
        f'<!-- <a rel="license" href="{CC}/licenses/by/4.0/">CC</a> --><p>Foto',
        f'<script>var x = "{CC}/licenses/by/4.0/";</script>',
        f'<a rel="license" href="{CC}/licenses/by/4.0/">CC</a><p>Hak cipta dilindungi.',
        f'<a rel="license" href="{CC}/licenses/by/4.0/">a</a><a rel="license" href="{CC}/licenses/by-nc/4.0/">b</a>',
        f'<a rel="license" href="{CC}/licenses/by/4.0/">a</a><p>Gambar: CC BY-NC-ND 4.0',
        '<a rel="license" href="https://example.org/own">x</a>',
        f'<p>Foto tidak berlisensi <a href="{CC}/licenses/by/4.0/">CC BY 4.0</a></p>',
        f'<p>Not licensed under <a rel="license" href="{CC}/licenses/by/4.0/">Creative Commons</a></p>',
        f'<div style="display: none"><div></div><a rel="license" href="{CC}/licenses/by/4.0/">x</a></div><p>Teks',
        '<a rel="license" href="http://rightsstatements.org/vocab/InC/1.0/">In copyright</a> CC BY 4.0',
        "<p>Tanpa keterangan",
    ],
)
def test_a_page_that_hides_denies_or_contradicts_a_licence_allows_nothing(html):
    assert not read_licence(html=html).reusable


def test_attribution_is_asked_where_the_licence_asks_it():
    assert read_licence(text="CC BY 4.0").attribution_required
    assert not read_licence(text="CC0 1.0").attribution_required


def test_a_profile_may_widen_what_is_reusable():
    assert read_licence(text="SPDX-License-Identifier: ODbL-1.0", also_reusable={"ODbL-1.0"}).reusable


@pytest.mark.parametrize(
    "piece",
    [
        "<",
        "<a ",
        "<!--",
        "<script ld+json>",
        "CC BY ",
        "attribution creative commons ",
        "hak cipta ",
        "<a rel='license' href='",
    ],
)
def test_no_mark_repeated_makes_the_reader_slow(piece):
    started = time.process_time()
    read_licence(text=piece * 5_000, html=piece * 5_000)
    assert time.process_time() - started < 5


@settings(max_examples=150, derandomize=True, deadline=None)
@given(st.text(alphabet='CBYSAND04.- ©<>"=/:creativommnslh', max_size=120))
def test_any_text_gets_a_verdict(text):
    for verdict in (read_licence(text=text), read_licence(url=text), read_licence(html=text)):
        assert verdict.reason
        assert not (verdict.reusable and verdict.licence is None)


@pytest.mark.parametrize(
    "text",
    [
        "CC-BY-4.0 AND MIT",
        "SPDX-License-Identifier: CC-BY-4.0 AND LicenseRef-Proprietary",
        "SPDX-License-Identifier: CC-BY-4.0 AND (CC-BY-SA-4.0 OR CC-BY-NC-4.0)",
        "CC BY-SA 4.0 (Attribution-NonCommercial)",
        "CC BY 4.0, CC BY-ND",
    ],
)
def test_a_free_licence_bound_to_something_else_gives_nothing(text):
    assert not read_licence(text=text).reusable


@pytest.mark.parametrize(
    ("text", "licence"),
    [
        ("Teks tersedia di bawah Lisensi Atribusi-BerbagiSerupa Creative Commons 4.0", "CC-BY-SA-4.0"),
        ("Attribution-NonCommercial License, Creative Commons version 4.0", "CC-BY-NC-4.0"),
        ("Lisensi Atribusi-BerbagiSerupa Creative Commons", None),
        ("ＣＣ　ＢＹ－ＳＡ　４．０", "CC-BY-SA-4.0"),
    ],
)
def test_the_version_may_stand_behind_the_name_of_the_house_and_letters_may_be_wide(text, licence):
    assert read_licence(text=text).licence == licence


@pytest.mark.parametrize(
    "text",
    [
        "The text is CC BY 4.0 but the images are not.",
        "Isi situs ini berlisensi CC BY-SA 4.0, kecuali foto koleksi.",
        "CC BY 4.0. Gambar dilarang digunakan kembali.",
        "Free under CC0, however the museum reserves all rights.",
        "Tidak untuk diperjualbelikan. CC BY 4.0",
        "For non-commercial, educational use only. CC BY-SA 4.0",
    ],
)
def test_a_free_licence_with_a_reservation_beside_it_allows_nothing(text):
    assert not read_licence(text=text).reusable


def test_words_about_pictures_elsewhere_on_a_page_reserve_nothing():
    text = "Penari berpose, tetapi foto itu buram. Artikel ini berlisensi CC BY-SA 4.0."
    assert read_licence(text=text).reusable
