"""Constants of the method: what holds where a profile says nothing, who may change which, and which direction takes four eyes."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Literal

from lumbung.errors import UsageError
from lumbung.model.permission import Role

Loosening = Literal["lower", "higher"] | None
DEFAULTS: Mapping[str, float | int] = MappingProxyType(
    {
        "audit.second_reading_share": 0.1,
        "audit.gold_share": 0.05,
        "audit.false_alarm_rate": 0.001,
        "audit.good_share": 0.5,
        "audit.deciding_risk": 0.01,
        "audit.sequence_alpha": 0.01,
        "audit.labels_for_ece": 200,
        "audit.labels_for_calibration": 200,
        "audit.start_worth_labels": 20.0,
        "audit.labels_of_a_source": 10,
        "coverage.first_guess_entries": 2.0,
        "coverage.first_guess_seeds": 0.5,
        "coverage.wider_seeds": 3.0,
        "coverage.barren_after_pages": 200,
        "coverage.forecast_spread": 1.2,
        "coverage.forecast_spread_worth": 3.0,
        "matcher.labels_needed": 60,
        "matcher.labels_of_each_kind": 15,
        "matcher.significance": 0.05,
        "matcher.wrong_allowed": 0.05,
        "notices.many_waiting": 20,
        "notices.long_waiting_seconds": 86_400,
        "notices.takedown_seconds": 864_000,
        "notices.near_the_cap": 0.8,
    }
)
"""Version 1 of what a profile need not set."""


def number(rows: Mapping[str, Any], name: str) -> float:
    """The row in force; the default where a database was not brought up to date yet."""
    return float(rows.get(name, DEFAULTS[name]))


@dataclass(frozen=True, slots=True)
class ConstantRule:
    prefix: str
    """A name, or the beginning of names when it ends with a dot."""
    roles: frozenset[Role]
    loosened_by: Loosening = None
    low: float = -math.inf
    high: float = math.inf

    def covers(self, name: str) -> bool:
        return name.startswith(self.prefix) if self.prefix.endswith(".") else name == self.prefix


def _rule(
    prefix: str, *roles: Role, loosened_by: Loosening = None, low: float = 0.0, high: float = math.inf
) -> ConstantRule:
    return ConstantRule(prefix, frozenset(roles), loosened_by, low, high)


CONSTANTS: tuple[ConstantRule, ...] = (
    _rule("fusion.theta", Role.APPROVER, loosened_by="lower", high=1.0),
    _rule("fusion.theta_sensitive", Role.GUARDIAN, loosened_by="lower", high=1.0),
    _rule("fusion.independent_sources_sensitive", Role.GUARDIAN, loosened_by="lower", low=2.0),
    _rule("fusion.flag_margin", Role.APPROVER, Role.AUDITOR, loosened_by="lower", high=1.0),
    _rule("fusion.prior_odds", Role.APPROVER, loosened_by="higher", low=1e-6, high=1e6),
    _rule("fusion.ratio.", Role.APPROVER, Role.AUDITOR, loosened_by="higher", low=1.0, high=1e6),
    _rule("fusion.credibility.", Role.APPROVER, Role.AUDITOR, loosened_by="higher", low=1.0, high=1e6),
    _rule("extractor.precision", Role.APPROVER, Role.AUDITOR, loosened_by="higher", low=0.01, high=1.0),
    _rule("extractor.precision.", Role.APPROVER, Role.AUDITOR, loosened_by="higher", low=0.01, high=1.0),
    _rule("novelty.", Role.APPROVER, high=1.0),
    _rule("similarity.", Role.APPROVER, high=1.0),
    _rule("crawl.host_delay_seconds", Role.OPERATOR, Role.CURATOR, loosened_by="lower", low=1.0),
    _rule("crawl.pages_per_host", Role.OPERATOR, Role.CURATOR, low=1.0),
    _rule("crawl.", Role.OPERATOR, Role.CURATOR, low=-math.inf),
    _rule("frontier.inject_by_itself", Role.CURATOR, high=1.0),
    _rule("frontier.", Role.CURATOR, Role.OPERATOR),
    _rule("gate.", Role.CURATOR),
    _rule("backoff.", Role.OPERATOR, low=0.001),
    _rule("budget.", Role.OPERATOR),
    _rule("audit.p_min", Role.APPROVER, loosened_by="lower", low=0.5, high=0.999),
    _rule("audit.ece_limit", Role.APPROVER, loosened_by="higher", high=1.0),
    _rule("audit.false_alarm_rate", Role.APPROVER, loosened_by="lower", low=0.000001, high=0.1),
    _rule("audit.confidence", Role.APPROVER, Role.AUDITOR, loosened_by="lower", low=0.5, high=0.999),
    _rule("audit.label_silence_seconds", Role.APPROVER, loosened_by="higher", low=3600.0),
    _rule("audit.rate", Role.AUDITOR, loosened_by="lower", low=0.0001, high=1.0),
    _rule("audit.rate_flagged", Role.AUDITOR, loosened_by="lower", low=0.0001, high=1.0),
    _rule("audit.rate_sensitive", Role.GUARDIAN, loosened_by="lower", low=0.0001, high=1.0),
    _rule("audit.rate_rejected", Role.AUDITOR, loosened_by="lower", low=0.0001, high=1.0),
    _rule("audit.second_reading_share", Role.AUDITOR, loosened_by="lower", high=1.0),
    _rule("audit.gold_share", Role.APPROVER, loosened_by="lower", high=0.5),
    _rule("audit.good_share", Role.APPROVER, loosened_by="higher", low=0.05, high=0.95),
    _rule("audit.deciding_risk", Role.APPROVER, loosened_by="lower", low=0.0001, high=0.2),
    _rule("audit.sequence_alpha", Role.APPROVER, loosened_by="lower", low=0.000001, high=0.2),
    _rule("audit.labels_for_ece", Role.APPROVER, loosened_by="higher", low=50.0, high=100_000.0),
    _rule("audit.labels_for_calibration", Role.APPROVER, Role.AUDITOR, loosened_by="lower", low=100.0),
    _rule("audit.start_worth_labels", Role.APPROVER, Role.AUDITOR, loosened_by="lower", low=1.0),
    _rule("audit.labels_of_a_source", Role.APPROVER, Role.AUDITOR, loosened_by="lower", low=1.0),
    _rule("matcher.labels_needed", Role.APPROVER, Role.AUDITOR, loosened_by="lower", low=20.0),
    _rule("matcher.labels_of_each_kind", Role.APPROVER, Role.AUDITOR, loosened_by="lower", low=5.0),
    _rule("matcher.significance", Role.APPROVER, Role.AUDITOR, loosened_by="higher", low=0.0001, high=0.5),
    _rule("matcher.wrong_allowed", Role.APPROVER, Role.AUDITOR, loosened_by="higher", high=0.5),
    _rule("notices.near_the_cap", Role.OPERATOR, Role.APPROVER, low=0.01, high=1.0),
    _rule("notices.", Role.OPERATOR, Role.APPROVER, low=1.0),
    _rule("autonomy.trickle_per_day", Role.APPROVER, loosened_by="higher", high=10000.0),
    _rule("coverage.weight.", Role.CURATOR),
    _rule("coverage.first_guess_entries", Role.CURATOR, low=0.001),
    _rule("coverage.first_guess_seeds", Role.CURATOR, low=0.001),
    _rule("coverage.wider_seeds", Role.CURATOR, low=0.001),
    _rule("coverage.barren_after_pages", Role.CURATOR, low=1.0),
    _rule("coverage.forecast_spread", Role.CURATOR, low=0.01, high=10.0),
    _rule("coverage.forecast_spread_worth", Role.CURATOR, low=0.1),
    _rule("coverage.target.", Role.CURATOR),
)
"""The first rule that covers a name holds."""


def rule_of(name: str) -> ConstantRule:
    for rule in CONSTANTS:
        if rule.covers(name):
            return rule
    raise UsageError(f"{name} is not a constant that can be set; `lumbung mode constants` lists them.")


def checked_value(rule: ConstantRule, name: str, value: object, before: object) -> float | int:
    """A finite number within the rule's bounds, whole where the row holds a whole number."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise UsageError(f"{name} is a number.")
    if not rule.low <= value <= rule.high:
        raise UsageError(f"{name} lies between {rule.low:g} and {rule.high:g}.")
    if isinstance(before, int) and not isinstance(before, bool) and float(value) != int(value):
        raise UsageError(f"{name} is a whole number.")
    return int(value) if isinstance(before, int) else value


def loosens(rule: ConstantRule, before: object, after: float) -> bool:
    """A row that was never set counts as loosened by any value that has a loose direction."""
    if rule.loosened_by is None:
        return False
    if not isinstance(before, int | float):
        return True
    return after < before if rule.loosened_by == "lower" else after > before
