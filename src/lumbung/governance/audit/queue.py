"""What an auditor reads next: the strata whose labels are worth most first, and inside a stratum by lot."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from lumbung.errors import UsageError
from lumbung.model.permission import ALL_SCOPES, Actor, allow, person_of
from lumbung.store import audits
from lumbung.store.database import Row, Transaction

SHOWN = ("id", "subject", "attribute", "value_key", "category", "sensitive", "flagged", "confidence", "shown")
"""Nothing that tells a first reading from a second, or gold from the rest."""
SENSITIVE_FIRST = 1000.0
GUESSED_ERROR = 0.05


def worth_by_stratum(samples: Sequence[Mapping[str, Any]]) -> dict[str, float]:
    """How much the next label of a stratum narrows the estimate: its share of the population, squared, over n (n + 1).

    The worth is a stratum's, never a single sample's: if readers took the doubtful ones of a stratum first, what is
    labelled there would no longer speak for the rest.
    """
    sizes: dict[str, float] = defaultdict(float)
    labelled: Counter[str] = Counter()
    wrong: Counter[str] = Counter()
    for row in samples:
        sizes[row["stratum"]] += 1 / row["inclusion"]
        labelled[row["stratum"]] += row["verdict"] in {"correct", "incorrect"}
        wrong[row["stratum"]] += row["verdict"] == "incorrect"
    total = math.fsum(sizes.values()) or 1.0
    worth = {}
    for stratum, size in sizes.items():
        n = labelled[stratum]
        error = (wrong[stratum] + GUESSED_ERROR * 2) / (n + 2)
        worth[stratum] = (size / total) ** 2 * error * (1 - error) / ((n + 1) * (n + 2))
    return worth


async def next_samples(tx: Transaction, actor: Actor, limit: int = 20, category: str | None = None) -> list[Row]:
    """Samples as the auditor may see them, sensitive ones first."""
    allow(actor, "label-sample", category or ALL_SCOPES)
    person = person_of(actor, "label-sample")
    worth = worth_by_stratum(await audits.samples(tx, ("publication", "rejection", "skip")))
    waiting = await audits.waiting_for(tx, person, category)
    ranked = sorted(
        waiting,
        key=lambda row: (-worth.get(row["stratum"], 0.0) - SENSITIVE_FIRST * row["sensitive"], row["place"], row["id"]),
    )
    return [await as_shown(tx, row["id"]) for row in ranked[:limit]]


async def as_shown(tx: Transaction, sample: int) -> Row:
    row = await audits.get(tx, sample)
    if row is None:
        raise UsageError(f"There is no sample {sample}.")
    return {name: row[name] for name in SHOWN}
