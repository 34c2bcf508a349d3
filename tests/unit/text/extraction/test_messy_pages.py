"""Pages as people write them: slips of spelling, room round hyphens, headers without marks, names told in passing."""

from __future__ import annotations

import pytest
from tests.unit.text.extraction.pages import facts, read

from lumbung.model.candidate import Candidate
from lumbung.text.extraction.misspellings import differ_in_one
from lumbung.text.extraction.titles import with_whole_words


def values(item: Candidate, attribute: str) -> set[str]:
    return {value for code, value in facts(item) if code == attribute}


def named(found: list[Candidate], name: str) -> Candidate:
    return next(item for item in found if item.name == name)


@pytest.mark.parametrize(
    ("left", "right", "same"),
    [
        ("congklak", "conglak", True),
        ("gatrik", "gatrek", True),
        ("gasing", "gasing", False),
        ("gasing", "gasingan", False),
        ("gasing", "basing", False),
        ("kasti", "kaster", False),
    ],
)
def test_a_slip_is_one_letter(left: str, right: str, same: bool) -> None:
    assert differ_in_one(left, right) is same


def test_a_slip_in_the_text_is_the_name_still() -> None:
    (game,) = read(
        "<h1>Permainan Tradisional Congklak</h1><p>Congklak adalah permainan tradisional Jawa. "
        "Conglak dimainkan oleh dua orang.</p>"
    )
    assert values(game, "jumlah-pemain") == {"dua orang"}


def test_a_word_said_twice_is_one_whatever_stands_round_its_hyphen() -> None:
    (game,) = read(
        "<h1>MEGOAK –GOAKAN, PERMAINAN TRADISIONAL BULELENG</h1>"
        "<p>Megoak – goakan merupakan permainan tradisional dari Buleleng.</p>"
        "<p>Megoak-goakan dimainkan saat perayaan Nyepi.</p>"
    )
    assert game.name == "Megoak-Goakan"
    assert values(game, "asal-daerah") == {"Buleleng"}


@pytest.mark.parametrize(
    ("written", "read_as"),
    [
        ("Megoak – Goakan", "Megoak-Goakan"),
        ("Jali -Jali", "Jali-Jali"),
        ("Batik – Batik Tulis", "Batik – Batik Tulis"),
        ("Tari Bali – Balinese Dance", "Tari Bali – Balinese Dance"),
    ],
)
def test_room_round_a_hyphen_parts_no_word(written: str, read_as: str) -> None:
    assert with_whole_words(written) == read_as


def test_who_says_it_stands_before_the_clause() -> None:
    (rite,) = read(
        "<h1>Tradisi Petik Laut</h1><p>Ketua panitia, Bapak Anu, mengatakan, Petik Laut merupakan tradisi nelayan Banyuwangi.</p>"
        "<p>Ia menjelaskan bahwa tradisi ini bertujuan agar nelayan selamat dan mendapat hasil yang baik.</p>"
    )
    assert rite.name == "Tradisi Petik Laut"
    assert values(rite, "tujuan") == {"agar nelayan selamat dan mendapat hasil yang baik"}


def test_what_is_called_so_below_the_heading_of_a_kind_is_an_item() -> None:
    found = read(
        "<h1>Senjata Tradisional Maluku</h1><h2>Tombak</h2><p>Maluku memiliki tombak untuk menangkap ikan. "
        "Tombak khas Maluku ini disebut kalawai.</p><p>Gagang kalawai terbuat dari bambu.</p>"
    )
    fish_spear = named(found, "Kalawai")
    assert fish_spear.category == "senjata-dan-alat-perang"
    assert values(fish_spear, "bahan") == {"bambu"}


def test_a_name_that_the_text_does_not_use_again_makes_no_item() -> None:
    found = read(
        "<h1>Senjata Tradisional Maluku</h1><h2>Tombak</h2><p>Tombak khas Maluku ini disebut kalawai.</p>"
        "<p>Gagangnya terbuat dari bambu.</p>"
    )
    assert all(item.name != "Kalawai" for item in found)


def test_the_first_row_of_a_table_heads_its_columns() -> None:
    found = read(
        "<h1>Minuman Khas Betawi</h1><table><tr><td>Minuman</td><td>Ciri Khas</td><td>Fungsi Sosial/Budaya</td></tr>"
        "<tr><td>Bir Pletok</td><td>Rempah</td><td>Penghangat tubuh, simbol keakraban</td></tr>"
        "<tr><td>Es Selendang Mayang</td><td>Santan</td><td>Sajian pesta pernikahan</td></tr></table>"
    )
    assert values(named(found, "Bir Pletok"), "fungsi") == {"Penghangat tubuh"}


def test_glosses_in_brackets_end_no_list() -> None:
    (weapon,) = read(
        "<h1>Parang Salawaku</h1><p>Parang salawaku adalah senjata tradisional Maluku. "
        "Parang salawaku terdiri atas dua bagian, yakni parang (pisau panjang) serta salawaku (perisai).</p>"
    )
    assert values(weapon, "bagian") == {"parang", "salawaku"}


def test_a_tale_tells_its_setting_its_moral_and_what_it_is() -> None:
    (tale,) = read(
        "<h1>Legenda Si Lancang</h1><p>Legenda Si Lancang merupakan cerita rakyat Melayu.</p>"
        "<p>Cerita rakyat ini berlatar belakang di Kabupaten Kampar.</p>"
        "<p>Pesan moral cerita rakyat ini adalah supaya anak berbakti kepada orang tuanya, terutama kepada ibunya.</p>"
    )
    assert values(tale, "latar") == {"Kabupaten Kampar"}
    assert values(tale, "jenis-cerita") == {"legenda"}
    assert values(tale, "amanat") == {"supaya anak berbakti kepada orang tuanya, terutama kepada ibunya"}


def test_a_part_that_is_shown_tells_of_the_thing() -> None:
    (house,) = read(
        "<h1>Mbaru Niang</h1><p>Mbaru Niang adalah rumah adat Manggarai. "
        "Bentuk kerucut ini menyimbolkan perlindungan dan persatuan.</p>"
    )
    assert values(house, "makna") == {"perlindungan dan persatuan"}


def test_a_way_of_making_is_told_to_its_end() -> None:
    (dish,) = read(
        "<h1>Geguduh</h1><p>Geguduh adalah makanan khas Lampung. "
        "Geguduh dibuat dengan cara mencampur pisang dengan tepung terigu kemudian digoreng.</p>"
    )
    assert values(dish, "cara-pembuatan") == {"mencampur pisang dengan tepung terigu kemudian digoreng"}


def test_a_noun_that_ends_the_name_tells_no_fact() -> None:
    (rite,) = read(
        "<h1>Larung Sesaji</h1><p>Larung sesaji adalah upacara adat di pesisir Jawa Timur. "
        "Sesajinya berupa kepala kerbau dan bunga.</p>"
    )
    assert values(rite, "sajian") == {"kepala kerbau", "bunga"}


def test_first_of_all_is_no_former_time() -> None:
    (dish,) = read(
        "<h1>Geguduh</h1><p>Geguduh adalah makanan khas Lampung. "
        "Geguduh enak disantap hangat, jadi siapkan dulu teh yang panas untuk menemaninya.</p>"
    )
    assert values(dish, "sejarah") == set()


def test_brackets_before_a_name_are_no_other_name() -> None:
    (song,) = read(
        "<h1>Lagu Bolelebo</h1><p>(ilustrasi) Lagu Bolelebo merupakan lagu daerah dari Nusa Tenggara Timur.</p>"
    )
    assert song.aliases == ()
    assert values(song, "nama-lain") == set()


def test_what_a_colon_still_has_to_tell_and_who_uses_it_is_no_meaning_and_no_use() -> None:
    (dress,) = read(
        "<h1>Baju Pokko</h1><p>Baju Pokko merupakan baju adat Toraja yang digunakan untuk kaum wanita.</p>"
        "<p>Baju Pokko mencerminkan beberapa nilai penting, antara lain:</p><ul><li>kesopanan</li></ul>"
    )
    assert values(dress, "fungsi") == set()
    assert not any("antara lain" in value for value in values(dress, "makna"))


def test_letters_that_people_take_for_an_apostrophe_are_one() -> None:
    (dish,) = read("<h1>Pa’piong</h1><p>Pa'piong adalah masakan khas Toraja yang dimasak dalam bambu.</p>")
    assert dish.name == "Pa’piong"
    assert values(dish, "suku") == {"Toraja"}


def test_itself_is_no_word_of_a_name() -> None:
    (dish,) = read("<h2>gudeg</h2><p>Gudeg itu sendiri merupakan masakan yang berbahan utama nangka muda.</p>")
    assert (dish.name, values(dish, "bahan")) == ("Gudeg", {"nangka muda"})


def test_what_its_kind_calls_it_is_of_that_kind_where_the_title_above_names_a_land() -> None:
    (carving,) = read(
        "<h1>Ukiran Toraja</h1><h2>Pa' Sempa</h2><p>Ukiran Pa' Sempa adalah tanda silang yang berarti larangan. "
        "Ukiran ini melambangkan kejujuran.</p>"
    )
    assert (carving.category, values(carving, "makna")) == ("ornamen", {"kejujuran"})
    assert read("<h1>Upacara Bendera</h1><p>Upacara bendera adalah kegiatan setiap hari Senin.</p>") == []


def test_a_land_in_the_capitals_of_a_heading_is_written_as_its_name() -> None:
    found = read(
        "<h1>MAKANAN KHAS BIMA</h1><h2>1. Uta Palumara</h2><p>Uta Palumara adalah masakan dari ikan bandeng.</p>"
        "<h2>2. Jame Mangge</h2><p>Jame Mangge adalah sambal yang terbuat dari asam muda.</p>"
    )
    assert [values(dish, "asal-daerah") for dish in found] == [{"Bima"}, {"Bima"}]
