"""Numbers and sums of money as a reader of Indonesian or English writes them."""

from __future__ import annotations

import math

COMMA_AND_POINT = str.maketrans(",.", ".,")


def in_language(written: str, language: str) -> str:
    """1,234.5 as it stands, or 1.234,5 in Indonesian."""
    return written.translate(COMMA_AND_POINT) if language == "id" else written


def numeral(value: float, digits: int, language: str) -> str:
    return in_language(f"{value:,.{digits}f}", language)


def money(micros: float, currency: str, language: str) -> str:
    """With two digits after the first that is not 0, so that a small sum never looks like none."""
    amount = abs(micros) / 1_000_000
    digits = 2 if amount == 0 or amount >= 1 else min(9, 1 - math.floor(math.log10(amount)))
    return f"{currency}\u00a0{numeral(micros / 1_000_000, max(2, digits), language)}"
