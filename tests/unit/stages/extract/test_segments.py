"""What is shown of a page in pieces: all of it, none too long, cut where a text itself divides."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from lumbung.model.candidate import Block, PageKind, PageText
from lumbung.stages.extract.segments import LONGEST, OVERLAP, segments


def page(*parts):
    text, blocks = "", []
    for kind, words in parts:
        blocks.append(Block(kind, len(text), len(text) + len(words)))
        text += words + "\n\n"
    return PageText("A", text, "ind", "Latn", PageKind.ITEM, blocks=tuple(blocks))


def whole(made):
    return segments(made, [(0, len(made.text))])


def test_a_short_page_is_one_piece():
    short = page(
        ("heading", "Rendang"), ("paragraph", "Rendang adalah masakan."), ("heading", "Bahan"), ("list-item", "daging")
    )
    (only,) = whole(short)
    assert only.text(short).split() == short.text.split()


def test_a_long_page_is_cut_before_a_heading_and_there_nothing_is_said_twice():
    long = page(("paragraph", "kata " * 1600), ("heading", "Dua"), ("paragraph", "lagi " * 700))
    first, second = whole(long)
    assert second.text(long).startswith("Dua")
    assert first.spans[-1][1] == second.spans[0][0]


def test_headings_alone_do_not_make_more_questions():
    parts = [part for number in range(8) for part in (("heading", f"Bagian {number}"), ("paragraph", "kata " * 100))]
    assert len(whole(page(*parts))) == 1


def test_a_cut_inside_a_section_repeats_the_words_before_it():
    long = page(("paragraph", "awal " * 1500), ("paragraph", "akhir " * 1000))
    first, second = whole(long)
    assert 0 < first.spans[-1][1] - second.spans[0][0] <= OVERLAP + 200


def test_what_is_left_out_is_in_no_piece():
    made = page(("paragraph", "Tari Piring."), ("paragraph", "Harga tiket."), ("paragraph", "Talempong."))
    first, third = made.blocks[0], made.blocks[2]
    (only,) = segments(made, [(first.start, first.end), (third.start, third.end)])
    assert only.text(made) == "Tari Piring.\nTalempong."


def test_an_empty_page_has_no_pieces():
    assert whole(page()) == []


@settings(max_examples=60, derandomize=True, deadline=None)
@given(
    st.lists(
        st.tuples(st.sampled_from(["heading", "paragraph", "list-item"]), st.integers(1, 9000)), min_size=1, max_size=8
    ),
    st.booleans(),
)
def test_the_pieces_cover_the_page_and_none_is_too_long(parts, spaced):
    made = page(*((kind, ("kata " * size)[:size] if spaced else "k" * size) for kind, size in parts))
    found = whole(made)
    covered = 0
    for start, end in (span for each in found for span in each.spans):
        assert start <= covered or not made.text[covered:start].strip()
        covered = max(covered, end)
    assert not made.text[covered:].strip()
    assert all(len(each.text(made)) <= LONGEST + OVERLAP + 200 for each in found)
    assert [each.number for each in found] == list(range(len(found)))
