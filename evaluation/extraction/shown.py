"""How much of what the gold set's pages say is in what a model is shown of them: the recall of leaving passages out.

A gold fact counts if one of its wordings stands in the page's text letter by letter.

python -m evaluation.extraction.shown [--long] [--show]
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import cycle, islice
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from cases import HERE, Case, read_cases

from lumbung.errors import InputRefused
from lumbung.profiles.loader import load_profile
from lumbung.stages.extract.llm import LlmExtractor
from lumbung.text.extraction.lexical import extract
from lumbung.text.markup import read_any
from lumbung.text.region import Gazetteer

OFF_TOPIC = HERE / "off-topic.md"
SECTIONS_A_PAGE = 6


def sets() -> list[str]:
    return sorted(folder.name for folder in HERE.iterdir() if any(folder.glob("*.case")))


def off_topic() -> list[str]:
    """Sections that are about no item, as HTML; one is paragraphs without a heading."""
    return [_as_html(section) for section in OFF_TOPIC.read_text(encoding="utf-8").strip().split("\n\n")]


def _as_html(section: str) -> str:
    lines = section.split("\n")
    made = []
    for line in lines:
        if line.startswith("## "):
            made.append(f"<h2>{line[3:]}</h2>")
        elif line.startswith("- "):
            made.append(f"<ul><li>{line[2:]}</li></ul>")
        else:
            made.append(f"<p>{line}</p>")
    return "".join(made)


def with_sections(page: str, number: int, sections: int = SECTIONS_A_PAGE) -> str:
    """The page with sections about other things behind its own; which ones depends on its number."""
    return appended(page, "".join(islice(cycle(off_topic()), number, number + sections)))


def appended(page: str, more: str) -> str:
    """With more at the end of its main part."""
    ends = (page.rfind(end) for end in ("</main>", "</article>", "</body>"))
    place = next((place for place in ends if place >= 0), len(page))
    return page[:place] + more + page[place:]


class Measure:
    def __init__(self) -> None:
        self._profile = load_profile()
        self._gazetteer = Gazetteer(self._profile)
        self._extractor = LlmExtractor(None, self._profile, self._gazetteer, "none")  # type: ignore[arg-type]
        self.counts: Counter[str] = Counter()
        self.lost: list[str] = []

    def read(self, case: Case, body: bytes) -> None:
        try:
            page = read_any(body, f"https://example.org/{case.name}", case.media_type)
        except InputRefused:
            return
        found = extract(page, self._profile, self._gazetteer)
        _, asked, left_out = self._extractor.asked(page, found)
        text, sent = page.text.casefold(), "\n".join(piece.text(page) for piece in asked).casefold()
        kind = "item" if case.items else "other"
        self.counts.update({f"{kind} pages": 1, f"{kind} pages asked about": bool(asked)})
        self.counts.update({f"{kind} characters": len(text), f"{kind} characters sent": len(sent)})
        self.counts.update({f"{kind} {reason}": number for reason, number in left_out.items()})
        for item in case.items:
            self._compare("names", case, item.names, text, sent)
            for fact in item.facts:
                self._compare("facts" if fact.required else "optional facts", case, fact.wordings, text, sent)

    def _compare(self, what: str, case: Case, wordings: tuple[str, ...], text: str, sent: str) -> None:
        standing = [wording for wording in map(str.casefold, wordings) if wording and wording in text]
        if not standing:
            return
        kept = any(wording in sent for wording in standing)
        self.counts.update({what: 1, f"{what} shown": kept})
        if not kept:
            self.lost.append(f"{case.name}: {what}: {standing[0]}")


def as_it_is(case: Case, _: int) -> bytes:
    return case.page


def made_long(case: Case, number: int) -> bytes:
    return with_sections(case.page.decode(), number).encode()


def measured(change: Callable[[Case, int], bytes], languages: frozenset[str] = frozenset()) -> Measure:
    measure = Measure()
    for number, case in enumerate(_cases(languages)):
        measure.read(case, change(case, number))
    return measure


def _cases(languages: frozenset[str]) -> Iterator[Case]:
    for name in sets():
        for case in read_cases(name):
            if not languages or (case.language in languages and case.media_type == "text/html"):
                yield case


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--long", action="store_true", help="Indonesian pages with sections about other things added")
    parser.add_argument("--show", action="store_true", help="what is not shown")
    given = parser.parse_args()
    measure = measured(made_long, frozenset({"ind"})) if given.long else measured(as_it_is)
    for name, number in sorted(measure.counts.items()):
        print(f"{name}: {number}")
    if given.show:
        print("\n".join(measure.lost))


if __name__ == "__main__":
    main()
