from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import pytest

from lumbung.equations.intervals import Interval
from lumbung.equations.sequences import ConfidenceSequence, DropDetector
from lumbung.errors import ContractError


def confidence_sequence(observations: Iterable[float], alpha: float = 0.05, largest: float = 1.0) -> list[Interval]:
    """The bounds after each observation."""
    sequence = ConfidenceSequence(alpha, largest)
    bounds = []
    for observation in observations:
        sequence.update(observation)
        bounds.append(sequence.interval)
    return bounds


def test_the_bounds_hold_at_all_times_together() -> None:
    random = np.random.default_rng(4)
    missed = 0
    for _ in range(200):
        bounds = confidence_sequence((random.random(300) < 0.06).astype(float), alpha=0.05)
        missed += any(not each.covers(0.06) for each in bounds)
    assert missed <= 10


def test_weighted_observations_are_bounded_too() -> None:
    random = np.random.default_rng(5)
    shares, rates = np.array([0.8, 0.2]), np.array([0.02, 0.2])
    weights, truth = shares / 0.5, float((shares * rates).sum())
    missed = 0
    for _ in range(80):
        strata = random.integers(0, 2, 300)
        observed = weights[strata] * (random.random(300) < rates[strata])
        missed += any(not each.covers(truth) for each in confidence_sequence(observed, 0.1, float(weights.max())))
    assert missed <= 8


def test_the_bounds_narrow_and_never_leave_the_possible() -> None:
    bounds = confidence_sequence([0.0, 1.0] * 400)
    assert bounds[0].low == 0
    assert bounds[0].high == 1
    assert bounds[-1].high - bounds[-1].low < 0.2
    assert all(later.low >= earlier.low for earlier, later in zip(bounds, bounds[1:], strict=False))


def test_an_observation_out_of_range_is_refused() -> None:
    with pytest.raises(ContractError):
        ConfidenceSequence(largest=1.0).update(1.5)


def test_a_drop_is_seen_about_when_theory_promises_and_a_good_record_does_not_hide_it() -> None:
    random = np.random.default_rng(6)
    fresh = DropDetector(limit=0.05, expected_error=0.10, rate=0.001)
    delays = []
    for _ in range(100):
        detector = fresh
        for wrong in random.random(1000) < 0.02:
            detector = detector.after(bool(wrong))
            assert not detector.alarm
        labels = 0
        while not detector.alarm:
            detector, labels = detector.after(bool(random.random() < 0.10)), labels + 1
        delays.append(labels)
    assert np.mean(delays) <= fresh.promised_labels * 1.1


def test_a_detector_that_expects_no_rise_is_refused() -> None:
    with pytest.raises(ContractError):
        DropDetector(limit=0.1, expected_error=0.05)
