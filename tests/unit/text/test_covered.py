from __future__ import annotations

import pytest

from lumbung.model.profile import ValueKind
from lumbung.text.values import covered, value_key


@pytest.mark.parametrize(
    ("kind", "value", "held", "label", "expected"),
    [
        (ValueKind.SET, "ikan; sagu", ["ikan, telur", "sagu"], "Bahan", True),
        (ValueKind.SET, "ikan; udang", ["ikan, telur"], "Bahan", False),
        (ValueKind.SET, "bahasa Sunda", ["Sunda"], "Bahasa", True),
        (ValueKind.DATE, "1945", ["17 Agustus 1945"], "Tahun", True),
        (ValueKind.DATE, "17 Agustus 1945", ["1945"], "Tahun", False),
        (ValueKind.PLACE, "Padang", ["Air Manis, Padang"], "Latar", True),
        (ValueKind.TEXT, "hormat kepada ibu", ["menghormati ibu kepada siapa pun"], "Amanat", True),
        (ValueKind.TEXT, "hormat kepada guru", ["menghormati ibu"], "Amanat", False),
        (ValueKind.NUMBER, "9 orang", ["10 orang"], "Jumlah", False),
        (ValueKind.TEXT, "apa saja", [], "Makna", False),
    ],
)
def test_a_value_is_covered_by_those_that_say_as_much(
    kind: ValueKind, value: str, held: list[str], label: str, expected: bool
) -> None:
    assert covered(value_key(value, kind), [value_key(each, kind) for each in held], kind, label) is expected
