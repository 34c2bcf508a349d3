"""The governed rows of scope and sensitive list: their names, and the form in which terms are kept."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict

from lumbung.model.profile import SensitiveTerm

SENSITIVE_LIST = "sensitive.list"
SCOPE = "scope.text"
RATIFICATION = "scope.ratification"
"""Whom a guardian talked scope and list over with, and which versions of them."""


def terms_as_rows(terms: Sequence[SensitiveTerm]) -> list[dict[str, str]]:
    return sorted((asdict(term) for term in terms), key=lambda row: (row["term"], row["category"]))
