from __future__ import annotations

import pytest
from scipy import stats

from lumbung.equations.intervals import beta_quantile, normal_quantile, student_quantile
from lumbung.errors import ContractError


@pytest.mark.parametrize("degrees", [1, 2, 3.5, 8, 30, 1000, 1e7])
@pytest.mark.parametrize("probability", [0.01, 0.5, 0.9, 0.975])
def test_students_quantile_is_the_reference_one(probability: float, degrees: float) -> None:
    assert student_quantile(probability, degrees) == pytest.approx(stats.t.ppf(probability, degrees), abs=1e-5)


@pytest.mark.parametrize(("a", "b"), [(0.5, 0.5), (3, 9), (1, 1), (300, 2), (0.5, 2000)])
def test_the_beta_quantile_is_the_reference_one(a: float, b: float) -> None:
    for probability in (0.025, 0.5, 0.975):
        assert beta_quantile(probability, a, b) == pytest.approx(stats.beta.ppf(probability, a, b), abs=1e-10)


@pytest.mark.parametrize("bad", [0, 1, -0.1, 2])
def test_no_quantile_at_the_ends(bad: float) -> None:
    for quantile in (normal_quantile, lambda p: student_quantile(p, 3), lambda p: beta_quantile(p, 1, 1)):
        with pytest.raises(ContractError):
            quantile(bad)
