"""A short run of the mutated pages; `python -m evaluation.extraction.fuzz` is the long one."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "evaluation" / "extraction"))

from fuzz import run


async def test_mutated_pages_are_read_or_refused_for_a_stated_reason() -> None:
    ends, faults = await run(240, seed=5)
    assert faults == []
    assert ends["read"] > ends.total() / 2
