"""Surat Batak in its Toba, Karo, Pakpak, Simalungun and Mandailing forms.

Toba reads ᯂ as *ha* and, silenced, as *k*; Karo and Pakpak read it as *ka* throughout. Karo writes *u* with the cross
that is *o* elsewhere, and *o* with the stroke that is *e* in Pakpak. Which of them a text is shows in the letters that
only they have.
"""

from __future__ import annotations

from dataclasses import replace

from lumbung.text.aksara.reader import Aksara, letters

_HA = "ᯂ"
_SIMALUNGUN_LETTERS = frozenset("ᯁᯃᯈᯌᯏᯓᯕᯙᯜᯟ")
_KARO_LETTERS = frozenset("ᯆᯢᯣᯫᯭ᯳")
"""Some of them are Simalungun's too, which has others of its own."""
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

_PAKPAK = replace(BATAK, consonants={**BATAK.consonants, _HA: "k"})
_KARO = replace(_PAKPAK, signs={**BATAK.signs, "ᯬ": "u", "ᯨ": "o"})
_KARO_WITH_TOBA_U = replace(_KARO, signs={**_KARO.signs, "ᯬ": "o"})


def batak_table(text: str) -> Aksara:
    if not _SIMALUNGUN_LETTERS.isdisjoint(text):
        return BATAK
    if not _KARO_LETTERS.isdisjoint(text):
        return _KARO_WITH_TOBA_U if "ᯮ" in text else _KARO
    return BATAK if _KARO_OR_PAKPAK_LETTERS.isdisjoint(text) else _PAKPAK
