"""The audit's 95 % interval covers the truth under every design; the table is made by evaluation/audit/interval_coverage.py."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "evaluation" / "audit"))

from interval_coverage import DESIGNS, RARE, simulate

SHORT = (
    "risky tenth boosted 4-fold, three quarters labelled, 5 %",
    "risky tenth boosted 9-fold, 2.1 %",
    "sixty strata, boosted, two thirds labelled, 3 %",
    "probabilities of their own within a stratum, 4 %",
    "each drawn on its own, 3 %",
    "0.3 %",
)
PLAIN_FAILS = frozenset(name for name in DESIGNS if "boosted 4" in name or "boosted 9" in name)


@pytest.mark.parametrize("name", SHORT)
def test_the_interval_covers_as_often_as_it_says(name: str) -> None:
    """400 audits: three standard errors about 95 %."""
    found = simulate(DESIGNS[name], 400, seed=5)
    assert found.labels >= 285
    assert 0.917 <= found.covered <= (0.983 if found.error >= RARE else 1.0)
    assert abs(found.estimate - found.error) < 0.1 * found.error
    assert name not in PLAIN_FAILS or found.plain < 0.6


@pytest.mark.long
@pytest.mark.parametrize("name", DESIGNS)
def test_the_interval_covers_in_93_to_97_of_100_audits(name: str) -> None:
    found = simulate(DESIGNS[name], 2_500, seed=1)
    assert 0.93 <= found.covered <= (0.97 if found.error >= RARE else 1.0)
    assert abs(found.estimate - found.error) < 0.05 * found.error
    assert name not in PLAIN_FAILS or found.plain < 0.6
