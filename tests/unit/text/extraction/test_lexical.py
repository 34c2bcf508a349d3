"""The lexical extractor: candidates whose every fact is a span of the page."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.unit.text.extraction.pages import GAZETTEER, PROFILE, facts, read

from lumbung.model.candidate import PageKind, PageText
from lumbung.text.extraction.lexical import extract
from lumbung.text.markup import read_page


def test_a_definition_gives_category_region_and_what_it_says() -> None:
    (angklung,) = read(
        "<h1>Angklung</h1><p>Angklung adalah alat musik tradisional dari Jawa Barat yang terbuat dari bambu.</p>"
    )
    assert (angklung.name, angklung.category, angklung.regions) == ("Angklung", "alat-musik", ("ID-JB",))
    assert facts(angklung) == {("asal-daerah", "Jawa Barat"), ("bahan", "bambu")}
    assert angklung.parked is None


def test_members_of_a_list_are_facts_of_their_own() -> None:
    (rendang,) = read(
        "<h1>Rendang</h1><p>Rendang adalah masakan khas Minangkabau. Bahan utamanya adalah daging sapi, santan, dan cabai merah.</p>"
    )
    assert {value for attribute, value in facts(rendang) if attribute == "bahan"} == {
        "daging sapi",
        "santan",
        "cabai merah",
    }


def test_ingredients_lose_their_amounts_and_steps_stay_together() -> None:
    (klepon,) = read(
        "<h1>Resep Klepon</h1><p>Klepon adalah jajanan tradisional dari Jawa.</p><h2>Bahan</h2><ul><li>200 gram tepung ketan</li>"
        "<li>1/2 butir kelapa parut</li><li>garam secukupnya</li></ul><h2>Cara membuat</h2><ol><li>Uleni tepung.</li><li>Rebus hingga mengapung.</li></ol>"
    )
    assert klepon.name == "Klepon"
    assert {value for attribute, value in facts(klepon) if attribute == "bahan"} == {
        "tepung ketan",
        "kelapa parut",
        "garam",
    }
    assert ("cara-pembuatan", "Uleni tepung; Rebus hingga mengapung") in facts(klepon)


def test_names_in_brackets_and_after_or_are_other_names() -> None:
    (candidate,) = read(
        "<h1>Congklak</h1><p>Congklak (Jawa: dhakon), juga disebut dakon, adalah permainan tradisional dari Jawa.</p>"
    )
    assert candidate.aliases == ("Dakon", "Dhakon")


@pytest.mark.parametrize(
    "sentence",
    [
        "Konon tarian ini diciptakan oleh Ki Ageng Palsu.",
        "Tarian ini tidak diiringi gamelan.",
        "Diduga tarian ini diciptakan pada tahun 1820.",
        "Tarian ini bukan berasal dari Bali.",
        "Kendang terbuat dari kulit sapi.",
        "Menurut cerita, tarian ini berfungsi untuk memanggil hujan.",
        "Kata gambyong berasal dari Bali.",
    ],
)
def test_hearsay_denial_and_other_subjects_give_no_plain_fact(sentence: str) -> None:
    (candidate,) = read(
        f"<h1>Tari Gambyong</h1><p>Tari Gambyong adalah tarian yang berasal dari Surakarta. {sentence}</p>"
    )
    assert facts(candidate) == {("asal-daerah", "Surakarta")}


def test_several_items_under_headings_are_several_candidates() -> None:
    found = read(
        "<h1>2 Alat Musik Sunda</h1><h2>1. Angklung</h2><p>Angklung adalah alat musik dari Jawa Barat.</p>"
        "<h2>2. Calung</h2><p>Ini merupakan alat musik Sunda. Alat musik ini terbuat dari bambu.</p>"
    )
    assert [candidate.name for candidate in found] == ["Angklung", "Calung"]
    assert ("bahan", "bambu") in facts(found[1])
    assert ("bahan", "bambu") not in facts(found[0])


def test_rows_of_a_table_of_items_are_several_candidates() -> None:
    found = read(
        "<h1>Rumah Adat Nusantara</h1><p>Berikut adalah nama dan asal rumah adat yang ada di Indonesia.</p><table><tr><th>Nama</th><th>Asal</th></tr>"
        "<tr><td>Rumah Gadang</td><td>Sumatera Barat</td></tr><tr><td>Rumah Joglo</td><td>Jawa Tengah</td></tr></table>"
    )
    assert [(candidate.name, candidate.regions) for candidate in found] == [
        ("Rumah Gadang", ("ID-SB",)),
        ("Rumah Joglo", ("ID-JT",)),
    ]


@pytest.mark.parametrize(
    "html",
    [
        "<h1>Daftar Tarian Jawa Tengah</h1><ul><li>Tari Gambyong</li><li>Tari Serimpi</li><li>Tari Bondan</li></ul>",
        "<h1>Tari Tradisional</h1><p>Tari tradisional adalah tarian yang berkembang di suatu daerah dan diwariskan turun-temurun.</p>",
        "<h1>Gesang</h1><p>Gesang adalah seorang penyanyi dan pencipta lagu dari Surakarta, Jawa Tengah.</p>",
        "<h1>Kota Solo</h1><p>Kota Solo adalah kota budaya di Jawa Tengah yang terkenal dengan batik dan gamelan.</p>",
        "<h1>Sushi</h1><p>Sushi adalah makanan tradisional Jepang yang terbuat dari nasi dan ikan mentah.</p>",
        "<h1>Mobile Legends</h1><p>Mobile Legends adalah permainan video yang dimainkan oleh sepuluh orang.</p>",
        "<body class=mediawiki><h1>Angklung</h1><p>Angklung adalah alat musik dari Jawa Barat yang terbuat dari bambu.</p>",
    ],
)
def test_what_is_no_item_gives_no_candidate(html: str) -> None:
    assert read(html) == []


def test_english_gives_names_regions_and_closed_vocabulary_in_indonesian() -> None:
    (saluang,) = read(
        "<h1>Saluang</h1><p>Saluang is a traditional flute from West Sumatra. It is made of bamboo and decorated by hand.</p>"
    )
    assert saluang.regions == ("ID-SB",)
    assert facts(saluang) == {("asal-daerah", "Sumatera Barat"), ("bahan", "bambu")}
    assert {fact.language for fact in saluang.facts} == {"eng"}


def test_dutch_gives_the_same() -> None:
    (kris,) = read(
        "<h1>Kris</h1><p>De kris is een traditioneel wapen uit Bali. Het lemmet is gemaakt van ijzer en nikkel.</p>"
    )
    assert facts(kris) == {("asal-daerah", "Bali"), ("bahan", "besi"), ("bahan", "nikel")}


def test_a_page_that_only_a_translator_can_read_waits_for_one() -> None:
    (gudeg,) = read(
        "<h1>Gudeg</h1><p>Gudeg iku panganan khas saka Yogyakarta sing digawe saka gori enom lan santen. Gudeg rasane legi amarga nganggo gula jawa.</p>"
    )
    assert (gudeg.parked, gudeg.facts) == ("needs-translation", ())


def test_head_and_genus_that_disagree_leave_the_category_open() -> None:
    (candidate,) = read(
        "<h1>Tari Kawung</h1><p>Tari Kawung adalah motif batik tradisional dari Jawa Tengah yang berbentuk bulatan.</p>"
    )
    assert (candidate.category, candidate.parked) == (None, "category-open")


def test_only_a_page_of_items_is_read() -> None:
    text = "Angklung adalah alat musik dari Jawa Barat."
    for kind in (PageKind.INDEX, PageKind.NOISE, PageKind.ENCYCLOPAEDIA):
        assert extract(PageText("Angklung", text, "ind", "Latn", kind), PROFILE, GAZETTEER) == []


WORDS = st.sampled_from(
    ["Angklung", "adalah", "alat musik", "dari", "Jawa Barat", "terbuat dari", "bambu", ",", ".", "dan", "yang", "(", ")", "Tari", "\n",
     "diiringi", "gamelan", "oleh", "pada tahun", "1820", "Bahan:", "konon", "tidak", "berarti", "<h2>", "</h2>", "<li>", "<td>", "ꦮꦪꦁ", "“", ":"]
)  # fmt: skip


@settings(max_examples=150, derandomize=True, deadline=None)
@given(st.lists(WORDS, max_size=40))
def test_every_quote_is_really_there_and_holds_its_place(words: list[str]) -> None:
    page = read_page("<h1>Angklung</h1><p>" + " ".join(words), "https://budaya.example/x")
    for candidate in extract(page, PROFILE, GAZETTEER):
        for fact in candidate.facts:
            assert fact.quote
            assert page.text[fact.start : fact.end] == fact.quote
            assert fact.value.strip()
            assert 0 < fact.confidence <= 1


def test_linked_data_counts_only_where_the_page_shows_it() -> None:
    (bika,) = read(
        '<script type="application/ld+json">{"@type":"Recipe","name":"Bika Ambon","recipeIngredient":["250 g tepung tapioka","emas murni"]}</script>'
        "<h1>Bika Ambon</h1><p>Bika Ambon merupakan kue khas Medan, Sumatera Utara.</p><div>250 g tepung tapioka</div><div>6 butir telur</div>"
    )
    assert ("bahan", "tepung tapioka") in facts(bika)
    assert not any("emas" in value for _, value in facts(bika))


def test_a_card_without_a_title_is_named_by_its_own_row() -> None:
    (remo,) = read(
        "<div><b>Nama:</b> Tari Remo<br><b>Asal:</b> Jombang, Jawa Timur<br><b>Fungsi:</b> penyambutan tamu</div>"
    )
    assert (remo.name, remo.category, remo.regions) == ("Tari Remo", "tarian", ("35.17", "ID-JI"))
    (mappacci,) = read(
        "<h1>Data warisan</h1><table><tr><th>Nama Karya Budaya</th><td>Mappacci</td></tr><tr><th>Provinsi</th>"
        "<td>Sulawesi Selatan</td></tr></table><p>Mappacci adalah upacara adat masyarakat Bugis.</p>"
    )
    assert facts(mappacci) == {("asal-daerah", "Sulawesi Selatan"), ("suku", "Bugis")}


def test_a_card_of_labels_alone_is_read() -> None:
    found = read(
        "<h1>Alat Musik Tradisional Sulawesi Tengah</h1><table><tr><th>Nama Alat Musik</th><th>Bahan</th><th>Tahun</th></tr>"
        "<tr><td>Ganda</td><td>kayu, kulit</td><td>2015</td></tr><tr><td>Lalove</td><td>bambu</td><td>2016</td></tr></table>"
    )
    assert [candidate.name for candidate in found] == ["Ganda", "Lalove"]
    told = {("bahan", "kayu"), ("bahan", "kulit"), ("asal-daerah", "Sulawesi Tengah")}
    assert facts(found[0]) == told, "the year of a list may be that of an award"


@pytest.mark.parametrize(
    ("html", "attribute", "values"),
    [
        ("<h1>Geplak</h1><p>Geplak adalah kue khas Bantul. Rasanya manis dan teksturnya padat.</p>", "rasa", {"manis"}),
        (
            (
                "<h1>Gedung Sate</h1><p>Gedung Sate adalah bangunan di Jawa Barat. Gedung ini dibangun pada tahun 1920 dan "
                "dirancang oleh J. Gerber.</p>"
            ),
            "penguasa",
            set(),
        ),
        (
            "<h1>Tari Gambyong</h1><p>Tari Gambyong adalah tari klasik. Tari ini diciptakan oleh K.R.T. Wreksodiningrat.</p>",
            "pencipta",
            {"K.R.T. Wreksodiningrat"},
        ),
        (
            (
                "<h1>Wayang Beber</h1><p>Wayang beber adalah seni wayang tradisional dari Pacitan. Wayang ini berasal dari "
                "zaman Majapahit.</p>"
            ),
            "asal-daerah",
            {"Pacitan"},
        ),
        (
            "<h1>Badik</h1><p>Badik adalah senjata tradisional masyarakat Bugis dan Makassar.</p>",
            "suku",
            {"Bugis", "Makassar"},
        ),
        ("<h1>Karapan Sapi</h1><p>Karapan sapi adalah lomba tradisional dari Pulau Madura.</p>", "suku", set()),
        (
            "<h1>Sekaten</h1><p>Sekaten adalah upacara tradisional yang diadakan setiap tahun di alun-alun Surakarta.</p>",
            "waktu",
            {"setiap tahun"},
        ),
    ],
)
def test_a_value_ends_where_another_clause_begins(html: str, attribute: str, values: set[str]) -> None:
    (candidate,) = read(html)
    assert {value for name, value in facts(candidate) if name == attribute} == values


@pytest.mark.parametrize(
    ("html", "name"),
    [
        (
            "<h1>Permainan Tradisional Egrang</h1><p>Egrang adalah permainan tradisional dari bambu dari Jawa Tengah.</p>",
            "Egrang",
        ),
        (
            "<h1>Babad Tanah Jawi</h1><p>Babad Tanah Jawi adalah naskah berbahasa Jawa yang disimpan di Perpustakaan Nasional.</p>",
            "Babad Tanah Jawi",
        ),
        (
            "<h1>Asal Usul Nama Banyuwangi</h1><p>Asal usul nama Banyuwangi adalah cerita rakyat dari Jawa Timur.</p>",
            "Asal Usul Nama Banyuwangi",
        ),
        ("<h1>Tari Angguk</h1><p>Tari Angguk merupakan kesenian tradisional dari Kulon Progo.</p>", "Tari Angguk"),
    ],
)
def test_the_name_is_the_one_the_page_uses(html: str, name: str) -> None:
    (candidate,) = read(html)
    assert (candidate.name, candidate.parked) == (name, None)


@pytest.mark.parametrize(
    "html",
    [
        (
            "<h1>Hubungi Kami</h1><table><tr><td>Nama</td><td>Siti Aminah</td></tr><tr><td>Asal</td><td>Garut</td></tr></table>"
            "<p>Sanggar kami melatih tari jaipong.</p>"
        ),
        (
            "<h1>Profil Seniman</h1><table><tr><th>Nama</th><td>Didik Wahyudi</td></tr><tr><th>Asal</th><td>Temanggung</td></tr>"
            "<tr><th>Karya</th><td>Tari Dwimuka</td></tr></table>"
        ),
        (
            "<h1>Batik Tulis Lasem</h1><table><tr><th>Nama</th><td>Batik Tulis Lasem Premium</td></tr><tr><th>Harga</th>"
            "<td>Rp1.500.000</td></tr><tr><th>Bahan</th><td>katun</td></tr></table>"
        ),
    ],
    ids=["a form", "a person's card", "a shop's card"],
)
def test_cards_of_people_forms_and_shops_name_no_item(html: str) -> None:
    assert read(html) == []


@pytest.mark.parametrize(
    ("html", "attribute"),
    [
        (
            "<h1>Rebab</h1><p>Rebab adalah alat musik gesek dari Jawa. Rebab yang dimainkan di Turki terbuat dari tempurung.</p>",
            "bahan",
        ),
        (
            (
                "<h1>Serat Wulangreh</h1><p>Serat Wulangreh adalah naskah dari Surakarta. Naskah ini diterjemahkan ke dalam bahasa "
                "Inggris.</p>"
            ),
            "bahasa",
        ),
        (
            (
                "<h1>Rujak Cingur</h1><p>Rujak cingur adalah makanan khas Surabaya.</p><h2>Bahan</h2><p>Kata orang bahannya susah "
                "dicari, tapi sebenarnya mudah.</p>"
            ),
            "bahan",
        ),
        (
            "<h1>Rujak Cingur</h1><p>Rujak cingur adalah makanan khas Surabaya.</p><h2>Penyajian</h2><p>Lihat video kami.</p>",
            "penyajian",
        ),
    ],
)
def test_what_is_said_of_others_or_to_readers_is_no_fact(html: str, attribute: str) -> None:
    (candidate,) = read(html)
    assert attribute not in {fact.attribute for fact in candidate.facts}
