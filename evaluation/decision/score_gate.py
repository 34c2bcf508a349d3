"""Scores the cultural gate on its gold cases, by rules alone: `unsure` is an abstention.

Usage: python evaluation/decision/score_gate.py [--half HALF] [--show]
"""

from __future__ import annotations

import argparse
import csv
from pathlib import Path

from lumbung.profiles.loader import load_profile
from lumbung.stages.decide.agents import Described
from lumbung.stages.decide.scope_rules import ScopeRules, ScopeVerdict

FOLDER = Path(__file__).parent
BATCHES = ("fresh", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
"""Each committed before anything was run on it."""
HALVES = ("development", "held-out", *BATCHES)
Judged = list[tuple[dict[str, str], ScopeVerdict]]


def golds() -> list[Path]:
    return [FOLDER / "gate_cases.csv", *(FOLDER / f"{batch}_gate_cases.csv" for batch in BATCHES)]


def item_of(row: dict[str, str]) -> Described:
    facts = tuple((a, v) for a, _, v in (fact.partition(":") for fact in row["facts"].split(" | ") if fact))
    return Described(row["name"], (), row["category"] or None, tuple(row["regions"].split()), facts)


def judged() -> Judged:
    rules = ScopeRules(load_profile("pdbi"))
    lines = [line for gold in golds() for line in csv.DictReader(gold.read_text(encoding="utf-8").splitlines())]
    return [(row, rules.judge(item_of(row))) for row in lines]


def figures(cases: Judged) -> dict[str, float]:
    """F1 of what is let in among the settled cases, and the share that was settled."""
    settled = [(row["expected"], found.verdict) for row, found in cases if found.verdict != "unsure"]
    hits = settled.count(("in", "in"))
    said, wanted = sum(v == "in" for _, v in settled), sum(e == "in" for e, _ in settled)
    return {"f1": 2 * hits / max(1, said + wanted), "coverage": len(settled) / max(1, len(cases))}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--half", choices=HALVES)
    parser.add_argument("--show", action="store_true", help="the cases that went wrong or stayed open")
    given = parser.parse_args()
    cases = [each for each in judged() if given.half in {None, each[0]["half"]}]
    print({name: round(value, 4) for name, value in figures(cases).items()}, len(cases))
    for row, found in cases if given.show else ():
        if found.verdict != row["expected"]:
            print(row["kind"], row["expected"], row["name"], found)


if __name__ == "__main__":
    main()
