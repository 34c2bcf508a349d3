from __future__ import annotations

import pytest

from lumbung.equations.containment import containment
from lumbung.equations.novelty import Outcome, decide
from lumbung.errors import ContractError


def test_a_candidate_without_facts_is_wholly_contained_and_skipped() -> None:
    assert containment(0, 0) == 1.0
    assert decide(matched_human=True, matched_machine=False, kappa=containment(0, 0), tau=0.8) is Outcome.SKIP


@pytest.mark.parametrize(("held", "total"), [(3, 2), (-1, 2), (0, -1)])
def test_impossible_counts_are_refused(held: int, total: int) -> None:
    with pytest.raises(ContractError):
        containment(held, total)


@pytest.mark.parametrize(
    ("human", "machine", "kappa", "outcome"),
    [
        (False, False, 0.0, Outcome.NET_NEW),
        (False, False, 1.0, Outcome.NET_NEW),
        (True, False, 0.8, Outcome.SKIP),
        (False, True, 0.8, Outcome.SKIP),
        (True, True, 0.9, Outcome.SKIP),
        (True, False, 0.79, Outcome.SUPPLEMENT),
        (False, True, 0.79, Outcome.ENRICH),
        (True, True, 0.5, Outcome.ENRICH),
    ],
)
def test_the_tree_of_eq_16(human: bool, machine: bool, kappa: float, outcome: Outcome) -> None:
    assert decide(human, machine, kappa, 0.8) is outcome
