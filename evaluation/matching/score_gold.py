"""Scores the comparison of stage 3 on its gold pairs: precision and recall of *same*, by half and by kind.

A pair counts as found when the rules say *same*; *unsure* goes to the same-item agent or a person, so it counts
neither as an error nor as found. Usage: python evaluation/matching/score_gold.py [--errors]
"""

from __future__ import annotations

import csv
import json
import sys
from collections import Counter
from pathlib import Path

from lumbung.profiles.loader import load_profile
from lumbung.text.comparison import Comparable, compare
from lumbung.text.region import Gazetteer
from lumbung.text.relating import heads_of

FOLDER = Path(__file__).parent
BATCHES = ("second", "third", "fourth", "fifth", "sixth", "seventh")
"""Other items, each batch committed before anything was run on it."""
HALVES = ("development", "held-out", *BATCHES)


def golds() -> list[Path]:
    return [FOLDER / "gold_pairs.csv", *(FOLDER / f"{batch}_gold_pairs.csv" for batch in BATCHES)]


def read() -> list[dict[str, str]]:
    return [row for gold in golds() for row in csv.DictReader(gold.read_text(encoding="utf-8").splitlines())]


def verdicts() -> list[tuple[dict[str, str], str]]:
    profile = load_profile("pdbi")
    gazetteer, heads = Gazetteer(profile), heads_of(profile)

    def item(row: dict[str, str], side: str) -> Comparable:
        category = profile.categories[row[f"{side}_category"]]
        region = row[f"{side}_region"]
        return Comparable(
            row[f"{side}_name"],
            tuple(filter(None, row[f"{side}_aliases"].split(";"))),
            category.code,
            (region,),
            (),
            category.generic_words,
            heads[category.code],
            (profile.regions[region].name,),
            category.confusable,
        )

    return [(row, compare(item(row, "left"), item(row, "right"), related=gazetteer.related).verdict) for row in read()]


def figures(scored: list[tuple[dict[str, str], str]]) -> dict[str, float]:
    found = [row["expected"] == "same" for row, verdict in scored if verdict == "same"]
    wanted = sum(row["expected"] == "same" for row, _ in scored)
    return {
        "pairs": len(scored),
        "precision": sum(found) / max(1, len(found)),
        "recall": sum(found) / max(1, wanted),
        "unsure": sum(verdict == "unsure" for _, verdict in scored) / max(1, len(scored)),
    }


def main() -> None:
    scored = verdicts()
    for half in HALVES:
        part = [each for each in scored if each[0]["half"] == half]
        print(json.dumps({"half": half, **figures(part)}))
        if "--errors" in sys.argv and half != "held-out":
            for row, verdict in part:
                if verdict != row["expected"] and not (row["expected"] == "different" and verdict == "unrelated"):
                    print(row["kind"], "|", row["left_name"], "|", row["right_name"], "->", verdict)
            print(Counter((row["kind"], verdict) for row, verdict in part))


if __name__ == "__main__":
    main()
