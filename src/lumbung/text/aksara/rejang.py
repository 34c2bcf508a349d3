"""Rejang, one of the Surat Ulu scripts of southern Sumatra."""

from __future__ import annotations

from lumbung.text.aksara.reader import Aksara, letters

REJANG = Aksara(
    script="Rjng",
    consonants=letters(0xA930, "k g ng t d n p b m c j ny s r l y w h mb ngg nd nj"),
    vowels={"ꥆ": "a"} | {"ꥆ" + sign: vowel for sign, vowel in letters(0xA947, "i u e ai o au eu ea").items()},
    signs=letters(0xA947, "i u e ai o au eu ea"),
    finals=letters(0xA94F, "ng n r h"),
    killers=frozenset("꥓"),
    marks={"꥟": ""},
)
