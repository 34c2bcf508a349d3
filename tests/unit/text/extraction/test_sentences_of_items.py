"""What sentences say of an item, and what they do not."""

from __future__ import annotations

from tests.unit.text.extraction.pages import facts, read


def test_what_opens_with_a_verb_is_no_subject() -> None:
    (play,) = read(
        "<h1>Randai</h1><p>Bersumber dari kaba, yakni cerita yang hidup di tengah masyarakat, randai merupakan teater rakyat "
        "Minangkabau.</p>"
    )
    assert (play.name, play.category) == ("Randai", "seni-pertunjukan")
    assert ("suku", "Minangkabau") in facts(play)


def test_a_region_in_the_name_of_a_person_is_no_origin() -> None:
    (song,) = read(
        "<h1>Manuk Dadali</h1><p>Manuk Dadali merupakan lagu daerah Jawa Barat ciptaan Sambas Mangundikarta.</p>"
    )
    assert song.regions == ("ID-JB",)
    assert ("pencipta", "Sambas Mangundikarta") in facts(song)


def test_a_new_clause_ends_a_list() -> None:
    (dance,) = read(
        "<h1>Joget Dangkung</h1><p>Joget dangkung ialah tarian orang Melayu di Kepulauan Riau. Tarian ini diiringi biola, gendang "
        "dan gong, dan lazim dipersembahkan di majlis perkahwinan.</p>"
    )
    assert {value for attribute, value in facts(dance) if attribute == "iringan"} == {"biola", "gendang", "gong"}


def test_the_last_member_belongs_to_what_is_listed() -> None:
    (book,) = read(
        "<h1>Pustaha Laklak</h1><p>Pustaha laklak adalah naskah kuno suku Batak. Isinya antara lain tentang pengobatan, "
        "penanggalan, dan ramalan.</p>"
    )
    assert ("isi", "pengobatan, penanggalan, dan ramalan") in facts(book)


def test_sentences_below_a_label_speak_of_it() -> None:
    (ornament,) = read(
        "<h1>Kerawang Gayo</h1><p>Kerawang Gayo adalah ragam hias khas suku Gayo di Aceh.</p>"
        "<h2>Warna</h2><p>Ada tiga warna yang digunakan, yaitu hitam, merah, dan kuning.</p>"
    )
    assert {value for attribute, value in facts(ornament) if attribute == "warna"} == {"hitam", "merah", "kuning"}


def test_an_adjective_of_a_people_says_whose_a_thing_is() -> None:
    (drama,) = read(
        "<html lang='en'><h1>Wayang wong</h1><p>Wayang wong is a Javanese dance drama in which human actors take the roles of the "
        "puppets.</p></html>"
    )
    assert ("asal-daerah", "Jawa") in facts(drama)


def test_what_is_cooked_with_an_ingredient_is_one_too() -> None:
    (dish,) = read(
        "<h1>Seblak</h1><p>Seblak adalah makanan khas Bandung yang terbuat dari kerupuk basah yang dimasak dengan telur, sosis, "
        "dan bakso.</p>"
    )
    found = {value for attribute, value in facts(dish) if attribute == "bahan"}
    assert {"kerupuk basah", "telur", "sosis", "bakso"} <= found


def test_medicine_without_a_tradition_and_the_house_of_a_grandmother_are_no_items() -> None:
    assert read("<h1>Paracetamol</h1><p>Paracetamol adalah obat untuk meredakan demam dan nyeri.</p>") == []
    assert read("<h1>Ke Rumah Nenek</h1><p>Rumah nenek adalah rumah joglo yang terbuat dari kayu jati.</p>") == []
