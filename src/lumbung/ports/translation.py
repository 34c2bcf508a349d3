"""Putting a text into another language."""

from __future__ import annotations

from typing import Protocol


class Translation(Protocol):
    async def translate(self, text: str, source: str, target: str, stage: str, job: str) -> str:
        """The text in the target language; languages are ISO 639-3 codes. CapabilityMissing if it cannot be done."""
        ...
