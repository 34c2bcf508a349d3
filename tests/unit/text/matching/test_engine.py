from __future__ import annotations

import random

import numpy as np
import pytest

from lumbung.equations.matcher import logistic
from lumbung.text.matching.blocking import KeyFamily, deletions, skeleton, windowed_pairs
from lumbung.text.matching.columns import column
from lumbung.text.matching.engine import search
from lumbung.text.matching.levels import Indices, compare_pairs
from lumbung.text.matching.named import RELATIONS
from lumbung.text.matching.records import Records, records_of


def made_up(count: int, seed: int = 1) -> tuple[Records, list[int]]:
    """People with an address and a birthday, every third twice with a slip."""
    rng = random.Random(seed)

    def word() -> str:
        return "".join(rng.choice("bdgklmnprst") + rng.choice("aeiou") for _ in range(rng.randint(2, 4)))

    names, years, streets, truth = [], [], [], []
    for person in range(count):
        name, year, street = f"{word()} {word()}", str(rng.randint(19000101, 19991231)), f"{word()} street"
        for copy in range(2 if person % 3 == 0 else 1):
            names.append(name if not copy else name.replace("a", "e", 1))
            years.append(year if rng.random() < 0.9 else "")
            streets.append(street)
            truth.append(person)
    records = records_of(names, [], [column("born", years), column("street", streets)], None)
    return records, truth


def test_duplicates_are_found_without_a_label() -> None:
    records, truth = made_up(600)
    found = search(records)
    said = logistic(found.fitted.log_odds(found.levels)) >= 0.5
    right = np.array([truth[a] == truth[b] for a, b in zip(found.left, found.right, strict=True)])
    assert (said & right).sum() >= 0.97 * 200
    assert (said & ~right).sum() <= 4


def namesakes(count: int) -> tuple[Records, list[int]]:
    """Few first and last names for many people: a namesake is a stranger unless most of the birthday agrees too."""
    rng = random.Random(5)
    names, days, months, years, truth = [], [], [], [], []
    for person in range(count):
        name = f"{rng.choice('abcdefghijklmnop') * 3}ar {rng.choice('bcdfghjklmnprstw') * 3}ander"
        born = [rng.randint(1, 28), rng.randint(1, 12), rng.randint(1930, 1999)]
        for copy in range(2 if person % 9 == 0 else 1):
            if copy:
                born[rng.randrange(3)] = rng.randint(1, 12)
            names.append(name)
            days.append(str(born[0]))
            months.append(str(born[1]))
            years.append(str(born[2]))
            truth.append(person)
    columns = [column("day", days), column("month", months), column("year", years)]
    return records_of(names, [], columns, None), truth


def test_a_crowd_of_namesakes_is_not_taken_for_one_person() -> None:
    records, truth = namesakes(2000)
    found = search(records)
    said = logistic(found.fitted.log_odds(found.levels)) >= 0.5
    right = np.array([truth[a] == truth[b] for a, b in zip(found.left, found.right, strict=True)])
    assert (said & right).sum() >= 0.7 * right.sum()
    assert (said & ~right).sum() <= 0.5 * said.sum()


def slipped_once(count: int) -> tuple[Records, list[int]]:
    """Every ninth person twice, with one slip: in the name, or in a part of the birthday."""
    rng = random.Random(8)
    first, last = (
        ["".join(rng.choice("bdgklmnprst") + rng.choice("aeiou") for _ in range(length)) for _ in range(number)]
        for length, number in ((2, 80), (3, 200))
    )
    names, births, truth = [], [], []
    for person in range(count):
        name = f"{rng.choice(first)} {rng.choice(last)}"
        born = [rng.randint(1, 28), rng.randint(1, 12), rng.randint(1930, 1999)]
        for copy in range(2 if person % 9 == 0 else 1):
            if copy and person % 2:
                born[rng.randrange(3)] = rng.randint(1, 12)
            names.append(name.replace("a", "e", 1) if copy and person % 2 == 0 else name)
            births.append([str(part) for part in born])
            truth.append(person)
    columns = [
        column(label, list(values))
        for label, values in zip(("day", "month", "year"), zip(*births, strict=True), strict=True)
    ]
    return records_of(names, [], columns, None), truth


def test_strangers_who_were_looked_for_by_their_birthdays_are_not_learned_from() -> None:
    """They agree in two of its three parts because that is how they were found, not because they are one person."""
    records, truth = slipped_once(3000)
    found = search(records)
    said = logistic(found.fitted.log_odds(found.levels)) >= 0.5
    right = np.array([truth[a] == truth[b] for a, b in zip(found.left, found.right, strict=True)])
    assert (said & right).sum() >= 0.97 * right.sum()
    assert (said & ~right).sum() <= 0.03 * said.sum()


def test_what_describes_many_things_is_nobodys_other_name() -> None:
    names = [f"{word} (tarian)" for word in ("Saman", "Gandrung", "Serimpi", "Remo", "Jaipong")]
    levels = compare_pairs(records_of([*names, "Saman"], [], [], None), *pairs((0, 1), (0, 5)))
    assert [RELATIONS[level] for level in levels[:, 0]] == ["apart", "equal and rare"]


def test_a_rare_addition_in_brackets_is_another_name() -> None:
    records = records_of(["Tari Indang (Dindin Badindin)", "Dindin Badindin", "Saman"], [], [], None)
    assert RELATIONS[compare_pairs(records, *pairs((0, 1)))[0, 0]] == "equal under another name"


def test_namesakes_described_otherwise_are_two_things() -> None:
    others = [f"Nama{kind}{n} ({kind})" for kind in ("tarian", "pohon") for n in range(4)]
    records = records_of(["Saman (tarian)", "Saman (pohon)", *others], [], [], None)
    assert RELATIONS[compare_pairs(records, *pairs((0, 1)))[0, 0]] == "one adds little"


def pairs(*couples: tuple[int, int]) -> tuple[Indices, Indices]:
    return np.array([a for a, _ in couples], np.int32), np.array([b for _, b in couples], np.int32)


def test_all_bearers_of_one_name_are_compared_where_they_are_hundreds() -> None:
    records = records_of(["Tari Saman"] * 300 + [f"Tari {n}a{n % 7}" for n in range(300)], [], [], None)
    found = search(records)
    assert ((found.left < 300) & (found.right < 300)).sum() == 300 * 299 // 2


def test_the_search_gives_the_same_answer_every_time() -> None:
    first, second = search(made_up(200)[0]), search(made_up(200)[0])
    assert (first.left == second.left).all()
    assert (first.fitted.log_odds(first.levels) == second.fitted.log_odds(second.levels)).all()


def test_the_number_of_pairs_is_bounded() -> None:
    assert len(search(made_up(300)[0], at_most=500).left) <= 500


@pytest.mark.parametrize("size", [0, 1, 2])
def test_tiny_tables_are_answered(size: int) -> None:
    records = records_of(["Saman", "Saman"][:size], [], [], None)
    assert len(search(records).left) == (1 if size == 2 else 0)


def test_a_large_block_costs_its_window_and_a_small_one_is_paired_completely() -> None:
    records = np.arange(100, dtype=np.int64)
    order = np.arange(100)
    crowd = windowed_pairs(KeyFamily(np.zeros(100, dtype=np.int64), records, 3), order, None)
    assert len(crowd) == 99 + 98 + 97
    small = windowed_pairs(KeyFamily(records // 4, records, 3), order, None)
    assert len(small) == 25 * 6
    across = windowed_pairs(KeyFamily(records // 4, records, 3), order, 50)
    assert len(across) == 4


def test_words_one_slip_apart_share_a_key() -> None:
    for other in ("remong", "remon", "reong", "rmeong"):
        assert set(deletions("remong")) & set(deletions(other))
    assert skeleton("bedhaya") == skeleton("badaya")
