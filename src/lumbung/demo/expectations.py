"""What the demo world is there to show: the branches of the method, by name, with the pages that show them."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from importlib.resources import files
from typing import Any

OUTCOMES = frozenset(
    {
        "contradicted",
        "copy",
        "doorway",
        "enriched",
        "index",
        "parked",
        "published",
        "redirected",
        "refused",
        "reseeded",
        "review",
        "same-item",
        "skipped",
        "supplemented",
        "tombstone",
        "trapped",
        "witnessed",
    }
)


@dataclass(frozen=True, slots=True)
class Branch:
    name: str
    outcome: str
    pages: tuple[str, ...]
    says: str
    entry: str = ""
    category: str = ""
    attribute: str = ""
    values: tuple[str, ...] = ()
    forbidden_values: tuple[str, ...] = ()
    reason: str = ""


def load_expectations() -> tuple[Branch, ...]:
    text = files(__package__).joinpath("expectations.toml").read_text(encoding="utf-8")
    return tuple(_branch(table) for table in tomllib.loads(text)["branch"])


def _branch(table: dict[str, Any]) -> Branch:
    fields: dict[str, Any] = {name: tuple(value) if isinstance(value, list) else value for name, value in table.items()}
    return Branch(**fields)
