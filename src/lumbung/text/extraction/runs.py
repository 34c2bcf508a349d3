"""Entries and labelled values that a page runs together in one paragraph: `1. X: Asal: Y Bahan: Z 2. W: ...`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from lumbung.model.candidate import Block
from lumbung.model.profile import Profile
from lumbung.text.extraction.labels import is_label
from lumbung.text.extraction.values import trimmed

_NUMBER = re.compile(r"(?:(?<=\s)|^)(\d{1,2})[.)]{1,2}\s+(?=[A-Z\"“'‘(])")
_LABEL = re.compile(r"(?<![^\s(])([A-Z][\w'’/-]*(?: [\w'’/&-]+){0,3}): (?=\S)")
_SENTENCE_OVER = re.compile(r"(?:^|[.;!?\n])\s*$")
_FEWEST = 2
_LONGEST_HEAD = 80
_ROOM = " \t\n:–—-"


def cut_runs(blocks: tuple[Block, ...], text: str, profile: Profile) -> tuple[Block, ...]:
    """The blocks, with every such paragraph in parts."""
    return tuple(part for block in blocks for part in _parts(block, text, profile))


def _parts(block: Block, text: str, profile: Profile) -> Iterator[Block]:
    if block.kind not in {"paragraph", "list-item"} or not _may_run_on(block, text):
        yield block
        return
    starts = _numbered(block, text)
    if len(starts) < _FEWEST:
        yield from _labelled(block, text, profile)
        return
    if lead := _span(block, text, block.start, starts[0]):
        yield lead
    for start, end in zip(starts, [*starts[1:], block.end], strict=True):
        if entry := _span(replace(block, kind="list-item"), text, start, end):
            yield from _labelled(entry, text, profile)


def _may_run_on(block: Block, text: str) -> bool:
    """Whether a second number or a second label can stand in it: looking for those is cheap."""
    second = text.find("2.", block.start, block.end) >= 0 or text.find("2)", block.start, block.end) >= 0
    return second or text.count(": ", block.start, block.end) >= _FEWEST


def _numbered(block: Block, text: str) -> list[int]:
    """Where numbers stand that count on by one; a paragraph of one entry has none."""
    starts: list[int] = []
    expected = 1
    for found in _NUMBER.finditer(text, block.start, block.end):
        if int(found[1]) == expected:
            starts.append(found.start())
            expected += 1
    return starts


def _labelled(block: Block, text: str, profile: Profile) -> Iterator[Block]:
    """A block as a head and rows, where labels follow each other without the end of a sentence between them."""
    if text.count(": ", block.start, block.end) < _FEWEST:
        yield block
        return
    labels = list(_labels(block, text, profile))
    runs_on = any(_SENTENCE_OVER.search(text, block.start, start) is None for start, _, _ in labels[1:])
    if len(labels) < _FEWEST or not runs_on:
        yield block
        return
    head = trimmed(text, block.start, labels[0][0])
    if head[0] < head[1]:
        end = head[0] + len(text[slice(*head)].rstrip(_ROOM))
        short = end - head[0] <= _LONGEST_HEAD
        yield replace(block, kind="heading" if short else block.kind, start=head[0], end=end, level=3 if short else 0)
    ends = [*(start for start, _, _ in labels[1:]), block.end]
    for (_, label, value), end in zip(labels, ends, strict=True):
        row = _span(replace(block, kind="row", level=0, label=label), text, value, end)
        if row is not None and row.start == value:
            yield row


def _labels(block: Block, text: str, profile: Profile) -> Iterator[tuple[int, str, int]]:
    """Where each label of the profile begins, its words, and where its value begins."""
    at = block.start
    while found := _LABEL.search(text, at, block.end):
        words = found[1].split(" ")
        rest = (" ".join(words[place:]) for place in range(len(words)) if words[place][:1].isupper())
        label = next((each for each in rest if is_label(each, profile)), None)
        if label is not None:
            yield found.end(1) - len(label), label, found.end()
        at = found.end() if label is not None else found.start() + len(words[0])


def _span(block: Block, text: str, start: int, end: int) -> Block | None:
    piece = text[start:end]
    start, end = end - len(piece.lstrip()), start + len(piece.rstrip())
    return replace(block, start=start, end=end) if start < end else None
