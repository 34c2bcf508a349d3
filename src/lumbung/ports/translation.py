"""Putting a text into another language."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Passage:
    """What is to be translated, for whom; languages are ISO 639-3 codes."""

    text: str
    source: str
    target: str
    stage: str
    job: str
    subject: str = ""
    """What the text is about, so that an erasure finds its translation."""
    sensitive: bool = False
    """Goes to a hosted service only if the guardian allows it."""


class Translation(Protocol):
    @property
    def providers(self) -> tuple[str, ...]: ...

    async def translate(self, passage: Passage) -> str:
        """The text in the target language. CapabilityMissing if it cannot be done."""
        ...
