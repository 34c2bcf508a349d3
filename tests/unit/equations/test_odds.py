from __future__ import annotations

import math
from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lumbung.equations.odds import Witness, adjusted_ratio, log_odds, probability
from lumbung.equations.publication import may_publish
from lumbung.errors import ContractError

RATIOS = st.floats(min_value=1e-6, max_value=1e6)


@settings(max_examples=100, derandomize=True)
@given(st.floats(0.01, 100), st.lists(st.tuples(RATIOS, st.sampled_from([-1, 1])), max_size=8))
def test_log_odds_equal_the_product_of_eq_18(prior: float, witnesses: list[tuple[float, int]]) -> None:
    product = math.log(prior) + sum(polarity * math.log(ratio) for ratio, polarity in witnesses)
    assert log_odds(prior, [Witness(*each) for each in witnesses]) == pytest.approx(product, abs=1e-9)


def test_every_order_of_witnesses_gives_the_very_same_bits() -> None:
    witnesses = [Witness(18.1), Witness(3.85), Witness(8.6, -1), Witness(1.95)]
    assert len({log_odds(1.0, order) for order in permutations(witnesses)}) == 1


def test_ten_thousand_witnesses_neither_overflow_nor_underflow() -> None:
    assert probability(log_odds(1.0, [Witness(1e6)] * 10_000)) == 1.0
    assert probability(log_odds(1.0, [Witness(1e6, -1)] * 10_000)) == 0.0


def test_a_misread_source_says_nothing_and_a_surely_read_one_all() -> None:
    assert adjusted_ratio(19, 0) == 1
    assert adjusted_ratio(19, 1) == 19
    assert adjusted_ratio(19, 0.95) == pytest.approx(18.1)


@pytest.mark.parametrize(
    ("ratios", "sensitive", "passes"),
    [([19], False, True), ([9], False, True), ([4], False, False), ([4, 4], True, False), ([19, 9], True, True)],
)
def test_the_default_credibilities_pass_as_designed(ratios: list[float], sensitive: bool, passes: bool) -> None:
    odds = log_odds(1.0, [Witness(adjusted_ratio(ratio, 0.95)) for ratio in ratios])
    assert may_publish(probability(odds), 0.85, sensitive, 0.97, len(ratios)).passes is passes


@pytest.mark.parametrize("bad", [0.0, -1.0, math.nan, math.inf])
def test_an_impossible_ratio_is_refused(bad: float) -> None:
    with pytest.raises(ContractError):
        log_odds(1.0, [Witness(bad)])
    with pytest.raises(ContractError):
        adjusted_ratio(bad, 0.9)
    with pytest.raises(ContractError):
        log_odds(bad, [])


def test_a_witness_is_for_or_against() -> None:
    with pytest.raises(ContractError):
        log_odds(1.0, [Witness(2.0, 0)])
