"""Segments by heading, with overlap."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from lumbung.model.candidate import Block, PageKind, PageText
from lumbung.text.extraction.segments import segments


def page_of(parts: list[tuple[str, str]]) -> PageText:
    text, blocks = "", []
    for kind, words in parts:
        text += "\n" if text else ""
        blocks.append(Block(kind, len(text), len(text) + len(words), 2 if kind == "heading" else 0))
        text += words
    return PageText("", text, "ind", "Latn", PageKind.ITEM, tuple(blocks))


def test_a_heading_begins_a_segment_and_names_it() -> None:
    page = page_of([("paragraph", "a" * 300), ("heading", "Busana"), ("paragraph", "b" * 300)])
    first, second = segments(page, size=400, overlap=0)
    assert page.text[second.start : second.end].startswith("Busana")
    assert (first.headings, second.headings) == ((), ("Busana",))


def test_the_overlap_reaches_back_to_a_whole_block() -> None:
    page = page_of([("paragraph", "a" * 300), ("paragraph", "b" * 50), ("paragraph", "c" * 300)])
    _, second = segments(page, size=360, overlap=60)
    assert page.text[second.start : second.end].startswith("b" * 50)


@settings(max_examples=100, derandomize=True)
@given(
    st.lists(
        st.tuples(st.sampled_from(["heading", "paragraph", "list-item"]), st.text("ab ", min_size=1, max_size=90)),
        max_size=20,
    )
)
def test_together_they_hold_every_block_and_none_is_much_too_long(parts: list[tuple[str, str]]) -> None:
    page = page_of(parts)
    found = segments(page, size=120, overlap=30)
    covered = {place for segment in found for place in range(segment.start, segment.end)}
    assert all(place in covered for block in page.blocks for place in range(block.start, block.end))
    assert all(segment.end - segment.start <= 150 for segment in found)
    assert [segment.number for segment in found] == list(range(len(found)))
