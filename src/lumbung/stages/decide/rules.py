"""The versions in force: the constants that a decision rests on, read once per batch and stored with it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Rules:
    prior_odds: float
    ratios: Mapping[str, float]
    precision: float
    theta: float
    theta_sensitive: float
    flag_margin: float
    tau: float
    alpha: float
    beta: float
    gamma: float
    versions: Mapping[str, Any]

    @classmethod
    def from_rows(cls, rows: Mapping[str, Any], versions: Mapping[str, Any]) -> Rules:
        prefix = "fusion.ratio."
        return cls(
            prior_odds=float(rows["fusion.prior_odds"]),
            ratios={name[len(prefix) :]: float(value) for name, value in rows.items() if name.startswith(prefix)},
            precision=float(rows["extractor.precision"]),
            theta=float(rows["fusion.theta"]),
            theta_sensitive=float(rows["fusion.theta_sensitive"]),
            flag_margin=float(rows["fusion.flag_margin"]),
            tau=float(rows["novelty.tau"]),
            alpha=float(rows["similarity.alpha"]),
            beta=float(rows["similarity.beta"]),
            gamma=float(rows["similarity.gamma"]),
            versions=versions,
        )
