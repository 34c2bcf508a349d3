"""The text of a machine entry, told apart into its sentences again, so that each shows where it comes from."""

from __future__ import annotations

from dataclasses import replace

from lumbung.model.item import ItemContent, ItemFact
from lumbung.profiles.loader import load_profile
from lumbung.stages.publish.composition import compose, entry_title
from lumbung.web.prose import Piece, sourced_text

PROFILE = load_profile("pdbi")
SENTENCES = PROFILE.sentences
CONTENT = ItemContent(
    "publish", (), "tarian", "Tari Piring", "taripiring", (), ("ID-SB",), "ID-SB", None, False, 0.9, 1
)
MUSEUM, JOURNAL = "http://museum.example/a", "http://jurnal.example/b"
FACTS = {
    ("fungsi", "hiburan rakyat", True): [JOURNAL],
    ("iringan", "talempong; saluang", False): [MUSEUM, JOURNAL],
    ("iringan", "rabab", False): [MUSEUM],
    ("iringan", "pupuik batang padi, puput dari jerami", False): [JOURNAL],
    ("tahun", "1850", False): [MUSEUM],
    ("tahun", "1900", False): [JOURNAL],
}


def entry(content=CONTENT, body=None, told=FACTS):
    facts = [
        ItemFact(attribute, value, value, 2.0, 0.9, 1, "published", flagged, "", place, (1,))
        for place, (attribute, value, flagged) in enumerate(told)
    ]
    return {
        "title": entry_title(content, "Tari Piring" if content.supplement_of else None),
        "category": content.category,
        "regions": list(content.regions),
        "sensitive": content.sensitive,
        "body": compose(content, facts, PROFILE) if body is None else body,
        "facts": [
            {"attribute": attribute, "value": value, "flagged": flagged, "sources": [{"url": url} for url in urls]}
            for (attribute, value, flagged), urls in told.items()
        ],
    }


def shown(row):
    found = sourced_text(row, PROFILE)
    names = [source["url"] for source in found.sources]
    return [[(piece.text, {names[n - 1] for n in piece.notes}) for piece in part] for part in found.paragraphs]


def test_every_sentence_that_rests_on_a_fact_names_its_sources_and_no_other():
    told = [piece for part in shown(entry()) for piece in part]
    assert told[0] == ("Tari Piring adalah tarian dari Sumatera Barat.", {MUSEUM, JOURNAL})
    assert told[-1] == (SENTENCES.disclosure, set())
    assert ("Tari Piring diiringi talempong, saluang, dan rabab.", {MUSEUM, JOURNAL}) in told
    assert ("Tari Piring diiringi pupuik batang padi, puput dari jerami.", {JOURNAL}) in told
    assert [urls for text, urls in told if "hiburan rakyat" in text] == [{JOURNAL}]
    assert [urls for text, urls in told if "1850" in text] == [{MUSEUM, JOURNAL}]
    assert all(urls for _, urls in told[:-1])


def test_the_opening_names_those_who_say_where_it_comes_from_and_tells_that_for_all():
    placed = FACTS | {("asal-daerah", "Sumatera Barat", False): [JOURNAL]}
    told = [piece for part in shown(entry(told=placed)) for piece in part]
    assert told[0] == ("Tari Piring adalah tarian dari Sumatera Barat.", {JOURNAL})
    assert not [text for text, _ in told if "berasal" in text]


def test_nothing_of_the_text_is_lost_or_added():
    row = entry()
    told = "\n\n".join(" ".join(text for text, _ in part) for part in shown(row))
    assert told == row["body"]


def test_a_supplement_is_told_apart_though_its_title_says_more_than_the_name():
    told = [piece for part in shown(entry(replace(CONTENT, supplement_of="h1"))) for piece in part]
    assert ("Tari Piring diiringi talempong, saluang, dan rabab.", {MUSEUM, JOURNAL}) in told


def test_a_text_that_told_each_fact_alone_still_shows_its_sources():
    told = shown(entry(body="Tari Piring diiringi talempong dan saluang. Tari Piring diiringi rabab."))
    assert told == [
        [
            ("Tari Piring diiringi talempong dan saluang.", {MUSEUM, JOURNAL}),
            ("Tari Piring diiringi rabab.", {MUSEUM}),
        ]
    ]


def test_words_that_no_fact_would_have_today_are_shown_without_a_source():
    found = sourced_text(entry(body="Kalimat lama.\n\nTari Piring diiringi rabab. Lalu lainnya."), PROFILE)
    assert found.paragraphs[0] == [Piece("Kalimat lama.")]
    assert found.paragraphs[1] == [Piece("Tari Piring diiringi rabab.", (1,)), Piece("Lalu lainnya.")]


def test_sources_are_numbered_in_the_order_in_which_the_text_names_them():
    found = sourced_text(entry(), PROFILE)
    numbers = [n for part in found.paragraphs for piece in part for n in piece.notes]
    first_met = list(dict.fromkeys(numbers))
    assert first_met == list(range(1, len(found.sources) + 1))


def test_words_of_people_stand_without_numbers_and_without_a_category_too():
    """Whoever takes an entry over may take it out of its category; its facts stay, frozen."""
    theirs = entry(body="Tari Piring dari Minangkabau.\n\nDiceritakan warga.") | {"category": None, "regions": []}
    for told in (theirs, theirs | {"facts": []}):
        assert [urls for part in shown(told) for _, urls in part] == [set(), set()]
