"""Surat Batak in its Toba, Karo, Pakpak, Simalungun and Mandailing forms.

Toba reads ᯂ as *ha* and, silenced, as *k*; Karo and Pakpak read it as *ka* throughout. Which of them a text is shows
in the letters that only those two have.
"""

from __future__ import annotations

from dataclasses import replace

from lumbung.text.aksara.reader import Aksara, letters

_HA = "ᯂ"
_KARO_OR_PAKPAK_LETTERS = frozenset("ᯆᯍᯡᯢᯣᯨᯫᯭ")

BATAK = Aksara(
    script="Batk",
    consonants=letters(0x1BC2, "h h h b b p p n n w w w g g j d r r m m t t s s s y y ng l l ny c nd mb"),
    vowels=letters(0x1BC0, "a a") | letters(0x1BE4, "i u"),
    signs=letters(0x1BE7, "e e e i i o o u u"),
    finals={"ᯰ": "ng", "ᯱ": "h"},
    nukta="᯦",
    foreign={"ᯂ": "k", "ᯃ": "k", "ᯄ": "k", "ᯘ": "c", "ᯙ": "c", "ᯚ": "c"},
    killers=frozenset("᯲᯳"),
    killed={"ᯂ": "k", "ᯃ": "k", "ᯄ": "k"},
    marks=dict.fromkeys("᯼᯽᯾᯿", ""),
)

_KARO_OR_PAKPAK = replace(BATAK, consonants={**BATAK.consonants, _HA: "k"})


def batak_table(text: str) -> Aksara:
    return BATAK if _KARO_OR_PAKPAK_LETTERS.isdisjoint(text) else _KARO_OR_PAKPAK
