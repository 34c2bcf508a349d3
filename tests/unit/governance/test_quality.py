"""The evidence that lowers a category: how fast it sees a drop, how seldom it is wrong."""

from __future__ import annotations

import random
from statistics import mean

import pytest

from lumbung.governance.audit.quality import Limits, causes, quality_of

FALSE_ALARM_RATE = 0.001
LIMITS = Limits(
    p_min=0.95, ece_limit=0.05, confidence=0.95, label_silence_seconds=1.0, false_alarm_rate=FALSE_ALARM_RATE
)


def row(wrong, inclusion=0.05, confidence=0.97, sensitive=False, kind="wrong fact", stratum="plain"):
    return {
        "inclusion": inclusion,
        "stratum": stratum,
        "verdict": {True: "incorrect", False: "correct", None: None}[wrong],
        "error_kind": kind if wrong else None,
        "confidence": confidence,
        "sensitive": sensitive,
    }


def is_lowered(history):
    return any("precision" in cause for cause in causes(quality_of(history, LIMITS), LIMITS))


def labels_until_lowered(chance, error, good_labels, at_most):
    """At 98 % for so many labels, then at the given error. Where a detector alarms, and now and then once the planned number is there, the whole is read anew."""
    history, detectors = [], LIMITS.detectors
    for number in range(good_labels + at_most):
        is_wrong = chance.random() < (0.02 if number < good_labels else error)
        history.append(row(is_wrong, confidence=None))
        detectors = tuple(each.after(is_wrong) for each in detectors)
        due = number > LIMITS.deciding_labels and number % 900 == 0
        if (due or any(each.alarm for each in detectors)) and is_lowered(history):
            return number + 1 - good_labels
    return None


def test_a_drop_from_98_to_90_percent_is_seen_within_the_labels_that_theory_promises():
    chance = random.Random(5)
    delays = [labels_until_lowered(chance, 0.10, 200, 800) for _ in range(80)]
    assert all(delay is not None and delay > 0 for delay in delays)
    promised = LIMITS.detectors[-1].promised_labels
    assert promised < 120
    assert mean(delays) <= promised * 1.1


def test_a_category_that_stays_good_is_lowered_more_seldom_than_the_stated_rate():
    """98 %, and 97.5 %, half of the error that is allowed."""
    chance = random.Random(6)
    runs, labels = 20, 1900
    for error, share_of_the_rate in ((0.02, 0.03), (0.025, 0.1)):
        false = sum(labels_until_lowered(chance, error, 0, labels) is not None for _ in range(runs))
        assert false <= runs * labels * FALSE_ALARM_RATE * share_of_the_rate


@pytest.mark.parametrize(("labels", "wrong"), [(150, 15), (200, 20), (300, 21), (500, 30), (1000, 45), (1500, 62)])
def test_a_lower_bound_under_p_min_lowers_the_category_once_the_labels_can_tell(labels, wrong):
    chance = random.Random(labels)
    rows = [row(number < wrong, confidence=None) for number in range(labels)]
    chance.shuffle(rows)
    quality = quality_of(rows, LIMITS)
    assert 1 - quality.error.interval.high < LIMITS.p_min
    assert is_lowered(rows)


def test_a_lower_bound_that_only_lacks_labels_lowers_nothing():
    for labels, wrong in ((30, 0), (50, 1), (200, 5), (400, 12)):
        rows = [row(number % (labels // wrong) == 1 if wrong else False, confidence=None) for number in range(labels)]
        assert 1 - quality_of(rows, LIMITS).error.interval.high < LIMITS.p_min
        assert not is_lowered(rows)


def test_unequal_chances_of_being_drawn_put_off_the_day_on_which_the_bound_decides():
    chance = random.Random(9)
    rows = [row(number % 40 == 0, (0.05, 0.5)[number % 2], None, stratum="ab"[number % 2]) for number in range(1100)]
    chance.shuffle(rows)
    quality = quality_of(rows, LIMITS)
    assert quality.error.design_effect > 1.2
    assert quality.deciding is None


def test_the_same_verdict_comes_out_of_the_samples_themselves():
    chance = random.Random(7)
    good = [row(chance.random() < 0.02) for _ in range(400)]
    assert causes(quality_of(good, LIMITS), LIMITS) == []
    bad = [row(chance.random() < 0.12) for _ in range(500)]
    found = causes(quality_of(good + bad, LIMITS), LIMITS)
    assert any("precision" in cause for cause in found)


def test_a_steady_error_just_above_the_limit_is_seen():
    rows = [row(number % 12 == 0, confidence=None) for number in range(3000)]
    found = causes(quality_of(rows, LIMITS), LIMITS)
    assert len(found) == 1


def test_boosted_sampling_does_not_make_a_good_category_look_bad():
    """Flagged facts are wrong more often and are read more often; weighted, the category is fine."""
    chance = random.Random(8)
    rows = [row(chance.random() < 0.01, 0.05, 0.99, stratum="plain") for _ in range(200)]
    rows += [row(chance.random() < 0.25, 1.0, 0.8, stratum="flagged") for _ in range(200)]
    chance.shuffle(rows)
    quality = quality_of(rows, LIMITS)
    plain = sum(each["verdict"] == "incorrect" for each in rows) / len(rows)
    assert plain > 0.1
    assert quality.error.interval.value < 0.05
    assert not any("precision" in cause for cause in causes(quality, LIMITS))


def test_one_wrong_sensitive_item_is_enough():
    rows = [row(False) for _ in range(50)] + [row(True, 1.0, sensitive=True)]
    assert causes(quality_of(rows, LIMITS), LIMITS) == ["a sensitive item was found wrong"]
    assert causes(quality_of([row(True, kind="sensitive")], LIMITS), LIMITS) == ["a sensitive item was found wrong"]


def test_confidence_that_promises_too_much_or_too_little_is_a_cause_once_labels_suffice():
    rows = [row(False, confidence=0.86) for _ in range(250)]
    assert any("calibration" in cause for cause in causes(quality_of(rows, LIMITS), LIMITS))
    assert causes(quality_of(rows[:100], LIMITS), LIMITS) == []


def test_without_labels_nothing_is_known_and_nothing_is_lowered():
    quality = quality_of([row(None) for _ in range(10)], LIMITS)
    assert (quality.labelled, quality.unread) == (0, 10)
    assert causes(quality, LIMITS) == []
