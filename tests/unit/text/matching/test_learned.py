"""With labels, and with rivals: what a pair is worth beyond the levels of its columns."""

from __future__ import annotations

import random

import numpy as np

from lumbung.equations.matcher import logistic
from lumbung.text.matching.columns import column
from lumbung.text.matching.engine import search
from lumbung.text.matching.learned import Learned, Unlabelled, labelled_matches, learn, unlabelled
from lumbung.text.matching.records import Records, records_of
from lumbung.text.matching.rivals import rivals_of


def word(rng: random.Random) -> str:
    return "".join(rng.choice("bdgklmnprst") + rng.choice("aeiou") for _ in range(rng.randint(2, 3)))


def editions(count: int) -> tuple[Records, list[int]]:
    """Three of one name, all near in size: two of one thing within a hundredth, the third of another within twenty-five."""
    rng = random.Random(2)
    names, sizes, truth = [], [], []
    for thing in range(count):
        name, size = f"{word(rng)} {word(rng)}", rng.uniform(100, 900)
        for factor in (1.0, 1.004, 1.04):
            names.append(name)
            sizes.append(f"{size * factor:.1f} cm")
            truth.append(2 * thing + (factor == 1.04))
    return records_of(names, [], [column("size", sizes)], None), truth


def test_labels_teach_how_near_is_near_enough() -> None:
    records, truth = editions(200)
    found = search(records)
    pairs = list(zip(found.left.tolist(), found.right.tolist(), strict=True))[::5][:100]
    labels = [(a, b, truth[a] == truth[b]) for a, b in pairs]
    model = learn(records, found, labels)
    assert isinstance(model, Learned)
    odds = model.log_odds(found.left, found.right, found.levels)
    right = np.array([truth[a] == truth[b] for a, b in zip(found.left, found.right, strict=True)])
    assert np.ptp(unlabelled(records, found).log_odds(found.left, found.right, found.levels)[:9]) < 0.1
    assert odds[right].mean() > odds[~right].mean() + 2
    again = learn(records, found, labels[::-1])
    assert isinstance(again, Learned)
    assert (again.correction.weights == model.correction.weights).all()


def test_without_enough_labels_nothing_changes() -> None:
    records, truth = editions(50)
    found = search(records)
    model = learn(records, found, [(0, 1, truth[0] == truth[1]), (0, 2, truth[0] == truth[2])])
    assert isinstance(model, Unlabelled)


def test_labelled_matches_say_where_to_look() -> None:
    """Nothing but labels shows that records of one shelf and one year belong together."""
    rng = random.Random(7)
    names = [word(rng) + word(rng) for _ in range(600)]
    shelves = [f"{word(rng)} hall" for _ in range(60)]
    years = [str(1700 + place // 2 % 30) for place in range(600)]
    columns = [column("shelf", [shelves[place // 10 % 60] for place in range(600)]), column("year", years)]
    records = records_of(names, [], columns, None)
    matches = labelled_matches(records, [(place, place + 1, True) for place in range(0, 200, 2)])
    reached = [
        set((s.left.astype(np.int64) * 600 + s.right).tolist())
        for s in (search(records), search(records, matches=matches))
    ]
    assert len(set(matches.tolist()) & reached[1]) >= max(90, len(set(matches.tolist()) & reached[0]))


def test_of_names_alone_the_nearest_of_both_files_is_the_match() -> None:
    left = ["Museum Batik Pekalongan", "Museum Batik Danar", "Candi Sewu"]
    right = ["Museum Batik Kota Pekalongan", "Candi Sewu Prambanan"]
    records = records_of([*left, *right], [], [], len(left))
    found = search(records)
    beliefs = logistic(unlabelled(records, found).log_odds(found.left, found.right, found.levels))
    said = dict(zip(zip(found.left.tolist(), found.right.tolist(), strict=True), beliefs.tolist(), strict=True))
    assert said[(0, 3)] > 0.35 > said.get((1, 3), 0.0)


def test_the_rivals_of_a_pair_are_the_others() -> None:
    left, right = np.array([0, 0, 1], np.int32), np.array([2, 3, 2], np.int32)
    found = rivals_of(4, left, right, np.array([3.0, 1.0, 2.0]), -9.0)
    assert found.beside(left, right).tolist() == [1.0, 3.0, -9.0]
    assert found.beside(right, left).tolist() == [2.0, -9.0, 3.0]
