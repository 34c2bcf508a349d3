"""What the filters cost and let pass, measured while running, and the order that follows: Eq. (4)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from lumbung.equations.funnel import Stage, filter_order

_PRIOR_TRIALS = 2.0


@dataclass
class FilterRecord:
    """Costs of every run; pass rates only from runs in random order, where the filter saw an unbiased page."""

    runs: int = 0
    seconds: float = 0.0
    trials: int = 0
    passes: int = 0

    def cost(self, guess: float) -> float:
        return self.seconds / self.runs if self.runs else guess

    @property
    def pass_rate(self) -> float:
        """Rule of succession: no filter is believed to pass all or nothing."""
        return (self.passes + _PRIOR_TRIALS / 2) / (self.trials + _PRIOR_TRIALS)


@dataclass
class GateStatistics:
    """Fed with verdicts by whoever runs the gate; random numbers come from the caller.

    A filter's pass rate depends on which filters ran before it. So a share of the pages is run in random order, and
    the order is built greedily: first the filter with the least cost per refusal, then the best for pages that the
    chosen ones let pass.
    """

    guesses: dict[str, float]
    """Starting costs in seconds, by filter."""
    random_share: float = 0.02
    records: dict[str, FilterRecord] = field(default_factory=dict)
    _complete: list[dict[str, bool]] = field(default_factory=list)
    _memory: int = 2_000

    def observe(self, name: str, seconds: float, *, passed: bool, first: bool = False) -> None:
        """One run of a filter; `first` when it came first in a random order, so that its page is a fair sample."""
        record = self.records.setdefault(name, FilterRecord())
        record.runs += 1
        record.seconds += max(0.0, seconds)
        if first:
            record.trials += 1
            record.passes += passed

    def observe_page(self, passed: dict[str, bool]) -> None:
        """All filters' verdicts on one page of the random sample, from which conditional pass rates come."""
        self._complete.append(dict(passed))
        del self._complete[: -self._memory]

    def conditional_pass_rate(self, name: str, after: Iterable[str]) -> float:
        """How often the filter passes what all of `after` passed, with the rule of succession."""
        given = tuple(after)
        fitting = [page for page in self._complete if name in page and all(page.get(other, True) for other in given)]
        passes = sum(page[name] for page in fitting)
        if not fitting:
            return self.records.get(name, FilterRecord()).pass_rate
        return (passes + _PRIOR_TRIALS / 2) / (len(fitting) + _PRIOR_TRIALS)

    def best_order(self) -> tuple[str, ...]:
        """Greedy: Eq. (4) over what is left, with pass rates among pages that the chosen ones let pass."""
        chosen: list[str] = []
        left = set(self.guesses)
        while left:
            stages = [Stage(name, self._cost(name), self.conditional_pass_rate(name, chosen)) for name in left]
            chosen.append(filter_order(stages)[0].name)
            left.remove(chosen[-1])
        return tuple(chosen)

    def _cost(self, name: str) -> float:
        return self.records.get(name, FilterRecord()).cost(self.guesses[name])
