"""Facts from linked data, as far as the page shows them to its readers too."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib import resources

from lumbung.model.candidate import Block
from lumbung.model.profile import Profile
from lumbung.text.extraction.evidence import Evidence, Kind
from lumbung.text.extraction.reading import Reading
from lumbung.text.extraction.rows import read_entry


def read_linked(blocks: list[Block], reading: Reading, category: str, evidence: Evidence) -> None:
    """Blocks of kind `data` carry the property as label; their span is where the value stands in the text."""
    codes = _schema()["attributes"]
    for block in blocks:
        attribute = reading.profile.attributes.get(codes.get(block.label, "")) if block.kind == "data" else None
        if attribute is not None and attribute.belongs_to(category):
            read_entry(reading, (block.start, block.end), attribute, Kind.DATA, evidence)


def kinds_of(blocks: list[Block], profile: Profile) -> frozenset[str]:
    """Categories that the properties alone tell, as ingredients tell food."""
    codes = _schema()["categories"]
    told = {codes[block.label] for block in blocks if block.kind == "data" and block.label in codes}
    return frozenset(code for code in told if code in profile.categories)


@cache
def _schema() -> dict[str, dict[str, str]]:
    source = resources.files("lumbung.text.extraction") / "languages" / "schema.toml"
    return tomllib.loads(source.read_text(encoding="utf-8"))
