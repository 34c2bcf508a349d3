"""A search endpoint that proposes seeds. What it finds is shown to the curator, never fetched unasked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Found:
    url: str
    """Normalised, as the frontier would know it."""
    title: str
    snippet: str


class Search(Protocol):
    async def find(self, query: str, limit: int = 20) -> Sequence[Found]: ...
