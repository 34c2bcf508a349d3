"""A named passage at a boundary of side effects; tests make the process die there."""

from __future__ import annotations

from typing import Protocol


class Passage(Protocol):
    def __call__(self, name: str) -> None: ...


def unmarked(name: str) -> None:
    """Where nobody wants to strike."""
