"""Whatever comparison may link, the index of names brings together: by brute force over made-up names."""

from __future__ import annotations

import random
from itertools import combinations

import pytest

from lumbung.profiles.loader import load_profile
from lumbung.text.comparison import Comparable, closest_names
from lumbung.text.names import name_key
from lumbung.text.namesakes import NameReader, pieces, probes, spellings
from lumbung.text.relating import SPELLING, heads_of, spelling_likeness

PROFILE = load_profile("pdbi")
READER = NameReader(PROFILE)
LINKING = {"equal", "spelling", "headed", "regional"}
HEADS = heads_of(PROFILE)
CATEGORIES = ["seni-pertunjukan", "tarian", "musik-dan-lagu", "ritual"]
PLACES = sorted(PROFILE.regions)[::150]
LETTERS = "abdeghiklmnoprstuwy"


def misspelt(rng, word, times):
    letters = list(word)
    for _ in range(times):
        place = rng.randrange(len(letters))
        letters[place : place + rng.randrange(2)] = rng.choices(LETTERS, k=rng.randrange(3))
    return "".join(letters)


@pytest.mark.parametrize("length", range(3, 19))
def test_words_that_are_one_up_to_slips_share_a_piece(length):
    rng = random.Random(length)
    met = 0
    for _ in range(3_000):
        word = "".join(rng.choices(LETTERS, k=length))
        other = misspelt(rng, word, rng.choice((1, 2)))
        if other != word and spelling_likeness(word, other) >= SPELLING:
            met += 1
            assert set(pieces(word)) & set(probes(other)), (word, other)
            assert set(pieces(other)) & set(probes(word)), (other, word)
    assert met > 300 or length < 4


@pytest.mark.parametrize(
    ("one", "other"), [("uwuh", "uoh"), ("balimbiang", "blimbing"), ("bandawasa", "bondowoso"), ("tarek", "tarik")]
)
def test_words_that_are_spoken_alike_share_a_piece_however_they_are_written(one, other):
    assert set(pieces(one)) & set(probes(other))
    assert spellings([one], [other]) == {one: sorted([one, other])}


def test_figures_and_short_words_have_no_other_spelling():
    assert pieces("1945") == list(probes("1945")) == []
    assert spellings(["tor"], ["tar", "tora"]) == {"tor": ["tor"]}


def generated_names(rng):
    generic = [word for code in CATEGORIES for word in (*PROFILE.categories[code].generic_words, *HEADS[code][::5])]
    places = [PROFILE.regions[code].name for code in PLACES]
    stems = rng.sample(
        [
            "parang",
            "kusumo",
            "tor-tor",
            "gambyong",
            "padi",
            "ba",
            "lumping kuda",
            "reog ponorogo",
            "uwuh",
            "uwoh",
            "rojo lele",
        ],
        3,
    )

    def name():
        words = rng.choices(stems, k=rng.randrange(1, 3))
        words = [misspelt(rng, word, 1) if rng.random() < 0.3 else word for word in words]
        words += rng.choices(places, k=1) if rng.random() < 0.3 else []
        words = [*(rng.choices(generic, k=1) if rng.random() < 0.5 else []), *words]
        if rng.random() < 0.2:
            rng.shuffle(words)
        if rng.random() < 0.1:
            words = rng.choices([*generic, *places], k=rng.randrange(1, 3))
        return ("" if rng.random() < 0.15 else " ").join(words)

    return name


def comparable(rng, names):
    category = rng.choice(CATEGORIES)
    known = PROFILE.categories[category]
    regions = rng.choices(PLACES, k=1)
    place = PROFILE.regions[regions[0]]
    return Comparable(
        name=names[0],
        aliases=tuple(names[1:]),
        category=category,
        regions=tuple(regions),
        generic_words=known.generic_words,
        heads=HEADS[category],
        region_words=(place.name, *place.aliases),
    )


def keys(node):
    return {name_key(name) for name in (node.name, *node.aliases)}


def compared(a, b):
    return b.category == a.category or b.category in PROFILE.categories[a.category].confusable


def meet(asking, other):
    held = READER.held((other.name, *other.aliases), other.category)
    kept = [word for word in held if pieces(word)]
    for each in READER.asked((asking.name, *asking.aliases), asking.category):
        found = {word: set(pieces(word)) for word in kept}
        near = {
            word: spellings([word], [known for known, own in found.items() if own & set(probes(word))])[word]
            for word in each.words
        }
        reached = [any(held.get(spelling, 99) <= each.rest for spelling in near[word]) for word in each.words]
        if all(reached) if each.every else any(reached):
            return True
    return False


@pytest.mark.parametrize("seed", range(6))
def test_names_that_comparison_may_link_meet_from_both_sides(seed):
    rng = random.Random(seed)
    name = generated_names(rng)
    nodes = [comparable(rng, [name() for _ in range(rng.choice((1, 1, 2)))]) for _ in range(260)]
    linked = 0
    for a, b in combinations(nodes, 2):
        if compared(a, b) and closest_names(a, b)[0].kind in LINKING:
            linked += 1
            if keys(a) & keys(b):
                continue  # these are looked up as they are
            assert meet(a, b), (a, b)
            assert meet(b, a), (b, a)
    assert linked > 100
