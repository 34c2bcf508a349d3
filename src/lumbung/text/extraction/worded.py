"""Values put together from a closed vocabulary, where a language's file says how the library words them."""

from __future__ import annotations

import re

from lumbung.text.extraction.evidence import Evidence, Kind
from lumbung.text.extraction.reading import Reading
from lumbung.text.extraction.sentences import Sentence
from lumbung.text.extraction.values import Span, trimmed
from lumbung.text.extraction.wording import Relation

_LAST_JOINT = " dan "
_MEMBERS = "members"


def read_worded(
    relation: Relation,
    cue: re.Match[str],
    spans: list[Span],
    sentence: Sentence,
    reading: Reading,
    kind: Kind,
    evidence: Evidence,
) -> int:
    """Adds the value that the groups of the cue, or the members that follow it, make; returns where it ends, 0 without any."""
    if not reading.translates:
        return 0
    members = _members(relation, spans, sentence.text, reading)
    if relation.take == "list" and not members:
        return 0
    groups = {name: _group(name, text, reading) for name, text in cue.groupdict().items() if text}
    if any(text is None for text in groups.values()):
        return 0
    end = spans[-1][1] if spans else cue.end()
    at = (sentence.start + cue.start(), sentence.start + end)
    value = relation.worded.format_map({**groups, _MEMBERS: _joined(members)})
    evidence.add(relation.attribute, value, (sentence.start, sentence.end), at, kind)
    return end


def _members(relation: Relation, spans: list[Span], text: str, reading: Reading) -> list[str]:
    """What the glossary knows of the members; none where it does not know the first."""
    known = [reading.in_canonical_language(text[start:end], relation.attribute) for start, end in spans]
    return list(dict.fromkeys(each for each in known if each)) if known and known[0] else []


def _joined(members: list[str]) -> str:
    return _LAST_JOINT.join([", ".join(members[:-1]), members[-1]] if len(members) > 1 else members)


def _group(name: str, text: str, reading: Reading) -> str | None:
    """A figure or a name stays as it is; other words are worded anew, by the class that the group is named after."""
    if text[0].isupper() or text[0].isdigit():
        return text
    return reading.in_canonical_language(text, name)


def without_tail(text: str, span: Span, relation: Relation) -> Span:
    """`spicy` of `spicy flavours`."""
    tail = relation.tail.search(text, *span) if relation.tail else None
    return trimmed(text, span[0], tail.start()) if tail else span


def foreign_date(sentence: Sentence, after: int, reading: Reading) -> Span | None:
    """The year or century that begins here."""
    found = reading.date_in(sentence.start + after, sentence.end)
    return (found[0] - sentence.start, found[1] - sentence.start) if found else None
