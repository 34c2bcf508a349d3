"""Whether a quote says what a value claims: clear cases by rule, the rest is for the model."""

from __future__ import annotations

import re
from typing import Literal

from lumbung.model.profile import ValueKind
from lumbung.text.dating import read_date
from lumbung.text.quantity import read_quantity
from lumbung.text.values import text_stems

Support = Literal["yes", "no", "unclear"]
FIGURE = re.compile(r"\d+")
DENIAL = re.compile(
    r"\b(?:bukan(?:lah)?|tidak(?:lah)?|tak|tanpa|belum|jangan|tiada|not|never|no|without|niet|geen|nooit|zonder|ora|dudu|henteu|teu|sanes|ten|nenten)\b",
    re.IGNORECASE,
)


def denied(value: str, quote: str) -> bool:
    """Whether the quote has a word of denial that the value has not; of what, rules cannot tell."""
    return bool(DENIAL.search(quote)) and not DENIAL.search(value)


def support(value: str, quote: str, kind: ValueKind) -> Support:
    """Yes when the quote holds every word of the value and denies nothing; no when its date or amount is another one."""
    if kind is ValueKind.DATE and (said := read_date(value)) and (quoted := read_date(quote)):
        return "yes" if said.overlaps(quoted) else "no"
    if kind is ValueKind.NUMBER and (amount := read_quantity(value)) and (other := read_quantity(quote)):
        return "yes" if amount.overlaps(other) else "unclear"
    if denied(value, quote):
        return "unclear"
    if set(FIGURE.findall(value)) - set(FIGURE.findall(quote)):
        return "unclear"
    return "yes" if text_stems(value) <= text_stems(quote) else "unclear"
