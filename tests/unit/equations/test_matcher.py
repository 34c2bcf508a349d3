from __future__ import annotations

import numpy as np
import pytest

from lumbung.equations.matcher import (
    Stratum,
    best_threshold,
    decreasing,
    fit_logistic,
    fit_mixture,
    logistic,
)
from lumbung.errors import ContractError

MATCH = (np.array([0.8, 0.15, 0.05]), np.array([0.7, 0.3]))
OTHER = (np.array([0.05, 0.15, 0.8]), np.array([0.1, 0.9]))


def drawn(random: np.random.Generator, n: int, share: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    truth = random.random(n) < share
    levels = np.column_stack(
        [
            np.where(truth, random.choice(len(m), n, p=m), random.choice(len(u), n, p=u))
            for m, u in zip(MATCH, OTHER, strict=True)
        ]
    ).astype(np.int8)
    levels[random.random(levels.shape) < 0.1] = -1
    return np.zeros(n, dtype=np.int8), levels, truth


def test_em_recovers_what_matches_look_like_without_labels() -> None:
    strata, levels, truth = drawn(np.random.default_rng(1), 20_000, 0.1)
    fitted = fit_mixture(
        strata, levels, [Stratum(0.05, kin=1)], [np.array([0.6, 0.3, 0.1]), np.array([0.6, 0.4])], OTHER
    )
    assert fitted.shares[0] == pytest.approx(0.1, abs=0.02)
    assert fitted.match[0] == pytest.approx(MATCH[0], abs=0.05)
    beliefs = logistic(fitted.log_odds(strata, levels))
    assert beliefs[truth].mean() > 0.5
    assert beliefs[~truth].mean() < 0.05


def test_a_handful_of_pairs_is_judged_by_the_first_guess() -> None:
    levels = np.array([[0, 0], [2, 1]], dtype=np.int8)
    fitted = fit_mixture(np.zeros(2, dtype=np.int8), levels, [Stratum(0.3, kin=1)], MATCH, OTHER)
    beliefs = logistic(fitted.log_odds(np.zeros(2, dtype=np.int8), levels))
    assert beliefs[0] > 0.9
    assert beliefs[1] < 0.1


def test_no_pairs_and_missing_values_are_no_evidence() -> None:
    nothing = np.empty((0, 2), dtype=np.int8)
    fitted = fit_mixture(np.empty(0, dtype=np.int8), nothing, [Stratum(0.2, kin=1)], MATCH, OTHER)
    unknown = np.array([[-1, -1]], dtype=np.int8)
    assert logistic(fitted.log_odds(np.zeros(1, dtype=np.int8), unknown))[0] == pytest.approx(0.2)


def test_evidence_never_rises_from_a_better_to_a_worse_level() -> None:
    random = np.random.default_rng(2)
    for _ in range(50):
        ratio, weights = random.gamma(1, 2, 6), random.gamma(1, 1, 6)
        smooth = decreasing(ratio, weights)
        assert (np.diff(smooth) <= 1e-12).all()
        assert (smooth * weights).sum() == pytest.approx((ratio * weights).sum())


def test_a_field_without_a_guess_is_refused() -> None:
    with pytest.raises(ContractError):
        fit_mixture(
            np.zeros(1, dtype=np.int8), np.zeros((1, 2), dtype=np.int8), [Stratum(0.1, kin=1)], MATCH[:1], OTHER[:1]
        )


def test_the_threshold_has_the_highest_expected_f1() -> None:
    random = np.random.default_rng(3)
    beliefs = np.concatenate([random.beta(8, 2, 300), random.beta(1, 30, 3000)])
    expected = [
        2 * beliefs[beliefs >= t].sum() / ((beliefs >= t).sum() + beliefs.sum()) for t in np.linspace(0.05, 0.5, 91)
    ]
    found = best_threshold(beliefs)
    mine = 2 * beliefs[beliefs >= found].sum() / ((beliefs >= found).sum() + beliefs.sum())
    assert mine >= max(expected) - 1e-3
    assert best_threshold(np.empty(0)) == 0.5


def test_logistic_regression_finds_the_weights_and_survives_separation() -> None:
    random = np.random.default_rng(4)
    features = random.normal(size=(4000, 2))
    labels = random.random(4000) < logistic(1 + features @ np.array([2.0, -1.0]))
    fitted = fit_logistic(features, labels, penalty=0.01)
    assert (fitted.intercept, *fitted.weights) == pytest.approx((1, 2, -1), abs=0.2)
    perfect = fit_logistic(np.array([[-1.0], [1.0]] * 20), np.array([False, True] * 20))
    assert np.isfinite(perfect.weights).all()


def test_without_labels_the_offset_is_left_alone() -> None:
    fitted = fit_logistic(np.empty((0, 2)), np.empty(0, dtype=bool), 1.0, np.empty(0))
    assert fitted.intercept == 0
    assert not fitted.weights.any()
