"""Where an item comes from: regions named by its rows and, with a word of origin, by its definition."""

from __future__ import annotations

from lumbung.model.candidate import PageText
from lumbung.model.profile import Profile, ValueKind
from lumbung.text.extraction.evidence import Evidence
from lumbung.text.extraction.items import Item
from lumbung.text.extraction.labels import attribute_of
from lumbung.text.extraction.rows import labelled_values
from lumbung.text.extraction.wording import Wording
from lumbung.text.region import Gazetteer

ORIGIN = "asal-daerah"
_REACH = 40
_ROW_CONFIDENCE = 0.95
_DEFINITION_CONFIDENCE = 0.92


def read_origins(
    item: Item,
    page: PageText,
    profile: Profile,
    gazetteer: Gazetteer,
    wording: Wording,
    category: str | None,
    evidence: Evidence,
) -> tuple[str, ...]:
    """Codes of the regions of origin, the surest first; each found one is also a fact."""
    codes: dict[str, None] = {}
    for row in labelled_values(page.text, item.blocks):
        attribute = attribute_of(row.label, profile, category)
        if attribute is None or attribute.kind is not ValueKind.PLACE:
            continue
        for found in gazetteer.find(page.text[row.value[0] : row.value[1]]):
            at = (row.value[0] + found.start, row.value[0] + found.end)
            evidence.add(attribute.code, found.name, row.quote, at, _ROW_CONFIDENCE)
            if attribute.code == ORIGIN:
                codes[found.code] = None
    if item.definition is not None:
        _read_definition(item, gazetteer, wording, evidence, codes)
    return tuple(codes)


def _read_definition(
    item: Item, gazetteer: Gazetteer, wording: Wording, evidence: Evidence, codes: dict[str, None]
) -> None:
    definition = item.definition
    if definition is None:
        return
    sentence = definition.sentence
    tail = sentence.text[definition.tail :]
    contrast = wording.contrast.search(tail)
    tail = tail[: contrast.start()] if contrast else tail
    for found in gazetteer.find(tail):
        before = tail[max(0, found.start - _REACH) : found.start]
        if wording.origin.search(before):
            start = sentence.start + definition.tail + found.start
            at = (start, start + found.end - found.start)
            evidence.add(ORIGIN, found.name, (sentence.start, sentence.end), at, _DEFINITION_CONFIDENCE)
            codes[found.code] = None
