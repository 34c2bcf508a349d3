"""The versions in force: the constants that a decision rests on, read once per batch and stored with it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from lumbung.equations.calibration import CalibrationChain
from lumbung.equations.novelty import BOUNDS, Bounds
from lumbung.equations.pair_model import PairModel


@dataclass(frozen=True, slots=True)
class Rules:
    prior_odds: float
    ratios: Mapping[str, float]
    """By type of source."""
    credibility: Mapping[str, float]
    """Ratios of single sources, by their domain, which go before that of their type."""
    precision: float
    """How often a reading is right, where nothing more is known."""
    precisions: Mapping[str, float]
    """By engine and attribute (`llm.bahan`), and by engine."""
    theta: float
    theta_sensitive: float
    independent_sensitive: int
    """How many independent sources a sensitive matter needs."""
    flag_margin: float
    tau: float
    bounds: Bounds
    alpha: float
    beta: float
    gamma: float
    matcher: PairModel | None
    """Settles pairs that rules leave open; None while no learned model is in force."""
    versions: Mapping[str, Any]

    @classmethod
    def from_rows(cls, rows: Mapping[str, Any], versions: Mapping[str, Any]) -> Rules:
        """Confidences are calibrated when they are published; thresholds are met here by what becomes of them there."""
        calibration = CalibrationChain.from_rows(rows.get("fusion.calibration") or ())
        theta = float(rows["fusion.theta"])
        passing = calibration.reaching(theta)
        return cls(
            prior_odds=float(rows["fusion.prior_odds"]),
            ratios=_below("fusion.ratio.", rows),
            credibility=_below("fusion.credibility.", rows),
            precision=float(rows["extractor.precision"]),
            precisions=_below("extractor.precision.", rows),
            theta=passing,
            theta_sensitive=calibration.reaching(float(rows["fusion.theta_sensitive"])),
            independent_sensitive=int(rows["fusion.independent_sources_sensitive"]),
            flag_margin=calibration.reaching(theta + float(rows["fusion.flag_margin"])) - passing,
            tau=float(rows["novelty.tau"]),
            bounds=Bounds(
                float(rows.get("novelty.grey_from", BOUNDS.grey_from)),
                float(rows.get("novelty.held_from", BOUNDS.held_from)),
            ),
            alpha=float(rows["similarity.alpha"]),
            beta=float(rows["similarity.beta"]),
            gamma=float(rows["similarity.gamma"]),
            matcher=PairModel.from_row(rows.get("matcher.model")),
            versions=versions,
        )

    def precision_of(self, engine: str, attribute: str) -> float:
        """c of lambda': of this engine for this attribute, else of the engine, else of any."""
        known = (self.precisions.get(name) for name in (f"{engine}.{attribute}", engine))
        return next((found for found in known if found is not None), self.precision)


def _below(prefix: str, rows: Mapping[str, Any]) -> dict[str, float]:
    return {name.removeprefix(prefix): float(value) for name, value in rows.items() if name.startswith(prefix)}
