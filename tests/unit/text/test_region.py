from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lumbung.profiles.loader import load_profile
from lumbung.text.place import Place
from lumbung.text.region import Gazetteer

GAZETTEER = Gazetteer(load_profile("pdbi"))


def codes(text: str) -> list[str]:
    return list(dict.fromkeys(found.code for found in GAZETTEER.find(text)))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Tari Saman berasal dari suku Gayo di Kabupaten Gayo Lues, Aceh.", ["x-gayo", "11.13", "ID-AC"]),
        ("Seren Taun di Kuningan, Jawa Barat.", ["32.08", "ID-JB"]),
        ("Suku Baduy di Lebak, Banten", ["x-baduy", "36.02", "ID-BT"]),
        ("Ulos adalah kain tenun Batak Toba di sekitar Danau Toba.", ["x-batak-toba", "x-danau-toba"]),
        ("Rumah adat di Nias Selatan", ["12.14"]),
        ("tongkonan of the Toraja people in Tana Toraja Regency, South Sulawesi", ["x-toraja", "73.18", "ID-SN"]),
        ("Rendang is a dish of the Minangkabau people of West Sumatra.", ["x-minangkabau", "ID-SB"]),
        ("Noken dari Provinsi Papua Pegunungan", ["ID-PE"]),
        ("Kain dari Provinsi Papua Barat Daya dan Papua Selatan", ["ID-PD", "ID-PS"]),
        ("tenun Sumba Timur dan Lombok", ["53.11", "x-lombok"]),
        ("in the island of Flores", ["x-flores"]),
    ],
)
def test_places_peoples_and_cultural_regions_are_found(text, expected):
    assert codes(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("De wajang in Djokjakarta en Soerabaja", ["ID-YO", "35.78"]),
        ("te Buitenzorg en Batavia", ["32.71", "ID-JK"]),
        ("uit Atjeh en de Preanger, in Benkoelen en Menado", ["ID-AC", "x-priangan", "ID-BE", "71.71"]),
        (
            "Fort de Kock; Makasser op Celebes; Bandjermasin op Borneo",
            ["13.75", "73.71", "x-sulawesi", "63.71", "x-kalimantan"],
        ),
        ("Irian Jaya dan Ujung Pandang", ["x-papua", "73.71"]),
        ("Soematra, Djawa Tengah en Bodjonegoro", ["x-sumatera", "ID-JT", "35.22"]),
    ],
)
def test_old_and_colonial_names_lead_to_todays_regions(text, expected):
    assert codes(text) == expected
    assert all(found.via == "old-name" for found in GAZETTEER.find(text))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Flores", ["x-flores"]),
        ("Solo", ["33.72"]),
        ("Kuningan", ["32.08"]),
        ("penari solo", []),
        ("Patung dari kuningan", []),
        ("Kep. Riau", ["ID-KR"]),
        ("Kabupaten Kep. Seribu", ["31.01"]),
        ("Gunung Kidul", ["34.03"]),
        ("Bandarlampung", ["18.71"]),
        ("Bapak Ambon Purba tinggal di Jakarta", ["ID-JK"]),
    ],
)
def test_a_field_with_a_name_alone_short_forms_and_joined_spellings_are_read(text, expected):
    assert codes(text) == expected


def test_a_name_of_a_city_and_a_regency_is_left_open_at_their_province():
    (found,) = GAZETTEER.find("Kediri terkenal dengan tahu takwa.")
    assert (found.code, found.province, found.via) == ("ID-JI", "ID-JI", "open")


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("Kota Kediri", "35.71"),
        ("Kab. Kediri", "35.06"),
        ("Kabupaten Kediri", "35.06"),
        ("Bandung Regency", "32.04"),
        ("the city of Bandung", "32.73"),
        ("Kotamadya Solok", "13.72"),
        ("de stad Malang", "35.73"),
        ("Kabupaten Blitar dan Kediri", "35.06"),
    ],
)
def test_the_word_beside_a_name_settles_it(text, code):
    assert code in codes(text)


def test_the_same_name_with_its_word_elsewhere_settles_the_bare_one():
    found = GAZETTEER.find("Jaranan hidup di Kota Kediri. Di Kediri banyak sanggar.")
    assert [(region.code, region.via) for region in found] == [("35.71", "name"), ("35.71", "context")]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("Banjar, Jawa Barat", "32.79"),
        ("Soto Banjar adalah masakan khas Kalimantan Selatan.", "x-banjar"),
        ("Kerajaan Mataram di Jawa", "x-mataram"),
        ("Mataram, Nusa Tenggara Barat", "52.71"),
    ],
)
def test_other_regions_of_the_text_settle_a_name(text, code):
    assert code in codes(text)


def test_a_name_in_two_provinces_without_context_is_not_guessed():
    assert codes("Cerita dari Banjar.") == []


@pytest.mark.parametrize(
    "text",
    [
        "Batu itu besar. Palu digunakan untuk memukul.",
        "Kuningan adalah logam campuran.",
        "Topeng dari kuningan dan batu, dipahat dengan palu.",
        "Bima adalah putra Pandu; sang Bima gagah berani.",
        "Si Malang menangis.",
        "Java is a programming language, and JavaScript is another.",
        "Upacara di banjar-banjar.",
        "Selat Sunda dan Laut Jawa",
        "Sungai Musi; Danau Poso; Bengawan Solo",
        "Dari Sabang sampai Merauke",
        "Papua New Guinea dan Timor Leste",
        "Baliho, kebalikan, Sundawa",
        "solo dance and metro line",
        "A DIY project",
    ],
)
def test_common_words_persons_and_other_names_are_no_places(text):
    assert codes(text) == []


def test_a_dance_that_shares_its_name_with_a_people_is_not_taken_for_it():
    assert codes("Tari Rejang adalah tarian sakral di Bali.") == ["ID-BA"]
    assert codes("suku Rejang di Bengkulu") == ["x-rejang", "ID-BE"]


def test_bima_with_its_place_is_a_place():
    assert {found.province for found in GAZETTEER.find("Rimpu dipakai perempuan di Bima, Nusa Tenggara Barat.")} == {
        "ID-NB"
    }
    assert codes("Kabupaten Bima") == ["52.06"]


def test_a_word_that_stands_for_a_people_or_an_island_is_told_by_its_neighbour():
    assert codes("orang Jawa") == ["x-jawa"]
    assert codes("di pulau Jawa") == ["x-pulau-jawa"]


def test_papua_alone_is_not_taken_for_todays_smaller_province():
    (found,) = GAZETTEER.find("Noken dari Papua")
    assert (found.code, found.province) == ("x-papua", None)


def test_a_food_that_bears_a_foreign_towns_name_is_not_from_there():
    assert codes("Bika Ambon berasal dari Medan, Sumatera Utara.") == ["12.71", "ID-SU"]


def test_offsets_are_those_of_the_text_given():
    text = "“Wayang” dari Kota Surakarta — Jawa Tengah"
    assert [text[found.start : found.end] for found in GAZETTEER.find(text)] == ["Kota Surakarta", "Jawa Tengah"]


def test_the_hierarchy_relates_regions():
    related = GAZETTEER.related
    assert related("35.71", "ID-JI")
    assert related("x-minangkabau", "ID-SB")
    assert related("x-minangkabau", "13.06")
    assert related("x-batak", "x-batak-toba")
    assert related("-", "ID-JI")
    assert related("x-lombok", "x-sasak")
    assert not related("35.71", "35.06")
    assert not related("x-batak-toba", "x-batak-karo")
    assert not related("ID-JI", "ID-JB")
    assert not related("35.71", "no-such-code")


def test_provinces_of_a_region():
    assert GAZETTEER.province_of("32.73") == "ID-JB"
    assert GAZETTEER.province_of("x-dayak") is None
    assert GAZETTEER.provinces_of("x-dayak") == ("ID-KB", "ID-KT", "ID-KS", "ID-KI", "ID-KU")
    assert GAZETTEER.province_of("unknown") is None


def test_another_countrys_profile_finds_its_own_places_only():
    timor = Gazetteer(load_profile("timor-leste"))
    assert [found.code for found in timor.find("Tais from Lospalos by the Fataluku people, not from Bali.")] == [
        "TL-LA",
        "x-fataluku",
    ]


@settings(max_examples=150, derandomize=True, deadline=None)
@given(
    st.lists(
        st.sampled_from(
            [
                "Kediri",
                "Kota ",
                "Bali",
                ", ",
                "di ",
                "Banjar",
                "suku ",
                "Jawa ",
                "\n",
                "İ",
                "ß",
                "e\u0301",
                "-",
                "Papua",
            ]
        ),
        max_size=12,
    )
)
def test_any_mixture_of_names_gives_true_offsets_and_known_codes(parts):
    text = "".join(parts)
    reached = 0
    for found in GAZETTEER.find(text):
        assert reached <= found.start < found.end <= len(text)
        assert found.province is None or found.province.startswith("ID-")
        reached = found.end


@settings(max_examples=100, derandomize=True, deadline=None)
@given(st.text(max_size=200))
def test_any_text_is_read(text):
    GAZETTEER.find(text)


@pytest.mark.parametrize("level", ["regency", "city"])
def test_every_regency_and_city_is_found_by_its_name_and_word_in_two_languages(level):
    before, after = {"regency": ("Kabupaten", "Regency"), "city": ("Kota", "City")}[level]
    for region in load_profile("pdbi").regions.values():
        if region.level == level:
            assert isinstance(region, Place)
            for text in (f"berasal dari {before} {region.bare}.", f"in {region.bare} {after}, Indonesia"):
                assert codes(text) == [region.code], text


def test_every_province_and_people_is_found_by_its_name():
    for region in load_profile("pdbi").regions.values():
        if region.level == "province":
            assert codes(f"Provinsi {region.name}") == [region.code]
        elif region.level == "people":
            assert region.code in codes(f"masyarakat {region.name} memiliki tradisi"), region.name


def test_kabupaten_and_kota_together_leave_a_name_open():
    assert codes("Kabupaten/Kota Malang") == ["ID-JI"]


def test_many_mentions_are_settled_in_linear_time():
    assert len(GAZETTEER.find("Kediri Bali Kota Kediri " * 2000)) == 6000


def test_a_text_that_repeats_itself_endlessly_is_read_without_taking_up_every_name():
    found = GAZETTEER.find("Tari ini berasal dari Bali. " * 20_000)
    assert {each.code for each in found} == {"ID-BA"}
    assert len(found) < 5_000


def test_a_name_on_the_border_of_two_pieces_of_a_long_text_is_found():
    for lead in range(499_990, 500_003):
        assert [each.start for each in GAZETTEER.find("a" * (lead - 1) + " Kabupaten Gayo Lues, Aceh")] == [
            lead,
            lead + 21,
        ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Upacara di Kota Padang Sidempuan", ["12.77"]),
        ("Tenun dari Kabupaten Maluku Tenggara Barat", ["81.03"]),
        ("Kerajinan dari Kota Banjar Baru", ["63.72"]),
        ("Kerajinan dari Kota Banjar", ["32.79"]),
        ("Kabupaten Batang Hari dan Kabupaten Batang", ["15.04", "33.25"]),
        ("Sagu dari Kabupaten Mentawai", ["13.09"]),
        ("Sagu dari Kab. Mentawai", ["13.09"]),
        ("Tato orang Mentawai", ["x-mentawai"]),
    ],
)
def test_a_word_for_the_level_does_not_cut_a_longer_name_nor_hide_a_shorter_one(text, expected):
    assert codes(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("wisata kota medan", ["12.71"]),
        ("upacara di kab. agam", ["13.06"]),
        ("tenun prov nusa tenggara timur", ["ID-NT"]),
        ("tepung pati yang putih", []),
        ("ada lima puluh kota", []),
    ],
)
def test_in_small_letters_the_word_for_the_level_tells_a_name_from_a_word(text, expected):
    assert codes(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Karo, Sumatera Utara", ["12.06", "ID-SU"]),
        ("Simeulue, Aceh", ["11.09", "ID-AC"]),
        ("Suku Karo, Sumatera Utara", ["x-batak-karo", "ID-SU"]),
        ("kain ulos Karo, Sumatera Utara", ["x-batak-karo", "ID-SU"]),
    ],
)
def test_an_address_names_places_not_peoples(text, expected):
    assert codes(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Bupati Lamteng membuka festival.", ["18.02"]),
        ("Ondel-ondel di Jaksel", ["31.74"]),
        ("Kabupaten SBB, Maluku", ["81.06", "ID-MA"]),
        ("Sebuah SBB tidak berarti apa-apa.", []),
        ("Kota Jogja", ["34.71"]),
        ("batik dari Jogja", ["ID-YO"]),
        ("Kabupaten Mamuju Utara", ["76.01"]),
        ("Festival di Kab. Mitra", ["71.07"]),
        ("Hasta Mitra dari Sulawesi Utara", ["ID-SA"]),
        ("Dahulu, di Kerajaan Pasir Batang", []),
        ("Kabupaten Meranti", ["14.10"]),
    ],
)
def test_regencies_are_known_by_what_the_papers_call_them(text, expected):
    assert codes(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Lembah itu berada di timur laut Bukittinggi.", ["13.75"]),
        ("Kampung adat itu terletak di Kabupaten Lima Puluh Koto.", ["13.07"]),
        ("Nadran dirayakan di Kabupaten dan Kota Cirebon.", ["ID-JB"]),
        ("Pasarnya ada di Kabupaten Bandung dan Kota Cimahi.", ["32.04", "32.77"]),
        ("Ia menulis skripsi di Universitas Andalas.", []),
        ("Medan perang itu sunyi, dan medan magnet tidak terlihat.", []),
        ("Bika dijual di Medan.", ["12.71"]),
    ],
)
def test_directions_pairs_of_levels_and_names_of_schools_are_read_for_what_they_are(text, expected):
    assert codes(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Tari ini tidak berasal dari Bali melainkan dari Lombok.", ["ID-NB"]),
        ("Bukan dari Jawa Barat, kesenian ini berasal dari Banten.", ["ID-BT"]),
        ("Tradisi ini tidak hanya berasal dari Bali.", ["ID-BA"]),
        ("The dance does not come from Bali but from Lombok.", ["ID-NB"]),
        ("Het instrument komt niet uit Bali maar uit Aceh.", ["ID-AC"]),
    ],
)
def test_where_a_thing_does_not_come_from_is_not_its_region(text, expected):
    assert [found.province for found in GAZETTEER.find(text)] == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("ꦱꦸꦫꦧꦪ", ["ID-JI"]),
        ("ꦔꦪꦺꦴꦒꦾꦏꦂꦠ", ["ID-YO"]),
        ("ꦗꦮꦠꦼꦔꦃ", ["ID-JT"]),
        ("ꦱꦏꦱꦸꦫꦏꦂꦠ", ["ID-JT"]),
        ("ᬩᬮᬶ", ["ID-BA"]),
        ("ᮘᮔ᮪ᮓᮥᮀ ᮊᮧᮒ", ["ID-JB"]),
        ("ꦧꦠꦸ", []),
        ("ꦱꦧꦼꦤ꧀ꦮꦺꦴꦁꦏꦭꦲꦶꦂꦫꦏꦺ", []),
    ],
)
def test_names_in_aksara_are_looked_up(text, expected):
    assert [found.province for found in GAZETTEER.find(text)] == expected


@pytest.mark.parametrize(
    "text", ["Rambu Solo' adalah upacara kematian.", "Joko Pati datang.", "Han Solo is a hero.", "Gang Kediri"]
)
def test_a_rite_a_person_and_a_street_are_no_places(text):
    assert GAZETTEER.find(text) == []


def test_two_names_with_a_comma_are_an_address_not_a_list():
    assert [found.province for found in GAZETTEER.find("Villa di kawasan Puncak, Bogor")] == ["ID-JB"]
    assert [found.province for found in GAZETTEER.find("Di Surabaya, Bima dan Kupang")] == ["ID-JI", "ID-NB", "ID-NT"]


@pytest.mark.parametrize("text", ["Hari Raya Kuningan jatuh sepuluh hari setelah Galungan.", "Gereja Roh Kudus"])
def test_feasts_and_the_holy_are_no_places(text):
    assert GAZETTEER.find(text) == []


@pytest.mark.parametrize(
    "text", ["kue khas Bugis-Makassar", "kue Bugis Makassar", "adat Makassar–Bugis", "suku Bugis/Makassar"]
)
def test_a_name_right_beside_that_of_a_people_is_a_people_too(text):
    assert {found.code for found in GAZETTEER.find(text)} == {"x-bugis", "x-makassar-people"}


def test_a_town_beside_a_town_stays_a_town():
    assert {found.code for found in GAZETTEER.find("kue dari Makassar, Bugis pun membuatnya")} >= {"73.71"}
