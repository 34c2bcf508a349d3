"""How often a category falls by itself, and how soon: the audit's own code looks after every label.

Each run is a stream of labelled samples at one true precision. `quality_of` and `causes` give every verdict; between
looks that could not lower anything (no detector alarms, the bound that is cheap to have lies on the right side, and so
does the confidence sequence) the same detectors and the same sequence are carried on label by label.
Run: python -m tests.long.demotion [--runs 200] [--labels 5000] [--seed 1] [--precision 0.98 …] [--boosted]
"""

from __future__ import annotations

import argparse
import random
import time
from dataclasses import dataclass
from statistics import fmean

from lumbung.equations.audit import wilson
from lumbung.equations.sequences import ConfidenceSequence
from lumbung.governance.audit.quality import Limits, causes, quality_of

LIMITS = Limits(p_min=0.95, ece_limit=0.05, confidence=0.95, label_silence_seconds=1.0, false_alarm_rate=0.001)
PRECISIONS = (0.98, 0.975, 0.97, 0.965, 0.96, 0.955)
PLAIN = 0.05
FLAGGED = 0.25
"""Inclusion probabilities: of all, and under `--boosted` of the fifth that is flagged and errs three times as often."""
FLAGGED_SHARE = 0.2
FLAGGED_ERRORS = 3.0


@dataclass(frozen=True)
class Fall:
    labels: int
    cause: str


def sample(chance: random.Random, error: float, boosted: bool) -> dict[str, object]:
    """One that was drawn and read, in the proportion in which the strata are drawn."""
    drawn_flagged = FLAGGED_SHARE * FLAGGED / (FLAGGED_SHARE * FLAGGED + (1 - FLAGGED_SHARE) * PLAIN)
    flagged = boosted and chance.random() < drawn_flagged
    rate = error
    if boosted:
        plain = error / (1 - FLAGGED_SHARE + FLAGGED_SHARE * FLAGGED_ERRORS)
        rate = plain * FLAGGED_ERRORS if flagged else plain
    wrong = chance.random() < rate
    return {
        "inclusion": FLAGGED if flagged else PLAIN,
        "stratum": "flagged" if flagged else "plain",
        "verdict": "incorrect" if wrong else "correct",
        "error_kind": "wrong fact" if wrong else None,
        "confidence": None,
        "sensitive": False,
    }


class Screen:
    """Whether a look could lower anything: never no where the audit's own code says yes."""

    def __init__(self, boosted: bool) -> None:
        self._boosted = boosted
        self._detectors = LIMITS.detectors
        self._sequence = ConfidenceSequence(LIMITS.sequence_alpha, 1.0)
        self._labels = self._wrong = 0

    def could_lower(self, wrong: bool) -> bool:
        self._labels, self._wrong = self._labels + 1, self._wrong + wrong
        if self._boosted:
            return True
        self._detectors = tuple(each.after(wrong) for each in self._detectors)
        self._sequence.update(float(wrong))
        due = self._labels >= LIMITS.deciding_labels
        bound = due and wilson(self._wrong, self._labels, LIMITS.confidence).high > LIMITS.limit
        return bound or any(each.alarm for each in self._detectors) or self._sequence.interval.low > LIMITS.limit


def fall(chance: random.Random, errors: list[float], boosted: bool, every: int) -> Fall | None:
    """When the category falls, if it does; with unequal weights the look is taken at every so many labels."""
    rows: list[dict[str, object]] = []
    screen = Screen(boosted)
    for number, error in enumerate(errors, start=1):
        rows.append(sample(chance, error, boosted))
        if not screen.could_lower(rows[-1]["verdict"] == "incorrect") or (boosted and number % every):
            continue
        quality = quality_of(rows, LIMITS)
        found = causes(quality, LIMITS)
        if found:
            seen = any(each.alarm for each in quality.detectors)
            return Fall(number, "sequence" if "whatever" in found[0] else "drop" if seen else "bound")
    return None


def tell(name: str, falls: list[Fall | None], labels: int) -> None:
    fell = [each for each in falls if each]
    by = {cause: sum(each.cause == cause for each in fell) / len(falls) for cause in ("drop", "bound", "sequence")}
    lived = sum(each.labels if each else labels for each in falls)
    mean = f", after {fmean(each.labels for each in fell):.0f} labels" if fell else ""
    shares = ", ".join(f"{cause} {share:.1%}" for cause, share in by.items())
    print(
        f"{name}: {len(fell) / len(falls):.1%} fell ({shares}){mean}; {len(fell) / lived:.6f} falls a label", flush=True
    )


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--runs", type=int, default=200)
    asked.add_argument("--labels", type=int, default=5000)
    asked.add_argument("--seed", type=int, default=1)
    asked.add_argument("--precision", type=float, action="append")
    asked.add_argument("--boosted", action="store_true")
    asked.add_argument("--every", type=int, default=100, help="labels between looks, with --boosted")
    given = asked.parse_args()
    began = time.process_time()
    for precision in given.precision or PRECISIONS:
        errors = [1 - precision] * given.labels
        falls = [
            fall(random.Random(f"{given.seed} {precision} {run}"), errors, given.boosted, given.every)
            for run in range(given.runs)
        ]
        tell(f"{precision:.1%}", falls, given.labels)
    good = 300
    dropped = [
        fall(
            random.Random(f"{given.seed} drop {run}"),
            [0.02] * good + [0.10] * 1000,
            given.boosted,
            1 if not given.boosted else 10,
        )
        for run in range(given.runs)
    ]
    after = [each.labels - good for each in dropped if each and each.labels > good]
    print(
        f"98 to 90 % after {good} labels: {len(after)} of {given.runs} fell by it, after {fmean(after):.0f} labels "
        f"(theory promises {LIMITS.detectors[-1].promised_labels:.0f}); seed {given.seed}, "
        f"{time.process_time() - began:.0f} CPU seconds"
    )


if __name__ == "__main__":
    main()
