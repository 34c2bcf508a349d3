"""Lontara of Bugis and Makassar, and the older Makasar script.

Neither writes the consonant that closes a syllable, nor a doubled consonant: ᨒᨚᨈᨑ is read *lontaraʼ* by one who
knows the word and *lotara* by the letters. We give the letters and add nothing.
"""

from __future__ import annotations

from lumbung.text.aksara.reader import Aksara, letters

LONTARA = Aksara(
    script="Bugi",
    consonants=letters(0x1A00, "k g ng ngk p b m mp t d n nr c j ny nc y r l w s - h"),
    vowels={"ᨕ": "a"} | {"ᨕ" + sign: vowel for sign, vowel in letters(0x1A17, "i u e o e").items()},
    signs=letters(0x1A17, "i u e o e"),
    killers=frozenset("\u1a7f"),
    marks={"᨞": ",", "᨟": ""},
)

MAKASAR = Aksara(
    script="Maka",
    consonants=letters(0x11EE0, "k g ng p b m t d n c j ny y r l w s"),
    vowels={"\U00011ef1": "a"} | {"\U00011ef1" + sign: vowel for sign, vowel in letters(0x11EF3, "i u e o").items()},
    signs=letters(0x11EF3, "i u e o"),
    marks={"\U00011ef2": "²", "\U00011ef7": ",", "\U00011ef8": ""},
)
