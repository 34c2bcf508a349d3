"""Items that wait for a translator: their page is read in translation, and every fact quotes the page's own words.

The page is translated line by line, a line being a sentence or the value of a row. The lexical engine reads the
translation; each fact it finds is carried back to the line it came from. What the original line cannot bear out (a
name, a figure, a place) is dropped.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from lumbung.model.candidate import Block, Candidate, ExtractedFact, PageKind, PageText
from lumbung.model.profile import Profile, ValueKind
from lumbung.ports.translation import Passage, Translation
from lumbung.text.extraction.lexical import extract
from lumbung.text.extraction.origins import PEOPLE
from lumbung.text.extraction.sentences import sentences
from lumbung.text.extraction.version import EXTRACTOR_VERSION
from lumbung.text.region import Gazetteer
from lumbung.text.sensitive import Sensitivity

STAGE = "extract"
VERSION = "1"
ENGINE = "lexical+translation"
WAITS = "needs-translation"
MOST_CHARACTERS = 12_000
BATCH_CHARACTERS = 3_000
CONFIDENCE_SHARE = 0.9
_PROSE = frozenset({"paragraph", "list-item", "caption", "heading"})
_FIGURE = re.compile(r"\d+")


@dataclass(frozen=True, slots=True)
class Line:
    """`text[start:end]` of the page, in the block of that number."""

    block: int
    start: int
    end: int


@dataclass
class Rewritten:
    """The page in the library's language, and where each of its lines stands in the original."""

    page: PageText
    lines: list[tuple[int, int, Line]] = field(default_factory=list)

    def original(self, start: int, end: int) -> tuple[int, int] | None:
        touched = [line for first, last, line in self.lines if first < end and start < last]
        return (min(line.start for line in touched), max(line.end for line in touched)) if touched else None


class TranslatedReader:
    def __init__(self, translation: Translation, profile: Profile, gazetteer: Gazetteer) -> None:
        self._translation = translation
        self._profile = profile
        self._gazetteer = gazetteer
        self._sensitivity = Sensitivity(profile)
        self.version = f"{EXTRACTOR_VERSION}+translated-{VERSION}/{'/'.join(translation.providers)}"

    def abide_by(self, _rows: Mapping[str, Any], sensitivity: Sensitivity) -> None:
        """The sensitive list in force, from the next page on."""
        self._sensitivity = sensitivity

    async def extract(self, page: PageText, found: Sequence[Candidate], job: str, subject: str = "") -> list[Candidate]:
        """What the lexical engine found, with those that waited for a translator read in translation."""
        waiting = [each for each in found if each.parked == WAITS]
        if not waiting or page.language in {"und", self._profile.language}:
            return list(found)
        lines = lines_of(page)
        translated = await self._translate(page, lines, job, subject)
        rewritten = rewrite(page, lines, translated, self._profile.language)
        read = [
            self._grounded(page, rewritten, each) for each in extract(rewritten.page, self._profile, self._gazetteer)
        ]
        named = {each.name.casefold(): each for each in read if each is not None and each.facts}
        kept = [each for each in found if each.parked != WAITS or each.name.casefold() not in named]
        known = {each.name.casefold() for each in found if each.parked != WAITS}
        return [*kept, *(each for name, each in named.items() if name not in known)]

    async def _translate(self, page: PageText, lines: Sequence[Line], job: str, subject: str) -> list[str]:
        sensitive = bool(self._sensitivity.reasons(page.title, None, page.text[:MOST_CHARACTERS]))

        async def asked(text: str) -> str:
            language = self._profile.language
            passage = Passage(text, page.language, language, STAGE, job, subject, sensitive)
            return await self._translation.translate(passage)

        done: list[str] = []
        for batch in batches(lines):
            written = [one_line(page.text[line.start : line.end]) for line in batch]
            answered = (await asked("\n".join(written))).split("\n")
            if len(answered) != len(written):
                answered = [await asked(text) for text in written]
            done += [one_line(text) for text in answered]
        return done

    def _grounded(self, page: PageText, rewritten: Rewritten, candidate: Candidate) -> Candidate | None:
        """The candidate with what the original bears out; None when not even its name stands there."""
        if not stands_in(candidate.name, page):
            return None
        said = [self._carried_back(page, rewritten, fact) for fact in candidate.facts]
        facts = tuple(fact for fact in said if fact is not None)
        regions = {region.code for fact in facts for region in self._gazetteer.find(fact.value)}
        return replace(
            candidate,
            aliases=tuple(alias for alias in candidate.aliases if stands_in(alias, page)),
            regions=tuple(code for code in candidate.regions if code in regions),
            facts=facts,
            engine=ENGINE,
        )

    def _carried_back(self, page: PageText, rewritten: Rewritten, fact: ExtractedFact) -> ExtractedFact | None:
        place = rewritten.original(fact.start, fact.end)
        if place is None:
            return None
        quote = page.text[slice(*place)]
        if set(_FIGURE.findall(fact.value)) - set(_FIGURE.findall(quote)) or not self._same_places(fact, quote):
            return None
        confidence = round(fact.confidence * CONFIDENCE_SHARE, 4)
        return ExtractedFact(fact.attribute, fact.value, quote, *place, page.language, confidence)

    def _same_places(self, fact: ExtractedFact, quote: str) -> bool:
        """A place or people must be named in the original too: translators change names."""
        kind = self._profile.attributes[fact.attribute].kind
        if kind is ValueKind.PERSON:
            return fact.value.casefold() in quote.casefold()
        if kind is not ValueKind.PLACE and fact.attribute != PEOPLE:
            return True
        quoted = {region.code for region in self._gazetteer.find(quote)}
        named = {region.code for region in self._gazetteer.find(fact.value)}
        return bool(named) and all(
            any(code == other or self._gazetteer.related(code, other) for other in quoted) for code in named
        )


def lines_of(page: PageText) -> list[Line]:
    """Sentences of prose and values of rows, as far as the bound allows."""
    found: list[Line] = []
    for number, block in enumerate(page.blocks):
        if block.start >= MOST_CHARACTERS:
            break
        if block.kind in _PROSE:
            found += [Line(number, each.start, each.end) for each in sentences(page.text, block.start, block.end)]
        elif block.kind == "row" and block.end > block.start:
            found.append(Line(number, block.start, block.end))
    return [line for line in found if line.end - line.start <= BATCH_CHARACTERS]


def batches(lines: Sequence[Line]) -> list[list[Line]]:
    made: list[list[Line]] = []
    room = 0
    for line in lines:
        size = line.end - line.start + 1
        if not made or size > room:
            made.append([])
            room = BATCH_CHARACTERS
        made[-1].append(line)
        room -= size
    return made


def rewrite(page: PageText, lines: Sequence[Line], translated: Sequence[str], language: str) -> Rewritten:
    """The same blocks in the same order, each with the lines that were translated; the title keeps its name."""
    text, blocks = "", list[Block]()
    rewritten = Rewritten(replace(page, language=language, script="Latn", kind=PageKind.ITEM))
    for number, block in enumerate(page.blocks):
        own = [(line, words) for line, words in zip(lines, translated, strict=True) if line.block == number]
        if not own:
            continue
        text += f"{block.label}: " if block.label and block.kind == "row" else ""
        start = len(text)
        is_title = page.text[block.start : block.end].strip() == page.title.strip()
        for line, words in own:
            first = len(text)
            text += page.title if is_title else words
            rewritten.lines.append((first, len(text), line))
            text += " "
            if is_title:
                break
        blocks.append(replace(block, start=start, end=len(text) - 1))
        text = text[:-1] + "\n"
    rewritten.page = replace(rewritten.page, text=text, blocks=tuple(blocks))
    return rewritten


def stands_in(name: str, page: PageText) -> bool:
    folded = " ".join(name.casefold().split())
    return folded in " ".join(f"{page.title} {page.text}".casefold().split())


def one_line(text: str) -> str:
    return " ".join(text.split())
