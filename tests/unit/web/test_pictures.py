from __future__ import annotations

from lumbung.web.console.pictures import LONGEST_BAR, bars_of


def test_the_largest_number_has_the_longest_bar_and_the_others_their_share() -> None:
    drawn = bars_of([("Pages", 200, "200"), ("Candidates", 50, "50"), ("Published", 0, "0")])
    assert [bar.length for bar in drawn.bars] == [LONGEST_BAR, LONGEST_BAR / 4, 0]
    assert [bar.told for bar in drawn.bars] == ["200", "50", "0"]
    assert [bar.y for bar in drawn.bars] == sorted({bar.y for bar in drawn.bars})
    assert drawn.height > drawn.bars[-1].y


def test_nothing_at_all_is_drawn_too() -> None:
    assert bars_of([]).bars == ()
    assert [bar.length for bar in bars_of([("Pages", 0, "0")]).bars] == [0]
