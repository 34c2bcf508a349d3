"""The reader that all aksara share: a consonant carries *a* until a sign changes or silences it."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

JOINERS = frozenset("\u200c\u200d\u2060")
WORD_DIVIDER = "\u200b"
VOWELS = frozenset("aeiou")


@dataclass(frozen=True, slots=True)
class Aksara:
    """One script. `foreign` maps consonant + nukta to the sound it then stands for."""

    script: str
    consonants: Mapping[str, str]
    vowels: Mapping[str, str]
    signs: Mapping[str, str]
    finals: Mapping[str, str] = field(default_factory=dict)
    medials: Mapping[str, str] = field(default_factory=dict)
    foreign: Mapping[str, str] = field(default_factory=dict)
    killers: frozenset[str] = frozenset()
    killed: Mapping[str, str] = field(default_factory=dict)
    marks: Mapping[str, str] = field(default_factory=dict)
    nukta: str = ""
    silent_carrier: str = ""
    sounded_carriers: tuple[str, ...] = ()
    doubles_before_suffix: bool = False


def letters(start: int, sounds: str) -> dict[str, str]:
    """Consecutive code points and their sounds; `-` stands for no letter here."""
    return {chr(start + place): sound for place, sound in enumerate(sounds.split()) if sound != "-"}


def digits(start: int) -> dict[str, str]:
    return {chr(start + value): str(value) for value in range(10)}


class _Syllables:
    """The syllable being read, and those before it."""

    def __init__(self, table: Aksara) -> None:
        self.table = table
        self.done: list[str] = []
        self.letter = ""
        self.onset = ""
        self.medial = ""
        self.signs = ""
        self.open = False

    def begin(self, letter: str, onset: str, signs: str = "") -> None:
        self.close()
        self.letter, self.onset, self.medial, self.signs, self.open = letter, onset, "", signs, True

    def vowel(self) -> str:
        """Signs in combination first (taling + tarung is o), otherwise each for itself."""
        table = self.table
        if not self.signs:
            return "a"
        known = table.vowels if self.signs[0] in table.vowels else table.signs
        if self.signs in known:
            return known[self.signs]
        spoken = known[self.signs[0]]
        return spoken + "".join(s for s in (table.signs[c] for c in self.signs[1:]) if s != spoken[-1:])

    def close(self, vowel: str | None = None) -> None:
        if not self.open:
            return
        onset = self.onset
        if vowel == "" and self.letter in self.table.killed:
            onset = self.table.killed[self.letter]
        elif self._only_carries() and vowel != "":
            onset = ""
        self.done.append(onset + self.medial + (self.vowel() if vowel is None else vowel))
        self.open = False

    def _only_carries(self) -> bool:
        """Ha without a vowel before it is written only to hold its own vowel."""
        if not self.letter or self.letter != self.table.silent_carrier or self.medial:
            return False
        return not self.done or self.done[-1][-1:] not in VOWELS

    def put(self, text: str) -> None:
        self.close()
        if text:
            self.done.append(text)


def read_aksara(text: str, table: Aksara) -> str:
    """Letters of other scripts pass unchanged. Joiners steer only the shape of letters and vanish; a zero-width space
    is how aksara on the web divides words, and becomes a space."""
    syllables = _Syllables(table)
    for sign in text:
        _read_sign(sign, syllables, table)
    syllables.close()
    return _tidy("".join(syllables.done), table)


def _read_sign(sign: str, syllables: _Syllables, table: Aksara) -> None:
    if sign in JOINERS:
        return
    if sign == WORD_DIVIDER:
        sign = " "
    if sign in table.consonants:
        syllables.begin(sign, table.consonants[sign])
    elif sign in table.vowels:
        syllables.begin(sign, "", sign)
    elif sign == table.nukta:
        syllables.onset = table.foreign.get(syllables.letter, syllables.onset)
        syllables.letter = ""
    elif sign in table.medials and syllables.open:
        syllables.medial += table.medials[sign]
    elif sign in table.signs:
        if not syllables.open:
            syllables.begin("", "")
        syllables.signs += sign
    elif sign in table.killers:
        syllables.close("")
    elif sign in table.finals or sign in table.medials:
        syllables.put(table.finals.get(sign) or table.medials[sign])
    else:
        syllables.put(table.marks.get(sign, sign))


_ASSIMILATED = (("nyc", "nc"), ("nyj", "nj"), ("ngng", "ng"))
_SUFFIXED = re.compile(r"([bcdfghjklmnprstwy])\1(?=(?:an|ane|ake|aken|ing|ipun|e|i|en)\b)")
_REPEATED = re.compile(r"(?<![^\W\d_])([^\W\d_]+)²")


def _tidy(latin: str, table: Aksara) -> str:
    """The nasal before c and j is written nya; a final consonant is written twice before a suffix."""
    for written, spoken in _ASSIMILATED:
        latin = latin.replace(written, spoken)
    if table.doubles_before_suffix:
        latin = _SUFFIXED.sub(r"\1", latin)
    for sounded in table.sounded_carriers:
        latin = re.sub(rf"\b{sounded[1:]}", sounded, latin)
    return _REPEATED.sub(r"\1-\1", latin)
