from __future__ import annotations

import math

import numpy as np
import pytest

from lumbung.equations.audit import (
    Sampled,
    deciding_size,
    kish_design_effect,
    krippendorff_alpha,
    sample_size,
    weighted_error,
    wilson,
)
from lumbung.errors import ContractError


def test_the_sample_size_of_eq_23() -> None:
    assert sample_size(0.5, 0.05) == 385
    assert sample_size(0.5, 0.05, design_effect=1.6) == 615
    assert sample_size(0, 0.05) == 1
    with pytest.raises(ContractError):
        sample_size(0.5, 0)


def test_a_deciding_size_lets_the_good_pass_and_not_those_at_the_limit() -> None:
    n = deciding_size(0.025, 0.05, 0.95, 0.01)
    chance = np.random.default_rng(3)
    passed = [
        np.mean([wilson(wrong, n).high < 0.05 for wrong in chance.binomial(n, error, 4000)]) for error in (0.025, 0.05)
    ]
    assert passed[0] >= 0.98
    assert passed[1] <= 0.03
    with pytest.raises(ContractError):
        deciding_size(0.05, 0.05, 0.95, 0.01)


def test_wilson_has_its_published_values() -> None:
    """Brown, Cai and DasGupta's definition, worked by hand for 2 of 10."""
    interval = wilson(2, 10)
    assert (interval.low, interval.high) == pytest.approx((0.0566822, 0.5098375), abs=1e-6)


def test_wilson_at_none_and_at_all() -> None:
    assert wilson(0, 20).low == 0
    assert wilson(0, 20).high == pytest.approx(0.1611, abs=1e-3)
    assert wilson(20, 20).high == 1
    assert wilson(20, 20).low == pytest.approx(1 - 0.1611, abs=1e-3)
    assert (wilson(0, 0).low, wilson(0, 0).high) == (0, 1)
    with pytest.raises(ContractError):
        wilson(3, 2)


def test_equal_weights_make_it_a_plain_wilson_interval() -> None:
    samples = [Sampled(0.01, i < 30) for i in range(400)]
    estimate, plain = weighted_error(samples), wilson(30, 400)
    assert estimate.interval.value == pytest.approx(0.075)
    assert estimate.interval.low == pytest.approx(plain.low, abs=0.003)
    assert estimate.interval.high == pytest.approx(plain.high, abs=0.003)


def test_boosting_the_risky_does_not_bias_the_estimate_as_it_biases_the_plain_share() -> None:
    risky = [Sampled(0.5, i < 50, "risky") for i in range(100)]
    safe = [Sampled(0.05, i < 1, "safe") for i in range(100)]
    assert weighted_error(risky + safe).interval.value == pytest.approx((50 / 0.5 + 1 / 0.05) / (200 + 2000))


def test_unlabelled_samples_still_speak_for_the_size_of_their_stratum() -> None:
    labelled = [Sampled(0.1, False, "a"), Sampled(0.1, True, "b")]
    waiting = [Sampled(0.1, None, "a")] * 2
    assert weighted_error([*labelled, *waiting]).interval.value == pytest.approx(0.25)


def test_without_labels_nothing_is_known() -> None:
    estimate = weighted_error([Sampled(0.1, None)])
    assert (estimate.interval.low, estimate.interval.high, estimate.labelled) == (0, 1, 0)
    assert math.isnan(weighted_error([]).interval.value)


def test_a_spotless_record_still_has_an_upper_bound() -> None:
    samples = [Sampled(0.02, False, "a")] * 50 + [Sampled(0.2, False, "b")] * 50
    assert 0.01 < weighted_error(samples).interval.high < 0.15


def test_a_large_stratum_without_an_error_keeps_the_bound_that_its_labels_deserve() -> None:
    safe = [Sampled(1 / 60, False, "safe")] * 150
    risky = [Sampled(0.15, i < 18, "risky") for i in range(150)]
    interval = weighted_error([*safe, *risky]).interval
    assert interval.value == pytest.approx(0.012)
    assert interval.high - interval.value >= 0.9 * wilson(0, 150).high * 0.95


def test_strata_of_like_weight_are_read_together_so_that_few_labels_each_say_no_less() -> None:
    apart = [Sampled(0.02, i % 20 == 0, str(i // 5)) for i in range(300)]
    together = [Sampled(0.02, i % 20 == 0) for i in range(300)]
    assert weighted_error(apart).interval.high == pytest.approx(weighted_error(together).interval.high)


def test_who_read_all_of_a_few_does_not_know_the_next_ones() -> None:
    """The demo's Ritual: six published, six read, none wrong, and still no certainty; a large share read does tell more."""
    few = weighted_error([Sampled(1.0, wrong=False) for _ in range(6)]).interval
    assert few.low == 0.0
    assert few.high > 0.3
    read = weighted_error([Sampled(1.0, i < 3) for i in range(40)]).interval
    plain = wilson(3, 40)
    assert (read.low, read.high) == pytest.approx((plain.low, plain.high), abs=0.02)
    most = weighted_error([Sampled(0.9, i % 20 == 0) for i in range(9000)]).interval
    assert most.high - most.low < 0.6 * (wilson(450, 9000).high - wilson(450, 9000).low)


def test_a_single_error_does_not_rule_out_that_errors_are_very_rare() -> None:
    samples = [Sampled(0.01, i == 0) for i in range(300)]
    assert weighted_error(samples).interval.low < 0.1 / 300 < wilson(1, 300).low


def test_an_impossible_inclusion_probability_is_refused() -> None:
    with pytest.raises(ContractError):
        weighted_error([Sampled(0.0, True)])


def test_the_design_effect_is_one_for_equal_weights() -> None:
    assert kish_design_effect([3, 3, 3]) == pytest.approx(1)
    assert kish_design_effect([1, 1, 4]) == pytest.approx(3 * 18 / 36)


def test_krippendorffs_alpha_has_its_published_value() -> None:
    """Krippendorff's own example of nominal data, three readers and missing readings: 0.691."""
    rows = [
        "* * * * * 3 4 1 2 1 1 3 3 * 3".split(),
        "1 * 2 1 3 3 4 3 * * * * * * *".split(),
        "* * 2 1 3 4 4 * 2 1 1 3 3 * 4".split(),
    ]
    units = {str(i): [None if row[i] == "*" else row[i] for row in rows] for i in range(15)}
    assert krippendorff_alpha(units) == pytest.approx(0.691, abs=0.001)


def test_alpha_of_perfect_agreement_is_one_and_of_nothing_unknown() -> None:
    assert krippendorff_alpha({"a": ["x", "x"], "b": ["y", "y"]}) == 1
    assert krippendorff_alpha({"a": ["x", "x"], "b": ["x", "x"]}) == 1
    assert math.isnan(krippendorff_alpha({"a": ["x", None]}))
