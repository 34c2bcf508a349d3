"""Aksara Sunda baku, with the letters of old manuscripts."""

from __future__ import annotations

from lumbung.text.aksara.reader import Aksara, digits, letters

SUNDANESE = Aksara(
    script="Sund",
    consonants=letters(0x1B8A, "k q g ng c j z ny t d n p f v b m y r l w s x h") | {"ᮮ": "kh", "ᮯ": "sy", "ᮽ": "b"},
    vowels=letters(0x1B83, "a i u e o e eu") | {"ᮻ": "reu", "ᮼ": "leu"},
    signs=letters(0x1BA4, "i u e o e eu"),
    finals={"ᮀ": "ng", "ᮁ": "r", "ᮂ": "h", "ᮾ": "k", "ᮿ": "m"},
    medials={"ᮡ": "y", "ᮢ": "r", "ᮣ": "l", "ᮬ": "m", "ᮭ": "w"},
    killers=frozenset("᮪᮫"),
    marks=digits(0x1BB0) | dict.fromkeys("ᮺ᳀᳁᳂᳃᳄᳅᳆᳇", ""),
)
