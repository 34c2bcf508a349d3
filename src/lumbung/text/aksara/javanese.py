"""Hanacaraka. Murda and mahaprana letters are honorific or etymological, not other sounds."""

from __future__ import annotations

from lumbung.text.aksara.reader import Aksara, digits, letters

# Words whose ha is sounded at the start; everywhere else an initial ha only carries its vowel (ꦲꦤ is *ana*).
SOUNDED_HA = ("hanacaraka", "hanoman", "hanuman", "hikayat", "hadrah", "hindu", "hastina")

JAVANESE = Aksara(
    script="Java",
    consonants=letters(0xA98F, "k k k g g ng c c j ny j ny th th dh dh n t t d d n p p b b m y r r l w s s s h"),
    vowels=letters(0xA984, "a i i i u re le le e ai o") | {"ꦄꦴ": "a", "ꦈꦴ": "u", "ꦎꦴ": "au", "ꦉꦴ": "reu"},
    signs=letters(0xA9B4, "a o i i u u e ai e")
    | {"ꦺꦴ": "o", "ꦻꦴ": "au", "ꦼꦴ": "eu", "ꦸꦴ": "u", "ꦶꦴ": "i", "ꦽ": "re", "ꦽꦴ": "reu"},
    finals={"ꦀ": "m", "ꦁ": "ng", "ꦂ": "r", "ꦃ": "h"},
    medials={"ꦾ": "y", "ꦿ": "r"},
    nukta="꦳",
    foreign={"ꦏ": "kh", "ꦢ": "dz", "ꦥ": "f", "ꦮ": "v", "ꦗ": "z", "ꦒ": "gh", "ꦔ": "", "ꦲ": "h", "ꦱ": "sy"},
    killers=frozenset("꧀"),
    marks=digits(0xA9D0) | dict.fromkeys("꧁꧂꧃꧄꧅꧆꧊꧋꧌꧍꧞꧟", "") | {"꧇": "", "꧈": ",", "꧉": ".", "ꧏ": "²"},
    silent_carrier="ꦲ",
    sounded_carriers=SOUNDED_HA,
    doubles_before_suffix=True,
)
