"""How often each kind of evidence is right: the facts of a folder of pages with their kinds, to be judged, and the table of judged ones.

python evaluation/extraction/kinds.py PAGES > facts.csv     writes the facts; a reader adds `right` or `wrong` in the last column
python evaluation/extraction/kinds.py --judged facts.csv    prints the table

Pages of others are kept outside the tree.
"""

from __future__ import annotations

import argparse
import csv
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

from lumbung.errors import InputRefused
from lumbung.profiles.loader import load_profile
from lumbung.text.extraction.lexical import extract_with_kinds
from lumbung.text.markup import read_any
from lumbung.text.region import Gazetteer

COLUMNS = ("page", "candidate", "kind", "attribute", "value", "quote", "verdict")


def facts_of(pages: Iterable[Path]) -> Iterator[tuple[str, ...]]:
    """One row a fact, its verdict still open."""
    profile = load_profile()
    gazetteer = Gazetteer(profile)
    for path in pages:
        try:
            page = read_any(path.read_bytes(), f"https://example.org/{path.stem}", "text/html")
        except InputRefused:
            continue
        for candidate, kinds in extract_with_kinds(page, profile, gazetteer):
            for fact, kind in kinds.items():
                yield path.stem, candidate.name, kind, fact.attribute, fact.value, fact.quote, ""


def table(rows: Iterable[dict[str, str]]) -> list[tuple[str, str, int, int]]:
    """Of the judged facts: kind, attribute or `all`, right ones and all, the most frequent first."""
    right: Counter[tuple[str, str]] = Counter()
    given: Counter[tuple[str, str]] = Counter()
    for row in rows:
        if row["verdict"] not in {"right", "wrong"}:
            continue
        for attribute in ("all", row["attribute"]):
            given[row["kind"], attribute] += 1
            right[row["kind"], attribute] += row["verdict"] == "right"
    return [(*key, right[key], number) for key, number in given.most_common()]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pages", nargs="?", type=Path)
    parser.add_argument("--judged", type=Path)
    given = parser.parse_args()
    if given.judged:
        with given.judged.open(encoding="utf-8") as file:
            for kind, attribute, right, number in table(csv.DictReader(file)):
                print(f"{kind:12} {attribute:22} {right}/{number}")
        return
    writer = csv.writer(sys.stdout)
    writer.writerow(COLUMNS)
    writer.writerows(facts_of(sorted(given.pages.glob("*.html"))))


if __name__ == "__main__":
    main()
