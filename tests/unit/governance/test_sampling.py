"""Drawn once and for all, at the stored rate."""

from __future__ import annotations

import pytest

from lumbung.errors import UsageError
from lumbung.governance.audit.queue import worth_by_stratum
from lumbung.governance.audit.sampling import drawn_number, samples_of_entry
from lumbung.governance.constants import CONSTANTS, checked_value, loosens, rule_of
from lumbung.governance.second_factor import code_at, step_of_code
from lumbung.profiles.loader import load_profile, shipped_profiles

RULES = {"audit.rate": 0.05, "audit.rate_flagged": 0.25, "audit.rate_sensitive": 1.0, "audit.rate_rejected": 0.01}


def entry(number, sensitive=False, flagged=False, status="published"):
    fact = {
        "attribute": "fungsi",
        "value_key": "x",
        "probability": 0.95,
        "flagged": flagged,
        "state": "published",
        "value": "x",
        "sources": [],
    }
    return {
        "identity": f"e{number}", "status": status, "category": "tarian", "sensitive": sensitive, "title": "T",
        "regions": [], "revision": 1, "body": "", "facts": [fact],
    }  # fmt: skip


@pytest.mark.parametrize(
    ("kind", "released", "rate"),
    [({}, False, 0.05), ({"flagged": True}, False, 0.25), ({"sensitive": True}, False, 1.0), ({}, True, 1.0)],
)
def test_facts_are_drawn_at_the_rate_that_is_stored_with_them(kind, released, rate):
    drawn = [
        sample
        for number in range(4000)
        for sample in samples_of_entry(entry(number, **kind), 0.95, RULES, "salt", released)
        if sample.attribute == "fungsi"
    ]
    assert {sample.inclusion for sample in drawn} == {rate}
    assert len(drawn) / 4000 == pytest.approx(rate, abs=0.02)


def test_being_written_again_gives_no_second_chance():
    first = [sample.subject for n in range(500) for sample in samples_of_entry(entry(n), 0.95, RULES, "salt", False)]
    again = [sample.subject for n in range(500) for sample in samples_of_entry(entry(n), 0.95, RULES, "salt", False)]
    other = [sample.subject for n in range(500) for sample in samples_of_entry(entry(n), 0.95, RULES, "other", False)]
    assert first == again != other
    assert 0 <= drawn_number("\ud800", "x") < 1


def test_the_next_label_goes_where_it_narrows_the_estimate_most():
    def rows(stratum, inclusion, labelled, unread):
        return [
            {"stratum": stratum, "inclusion": inclusion, "verdict": verdict}
            for verdict in ["correct"] * labelled + [None] * unread
        ]

    worth = worth_by_stratum(rows("large", 0.05, 0, 50) + rows("small", 1.0, 0, 50))
    assert worth["large"] > worth["small"]
    read = worth_by_stratum(rows("a", 0.05, 40, 10) + rows("b", 0.05, 5, 45))
    assert read["b"] > read["a"]


@pytest.mark.parametrize("profile", shipped_profiles())
def test_every_constant_of_a_shipped_profile_is_governed_by_somebody(profile):
    for name, value in load_profile(profile).constants.items():
        rule = rule_of(name)
        assert rule.roles
        if isinstance(value, int | float):
            assert checked_value(rule, name, value, value) == value


def test_which_direction_needs_four_eyes():
    theta, limit, delay = rule_of("fusion.theta"), rule_of("audit.ece_limit"), rule_of("crawl.host_delay_seconds")
    assert loosens(theta, 0.85, 0.8) and not loosens(theta, 0.85, 0.9)
    assert loosens(limit, 0.05, 0.1) and not loosens(limit, 0.05, 0.01)
    assert loosens(delay, 5, 1)
    assert not loosens(rule_of("novelty.tau"), 0.8, 0.1)
    with pytest.raises(UsageError):
        rule_of("mode.tarian")
    assert all(rule.low <= rule.high for rule in CONSTANTS)


def test_one_time_codes_follow_the_published_test_values():
    secret = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"
    known = {59: "287082", 1111111109: "081804", 1234567890: "005924", 2000000000: "279037"}
    assert {at: code_at(secret, at) for at in known} == known
    assert step_of_code(secret, " 287082 ", 59 + 30) == 1
    assert step_of_code(secret, "287082", 59 + 90) is None
    assert step_of_code(secret, "２８７０８２", 59) is None
