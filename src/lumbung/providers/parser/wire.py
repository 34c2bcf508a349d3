"""What parent and child say to each other: length-prefixed JSON, so that a broken child can say nothing harmful."""

from __future__ import annotations

import struct
from dataclasses import dataclass

from pydantic import TypeAdapter

from lumbung.model.candidate import Candidate, PageText
from lumbung.providers.parser.recognition import Recognition
from lumbung.text.lexicon import Words

READY = b"."
BEAR = b"b"
"""With one end of a wire: a new child, at its other end; answered by the child's number."""
REAP = b"r"
"""And a number: a killed child, which is gone when it is answered."""
LENGTH = struct.Struct("!II")
NUMBER = struct.Struct("!i")
MOST_ANSWER_BYTES = 64_000_000


@dataclass(frozen=True, slots=True)
class Question:
    """The body follows the header on the wire, as it is."""

    url: str
    content_type: str
    extract: bool
    recognition: Recognition | None = None
    """Reads the letters of a PDF that holds pictures of pages."""


@dataclass(frozen=True, slots=True)
class Answer:
    page: PageText | None = None
    candidates: tuple[Candidate, ...] = ()
    refused: str | None = None
    """A reason of the closed list."""


QUESTION = TypeAdapter(Question)
ANSWER = TypeAdapter(Answer)
WORDS = TypeAdapter(Words)
