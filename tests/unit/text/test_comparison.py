from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lumbung.text.comparison import Comparable, Comparison, compare
from lumbung.text.relating import read_name, relate

GENERIC = ("tari", "tarian", "batik", "upacara", "alat musik")


def relate_names(a, b, heads=frozenset()):
    return relate(read_name(a, ()), read_name(b, ()), frozenset(), heads)


def item(name: str, region: str = "", category: str | None = "tarian", **more: tuple[object, ...]) -> Comparable:
    return Comparable(name, category=category, regions=(region,) if region else (), generic_words=GENERIC, **more)  # type: ignore[arg-type]


def verdict(x: Comparable, y: Comparable) -> str:
    return compare(x, y).verdict


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("Tari Piring", "Tarian Piring"),
        ("Wajang Koelit", "wayang kulit"),
        ("Saman", "Tari Saman"),
        ("ONDEL2", "Ondel-ondel"),
    ],
)
def test_one_name_in_two_spellings_in_related_regions_is_the_same(left: str, right: str) -> None:
    assert verdict(item(left, "13"), item(right, "13.05")) == "same"


def test_an_alias_is_a_name() -> None:
    known = item("Tari Indang", "13", aliases=("Dindin Badindin",))
    found = compare(known, item("Dindin Badindin", "13"))
    assert found.verdict == "same"
    assert found.agree[0] == "alias (equal)"


def test_another_distinguishing_word_is_another_thing() -> None:
    assert verdict(item("Batik Parang Rusak", "34"), item("Batik Parang Kusumo", "34")) == "different"


def test_a_part_is_not_its_whole() -> None:
    assert verdict(item("Tari Piring", "13"), item("Piring", "13", "peralatan")) == "different"
    assert verdict(item("Soto", "31"), item("Soto Betawi", "31")) == "different"


def test_a_homonym_of_a_disjoint_region_is_another_thing_and_an_unknown_region_leaves_it_open() -> None:
    assert verdict(item("Tari Topeng", "32"), item("Tari Topeng", "35")) == "different"
    assert verdict(item("Tari Topeng", "32"), item("Tari Topeng")) == "unsure"
    assert verdict(item("Tari Topeng", "32"), item("Tari Topeng", "-")) == "unsure"


def test_facts_that_agree_settle_what_the_regions_leave_open() -> None:
    facts = (("iringan", "gamelan"), ("jumlah", "5 orang"))
    assert verdict(item("Tari Topeng", "32", facts=facts), item("Tari Topeng", facts=facts)) == "same"
    assert verdict(item("Tari Topeng", "32", facts=facts), item("Tari Topeng", "35", facts=facts)) == "unsure"


def test_a_slip_in_a_short_word_is_left_open_until_facts_agree() -> None:
    facts = (("iringan", "gamelan"), ("jumlah", "5 orang"))
    assert verdict(item("Tari Gandu", "35"), item("Tari Gandi", "35")) == "unsure"
    assert verdict(item("Tari Gandu", "35", facts=facts), item("Tari Gandi", "35", facts=facts)) == "same"


def test_a_slip_in_a_long_word_is_none_unless_facts_contradict() -> None:
    assert verdict(item("Tari Gambyung", "33"), item("Tari Gambyong", "33")) == "same"
    assert verdict(item("Tari Kancet Papatay", "64"), item("Kancet Pepatai", "64")) == "same"
    assert verdict(item("Tari Sambyong", "33"), item("Tari Gambyong", "33.72")) == "same"
    assert verdict(item("Tari Sambyong", "33"), item("Tari Gambyong")) == "unsure"
    other = item("Tari Sambyong", "33", facts=(("jumlah", "2 orang"),))
    assert verdict(other, item("Tari Gambyong", "33", facts=(("jumlah", "9 orang"),))) == "unsure"


def test_a_name_that_adds_its_own_region_is_left_open() -> None:
    assert verdict(item("Rendang", "13", region_words=("Padang",)), item("Rendang Padang", "13")) == "unsure"


def test_confusable_categories_are_left_open_and_others_are_apart() -> None:
    dance = item("Reog Ponorogo", "35", confusable=("seni-pertunjukan",))
    assert verdict(dance, item("Reog Ponorogo", "35", "seni-pertunjukan")) == "unsure"
    assert verdict(dance, item("Reog Ponorogo", "35", "makanan")) == "different"
    assert verdict(dance, item("Reog Ponorogo", "35", None)) == "unsure"


def test_names_that_share_nothing_are_unrelated() -> None:
    assert verdict(item("Gamelan Sekaten"), item("Rendang")) == "unrelated"


def test_short_words_must_be_equal_to_be_alike() -> None:
    assert relate_names("Sape", "Sate").kind == "apart"
    assert relate_names("Suling 1", "Suling 2").kind == "sibling"


def mirrored(a: Comparison, b: Comparison) -> bool:
    return (a.score, a.terms, a.agree, a.differ, a.verdict) == (b.score, b.terms, b.agree, b.differ, b.verdict)


WORDS = st.sampled_from(["Tari", "Piring", "Topeng", "Topéng", "Tjirebon", "Parang", "Rusak", "Kusumo", "Batik", ""])
NAMES = st.lists(WORDS, max_size=4).map(" ".join)
ITEMS = st.builds(
    Comparable,
    NAMES,
    st.lists(NAMES, max_size=2).map(tuple),
    st.sampled_from([None, "tarian", "batik"]),
    st.lists(st.sampled_from(["32", "32.09", "35", "-"]), max_size=2).map(tuple),
    st.lists(st.tuples(st.sampled_from("ab"), st.sampled_from("xy")), max_size=3).map(tuple),
    st.just(GENERIC),
)


@settings(max_examples=150, derandomize=True, deadline=None)
@given(ITEMS, ITEMS)
def test_comparison_is_symmetric(x: Comparable, y: Comparable) -> None:
    assert mirrored(compare(x, y), compare(y, x))


@settings(max_examples=60, derandomize=True, deadline=None)
@given(st.text(max_size=30), st.text(max_size=30))
def test_any_text_is_a_name(a: str, b: str) -> None:
    assert 0 <= compare(Comparable(a), Comparable(b)).score <= 1


@pytest.mark.parametrize(
    ("left", "right", "kind"),
    [("Singa Ulung", "Singo Ulung", "equal"), ("Moko", "Maka", "apart"), ("Singa Ulung", "Singo Barong", "sibling")],
)
def test_an_o_that_javanese_speaks_for_a_is_no_other_name(left: str, right: str, kind: str) -> None:
    assert relate_names(left, right).kind == kind


@pytest.mark.parametrize(
    ("left", "right", "kind"),
    [
        ("Rojolele", "Rojo Lele", "equal"),
        ("Wedang Uwuh", "Wedang Uwoh", "equal"),
        ("Pacu Itik", "Pacu Itiak", "equal"),
        ("Kue Tradisional Rangi", "Kue Rangi", "equal"),
        ("Wedang Uwuh", "Uwuh", "headed"),
        ("Kue Gandos", "Gandos", "regional"),
        ("Rujak Soto", "Soto", "part"),
        ("Soto", "Soto Betawi", "part"),
    ],
)
def test_a_name_may_be_written_as_one_as_it_is_spoken_or_without_its_kind(left: str, right: str, kind: str) -> None:
    heads = frozenset({"wedang", "kue", "rujak", "soto"})
    assert relate_names(left, right, heads=heads).kind == kind
    assert relate_names(right, left, heads=heads).kind == kind


@pytest.mark.parametrize(
    ("left", "right", "kind"),
    [
        ("Rokat Tasek", "Rokat Tase'", "sounding"),
        ("Toge Goreng", "Tauge Goreng", "sounding"),
        ("Gigi Haruan", "Gigi Aruan", "sounding"),
        ("Madihin", "Bamadihin", "sounding"),
        ("Foi Doa", "Foy Doa", "equal"),
        ("Sega Megono", "Nasi Megono", "equal"),
        ("Uma", "Rumah", "apart"),
        ("Bustan as-Salatin", "Bustan al-Salatin", "equal"),
        ("Kue Lapis", "Kue Lupis", "spelling"),
        ("Topi Ti'i Langga", "Tilangga", "headed"),
        ("Tombak Kanjeng Kyai Pleret", "Kyai Plered", "headed"),
        ("Bebek Betutu", "Ayam Betutu", "sibling"),
        ("Gundul-gundul Pacul", "Gundul Pacul", "sounding"),
        ("Lipaq Saqbe", "Lipa' Sa'be", "sounding"),
        ("Sido Mulyo", "Sido Mukti", "sibling"),
        ("Parang Barong", "Parang Baris", "sibling"),
    ],
)
def test_hands_dialects_and_languages_write_one_name_apart(left: str, right: str, kind: str) -> None:
    heads = frozenset({"kue", "topi", "tombak", "kanjeng", "kyai", "ayam", "bebek", "rumah", "nasi"})
    assert relate_names(left, right, heads=heads).kind == kind
    assert relate_names(right, left, heads=heads).kind == kind


def test_a_name_may_hold_another() -> None:
    assert verdict(item("Perang Pandan (Mekare-kare)", "51"), item("Mekare-kare", "51")) == "same"
    assert verdict(item("Jago atau Jajaghu", "35"), item("Jajaghu", "35")) == "same"
    assert verdict(item("Jago (disebut juga Jajaghu)", "35"), item("Jajaghu", "35")) == "same"
    assert verdict(item("Ketupat (rice cake)", "35"), item("Lontong (rice cake)", "35")) == "unrelated"
    assert verdict(item("Piring (Padang)", "13", region_words=("Padang",)), item("Padang", "13")) != "same"


def test_what_shares_two_names_is_one_thing_in_any_region() -> None:
    known = item("Gemblong", "32", aliases=("Getas",))
    assert verdict(known, item("Getas", "33", aliases=("Gemblong",))) == "same"
    assert verdict(known, item("Gemblong", "33")) == "different"
    spelled = item("Gemblong", "33", aliases=("Gemblongan",))
    assert verdict(item("Gemblong", "32", aliases=("Gemblongan",)), spelled) == "different"
