from __future__ import annotations

import math
import random

import pytest

from lumbung.equations.politeness import global_rate_bound, host_rate_bound
from lumbung.equations.priority import Belief, learned, priority
from lumbung.equations.reseed import needs_tranche
from lumbung.equations.similarity import Weights, similarity, without_attributes
from lumbung.errors import ContractError


def test_priority_is_the_weighted_sum_and_an_unweighted_feature_counts_nothing() -> None:
    assert priority({"context": 2.0, "depth": -0.5}, {"context": 0.7, "depth": 2, "new": 9}) == pytest.approx(0.4)


def test_weights_learn_what_pages_really_yield() -> None:
    belief = Belief.before({"context": 0.0, "depth": 0.0, "denied": -100.0}, 1.0)
    for step in range(4000):
        features = {"context": step % 7 / 7, "depth": step % 5 / 5, "denied": 1.0}
        truth = 3 * features["context"] - features["depth"]
        belief = learned(belief, [features], [truth], fixed=frozenset({"denied"}))
    weights = belief.weights
    assert weights["context"] == pytest.approx(3, abs=0.1)
    assert weights["depth"] == pytest.approx(-1, abs=0.1)
    assert weights["denied"] == -100.0


def test_what_is_learned_is_the_regression_that_begins_with_what_was_believed() -> None:
    draw = random.Random(5)
    start = Belief.before({"a": 1.0, "b": -2.0, "c": 0.5}, 10.0)
    pages = [{name: draw.random() for name in start.weights} for _ in range(30)]
    observed = [draw.random() * 4 for _ in pages]

    def loss(weights: dict[str, float]) -> float:
        doubted = sum(10.0 * (weights[name] - value) ** 2 for name, value in start.weights.items())
        return doubted + sum((priority(weights, page) - y) ** 2 for page, y in zip(pages, observed, strict=True))

    best = dict(learned(start, pages, observed).weights)
    for name, value in best.items():
        for step in (-0.01, 0.01):
            assert loss(best) < loss({**best, name: value + step})
    in_steps = start
    for page, value in zip(pages, observed, strict=True):
        in_steps = learned(in_steps, [page], [value])
    assert in_steps.weights == pytest.approx(best)
    assert learned(start, [], []).weights == pytest.approx(start.weights)


def test_the_rates_of_eq_6() -> None:
    assert host_rate_bound(5) == 0.2
    assert host_rate_bound(0) == math.inf
    assert global_rate_bound(10, 5) == 2
    assert global_rate_bound(0, 0) == 0


def test_a_frontier_at_the_threshold_is_deep_enough() -> None:
    assert needs_tranche(199, 200)
    assert not needs_tranche(200, 200)
    with pytest.raises(ContractError):
        needs_tranche(-1, 200)


def test_similarity_is_convex_and_refuses_other_weights() -> None:
    assert similarity(1, 1, 1, 0.4, 0.2, 0.4) == pytest.approx(1)
    assert similarity(0.5, 0, 1, 0.4, 0.2, 0.4) == pytest.approx(0.6)
    with pytest.raises(ContractError):
        similarity(1, 1, 1, 0.5, 0.5, 0.5)
    with pytest.raises(ContractError):
        similarity(1, 1, 1, 1.5, -0.5, 0)


def test_the_attributes_share_is_handed_on_when_nobody_has_attributes() -> None:
    weights = without_attributes(Weights(0.4, 0.2, 0.4))
    assert (weights.alpha, weights.beta, weights.gamma) == pytest.approx((0.5, 0, 0.5))
    only_attributes = without_attributes(Weights(0, 1, 0))
    assert similarity(1, 0, 1, only_attributes.alpha, only_attributes.beta, only_attributes.gamma) == 1
