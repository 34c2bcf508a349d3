"""Scores stage 4 on its situations, by rules alone: `review` where another outcome was right is an abstention.

Usage: python evaluation/decision/score_situations.py [--half HALF] [--show]
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from itertools import combinations
from pathlib import Path
from typing import Any

from lumbung.model.item import HumanRecord, LiveCandidate, LiveClaim, human_node, pair
from lumbung.profiles.loader import load_profile
from lumbung.stages.decide.component import Component
from lumbung.stages.decide.content import ItemEvidence, content_of
from lumbung.stages.decide.handler import doubts_of
from lumbung.stages.decide.nodes import Comparables
from lumbung.stages.decide.novelty import novelty_of
from lumbung.stages.decide.pairs import compare_pairs
from lumbung.stages.decide.partition import partition
from lumbung.stages.decide.rules import Rules
from lumbung.text.coverage import said_words
from lumbung.text.names import name_key
from lumbung.text.region import Gazetteer
from lumbung.text.sources import CuratedSources
from lumbung.text.url import host_of, registrable_domain
from lumbung.text.values import fact_key, with_synonyms

FOLDER = Path(__file__).parent
BATCHES = (
    "fresh",
    "second",
    "third",
    "fourth",
    "fifth",
    "sixth",
    "seventh",
    "eighth",
    "ninth",
    "tenth",
    "eleventh",
    "twelfth",
)
"""From the second on written by hand, none made by template; each committed before anything was run on it."""
HALVES = ("development", "held-out", *BATCHES)
PROFILE = load_profile("pdbi")
GAZETTEER = Gazetteer(PROFILE)
SOURCES = CuratedSources(PROFILE)
RULES = Rules.from_rows(PROFILE.constants, {})
Situation = dict[str, Any]


def candidate_of(record: dict[str, Any], number: int) -> LiveCandidate:
    claims = []
    for place, (attribute, value) in enumerate(record["facts"]):
        key = fact_key(PROFILE, attribute, value)
        claims.append(LiveClaim(100 * number + place, attribute, value, key, 1, 0.9))
    return LiveCandidate(
        digest=f"c{number}",
        name=record["name"],
        name_key=name_key(record["name"]),
        aliases=tuple(sorted(record["aliases"])),
        category=record["category"],
        regions=tuple(record["regions"]),
        media=(),
        scope="in",
        sensitive=("category",) if record["sensitive"] else (),
        document=number,
        url=record["url"],
        domain=registrable_domain(host_of(record["url"])),
        sketch=(),
        witness=True,
        published=None,
        claims=tuple(claims),
    )


def human_of(record: dict[str, Any], number: int) -> HumanRecord:
    return HumanRecord(
        identity=f"r{number}",
        title=record["title"],
        aliases=tuple(record["aliases"]),
        category=record["category"],
        regions=tuple(record["regions"]),
        status=record["status"],
        facts=frozenset(),
        words=said_words(with_synonyms(f"{record['title']} {record['text']}", PROFILE.synonyms)),
    )


def judged(situation: Situation) -> str:
    """What the log would show for the candidate, were it the last to come."""
    people = [human_of(record, n) for n, record in enumerate(situation["humans"])]
    nodes = [candidate_of(record, n) for n, record in enumerate([situation["candidate"], *situation["held"]])]
    component = Component({each.digest: each for each in nodes}, {human_node(each.identity): each for each in people})
    for found in compare_pairs(
        component.candidates,
        component.humans,
        combinations(sorted([*component.candidates, *component.humans]), 2),
        Comparables(PROFILE),
        GAZETTEER.related,
        RULES,
    ):
        component.verdicts[pair(*found.nodes)] = found.verdict
    parts = partition(frozenset(component.candidates) | frozenset(component.humans), component.verdicts)
    groups = [*parts.groups, *(frozenset({bridge}) for bridge in parts.bridges)]
    [group] = [group for group in groups if "c0" in group]
    doubts = doubts_of(parts, groups, component, ratio_of)[group]
    members = [component.candidates[node] for node in sorted(group) if node in component.candidates]
    humans = [component.humans[node] for node in sorted(group) if node in component.humans]
    provinces = {code: GAZETTEER.province_of(code) for each in members for code in each.regions}
    content = content_of(ItemEvidence(members, humans, doubts, PROFILE, provinces), RULES, ratio_of)
    others = [each for each in members if each.digest != "c0"]
    return novelty_of(component.candidates["c0"], others, humans, PROFILE, content, RULES.tau).verdict


def ratio_of(url: str) -> float:
    return RULES.ratios.get(SOURCES.type_of(url).value, RULES.ratios["unknown"])


def golds() -> list[Path]:
    return [FOLDER / "situations.jsonl", *(FOLDER / f"{batch}_situations.jsonl" for batch in BATCHES)]


def situations(half: str | None = None) -> list[Situation]:
    lines = [line for gold in golds() for line in gold.read_text(encoding="utf-8").splitlines()]
    return [found for line in lines if half in {None, (found := json.loads(line))["half"]}]


def figures(pairs: list[tuple[str, str]]) -> dict[str, float]:
    """(expected, said): accuracy where rules settled it, and the share of what can be settled that was."""
    settled = [(wanted, said) for wanted, said in pairs if said != "review" or wanted == "review"]
    return {"accuracy": sum(a == b for a, b in settled) / len(settled), "coverage": len(settled) / len(pairs)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--half", choices=HALVES)
    parser.add_argument("--show", action="store_true", help="the situations that went wrong, by kind")
    given = parser.parse_args()
    found = [(each, judged(each)) for each in situations(given.half)]
    print({k: round(v, 4) for k, v in figures([(each["expected"], said) for each, said in found]).items()}, len(found))
    wrong = Counter((e["kind"], e["expected"], said) for e, said in found if e["expected"] != said)
    for what, count in sorted(wrong.items()) if given.show else ():
        print(count, *what, [e["item"] for e, said in found if (e["kind"], e["expected"], said) == what][:6])


if __name__ == "__main__":
    main()
