from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.isotonic import IsotonicRegression

from lumbung.equations.calibration import (
    Calibration,
    CalibrationChain,
    best_calibration,
    expected_calibration_error,
    isotonic,
    platt,
    reliability,
)
from lumbung.errors import ContractError


def test_eq_24_by_hand_with_an_empty_bin() -> None:
    error = expected_calibration_error([0.95, 0.95, 0.15, 0.15], [True, False, False, False])
    assert error == pytest.approx(0.5 * 0.45 + 0.5 * 0.15)


def test_ties_share_a_bin_whatever_their_order() -> None:
    confidences, correct = [0.3, 0.3, 0.3, 1.0, 0.0], [True, False, True, True, False]
    forwards = expected_calibration_error(confidences, correct)
    assert forwards == pytest.approx(expected_calibration_error(confidences[::-1], correct[::-1]))
    assert sum(each.weight for each in reliability(confidences, correct)) == 5
    assert reliability([0.3], [True])[0].high == pytest.approx(0.3)


def test_no_labels_are_no_error() -> None:
    assert expected_calibration_error([], []) == 0
    assert reliability([], []) == []


def test_weights_count() -> None:
    assert expected_calibration_error([0.9, 0.9], [True, False], weights=[3, 1]) == pytest.approx(0.15)


def test_nonsense_is_refused() -> None:
    with pytest.raises(ContractError):
        expected_calibration_error([1.1], [True])
    with pytest.raises(ContractError):
        expected_calibration_error([0.5], [True, False])


def test_isotonic_agrees_with_the_reference_up_to_its_half_observation() -> None:
    random = np.random.default_rng(1)
    x = random.random(3000).round(2)
    y = random.random(3000) < x**2
    ours = isotonic(x.tolist(), y.tolist())
    reference = IsotonicRegression(out_of_bounds="clip").fit(x, y)
    for at in (0.2, 0.5, 0.8):
        assert ours.apply(at) == pytest.approx(float(reference.predict([at])[0]), abs=0.05)


def test_isotonic_never_falls() -> None:
    random = np.random.default_rng(2)
    made = isotonic(random.random(200).tolist(), (random.random(200) < 0.5).tolist())
    applied = [made.apply(x / 100) for x in range(101)]
    assert applied == sorted(applied)


def test_platt_recovers_a_logistic_distortion() -> None:
    random = np.random.default_rng(3)
    logits = random.normal(0, 2, 8000)
    y = random.random(8000) < 1 / (1 + np.exp(-(0.5 * logits + 1)))
    made = platt((1 / (1 + np.exp(-logits))).tolist(), y.tolist())
    assert (made.slope, made.offset) == pytest.approx((0.5, 1.0), abs=0.1)


def test_platt_survives_perfectly_separated_labels() -> None:
    made = platt([0.1] * 50 + [0.9] * 50, [False] * 50 + [True] * 50)
    assert made.apply(0.1) < 0.1
    assert made.apply(0.9) > 0.9


def test_what_wins_out_of_sample_lowers_the_error_and_too_few_labels_change_nothing() -> None:
    random = np.random.default_rng(4)
    x = random.random(4000)
    y = random.random(4000) < np.where(x < 0.5, 0.1, 0.7)
    made = best_calibration(x.tolist(), y.tolist())
    assert made.kind == "isotonic"
    fresh = random.random(4000)
    right = (random.random(4000) < np.where(fresh < 0.5, 0.1, 0.7)).tolist()
    assert expected_calibration_error([made.apply(each) for each in fresh], right) < 0.05
    assert best_calibration([0.5] * 20, [True] * 20) == Calibration()


def test_confidences_that_are_right_are_left_alone_or_as_good_as() -> None:
    random = np.random.default_rng(5)
    x = random.random(3000)
    made = best_calibration(x.tolist(), (random.random(3000) < x).tolist())
    assert all(abs(made.apply(at) - at) < 0.06 for at in (0.1, 0.3, 0.5, 0.7, 0.9))


@given(st.lists(st.tuples(st.floats(0.01, 0.99), st.booleans()), min_size=30, max_size=120), st.floats(0.05, 0.99))
@settings(max_examples=40)
def test_a_threshold_on_what_a_chain_gives_is_a_threshold_on_what_it_is_given(points, target):
    confidences, right = [x for x, _ in points], [y for _, y in points]
    chain = CalibrationChain((platt(confidences, right), isotonic(confidences, right)))
    assert CalibrationChain.from_rows(chain.as_rows()) == chain
    passing = chain.reaching(target)
    for place in range(101):
        confidence = place / 100
        if abs(confidence - passing) > 1e-9:
            assert (chain.apply(confidence) >= target) == (confidence >= passing)


def test_without_a_map_nothing_moves():
    assert CalibrationChain().apply(0.7) == 0.7
    assert CalibrationChain().reaching(0.85) == 0.85
