from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lumbung.text.aksara import AKSARA
from lumbung.text.script import script_of, transliterate

AKSARA_AND_LATIN = [
    # Javanese: cecak, pangkon, taling tarung, cakra, keret, pengkal, murda, pa cerek, nga lelet, nya before j and c
    ("ꦮꦪꦁꦏꦸꦭꦶꦠ꧀", "Java", "wayangkulit"),
    ("ꦧꦼꦝꦪ", "Java", "bedhaya"),
    ("ꦏꦿꦠꦺꦴꦤ꧀", "Java", "kraton"),
    ("ꦏꦽꦠ", "Java", "kreta"),
    ("ꦪꦺꦴꦒꦾꦏꦂꦠ", "Java", "yogyakarta"),
    ("ꦯꦸꦫꦑꦂꦠ", "Java", "surakarta"),
    ("ꦉꦧꦧ꧀", "Java", "rebab"),
    ("ꦊꦒꦺꦴꦁ", "Java", "legong"),
    ("ꦥꦚ꧀ꦗꦶ", "Java", "panji"),
    ("ꦏꦚ꧀ꦕꦶꦭ꧀", "Java", "kancil"),
    ("ꦲꦁꦏ꧀ꦭꦸꦁ", "Java", "angklung"),
    ("ꦲꦤꦕꦫꦏ", "Java", "hanacaraka"),
    ("ꦱꦶꦤ꧀ꦝꦺꦤ꧀", "Java", "sindhen"),
    ("ꦥ꦳ꦗꦂ", "Java", "fajar"),
    ("꧑꧙꧔꧕", "Java", "1945"),
    # Balinese: adeg-adeg, bisah, surang, taling tedung, la lenga, letters of Sanskrit words
    ("ᬮᬾᬕᭀᬂ", "Bali", "legong"),
    ("ᬕᬫ᭄ᬩᬸᬄ", "Bali", "gambuh"),
    ("ᬳᬓ᭄ᬱᬭ", "Bali", "aksara"),
    ("ᬩᬭᭀᬂ", "Bali", "barong"),
    ("ᬓᬃᬬ", "Bali", "karya"),
    ("ᬑᬕᭀᬄᬑᬕᭀᬄ", "Bali", "ogohogoh"),
    # Sundanese: panyecek, panyiku, pamaaeh, paneuleung, panyakra
    ("ᮃᮀᮊᮣᮥᮀ", "Sund", "angklung"),
    ("ᮊᮎᮕᮤ ᮞᮥᮜᮤᮀ", "Sund", "kacapi suling"),
    ("ᮏᮄᮕᮧᮀ", "Sund", "jaipong"),
    ("ᮕᮨᮞᮤᮔ᮪ᮓᮦᮔ᮪", "Sund", "pesinden"),
    ("ᮞᮩᮛᮩᮂ", "Sund", "seureuh"),
    ("ᮊᮢᮒᮧᮔ᮪", "Sund", "kraton"),
    # Lontara: what the letters say, without the consonants that readers add
    ("ᨒ ᨁᨒᨗᨁᨚ", "Bugi", "la galigo"),
    ("ᨅᨔ ᨕᨘᨁᨗ", "Bugi", "basa ugi"),
    ("ᨒᨚᨈᨑ", "Bugi", "lotara"),
    ("ᨈᨛᨇᨙ", "Bugi", "tempe"),
    # Batak: Toba, then Karo and Mandailing by letters of their own
    ("ᯅᯖᯂ᯲ ᯖᯬᯅ", "Batk", "batak toba"),
    ("ᯂᯬᯒᯘ᯲", "Batk", "horas"),
    ("ᯎᯬᯒ᯲ᯑᯰ", "Batk", "gordang"),
    ("ᯂᯒᯭ", "Batk", "karo"),
    ("ᯆᯬᯞᯬᯱ", "Batk", "buluh"),
    ("ᯂᯬᯞᯫᯗ᯳", "Batk", "kulit"),
    ("ᯆᯨᯞᯮ", "Batk", "bolu"),
    ("ᯙᯫᯕᯟᯮᯝᯮᯉ᯳", "Batk", "simalungun"),
    ("ᯄ᯦ᯬᯖ", "Batk", "kota"),
]


@pytest.mark.parametrize(("aksara", "script", "latin"), AKSARA_AND_LATIN)
def test_aksara_is_read_as_it_is_spelled_in_indonesian(aksara, script, latin):
    assert script_of(aksara) == script
    assert transliterate(aksara) == latin


def test_every_letter_of_a_known_block_has_a_reading():
    starts = {"Java": 0xA980, "Bali": 0x1B00, "Sund": 0x1B80, "Bugi": 0x1A00, "Batk": 0x1BC0, "Rjng": 0xA930}
    ends = {"Java": 0xA9DF, "Bali": 0x1B60, "Sund": 0x1BBF, "Bugi": 0x1A1F, "Batk": 0x1BFF, "Rjng": 0xA95F}
    for script, start in starts.items():
        for code in range(start, ends[script] + 1):
            if unicodedata.name(chr(code), ""):
                assert chr(code) not in transliterate(chr(code)), f"{script} U+{code:04X}"


def test_every_digit_of_the_scripts_is_read():
    for zero in (0xA9D0, 0x1B50, 0x1BB0):
        assert transliterate("".join(chr(zero + value) for value in range(10))) == "0123456789"


def test_joiners_shape_letters_and_word_dividers_divide():
    assert transliterate("ꦏ꧀\u200cꦭ") == "kla"
    assert transliterate("ꦏꦕ\u200bꦲꦶꦏꦶ") == "kaca iki"


def test_a_consonant_doubled_before_a_suffix_is_read_once():
    assert transliterate("ꦥꦩ꧀ꦧꦼꦱꦸꦠ꧀ꦠꦤ꧀") == "pambesutan"
    assert transliterate("ꦮꦪꦁꦔꦤ꧀") == "wayangan"


def test_other_letters_pass_unchanged_around_aksara():
    assert transliterate("Tari ꦧꦼꦝꦪ (Solo), 和服") == "Tari bedhaya (Solo), 和服"


@pytest.mark.parametrize(
    ("text", "script"),
    [
        ("Wayang", "Latn"),
        ("عربي", "Arab"),
        ("和服", "Hani"),
        ("きもの着物", "Jpan"),
        ("カタカナ", "Jpan"),
        ("한국어", "Kore"),
        ("Москва", "Cyrl"),
        ("Ελλάδα", "Grek"),
        ("ไทย", "Thai"),
        ("हिन्दी", "Deva"),
        ("ꤰꥍ", "Rjng"),
        ("2024 — !?", "Zyyy"),
        ("", "Zyyy"),
        ("Wayang kulit 和", "Latn"),
    ],
)
def test_the_script_is_the_one_most_letters_are_in(text, script):
    assert script_of(text) == script


@settings(max_examples=150, derandomize=True, deadline=None)
@given(
    st.text(
        alphabet=st.sampled_from(
            [*map(chr, range(0xA980, 0xA9E0)), *map(chr, range(0x1B00, 0x1C00)), *"ab \u200c\u200b"]
        )
    )
)
def test_any_order_of_signs_is_read_without_failing(text):
    latin = transliterate(text)
    assert not any(script in AKSARA for script in map(script_of, latin)) or any(
        ch in text for ch in latin if not ch.isascii()
    )
    assert transliterate(latin) == latin
