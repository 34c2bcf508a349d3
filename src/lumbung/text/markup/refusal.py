"""Why bytes could not be read: the closed list. Anything outside it counts as a crash."""

from __future__ import annotations

from enum import StrEnum

from lumbung.errors import InputRefused


class Unreadable(StrEnum):
    EMPTY = "empty"
    TOO_LARGE = "too-large"
    NOT_TEXT = "not-text"
    UNSUPPORTED_TYPE = "unsupported-type"
    TOO_MANY_ATTRIBUTES = "too-many-attributes"
    TOO_MANY_ELEMENTS = "too-many-elements"
    TOO_MANY_LINKS = "too-many-links"
    TOO_DEEP = "too-deep"
    DAMAGED_PDF = "damaged-pdf"
    ENCRYPTED_PDF = "encrypted-pdf"
    NO_TEXT_LAYER = "no-text-layer"
    NO_LETTERS = "no-letters"
    DAMAGED_ARCHIVE = "damaged-archive"
    TIME_LIMIT = "time-limit"
    MEMORY_LIMIT = "memory-limit"
    PARSER_CRASHED = "parser-crashed"


_SENTENCES = {
    Unreadable.EMPTY: "There is nothing in it.",
    Unreadable.TOO_LARGE: "It is larger than a page may be.",
    Unreadable.NOT_TEXT: "These bytes are not a page of text.",
    Unreadable.UNSUPPORTED_TYPE: "Only HTML, plain text and PDF are read.",
    Unreadable.TOO_MANY_ATTRIBUTES: "One of its tags has more attributes than any real page needs.",
    Unreadable.TOO_MANY_ELEMENTS: "It has more elements than a page may have.",
    Unreadable.TOO_MANY_LINKS: "It has more links than a page may have.",
    Unreadable.TOO_DEEP: "Its elements are nested deeper than any real page needs.",
    Unreadable.DAMAGED_PDF: "The PDF is damaged.",
    Unreadable.ENCRYPTED_PDF: "The PDF asks for a password.",
    Unreadable.NO_TEXT_LAYER: "The PDF holds pictures of pages, no text.",
    Unreadable.NO_LETTERS: "No letters were found in its pictures.",
    Unreadable.DAMAGED_ARCHIVE: "The web archive is damaged.",
    Unreadable.TIME_LIMIT: "Reading it took longer than allowed.",
    Unreadable.MEMORY_LIMIT: "Reading it took more memory than allowed.",
    Unreadable.PARSER_CRASHED: "The parser died over it.",
}


def refused(reason: Unreadable) -> InputRefused:
    return InputRefused(_SENTENCES[reason], reason.value)
