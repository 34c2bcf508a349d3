"""The text of a machine entry as readers see it: sentence by sentence, each with the sources of its facts."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

from lumbung.model.profile import Profile
from lumbung.profiles.sentences import Sentences
from lumbung.stages.publish.composition import disputed_sentence, sentence_of

Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Piece:
    text: str
    notes: tuple[int, ...] = ()
    """Numbers of its sources; none where a sentence says no more than name, kind and place."""


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


def sourced_text(row: Row, profile: Profile, sentences: Sentences) -> SourcedText:
    """The stored text is shown as it is; a sentence that no fact would be worded as today is shown without numbers."""
    found = SourcedText()
    paragraphs = [part for part in row["body"].split("\n") if part.strip()]
    title = title_in(paragraphs, row["title"], sentences)
    worded = wordings(row, title, profile, sentences)
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


def wordings(row: Row, title: str, profile: Profile, sentences: Sentences) -> dict[str, list[str]]:
    """What each fact is worded as, with its sources, the longest first; rivals share a sentence in any order."""
    by_attribute: dict[str, list[Row]] = defaultdict(list)
    for fact in row["facts"]:
        by_attribute[fact["attribute"]].append(fact)
    worded: dict[str, list[str]] = defaultdict(list)
    for attribute, facts in by_attribute.items():
        known = profile.attributes.get(attribute)
        if known is not None and known.single and len(facts) > 1:
            for order in (facts, facts[::-1]):
                values = [fact["value"] for fact in order]
                worded[disputed_sentence(known.label, values, sentences)] += [u for f in order for u in urls_of(f)]
            continue
        for fact in facts:
            text = sentence_of(title, row["category"], attribute, fact["value"], fact["flagged"], profile, sentences)
            worded[text] += urls_of(fact)
    return {text: sorted(set(worded[text])) for text in sorted(worded, key=len, reverse=True)}


def urls_of(fact: Row) -> list[str]:
    return [source["url"] for source in fact["sources"] or []]
