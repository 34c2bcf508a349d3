from __future__ import annotations

import pytest

from lumbung.equations.budget import concurrency
from lumbung.errors import ContractError


@pytest.mark.parametrize(("rate", "seconds", "workers"), [(0, 5, 1), (2, 3, 6), (2.1, 3, 7), (1e9, 10, 32)])
def test_littles_law_is_bounded(rate: float, seconds: float, workers: int) -> None:
    assert concurrency(rate, seconds, at_most=32) == workers


def test_nonsense_is_refused() -> None:
    with pytest.raises(ContractError):
        concurrency(-1, 5, at_most=32)
