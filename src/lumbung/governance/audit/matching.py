"""What people's verdicts about pairs teach the matcher, as a proposal with its figures."""

from __future__ import annotations

from dataclasses import dataclass

from lumbung.equations.pair_model import PairModel
from lumbung.equations.pair_training import LabelledPair, Trial, TrialRules, trained, tried
from lumbung.governance.constants import number
from lumbung.store import console, governed, pair_labels
from lumbung.store.database import Row, Transaction

ROW = "matcher.model"
KNOWN = ("same", "different", "unsure")
LOOKED_THROUGH = 1_000
"""Pairs that rules left open, of which those are shown that the matcher leaves open too."""


@dataclass(frozen=True, slots=True)
class MatcherProposal:
    trial: Trial
    model: PairModel | None
    """None while the labels are too few."""
    labelled_by: frozenset[int | None]


async def matcher_proposal(tx: Transaction) -> MatcherProposal:
    """The model that the verdicts teach, tried on verdicts it has not seen against what is in force."""
    rows = await pair_labels.labelled(tx)
    values = await governed.values_now(tx)
    rules = TrialRules(*(number(values, f"matcher.{each}") for each in TrialRules.__slots__))
    pairs = [
        LabelledPair((row["a"], row["b"]), row["same"], row["by_rule"], row["evidence"])
        for row in rows
        if row["by_rule"] in KNOWN
    ]
    trial = tried(pairs, PairModel.from_row(values.get(ROW)), rules)
    model = trained(pairs) if trial.verdict != "too few labels" else None
    return MatcherProposal(trial, model, frozenset(row["person"] for row in rows))


async def pairs_to_judge(tx: Transaction, limit: int = 50) -> list[Row]:
    """Pairs that neither a rule nor the matcher in force has settled, the closest first."""
    matcher = PairModel.from_row((await governed.values_now(tx)).get(ROW))
    if matcher is None:
        return await console.unsure_pairs(tx, limit)
    rows = await console.unsure_pairs(tx, LOOKED_THROUGH)
    return [row for row in rows if matcher.settled(row["evidence"]) == "unsure"][:limit]
