"""Aksara of Nusantara to Latin letters: tables written from the Unicode charts, and one reader for all of them."""

from __future__ import annotations

from lumbung.text.aksara.balinese import BALINESE
from lumbung.text.aksara.batak import BATAK, batak_table
from lumbung.text.aksara.javanese import JAVANESE
from lumbung.text.aksara.lontara import LONTARA, MAKASAR
from lumbung.text.aksara.reader import Aksara, read_aksara
from lumbung.text.aksara.rejang import REJANG
from lumbung.text.aksara.sundanese import SUNDANESE

__all__ = ["AKSARA", "Aksara", "latin_of"]

AKSARA: dict[str, Aksara] = {
    table.script: table for table in (JAVANESE, BALINESE, SUNDANESE, LONTARA, MAKASAR, BATAK, REJANG)
}


def latin_of(text: str, script: str) -> str:
    """One run of text in one script; a script without a table comes back unchanged."""
    if script == BATAK.script:
        return read_aksara(text, batak_table(text))
    table = AKSARA.get(script)
    return read_aksara(text, table) if table else text
