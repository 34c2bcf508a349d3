from __future__ import annotations

import math
import time
from itertools import combinations

import numpy as np
import pytest

from lumbung.equations.coverage import (
    Coverage,
    Target,
    Tranche,
    YieldPosterior,
    choose_by_cost,
    choose_by_number,
    forecast_range,
)
from lumbung.errors import ContractError

CELL = ("tarian", "ID-AC")
GREEDY_BOUND = 1 - 1 / math.e
COST_BOUND = 1 - 1 / math.sqrt(math.e)


def random_case(random: np.random.Generator) -> Coverage:
    cells = [("k", str(i)) for i in range(random.integers(1, 6))]
    targets = {
        cell: Target(float(random.random()), float(random.integers(1, 20)), float(random.integers(0, 4)))
        for cell in cells
    }
    tranches = [
        Tranche(str(i), {cell: float(random.gamma(0.5, 10)) for cell in cells}, float(random.choice([0.01, 1, 3, 10])))
        for i in range(random.integers(2, 8))
    ]
    return Coverage(targets, tranches)


def adversarial_case(random: np.random.Generator) -> Coverage:
    """The worst known for greedy choice: decoys, each a little better now, that cut across the rows of the optimum."""
    rows, steps = int(random.integers(2, 4)), int(random.integers(1, 4))
    weights = [(1 - 1 / rows) ** step / rows for step in range(steps)]
    rest = (1 - 1 / rows) ** steps
    cells = {(row, step): ("k", f"{row}.{step}") for row in range(rows) for step in range(steps + 1)}
    targets = {
        cell: Target(weights[step] / rows if step < steps else rest / rows, 1.0) for (_, step), cell in cells.items()
    }
    cheap = float(random.choice([0.001, 0.5, 1.0, 1.001]))
    wanted = [Tranche(f"row {row}", {cells[row, step]: 1.0 for step in range(steps + 1)}) for row in range(rows)]
    decoys = [
        Tranche(f"decoy {step}", {cells[row, step]: 1.0 + 1e-6 for row in range(rows)}, cheap) for step in range(steps)
    ]
    return Coverage(targets, [*decoys, *wanted])


def optimum(coverage: Coverage, limit: int, budget: float) -> float:
    base = coverage.value(())
    sets = (c for size in range(limit + 1) for c in combinations(range(len(coverage.tranches)), size))
    return max(coverage.value(c) - base for c in sets if sum(coverage.tranches[i].cost for i in c) <= budget)


def test_f_is_eq_25_by_hand() -> None:
    targets = {CELL: Target(2.0, 10, held=4), ("ritual", "ID-BA"): Target(1.0, 5)}
    coverage = Coverage(targets, [Tranche("a", {CELL: 3, ("unknown", "x"): 99}), Tranche("b", {CELL: 30})])
    assert coverage.value(()) == pytest.approx(0.8)
    assert coverage.value([0]) == pytest.approx(1.4)
    assert coverage.value([0, 1]) == pytest.approx(2.0)


def test_greedy_choices_keep_their_bounds_against_brute_force() -> None:
    random = np.random.default_rng(8)
    for number in range(1_000):
        coverage = random_case(random) if number % 3 else adversarial_case(random)
        limit = int(random.integers(1, len(coverage.tranches) + 1))
        assert choose_by_number(coverage, limit).value >= GREEDY_BOUND * optimum(coverage, limit, math.inf) - 1e-9
        budget = float(random.uniform(0.5, 15))
        best = optimum(coverage, len(coverage.tranches), budget)
        assert choose_by_cost(coverage, budget, triples_up_to=0).value >= COST_BOUND * best - 1e-9
        chosen = choose_by_cost(coverage, budget)
        assert chosen.value >= GREEDY_BOUND * best - 1e-9
        assert chosen.cost <= budget + 1e-9


def test_a_cheap_crumb_does_not_shut_out_the_one_great_tranche() -> None:
    targets = {("k", "a"): Target(1.0, 100), ("k", "b"): Target(1.0, 100)}
    crumb, great = Tranche("crumb", {("k", "a"): 2}, 1.0), Tranche("great", {("k", "b"): 100}, 100.0)
    chosen = choose_by_cost(Coverage(targets, [crumb, great]), 100.0, triples_up_to=0)
    assert chosen.names == ("great",)
    assert chosen.method == "best single tranche"


def test_each_step_names_the_cells_it_fills() -> None:
    targets = {("k", "a"): Target(1.0, 10), ("k", "b"): Target(3.0, 10)}
    chosen = choose_by_number(Coverage(targets, [Tranche("x", {("k", "a"): 5, ("k", "b"): 5})]), 1)
    assert chosen.steps[0].cells == ((("k", "b"), pytest.approx(1.5)), (("k", "a"), pytest.approx(0.5)))


def test_tranches_that_add_nothing_are_not_chosen() -> None:
    coverage = Coverage({CELL: Target(1.0, 10, held=10)}, [Tranche("late", {CELL: 5})])
    assert choose_by_number(coverage, 5).names == ()
    assert choose_by_cost(coverage, 5).names == ()


def test_ten_thousand_tranches_over_570_cells_are_chosen_in_seconds() -> None:
    random = np.random.default_rng(9)
    cells = [(f"k{k}", f"r{r}") for k in range(15) for r in range(38)]
    targets = {cell: Target(1.0, 50.0) for cell in cells}
    tranches = [
        Tranche(str(i), {cells[j]: 5.0 for j in random.integers(0, 570, 20)}, float(random.uniform(0.5, 5)))
        for i in range(10_000)
    ]
    coverage = Coverage(targets, tranches)
    before = time.process_time()
    choose_by_cost(coverage, 200)
    assert time.process_time() - before < 2


@pytest.mark.parametrize("bad", [Tranche("x", {CELL: -1}), Tranche("x", {CELL: 1}, 0), Tranche("x", {CELL: math.nan})])
def test_impossible_tranches_are_refused(bad: Tranche) -> None:
    with pytest.raises(ContractError):
        Coverage({CELL: Target(1.0, 1)}, [bad])


def test_a_yield_posterior_moves_from_its_prior_to_what_was_found() -> None:
    prior = YieldPosterior(2, 4)
    assert prior.mean == 0.5
    assert prior.after(0, 0) == prior
    later = prior.after(300, 100)
    assert later.mean == pytest.approx(2.9, abs=0.01)
    assert later.variance < prior.variance
    with pytest.raises(ContractError):
        YieldPosterior(0, 1)


@pytest.mark.parametrize("spread", [0.2, 0.8, 1.5])
def test_a_forecast_covers_what_tranches_give_however_far_off_they_are(spread):
    random = np.random.default_rng(7)
    covered = total = 0
    for _ in range(60):
        earlier: list[tuple[float, float]] = []
        for _ in range(20):
            expected = float(random.uniform(2, 60))
            found = float(random.poisson(expected * math.exp(random.normal(0, spread))))
            covered += forecast_range(expected, earlier).covers(found)
            earlier.append((expected, found))
            total += 1
    assert covered / total >= 0.87


def test_a_forecast_narrows_as_tranches_give_what_was_expected():
    first, later = forecast_range(20, []), forecast_range(20, [(20, 21)] * 20)
    assert first.low < later.low < 20 < later.high < first.high
    assert forecast_range(0, []).low == 0
