"""Names of regions written in aksara, which sets no spaces between words."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cached_property

from ahocorasick_rs import AhoCorasick

from lumbung.text.aksara import AKSARA
from lumbung.text.folding import fold
from lumbung.text.script import script_counts, transliterate

_RUN = re.compile(
    "[\ua980-\ua9c0\ua9cf\u200c\u200d]+|[\u1b00-\u1b4c\u1b6b-\u1b73\u200c\u200d]+|[\u1b80-\u1baf\u1bba-\u1bbf]+|"
    "[\u1a00-\u1a1b]+|[\u1bc0-\u1bf3]+|[\ua930-\ua953]+"
)
_SHORTEST_WHOLE = 4
_SHORTEST_WITHIN = 7
"""A name so long is hardly met by chance among words that are not divided."""


class AksaraNames:
    def __init__(self, keys: Iterable[str]) -> None:
        self._keys = {joined: key for key in keys if len(joined := key.replace(" ", "")) >= _SHORTEST_WHOLE}

    @cached_property
    def _within(self) -> tuple[list[str], AhoCorasick]:
        long = sorted(joined for joined in self._keys if len(joined) >= _SHORTEST_WITHIN)
        return long, AhoCorasick(long)

    def spans(self, text: str) -> Iterator[tuple[int, int, str]]:
        """Runs of letters that are a name or hold a long one, each with that name, the longest."""
        if text.isascii() or AKSARA.keys().isdisjoint(script_counts(text)):
            return
        for run in _RUN.finditer(text):
            joined = self._name_in(fold(transliterate(run.group())))
            if joined:
                yield run.start(), run.end(), self._keys[joined]

    def _name_in(self, latin: str) -> str | None:
        if latin in self._keys:
            return latin
        long, automaton = self._within
        held = {long[found] for found, _, _ in automaton.find_matches_as_indexes(latin, overlapping=True)}
        return max(held, key=lambda joined: (len(joined), joined), default=None)
