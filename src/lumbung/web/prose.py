"""The text of a machine entry as readers see it: sentence by sentence, each with the sources of its facts."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

from lumbung.model.profile import Profile, Sentences
from lumbung.stages.publish.composition import Wording

Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Piece:
    text: str
    notes: tuple[int, ...] = ()
    """Numbers of its sources."""


@dataclass(slots=True)
class SourcedText:
    paragraphs: list[list[Piece]] = field(default_factory=list)
    sources: list[dict[str, str]] = field(default_factory=list)

    def note(self, url: str) -> int:
        """The number of a source, in the order in which the text names them."""
        known = [each["url"] for each in self.sources]
        if url in known:
            return known.index(url) + 1
        self.sources.append({"url": url, "host": urlsplit(url).hostname or url})
        return len(self.sources)


def sourced_text(row: Row, profile: Profile) -> SourcedText:
    """The stored text is shown as it is; a sentence that no fact would be worded as today is shown without numbers."""
    found = SourcedText()
    paragraphs = [part for part in row["body"].split("\n") if part.strip()]
    title = title_in(paragraphs, row["title"], profile.sentences)
    worded = wordings(row, title, profile)
    for paragraph in paragraphs:
        pieces, rest = [], paragraph.strip()
        while rest:
            text = next((each for each in worded if rest.startswith(each)), rest)
            pieces.append(Piece(text, tuple(found.note(url) for url in worded.get(text, ()))))
            rest = rest[len(text) :].lstrip()
        found.paragraphs.append(pieces)
    return found


def title_in(paragraphs: list[str], title: str, sentences: Sentences) -> str:
    """The name that the opening uses; a supplement's own title says more than the name."""
    after = sentences.opening.partition("{title}")[2].partition("{")[0]
    name, found, _ = paragraphs[0].partition(after) if paragraphs and after else ("", "", "")
    return name if found else title


@dataclass(frozen=True, slots=True)
class Told:
    attribute: str
    value: str
    flagged: bool
    urls: tuple[str, ...]


def wordings(row: Row, title: str, profile: Profile) -> dict[str, list[str]]:
    """What the facts are worded as, together and each alone, with their sources, the longest first."""
    facts = [
        Told(
            fact["attribute"], fact["value"], fact["flagged"], tuple(source["url"] for source in fact["sources"] or [])
        )
        for fact in row["facts"]
    ]
    by_attribute: dict[str, list[Told]] = defaultdict(list)
    for fact in facts:
        by_attribute[fact.attribute].append(fact)
    if not facts:
        return {}
    wording = Wording(title, row["category"] or "", row["sensitive"], profile)
    worded: dict[str, set[str]] = defaultdict(set)
    # A source that says where it is from says what it is; where none does, all that tell of it are its witnesses.
    placed = wording.told_in_opening(row["regions"], facts) or facts
    worded[wording.opening(row["regions"])].update(url for fact in placed for url in fact.urls)
    for attribute, told in by_attribute.items():
        for group in (told, *([fact] for fact in told)):
            for text, grounds in wording.statements(attribute, group):
                worded[text].update(url for fact in grounds for url in fact.urls)
    return {text: sorted(worded[text]) for text in sorted(worded, key=len, reverse=True)}
