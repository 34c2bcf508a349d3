"""Where an item comes from: regions named by its rows and, with a word of origin, by its definition."""

from __future__ import annotations

from lumbung.model.profile import ValueKind
from lumbung.text.extraction.definitions import Definition
from lumbung.text.extraction.evidence import Evidence
from lumbung.text.extraction.items import Item
from lumbung.text.extraction.labels import attribute_of
from lumbung.text.extraction.reading import Reading
from lumbung.text.extraction.rows import labelled_values

ORIGIN = "asal-daerah"
_REACH = 40
_ROW_CONFIDENCE = 0.95
_DEFINITION_CONFIDENCE = 0.92


def read_origins(item: Item, reading: Reading, category: str | None, evidence: Evidence) -> tuple[str, ...]:
    """Codes of the regions of origin, the surest first; each found one is also a fact."""
    codes: dict[str, None] = {}
    for row in labelled_values(reading.text, item.blocks):
        attribute = attribute_of(row.label, reading.profile, category)
        if attribute is None or attribute.kind is not ValueKind.PLACE:
            continue
        for found in reading.gazetteer.find(reading.text[row.value[0] : row.value[1]]):
            at = (row.value[0] + found.start, row.value[0] + found.end)
            evidence.add(attribute.code, found.name, row.quote, at, _ROW_CONFIDENCE)
            if attribute.code == ORIGIN:
                codes[found.code] = None
    if item.definition is not None:
        _read_definition(item.definition, reading, evidence, codes)
    return tuple(codes)


def _read_definition(definition: Definition, reading: Reading, evidence: Evidence, codes: dict[str, None]) -> None:
    sentence = definition.sentence
    tail = sentence.text[definition.tail :]
    contrast = reading.wording.contrast.search(tail)
    tail = tail[: contrast.start()] if contrast else tail
    for found in reading.gazetteer.find(tail):
        if reading.wording.origin.search(tail[max(0, found.start - _REACH) : found.start]):
            start = sentence.start + definition.tail + found.start
            at = (start, start + found.end - found.start)
            evidence.add(ORIGIN, found.name, (sentence.start, sentence.end), at, _DEFINITION_CONFIDENCE)
            codes[found.code] = None
