"""A thing that a page describes, as far as it has been found."""

from __future__ import annotations

from dataclasses import dataclass, field

from lumbung.model.candidate import Block
from lumbung.text.extraction.definitions import Definition
from lumbung.text.extraction.rows import Labelled
from lumbung.text.extraction.values import Span


@dataclass(slots=True)
class Item:
    """A thing the page describes, with the blocks that speak of it."""

    name: str
    heading: str
    blocks: list[Block] = field(default_factory=list)
    definition: Definition | None = None
    rows: list[Labelled] = field(default_factory=list)
    context: frozenset[str] = frozenset()
    """Categories of the list it stands in, where it does not say its own."""
    titled: Definition | None = None
    """What its heading says it is: `X, tarian khas Y`."""
    inherited: list[Span] = field(default_factory=list)
    """Regions of a heading further up; what its own text says of its origin counts more."""
    origins: list[Span] = field(default_factory=list)
    """Regions that its heading puts beside it."""
