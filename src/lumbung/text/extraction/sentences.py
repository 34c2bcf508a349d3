"""Cuts blocks into sentences with their offsets."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

_END = re.compile(r"[.!?…]+[\"'”’)\]]*(?:\[\w{1,3}\])*(?=\s|$)|\n+|(?<=[a-z]{3})[.!?](?=[A-Z][a-z]{2})")
"""Also where the blank was forgotten."""
_ABBREVIATED = re.compile(
    r"(?:^|[\s(])(?:[A-Z](?:\.[A-Z])*|[Dd]rs?|Dra|Prof|Ir|H|Hj|KH|K\.H|R\.A|R\.M|R[dr]|RM|KRT|KRA|St|Sp|[Jj]l|No|no|[Hh]al|[Hh]lm|dll|dsb|dst|a\.n|a\.l|"
    r"tgl|th|kab|Kab|kec|Kec|prov|Prov|ca|c|vs|etc|e\.g|i\.e|bijv|o\.a|d\.w\.z|enz|m\.b\.t|Mr|Mrs|Ms|km|cm|[Ss]ekitar|sdr|Sdr|"
    r"M|SM|Tn|Ny|Mgr|Gg|Ds|ed|vol|cet|y\.i|yth|red)$",
)


_MAY_END = re.compile(r"(?:^|\s)(?:[Ss]ekitar|red|cm|km|dll|dsb|dst|etc|enz)$|\d\s(?:M|SM|m)$")
"""Of these, those with which a sentence ends as often."""
_LONGEST = 2_000
_NUMBERING = re.compile(r"(?:\d{1,3}|[a-z])[.)]")


@dataclass(frozen=True, slots=True)
class Sentence:
    """`text[start:end]` of the page, with the text at hand."""

    text: str
    start: int

    @property
    def end(self) -> int:
        return self.start + len(self.text)


def sentences(text: str, start: int, end: int) -> Iterator[Sentence]:
    """The sentences of `text[start:end]`; dots of abbreviations and initials end none."""
    begin = start
    for found in _END.finditer(text, start, end):
        if found[0][0] == "." and _goes_on(text, begin, found.start(), found.end()):
            continue
        yield from _trimmed(text, begin, found.end())
        begin = found.end()
    yield from _trimmed(text, begin, end)


def _goes_on(text: str, begin: int, dot: int, after: int) -> bool:
    before, rest = text[max(begin, dot - 12) : dot], text[after : after + 3].lstrip()
    if _ABBREVIATED.search(before):
        return not (rest[:1].isupper() and _MAY_END.search(before))
    return bool(rest) and rest[0].islower()


def _trimmed(text: str, start: int, end: int) -> Iterator[Sentence]:
    """The piece as a sentence; one that never ends is cut, so that the time it takes grows with its length only."""
    while end - start > _LONGEST:
        cut = text.rfind(" ", start + 1, start + _LONGEST)
        cut = cut if cut > start else start + _LONGEST
        yield from _trimmed(text, start, cut)
        start = cut
    piece = text[start:end]
    lead = len(piece) - len(piece.lstrip())
    piece = piece.strip()
    if piece and not _NUMBERING.fullmatch(piece):
        yield Sentence(piece, start + lead)
