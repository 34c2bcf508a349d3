"""What stage 2 makes of a page: candidates whose every fact points into the page's text."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class PageKind(StrEnum):
    ITEM = "item"
    INDEX = "index"
    ENCYCLOPAEDIA = "encyclopaedia"
    NOISE = "noise"


@dataclass(frozen=True, slots=True)
class ExtractedFact:
    """A claim before it is stored: `text[start:end] == quote`, offsets in code points of the main text."""

    attribute: str
    value: str
    quote: str
    start: int
    end: int
    language: str
    confidence: float
    polarity: int = 1
    """-1: the quote says that it is not so."""


@dataclass(frozen=True, slots=True)
class MediaReference:
    url: str
    caption: str = ""
    creator: str = ""
    licence_hint: str = ""


@dataclass(frozen=True, slots=True)
class Candidate:
    """x = (n, A, k, r, F) of Eq. (10)."""

    name: str
    aliases: tuple[str, ...]
    category: str | None
    regions: tuple[str, ...]
    facts: tuple[ExtractedFact, ...]
    media: tuple[MediaReference, ...]
    engine: str
    parked: str | None = None
    """Why it waits for a model, a translator or a person; None when nothing is open."""


@dataclass(frozen=True, slots=True)
class Link:
    url: str
    anchor: str
    context: str
    section: str = ""
    """The heading under which the link stands."""


@dataclass(frozen=True, slots=True)
class Block:
    """A piece of the main text that keeps its structure; `text[start:end]` is its text."""

    kind: str
    """heading, paragraph, list-item, row (label and value of a table or infobox), caption."""
    start: int
    end: int
    level: int = 0
    label: str = ""
    """For a row: the label, whose value is the span."""


@dataclass(frozen=True, slots=True)
class PageText:
    """The cleaned, visible main text of a page (NFC) and what its markup says."""

    title: str
    text: str
    language: str
    script: str
    kind: PageKind
    blocks: tuple[Block, ...] = ()
    links: tuple[Link, ...] = ()
    media: tuple[MediaReference, ...] = ()
    canonical_url: str | None = None
    licence: str | None = None
    published: str | None = None
    publisher: str = ""
    origins: tuple[str, ...] = ()
    """Domains of other sites that the page declares to be where it comes from."""
    directives: frozenset[str] = frozenset()
    """Opt-outs in the markup: noindex, nofollow, noarchive, noai, tdm-reservation ..."""
    recognised_by: str = ""
    """The program, with its version, that read the letters from pictures; empty where the page has text."""
