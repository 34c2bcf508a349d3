"""Aksara Bali, with the letters for Sasak and the ones of Sanskrit and Kawi words."""

from __future__ import annotations

from lumbung.text.aksara.javanese import SOUNDED_HA
from lumbung.text.aksara.reader import Aksara, digits, letters

BALINESE = Aksara(
    script="Bali",
    consonants=letters(0x1B13, "k k g g ng c c j j ny t t d d n t t d d n p p b b m y r l w s s s h")
    | letters(0x1B45, "k kh ts f v z sy jny"),
    vowels=letters(0x1B05, "a a i i u u re re le le e ai o au"),
    signs=letters(0x1B35, "a i i u u re re le le e ai o au e eu"),
    finals={"ᬀ": "m", "ᬁ": "ng", "ᬂ": "ng", "ᬃ": "r", "ᬄ": "h"},
    nukta="᬴",
    foreign={"ᬓ": "kh", "ᬤ": "dz", "ᬧ": "f", "ᬯ": "v", "ᬚ": "z", "ᬕ": "gh", "ᬲ": "sy", "ᬳ": "h", "ᬢ": "t"},
    killers=frozenset("᭄"),
    marks=digits(0x1B50) | dict.fromkeys("᭚᭛᭜᭝᭠᭽᭾", "") | {"᭞": ",", "᭟": "."},
    silent_carrier="ᬳ",
    sounded_carriers=SOUNDED_HA,
)
