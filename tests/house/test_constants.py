"""Constants that people may govern are read where they act: a row that nothing reads would be a promise not kept."""

from __future__ import annotations

from pathlib import Path

import pytest

from lumbung.profiles.constants import REQUIRED_CONSTANTS

SOURCE = Path(__file__).parents[2] / "src" / "lumbung"
SAY_WHAT_MAY_BE = (SOURCE / "profiles" / "constants.py", SOURCE / "governance" / "constants.py")
CODE = "\n".join(
    path.read_text("utf-8")
    for layer in ("stages", "governance", "runtime", "library", "text", "equations")
    for path in sorted((SOURCE / layer).rglob("*.py"))
    if path not in SAY_WHAT_MAY_BE
)


@pytest.mark.parametrize("name", sorted(REQUIRED_CONSTANTS))
def test_every_constant_is_read_by_its_name_or_with_all_of_its_family(name: str) -> None:
    family = name.rpartition(".")[0] + "."
    assert f'"{name}"' in CODE or (family.count(".") > 1 and f'"{family}' in CODE)
