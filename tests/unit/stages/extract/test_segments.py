"""A page is cut at its headings; no letter is lost, and each piece is small enough."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from lumbung.model.candidate import Block, PageKind, PageText
from lumbung.stages.extract.segments import LONGEST, OVERLAP, segments


def page(*pieces):
    blocks, text = [], ""
    for kind, words in pieces:
        blocks.append(Block(kind, len(text), len(text) + len(words)))
        text += words + "\n\n"
    return PageText("t", text.rstrip("\n"), "ind", "Latn", PageKind.ITEM, blocks=tuple(blocks))


def test_a_short_page_is_one_piece():
    short = page(
        ("heading", "Rendang"), ("paragraph", "Rendang adalah masakan."), ("heading", "Bahan"), ("list-item", "daging")
    )
    (only,) = segments(short)
    assert (only.start, only.end) == (0, len(short.text))


def test_a_long_page_is_cut_before_its_headings_with_an_overlap():
    long = page(("heading", "Satu"), ("paragraph", "kata " * 500), ("heading", "Dua"), ("paragraph", "lain " * 500))
    first, second = segments(long)
    assert long.text[second.fresh :].startswith("Dua")
    assert 0 < second.fresh - second.start <= OVERLAP + 200
    assert first.end == second.fresh


def test_an_empty_page_has_no_pieces():
    assert segments(page()) == []


@settings(max_examples=60, derandomize=True, deadline=None)
@given(
    st.lists(
        st.tuples(st.sampled_from(["heading", "paragraph", "list-item"]), st.integers(1, 9000)), min_size=1, max_size=8
    ),
    st.booleans(),
)
def test_the_pieces_cover_the_page_and_none_is_too_long(parts, spaced):
    made = page(*((kind, ("kata " * size)[:size] if spaced else "k" * size) for kind, size in parts))
    found = segments(made)
    covered = "".join(made.text[each.fresh : each.end] for each in found)
    assert covered.split() == made.text.split()
    assert all(each.end - each.fresh <= LONGEST + 200 for each in found)
    assert [each.number for each in found] == list(range(len(found)))
