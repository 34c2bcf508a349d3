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


def test_a_song_named_after_a_dish_is_a_song() -> None:
    (song,) = read("<h1>Ayam Den Lapeh</h1><p>Ayam Den Lapeh adalah sebuah lagu daerah asal Sumatera Barat.</p>")
    assert song.category == "musik-dan-lagu"


def test_a_word_that_a_name_comes_from_is_no_place() -> None:
    (dance,) = read(
        "<h1>Tarian Zapin</h1><p>Tarian zapin merupakan tarian Melayu yang diiringi gambus; perkataan zapin berasal daripada "
        "Al-zaffan iaitu gerak kaki.</p>"
    )
    assert "Al-zaffan" not in {value for _, value in facts(dance)}


def test_the_place_of_a_find_ends_before_its_time() -> None:
    (stone,) = read(
        "<h1>Prasasti Bungkuk</h1><p>Prasasti ini ditemukan di Desa Bungkuk, Kabupaten Lampung Timur pada 8 Maret 1985. "
        "Prasasti ini beraksara Pallawa, dan berbahasa Melayu Kuno.</p>"
    )
    assert {
        ("tempat-penemuan", "Desa Bungkuk, Kabupaten Lampung Timur"),
        ("aksara", "Pallawa"),
        ("bahasa", "Melayu Kuno"),
    } <= facts(stone)


def test_the_items_own_name_is_no_value() -> None:
    (flute,) = read(
        "<h1>Saluang</h1><p>Saluang adalah alat musik tradisional dari Sumatera Barat.</p><p>Fungsi : Saluang</p><p>Bahan : bambu</p>"
    )
    assert ("fungsi", "Saluang") not in facts(flute)
    assert ("bahan", "bambu") in facts(flute)


def test_a_clause_with_a_verb_is_no_member() -> None:
    (dish,) = read(
        "<h1>Gudeg</h1><p>Gudeg adalah hidangan khas Yogyakarta. Terbuat dari nangka muda yang dimasak dengan santan dan bumbu "
        "rempah, gudeg memiliki rasa manis.</p>"
    )
    assert {value for attribute, value in facts(dish) if attribute == "bahan"} == {
        "nangka muda",
        "santan",
        "bumbu rempah",
    }


def test_a_new_subject_is_no_member() -> None:
    page = (
        "<h1>Jenis-Jenis Jamu</h1><ul><li>Jamu Cabe Puyang: Terbuat dari cabe jawa dan rimpang lempuyang, jamu ini pahit.</li>"
        "<li>Jamu Beras Kencur: Terbuat dari beras dan kencur, jamu ini manis.</li></ul>"
    )
    found = {item.name: facts(item) for item in read(page)}
    assert found["Jamu Cabe Puyang"] == {("bahan", "cabe jawa"), ("bahan", "rimpang lempuyang")}
    assert found["Jamu Beras Kencur"] == {("bahan", "beras"), ("bahan", "kencur")}


def test_of_its_kind_by_name_alone_is_not_enough() -> None:
    assert (
        read(
            "<h1>Upacara Bendera</h1><p>Upacara bendera adalah kegiatan yang dilaksanakan setiap hari Senin di sekolah. "
            "Tujuannya adalah menanamkan disiplin.</p>"
        )
        == []
    )


def test_what_a_sauce_is_made_of_is_not_what_the_dish_is_made_of() -> None:
    (dish,) = read(
        "<html lang='en'><h1>Pempek</h1><p>Pempek is a savoury fishcake from Palembang, South Sumatra, made of fish and tapioca. It is "
        "served with a sauce called cuko, which is made from palm sugar, vinegar and chili.</p></html>"
    )
    assert {value for attribute, value in facts(dish) if attribute == "bahan"} == {"ikan", "tapioka"}


def test_a_phrase_before_another_clause_is_left_and_a_list_does_not_end_with_a_joint() -> None:
    page = (
        "<h1>Rabab</h1><p>Rabab adalah alat musik tradisional suku Dayak. Rabab dimainkan dengan cara digesek seperti biola dan hanya "
        "memiliki satu dawai. Alat musik ini dibuat dari kayu serta</p>"
    )
    told = facts(read(page)[0])
    assert not any(attribute == "cara-memainkan" for attribute, _ in told)
    assert ("bahan", "kayu") in told


def test_two_numbers_of_players_are_told_together() -> None:
    page = (
        "<h1>Mappadendang</h1><p>Mappadendang adalah permainan tradisional suku Bugis. "
        "Mappadendang biasanya dilakukan oleh 6 perempuan dan 4 pria.</p>"
    )
    assert ("jumlah-pemain", "6 perempuan dan 4 pria") in facts(read(page)[0])


def test_the_time_of_a_rite_does_not_say_by_whom() -> None:
    page = (
        "<h1>Palang Pintu</h1><p>Palang Pintu adalah tradisi masyarakat Betawi yang dijalankan oleh keluarga mempelai "
        "ketika menggelar upacara pernikahan.</p>"
    )
    assert ("waktu", "ketika menggelar upacara pernikahan") in facts(read(page)[0])


def test_what_is_like_another_thing_is_not_from_its_land() -> None:
    page = (
        "<h1>Entebong</h1><p>Entebong adalah alat musik Kalimantan Barat. "
        "Entebong merupakan sejenis gendang yang ada di wilayah Pulau Jawa.</p>"
    )
    assert read(page)[0].regions == ("ID-KB",)


def test_a_kind_of_one_people_is_a_class() -> None:
    page = (
        "<h1>Ragam permainan</h1><p>Permainan tradisional Bugis adalah jenis permainan yang dimiliki masyarakat suku Bugis.</p>"
        "<p>Selanjutnya, ada pula jatung utang yang merupakan alat musik milik suku Dayak Kenyah di Kalimantan Timur.</p>"
    )
    assert [item.name.casefold() for item in read(page)] == ["jatung utang"]


def test_the_meaning_of_one_part_of_a_name_is_not_that_of_the_name() -> None:
    page = (
        "<h1>Binte Biluhuta</h1><p>Binte Biluhuta adalah makanan khas Gorontalo. "
        "Nama “binte” berarti jagung, sedangkan “biluhuta” berarti disiram.</p>"
    )
    assert all(attribute != "arti-nama" for attribute, _ in facts(read(page)[0]))


def test_tastes_after_materials_are_no_materials() -> None:
    page = (
        "<h1>Binte Biluhuta</h1><p>Binte Biluhuta adalah makanan khas Gorontalo. Makanan ini terbuat dari jagung, ikan, dan udang yang "
        "diracik dengan cita rasa manis, asin, dan pedas.</p>"
    )
    assert {value for attribute, value in facts(read(page)[0]) if attribute == "bahan"} == {"jagung", "ikan", "udang"}


def test_what_opens_with_the_name_of_another_house_is_not_of_this_one() -> None:
    page = (
        "<h1>Rumah Bolon</h1><p>Rumah Bolon adalah rumah adat suku Batak Toba. Rumah adat Bagas Godang adalah milik orang Mandailing. "
        "Rumah ini berfungsi sebagai tempat tinggal raja.</p>"
    )
    assert all(attribute != "fungsi" for attribute, _ in facts(read(page)[0]))


def test_names_are_neither_sites_nor_numbers_in_order() -> None:
    page = (
        "<h1>7 Makanan Khas Gorontalo</h1><p>KOMPAS.com - Bagi Anda di Gorontalo, jangan lewatkan makanan khas ini.</p>"
        "<p>Pertama makanan khas Gorontalo yang terkenal adalah sate tuna yang terbuat dari ikan tuna.</p>"
        "<p>Binthe Biluhuta namanya, merupakan kuliner khas Gorontalo yang berbahan dasar jagung.</p>"
    )
    assert "Binthe Biluhuta" in [item.name for item in read(page)]
    assert not any(item.name.startswith(("KOMPAS", "Pertama")) for item in read(page))
