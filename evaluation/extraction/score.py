"""Scores the lexical extractor on a half of the gold set: precision and recall, by language.

python evaluation/extraction/score.py development --show
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from cases import HERE, Case, GoldFact, GoldItem, read_cases

from lumbung.errors import InputRefused
from lumbung.model.candidate import Candidate, ExtractedFact, PageText
from lumbung.model.profile import Profile, ValueKind
from lumbung.profiles.loader import load_profile
from lumbung.text.extraction.lexical import extract
from lumbung.text.markup import read_any
from lumbung.text.names import name_key, strip_generic
from lumbung.text.region import Gazetteer
from lumbung.text.values import same_value, text_stems

FAMILIES = {"ind": "ind+zsm", "zsm": "ind+zsm", "eng": "eng+nld", "nld": "eng+nld"}


@dataclass(slots=True)
class Tally:
    right: int = 0
    given: int = 0
    found: int = 0
    wanted: int = 0

    @property
    def precision(self) -> float:
        return self.right / self.given if self.given else 1.0

    @property
    def recall(self) -> float:
        return self.found / self.wanted if self.wanted else 1.0

    def line(self) -> str:
        return f"P {self.precision:.3f} ({self.right}/{self.given})  R {self.recall:.3f} ({self.found}/{self.wanted})"


@dataclass(slots=True)
class Report:
    tallies: dict[str, dict[str, Tally]] = field(default_factory=lambda: defaultdict(lambda: defaultdict(Tally)))
    ungrounded: int = 0
    remarks: list[str] = field(default_factory=list)

    def of(self, group: str, what: str) -> Tally:
        return self.tallies[group][what]


class Scorer:
    def __init__(self, profile: Profile) -> None:
        self._profile = profile
        self._gazetteer = Gazetteer(profile)
        self._generic = [word for category in profile.categories.values() for word in category.generic_words]
        self.report = Report()

    def score(self, case: Case) -> None:
        page, candidates = self._read(case)
        group = "translated" if case.needs_translation else FAMILIES.get(case.language, case.language)
        self._check_quotes(case, page, candidates)
        matched: set[int] = set()
        for candidate in candidates:
            item = next(
                (item for item in case.items if id(item) not in matched and self._is_named(item, candidate)), None
            )
            self._candidate(case, group, candidate, item)
            if item is not None:
                matched.add(id(item))
        for item in case.items:
            tally = self.report.of(group, "candidates")
            tally.wanted += 1
            tally.found += id(item) in matched
            if id(item) not in matched:
                self._missed(case, group, item)

    def _read(self, case: Case) -> tuple[PageText | None, list[Candidate]]:
        try:
            page = read_any(case.page, f"https://example.org/{case.name}", case.media_type)
        except InputRefused as refusal:
            self.report.remarks.append(f"{case.name}: refused, {refusal.reason}")
            return None, []
        return page, extract(page, self._profile, self._gazetteer)

    def _check_quotes(self, case: Case, page: PageText | None, candidates: list[Candidate]) -> None:
        for fact in (fact for candidate in candidates for fact in candidate.facts):
            if page is None or page.text[fact.start : fact.end] != fact.quote or not fact.quote:
                self.report.ungrounded += 1
                self.report.remarks.append(f"{case.name}: ungrounded {fact}")

    def _is_named(self, item: GoldItem, candidate: Candidate) -> bool:
        mine = {name_key(strip_generic(name, self._generic) or name) for name in (candidate.name, *candidate.aliases)}
        theirs = {name_key(strip_generic(name, self._generic) or name) for name in item.names}
        return bool(mine & theirs)

    def _candidate(self, case: Case, group: str, candidate: Candidate, item: GoldItem | None) -> None:
        tally = self.report.of(group, "candidates")
        tally.given += 1
        tally.right += item is not None
        if item is None:
            self.report.remarks.append(f"{case.name}: no such item: {candidate.name} ({candidate.category})")
        self._categories(case, group, candidate, item)
        self._regions(case, group, candidate, item)
        self._facts(case, group, candidate.facts, item)

    def _categories(self, case: Case, group: str, candidate: Candidate, item: GoldItem | None) -> None:
        tally = self.report.of(group, "categories")
        right = item is not None and candidate.category in item.categories
        tally.given += candidate.category is not None
        tally.right += right
        if item is not None:
            tally.wanted += 1
            tally.found += right
        if candidate.category is None or not right:
            self.report.remarks.append(
                f"{case.name}: category {candidate.category} ({candidate.parked}) of {candidate.name}"
            )

    def _regions(self, case: Case, group: str, candidate: Candidate, item: GoldItem | None) -> None:
        tally = self.report.of(group, "regions")
        wanted = item.regions if item is not None else ()
        for code in candidate.regions:
            right = any(self._gazetteer.related(code, gold) for gold in wanted)
            tally.given += 1
            tally.right += right
            if not right:
                self.report.remarks.append(f"{case.name}: region {code} of {candidate.name}")
        tally.wanted += bool(wanted)
        tally.found += bool(wanted and candidate.regions)

    def _facts(self, case: Case, group: str, facts: Iterable[ExtractedFact], item: GoldItem | None) -> None:
        tally = self.report.of(group, "facts")
        gold = item.facts if item is not None else []
        found: set[int] = set()
        for fact in facts:
            match = [each for each in gold if self._agrees(fact, each)]
            found.update(id(each) for each in match)
            tally.given += 1
            tally.right += bool(match)
            if not match:
                self.report.remarks.append(f"{case.name}: wrong {fact.attribute} = {fact.value!r} << {fact.quote!r}")
        for each in gold:
            if each.required:
                tally.wanted += 1
                tally.found += id(each) in found
                if id(each) not in found:
                    self.report.remarks.append(f"{case.name}: missed {'/'.join(each.attributes)} = {each.wordings[0]}")

    def _missed(self, case: Case, group: str, item: GoldItem) -> None:
        wanted = sum(fact.required for fact in item.facts)
        self.report.of(group, "facts").wanted += wanted
        self.report.of(group, "categories").wanted += 1
        self.report.of(group, "regions").wanted += bool(item.regions)
        self.report.remarks.append(f"{case.name}: missed item {item.names[0]} with {wanted} facts")

    def _codes(self, name: str) -> set[str]:
        return {found.code for found in self._gazetteer.find(name)}

    def _agrees(self, fact: ExtractedFact, gold: GoldFact) -> bool:
        if fact.attribute not in gold.attributes:
            return False
        attribute = self._profile.attributes.get(fact.attribute)
        kind = attribute.kind if attribute else ValueKind.TEXT
        if kind is ValueKind.PLACE or fact.attribute == "suku":
            mine = self._codes(fact.value)
            if any(mine & self._codes(wording) for wording in gold.wordings):
                return True
        return any(same_value(fact.value, wording, kind) or _says(fact.value, wording) for wording in gold.wordings)


def _says(value: str, wording: str) -> bool:
    """Whether one holds the other's words and little more."""
    mine, theirs = text_stems(value), text_stems(wording)
    if not mine or not theirs:
        return False
    if len(mine & theirs) >= 0.6 * max(len(mine), len(theirs)):
        return True
    return theirs <= mine and (len(mine) <= 3 * len(theirs) or len(theirs) >= 3)


def corpus_hash(half: str) -> str:
    digest = hashlib.sha256()
    for path in sorted((HERE / half).glob("*.case")):
        digest.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()


def score_half(half: str) -> Report:
    scorer = Scorer(load_profile())
    for case in read_cases(half):
        scorer.score(case)
    return scorer.report


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "half",
        choices=(
            "development",
            "held-out",
            "fresh",
            "unseen",
            "second",
            "third",
            "fourth",
            "fifth",
            "sixth",
            "seventh",
            "eighth",
            "ninth",
        ),
    )
    parser.add_argument("--show", action="store_true", help="every miss and error")
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    report = score_half(arguments.half)
    if arguments.show:
        print("\n".join(report.remarks))
    if arguments.json:
        print(
            json.dumps(
                {
                    group: {what: [tally.precision, tally.recall] for what, tally in part.items()}
                    for group, part in report.tallies.items()
                }
            )
        )
        return
    for group, part in report.tallies.items():
        for what, tally in part.items():
            print(f"{group:12} {what:12} {tally.line()}")
    print(f"ungrounded facts: {report.ungrounded}; corpus {corpus_hash(arguments.half)[:16]}")


if __name__ == "__main__":
    main()
