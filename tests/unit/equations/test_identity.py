from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from lumbung.equations.identity import identity


def test_the_same_parts_give_the_same_identity_on_every_machine() -> None:
    digest = identity("tarian", "saman", "ID-AC")
    assert digest == identity("tarian", "saman", "ID-AC")
    assert len(digest) == 64
    assert digest == "2f443fd2b5c2dcebb3d623d5b77ff26e98fee6cc7fb314b916fb8ec0309d5b03"


def test_an_unknown_region_is_written_as_a_dash() -> None:
    assert identity("tarian", "saman", "") == identity("tarian", "saman", "-")


@settings(max_examples=200, derandomize=True)
@given(st.tuples(st.text(), st.text(), st.text()), st.tuples(st.text(), st.text(), st.text()))
def test_parts_that_merely_run_together_alike_stay_apart(a: tuple[str, str, str], b: tuple[str, str, str]) -> None:
    a, b = ((x, y, z or "-") for x, y, z in (a, b))
    assert (identity(*a) == identity(*b)) == (a == b)


def test_moving_a_letter_over_the_border_changes_the_identity() -> None:
    assert identity("ab", "c", "d") != identity("a", "bc", "d")
