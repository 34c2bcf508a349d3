"""Lines that head what stands below them, entries of lists, and words that look like values and are none."""

from __future__ import annotations

import pytest
from tests.unit.text.extraction.pages import PROFILE, facts, read

from lumbung.text.extraction.category import vocabulary_of
from lumbung.text.extraction.kinds import same_name

VOCABULARY = vocabulary_of(PROFILE)


def _values(html: str, attribute: str) -> set[str]:
    return {value for item in read(html) for code, value in facts(item) if code == attribute}


def test_lines_whose_name_the_words_below_take_up_are_headings() -> None:
    page = (
        "<h1>Teater Tradisional di Jawa</h1><p>Ludruk</p><p>Ludruk merupakan teater tradisional dari Jawa Timur yang "
        "diawali dengan tari remo.</p><p>Lenong</p><p>Lenong merupakan teater tradisional masyarakat Betawi yang diiringi "
        "gambang kromong.</p>"
    )
    found = {item.name: item for item in read(page)}
    assert list(found) == ["Ludruk", "Lenong"]
    assert found["Lenong"].regions[0] == "x-betawi"


def test_a_line_of_a_kind_a_name_and_a_land_heads_an_item() -> None:
    page = (
        "<p>Kliping Kelas Lima</p><p>TARI KECAK – BALI</p><p>Tari kecak dibawakan oleh puluhan penari laki-laki yang duduk "
        "melingkar sambil menyerukan cak.</p><p>TARI PIRING – SUMATERA BARAT</p><p>Tarian dari ranah Minang ini "
        "menggunakan properti piring yang diayunkan para penarinya.</p>"
    )
    found = {item.name: item for item in read(page)}
    assert list(found) == ["Tari Kecak", "Tari Piring"]
    assert "ID-SB" in found["Tari Piring"].regions


def test_pictures_before_a_name_are_no_part_of_it() -> None:
    page = (
        "<h1>Makanan Khas Kalimantan Selatan</h1><h2>🍜 Soto Banjar</h2><p>Soto Banjar adalah soto khas suku Banjar.</p>"
        "<h2>🍚 Nasi Kuning</h2><p>Nasi kuning merupakan hidangan khas Banjar yang dimasak dengan santan.</p>"
    )
    assert [item.name for item in read(page)] == ["Soto Banjar", "Nasi Kuning"]


def test_sections_below_a_heading_of_a_kind_are_of_that_kind() -> None:
    page = (
        "<h1>Kekayaan Kuliner Kalimantan Selatan</h1><p>Provinsi ini kaya akan hasil sungai.</p>"
        "<h2>Kuliner Khas yang Patut Dicoba</h2><h3>Ketupat Kandangan</h3><p>Ketupat Kandangan disajikan dengan ikan gabus "
        "panggang.</p>"
    )
    (item,) = read(page)
    assert (item.name, item.category) == ("Ketupat Kandangan", "makanan-minuman")


def test_an_entry_about_another_thing_of_the_kind_says_nothing_of_the_page_s_own() -> None:
    page = (
        "<h1>Jamu</h1><p>Jamu adalah obat tradisional dari Jawa yang terbuat dari bahan alami seperti akar, daun, dan kulit "
        "kayu.</p><ul><li>Jamu Beras Kencur: Terbuat dari beras dan kencur.</li>"
        "<li>Jamu Kunyit Asam: Terbuat dari kunyit dan asam jawa.</li></ul>"
    )
    found = {item.name: facts(item) for item in read(page)}
    assert list(found) == ["Jamu", "Jamu Beras Kencur", "Jamu Kunyit Asam"]
    assert ("bahan", "kencur") not in found["Jamu"]
    assert {("bahan", "beras"), ("bahan", "kencur")} <= found["Jamu Beras Kencur"]


def test_a_verb_that_may_say_what_a_thing_is_defines_it_where_a_kind_follows() -> None:
    page = "<h1>Tari Tor-Tor</h1><p>Tari Tor-Tor dikenal sebagai tari tradisional suku Batak di Sumatera Utara.</p>"
    (item,) = read(page)
    assert item.regions == ("x-batak", "ID-SU")
    page = "<h1>Pisang Epe</h1><p>Pisang epe menjadi salah satu makanan tradisional dari Sulawesi Selatan.</p>"
    (item,) = read(page)
    assert item.regions == ("ID-SN",)


def test_a_name_behind_its_kind_is_the_name() -> None:
    page = (
        "<h1>3 Makanan Khas Sulawesi</h1><h2>1. Makanan Khas Sulawesi Coto Makassar</h2><p>Coto Makassar adalah hidangan "
        "berkuah dari Makassar.</p><h2>2. Makanan Khas Sulawesi Pallubasa</h2><p>Seperti halnya coto, Pallubasa juga merupakan "
        "hidangan berkuah dari Makassar.</p><h2>3. Konro</h2><p>Makanan khas Sulawesi bernama konro merupakan hidangan dengan "
        "bahan dasar iga sapi.</p>"
    )
    assert [item.name for item in read(page)] == ["Coto Makassar", "Pallubasa", "Konro"]


@pytest.mark.parametrize("title", ["Anda di Halaman 1", "Panduan Menghadiri Pernikahan Adat Sunda"])
def test_words_to_readers_are_no_name(title: str) -> None:
    page = f"<h1>{title}</h1><p>Tradisi Pernikahan dari Jawa Barat</p><p>Upacara itu dipimpin tetua adat dari Jawa Barat, dan {title.lower()} akan menemuinya.</p>"
    assert title not in [item.name for item in read(page)]


@pytest.mark.parametrize(
    ("attribute", "values", "sentence"),
    [
        ("bahan", {"sagu"}, "Papeda terbuat dari sagu dan dimasak dengan cara diseduh air panas."),
        ("bahan", set(), "Papeda adalah bubur sagu yang disajikan dengan ikan yang dibumbui dengan kunyit."),
        ("bahan", set(), "Papeda mudah dibuat dan bahannya pun tidak sedikit."),
        ("bahan", {"sagu", "garam", "gula"}, "Papeda terbuat dari sagu yang dicampur dengan campuran garam dan gula."),
        ("bahan", {"sagu"}, "Papeda terbuat dari sagu yang biasa disajikan dengan ikan yang dibumbui dengan kunyit."),
        ("bahan", {"tepung sagu"}, "Papeda berbahan dasar utama tepung sagu, dan adonannya mirip lem."),
        ("bahan", {"air panas"}, "Papeda dimasak dengan menggunakan air panas."),
        ("nama-lain", set(), "Papeda dibuat di Sentani, daerah ini sering disebut Danau Biru."),
        ("arti-nama", set(), "Papeda makin jarang dibuat, hal ini berarti sagu perlu dijaga."),
        ("nama-lain", {"Linut", "Kapurung"}, "Papeda dikenal dengan berbagai nama lain, seperti Linut dan Kapurung."),
        ("fungsi", {"bekal"}, "Selain digunakan sebagai bekal, papeda juga menjadi makanan sehari-hari."),
    ],
)
def test_what_a_dish_is_said_to_be_made_of(attribute: str, values: set[str], sentence: str) -> None:
    page = f"<h1>Papeda</h1><p>Papeda adalah makanan khas Maluku. {sentence}</p>"
    assert _values(page, attribute) == values


def test_materials_end_where_the_subject_comes_after_them() -> None:
    page = "<h1>Kendang</h1><p>Kendang adalah alat musik tradisional Jawa. Terbuat dari kayu, kendang dimainkan dengan tangan.</p>"
    assert _values(page, "bahan") == {"kayu"}


def test_a_masterpiece_of_heritage_has_no_maker() -> None:
    page = (
        "<h1>Angklung</h1><p>Angklung adalah alat musik tradisional Sunda. Angklung terdaftar sebagai Karya Agung Warisan "
        "Budaya Lisan dan Nonbendawi Manusia.</p>"
    )
    assert _values(page, "pencipta") == set()


def test_a_land_whose_elements_a_dance_has_is_not_where_it_is_from() -> None:
    page = "<h1>Tari Jepen</h1><p>Tari Jepen adalah tarian tradisional suku Kutai yang memiliki unsur Melayu.</p>"
    (item,) = read(page)
    assert item.regions == ("x-kutai",)


def test_a_function_is_taken_without_what_the_sentence_tells_next() -> None:
    page = (
        "<h1>Suling</h1><p>Suling adalah alat musik tradisional Sunda. Suling digunakan untuk mengiringi tembang dan biasanya "
        "dimainkan bersama kacapi. Suling digunakan dalam pertunjukan degung.</p>"
    )
    assert _values(page, "fungsi") == {"mengiringi tembang"}


def test_a_caption_that_ran_into_a_sentence_does_not_double_the_name() -> None:
    page = (
        "<h1>2 Makanan Khas Maluku</h1><h2>1. Kohu-kohu</h2><p>Kohu-kohu Kohu-kohu merupakan makanan khas Maluku.</p>"
    )
    assert [item.name for item in read(page)] == ["Kohu-kohu"]


def test_who_explains_a_thing_is_no_part_of_its_name() -> None:
    page = (
        "<h1>Seni di Minangkabau</h1><h2>a. Randai</h2><p>Seorang peneliti menjelaskan randai adalah teater tradisional "
        "masyarakat Minangkabau.</p>"
    )
    assert [item.name for item in read(page)] == ["Randai"]


def test_the_long_name_of_a_land_in_brackets_is_no_item() -> None:
    page = (
        "<h1>3 Baju Adat Indonesia</h1><h2>1. NTT (Nusa Tenggara Timur): Pakaian Adat</h2><p>Pria memakai topi daun lontar.</p>"
        "<h2>2. Sulawesi Tengah: Baju Nggembe</h2><p>Baju Nggembe dikenakan oleh wanita.</p>"
    )
    assert [item.name for item in read(page)] == ["Baju Nggembe"]


def test_a_malay_page_from_beyond_the_border_is_read_like_any_other() -> None:
    page = (
        "<h1>Dikir Barat</h1><p>Dikir Barat ialah persembahan nyanyian tradisional Melayu yang popular di Kelantan.</p>"
    )
    assert [item.name for item in read(page)] == ["Dikir Barat"]


def test_what_is_longer_than_any_name_is_compared_with_none() -> None:
    title = "Tari Piring dan Tari Lilin " * 40
    assert not same_name(title, title, VOCABULARY)
    assert same_name("Tari Piring", "Piring", VOCABULARY)


def test_what_a_numbered_paragraph_tells_is_not_said_of_the_one_before() -> None:
    page = (
        "<h1>Masakan Khas Bangka</h1>"
        "<p>1. Lempah kuning adalah masakan berkuah dengan bahan utamanya ikan tenggiri.</p>"
        "<p>2. Sama halnya dengan itu, makanan khas Bangka ini digunakan sebagai bumbu masakan. Rasanya asam.</p>"
    )
    (found,) = read(page)
    assert found.name == "Lempah kuning"
    assert facts(found) == {
        ("bahan", "ikan tenggiri"),
        ("asal-daerah", "Bangka"),
        ("jenis-hidangan", "masakan berkuah"),
    }


def test_entries_that_open_with_a_kind_and_a_name_are_items_of_their_own() -> None:
    page = (
        "<h1>Batik Lasem</h1><p>Motifnya banyak dan masing-masing punya cerita.</p><ul>"
        "<li>Motif Latohan. Motif ini menggambarkan rumput laut yang dimakan nelayan.</li>"
        "<li>Motif Watu Kricak. Motif ini menggambarkan kerikil.</li></ul>"
    )
    found = {item.name: facts(item) for item in read(page)}
    assert set(found) == {"Motif Latohan", "Motif Watu Kricak"}
    assert ("unsur-motif", "rumput laut") in found["Motif Latohan"]
    assert found["Motif Watu Kricak"] == {("unsur-motif", "kerikil"), ("asal-daerah", "Lasem")}


def test_dances_in_the_plural_are_a_class() -> None:
    page = (
        "<h1>Tari-Tarian Tradisional Sulawesi Tengah</h1>"
        "<p>Tari Dero merupakan tarian khas suku Pamona yang melambangkan kebersamaan.</p>"
        "<p>Tari-tarian tradisional Sulawesi Tengah merupakan cerminan budaya masyarakatnya.</p>"
    )
    assert [item.name for item in read(page)] == ["Tari Dero"]


def test_the_example_in_the_title_of_a_list_is_not_the_only_item() -> None:
    page = (
        "<h1>5 Tarian Maluku, Salah Satunya Tari Lenso</h1>"
        "<p>Tari Lenso adalah tarian tradisional dari Maluku.</p>"
        "<p>Tari Cakalele adalah tari perang dari Maluku Utara.</p>"
    )
    assert [item.name for item in read(page)] == ["Tari Lenso", "Tari Cakalele"]


def test_what_is_said_of_one_form_is_not_said_of_the_thing() -> None:
    page = (
        "<h1>Tari Maengket</h1><p>Tari Maengket adalah tarian tradisional suku Minahasa. "
        "Maengket Makamberu merupakan salah satu jenis tarian yang diiringi tambor. "
        "Tarian ini ditarikan setelah panen. Tari Maengket melambangkan rasa syukur.</p>"
    )
    (found,) = read(page)
    told = {attribute for attribute, _ in facts(found)}
    assert "makna" in told
    assert told.isdisjoint({"iringan", "waktu"})


def test_another_ceremony_is_no_name() -> None:
    page = (
        "<h1>Upacara Adat di Sumba</h1><p>Selain Pasola, upacara adat lainnya di Pulau Sumba adalah upacara pemakaman. "
        "Upacara ini dilakukan sebagai bentuk penghormatan kepada leluhur.</p>"
    )
    assert all("lainnya" not in item.name for item in read(page))


def test_words_that_only_say_that_a_member_is_one_are_left_out() -> None:
    page = (
        "<h1>Gulai Belacan</h1><p>Gulai Belacan adalah makanan khas Riau. Gulai Belacan terdiri dari bahan udang, serai "
        "dan santan. Makanan ini berupa olahan masakan berbahan dasar udang. Gulai Belacan dimakan "
        "bersama nasi dan rasanya bikin ketagihan.</p>"
    )
    told = facts(read(page)[0])
    assert {value for attribute, value in told if attribute == "bahan"} == {"udang", "serai", "santan"}
    assert not any(attribute == "penyajian" for attribute, _ in told)
    assert not any(attribute == "fungsi" for attribute, _ in told)


def test_a_name_that_is_explained_part_by_part_has_no_meaning_of_its_own() -> None:
    page = (
        "<h1>Sampyong</h1><p>Sampyong adalah permainan tradisional dari Majalengka. Kata sampyong berasal dari kata sam yang berarti "
        "tiga dan pyong yang berarti pukulan.</p>"
    )
    assert _values(page, "arti-nama") == set()
