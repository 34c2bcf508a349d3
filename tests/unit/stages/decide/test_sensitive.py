"""Ten thousand generated sacred items through the rule code, against an oracle that knows how each was made."""

from __future__ import annotations

import math
import random
from dataclasses import dataclass, replace

from lumbung.model.item import LiveCandidate, LiveClaim
from lumbung.profiles.loader import load_profile
from lumbung.stages.decide.content import ItemEvidence, content_of
from lumbung.stages.decide.rules import Rules

PROFILE = load_profile("pdbi")
RULES = Rules.from_rows(PROFILE.constants, {})
CASES = 10_000
TYPES = ("academic", "official", "community", "unknown")
REASONS = ("category", "lexicon", "guardian", "agent", "person")
QUESTIONS = {"waktu": ("kliwon", "legi"), "tahun": ("1900", "1850")}
"""Of several right answers, and of one."""


@dataclass(frozen=True)
class Witness:
    """One independent source, the copies it has, and what it says."""

    type: str
    copies: tuple[str, ...]
    """The types of those that copy it: in its text, or under its domain."""
    value: str


def made(rng: random.Random, attribute: str) -> list[Witness]:
    values = QUESTIONS[attribute] if rng.random() < 0.3 else QUESTIONS[attribute][:1]
    return [
        Witness(
            rng.choice(TYPES),
            tuple(rng.choice(TYPES) for _ in range(rng.choice((0, 0, 1, 3)))),
            rng.choice(values),
        )
        for _ in range(rng.randint(1, 4))
    ]


def candidates_of(
    witnesses: list[Witness], rng: random.Random, attribute: str = "waktu"
) -> tuple[list[LiveCandidate], dict[str, float]]:
    """Any one of them says, for any one reason, that the item is sensitive."""
    found: list[LiveCandidate] = []
    ratios: dict[str, float] = {}
    for place, witness in enumerate(witnesses):
        text = tuple(range(1000 * place, 1000 * place + 40))
        for copy, kind in enumerate((witness.type, *witness.copies)):
            by_domain = rng.random() < 0.5
            domain = f"d{place}.example" if by_domain or copy == 0 else f"d{place}-{copy}.example"
            url = f"https://{copy}.{domain}/{place}"
            ratios[url] = RULES.ratios[kind]
            claim = LiveClaim(len(found), attribute, witness.value, witness.value, 1, 0.9)
            found.append(candidate(len(found), url, domain, text, claim))
    chosen = rng.randrange(len(found))
    found[chosen] = replace(found[chosen], sensitive=(rng.choice(REASONS),))
    return found, ratios


def candidate(number: int, url: str, domain: str, sketch: tuple[int, ...], claim: LiveClaim) -> LiveCandidate:
    return LiveCandidate(
        f"c{number:03}", "Upacara Contoh", "contoh", (), "ritual", ("ID-JT",), (), "in", (), number, url,
        domain, sketch, True, None, (claim,),
    )  # fmt: skip


def believed(supporting: list[Witness], opposing: list[Witness]) -> float:
    """Eq. (18) by hand: each witness once, with the least credible of its copies."""
    weights = []
    for sign, side in ((1, supporting), (-1, opposing)):
        for witness in side:
            least = min(RULES.ratios[kind] for kind in (witness.type, *witness.copies))
            weights.append(sign * math.log(RULES.precision * least + 1 - RULES.precision))
    return 1 / (1 + math.exp(-math.log(RULES.prior_odds) - sum(weights)))


def test_none_of_ten_thousand_sacred_facts_passes_too_early_and_every_one_that_may_passes() -> None:
    rng = random.Random(20)
    passed = held = 0
    for _ in range(CASES):
        attribute = rng.choice(tuple(QUESTIONS))
        single = PROFILE.attributes[attribute].single
        witnesses = made(rng, attribute)
        found, ratios = candidates_of(witnesses, rng, attribute)
        evidence = ItemEvidence(found, (), (), PROFILE, {"ID-JT": "ID-JT"})
        content = content_of(evidence, RULES, ratios.__getitem__)
        assert content.sensitive
        existence = believed(witnesses, [])
        assert (content.verdict == "publish") == (existence >= RULES.theta_sensitive and len(witnesses) >= 2)
        for fact in content.facts:
            own = [witness for witness in witnesses if witness.value == fact.value]
            against = [witness for witness in witnesses if witness.value != fact.value] if single else []
            may = believed(own, against) >= RULES.theta_sensitive and len(own) >= 2
            assert (fact.state == "published") == may
            passed, held = passed + may, held + (not may)
    assert min(passed, held) > CASES / 10


def test_the_row_of_the_guardians_sets_how_many_sources_a_sensitive_fact_needs() -> None:
    found, ratios = candidates_of(
        [Witness("academic", (), "kliwon"), Witness("official", (), "kliwon")], random.Random(1)
    )
    evidence = ItemEvidence(found, (), (), PROFILE, {"ID-JT": "ID-JT"})
    stricter = Rules.from_rows(PROFILE.constants | {"fusion.independent_sources_sensitive": 3}, {})
    states = [content_of(evidence, rules, ratios.__getitem__).facts[0].state for rules in (RULES, stricter)]
    assert states == ["published", "waiting"]
