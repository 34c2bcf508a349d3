"""The text of an entry: grammatical, in order, and nothing that no fact says."""

from __future__ import annotations

from dataclasses import replace

from lumbung.model.item import ItemContent, ItemFact
from lumbung.model.profile import Sentences
from lumbung.profiles.loader import load_profile
from lumbung.stages.publish.composition import compose

PROFILE = load_profile("pdbi")
SENTENCES = PROFILE.sentences
CONTENT = ItemContent(
    "publish", (), "tarian", "Tari Piring", "taripiring", (), ("ID-SB",), "ID-SB", None, False, 0.9, 1
)


def fact(attribute, value, flagged=False, rank=1):
    return ItemFact(attribute, value, value.casefold(), 2.0, 0.9, 1, "published", flagged, "", rank, (1,))


def paragraphs(*facts, content=CONTENT):
    return compose(content, facts, PROFILE).split("\n\n")


def test_an_entry_opens_with_what_it_is_and_ends_with_who_wrote_it():
    assert paragraphs() == ["Tari Piring adalah tarian dari Sumatera Barat.", SENTENCES.disclosure]
    assert paragraphs(content=replace(CONTENT, regions=()))[0] == "Tari Piring adalah tarian."


def test_a_phrase_goes_into_its_categorys_sentence():
    assert (
        paragraphs(fact("iringan", "talempong; saluang; rabab"))[1]
        == "Tari Piring diiringi talempong, saluang, dan rabab."
    )
    assert paragraphs(fact("fungsi", "hiburan rakyat"))[1] == "Fungsinya adalah hiburan rakyat."


def test_facts_of_one_kind_are_told_in_one_breath_and_the_doubtful_apart():
    told = paragraphs(
        fact("iringan", "talempong"),
        fact("iringan", "saluang"),
        fact("iringan", "rabab"),
        fact("iringan", "gandang", True),
    )[1]
    assert told == (
        "Tari Piring diiringi rabab, saluang, dan talempong. "
        "Tari Piring diiringi gandang. (Keyakinan rendah: keterangan ini masih perlu diperiksa.)"
    )


def test_what_cannot_be_one_of_a_list_has_a_sentence_of_its_own():
    told = paragraphs(fact("fungsi", "hiburan"), fact("fungsi", "untuk menyambut tamu"), fact("fungsi", "syukur, doa"))
    assert told[1] == "Fungsinya adalah hiburan. Fungsinya adalah syukur, doa. Fungsi: untuk menyambut tamu."


def test_places_are_written_as_an_address_for_one_may_lie_in_the_next():
    told = paragraphs(fact("asal-daerah", "Bandung", rank=1), fact("asal-daerah", "Jawa Barat", rank=2))[1]
    assert told == "Tari Piring berasal dari Bandung, Jawa Barat."


def test_where_it_comes_from_is_told_once_unless_it_is_doubtful_or_more_is_known():
    def origin(*facts):
        return [each for each in paragraphs(*facts) if "berasal" in each]

    assert origin(fact("asal-daerah", "Sumatera Barat")) == []
    assert len(origin(fact("asal-daerah", "Sumatera Barat", True))) == 1
    assert origin(fact("asal-daerah", "Sumatera Barat"), fact("asal-daerah", "Solok")) == [
        "Tari Piring berasal dari Solok, Sumatera Barat."
    ]
    opening, spread, _ = paragraphs(fact("persebaran", "Sumatera Barat"))
    assert "Sumatera Barat" in opening and "Sumatera Barat" in spread


def test_the_opening_leaves_out_what_says_less_than_another_place():
    def opened(*regions):
        return paragraphs(content=replace(CONTENT, regions=regions))[0].removeprefix("Tari Piring adalah tarian ")

    assert opened("ID-JT", "ID-YO", "x-jawa", "x-pulau-jawa") == "dari Jawa Tengah dan Daerah Istimewa Yogyakarta."
    assert opened("x-pulau-jawa") == "dari Pulau Jawa."


def test_peoples_are_told_apart_from_places_and_a_city_with_its_province_as_an_address():
    def opened(*regions, profile=PROFILE):
        told = compose(replace(CONTENT, regions=regions), [], profile).split("\n\n")[0]
        return told.removeprefix("Tari Piring adalah tarian ")

    assert opened("ID-SN", "x-toraja") == "masyarakat Toraja dari Sulawesi Selatan."
    assert opened("x-toraja") == "masyarakat Toraja."
    assert opened("ID-SS", "16.71") == "dari Kota Palembang, Sumatera Selatan."
    assert opened("16.71", "16.72", "ID-SS") == "dari Kota Palembang dan Kota Pagar Alam, Sumatera Selatan."
    assert opened("16.71", "ID-JA") == "dari Kota Palembang dan Jambi."
    plain = replace(PROFILE, sentences=replace(SENTENCES, opening_of_people="", opening_of_people_without_place=""))
    assert opened("ID-SN", "x-toraja", profile=plain) == "dari Sulawesi Selatan dan Toraja."
    assert opened("x-toraja", profile=plain) == "dari Toraja."


def test_what_passed_the_stricter_bar_is_not_called_doubtful():
    told = paragraphs(fact("fungsi", "upacara kematian", True), content=replace(CONTENT, sensitive=True))[1]
    assert told == "Fungsinya adalah upacara kematian."


def test_a_sentence_or_a_phrase_that_would_not_fit_stands_behind_its_label():
    assert paragraphs(fact("fungsi", "untuk menyambut tamu"))[1] == "Fungsi: untuk menyambut tamu."
    assert paragraphs(fact("makna", "Ungkapan syukur atas panen."))[1] == "Makna: Ungkapan syukur atas panen."
    assert paragraphs(fact("sejarah", "abad ke-14"))[1] == "Sejarah: abad ke-14."


def test_doubt_and_contradiction_are_worded():
    assert "Keyakinan rendah" in paragraphs(fact("fungsi", "hiburan", flagged=True))[1]
    told = paragraphs(fact("tahun", "1900", rank=1), fact("tahun", "1850", rank=2))[1]
    assert told == "Sumber-sumber tidak sepakat tentang tahun: ada yang menyebut 1900, ada pula yang menyebut 1850."


def test_braces_in_a_pages_words_mean_nothing():
    assert (
        paragraphs(fact("fungsi", "{title} {0} {value.__class__}"))[1]
        == "Fungsinya adalah {title} {0} {value.__class__}."
    )


def test_every_attribute_of_the_profile_is_worded_from_its_value_alone():
    for code in PROFILE.attributes:
        told = paragraphs(fact(code, "Xyzzy"))[1]
        assert "Xyzzy" in told
        assert "{" not in told


def test_a_profile_without_wording_still_says_every_fact():
    assert "Fungsi: hiburan" in compose(CONTENT, [fact("fungsi", "hiburan")], replace(PROFILE, sentences=Sentences()))


def test_every_category_of_the_profile_is_worded():
    assert set(SENTENCES.kinds) == set(PROFILE.categories)
