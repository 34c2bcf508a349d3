"""Rules say yes only where the quote holds the value, and no only where it holds another date."""

from __future__ import annotations

import pytest

from lumbung.model.profile import ValueKind
from lumbung.stages.extract.support import support


@pytest.mark.parametrize(
    ("value", "quote", "kind", "verdict"),
    [
        ("daging sapi", "Bahan utamanya daging sapi dan santan.", ValueKind.SET, "yes"),
        ("menyambut tamu", "Tarian ini untuk menyambut tamu agung", ValueKind.TEXT, "yes"),
        ("penyambutan tamu", "Tarian ini untuk menyambut tamu agung", ValueKind.TEXT, "yes"),
        ("daging kambing", "Bahan utamanya daging sapi dan santan.", ValueKind.SET, "unclear"),
        ("santan", "Masakan ini tidak memakai santan.", ValueKind.SET, "unclear"),
        ("beef", "Bahan utamanya daging sapi", ValueKind.SET, "unclear"),
        ("7 orang", "Ditarikan oleh 5 orang penari", ValueKind.TEXT, "unclear"),
        ("1965", "Diciptakan pada tahun 1965", ValueKind.DATE, "yes"),
        ("1956", "Diciptakan pada tahun 1965", ValueKind.DATE, "no"),
        ("5 orang", "Dimainkan oleh 5 orang", ValueKind.NUMBER, "yes"),
    ],
)
def test_clear_cases_are_settled_without_a_model(value, quote, kind, verdict):
    assert support(value, quote, kind) == verdict
