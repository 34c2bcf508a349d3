"""What a relation takes of its sentence: the members, the phrase, the name, the number after its cue."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from lumbung.model.profile import ValueKind, ValueShape
from lumbung.text.extraction import amounts, values
from lumbung.text.extraction.definitions import is_kind
from lumbung.text.extraction.kinds import is_region
from lumbung.text.extraction.meanings import one_meaning
from lumbung.text.extraction.reading import Reading
from lumbung.text.extraction.sentences import Sentence
from lumbung.text.extraction.values import Span
from lumbung.text.extraction.worded import foreign_date, without_tail
from lumbung.text.extraction.wording import Relation

_DATE_WORD = len("bertarikh abad ")
_BLANK = re.compile(r"\s")
_FULLY = re.compile(r"(?:sudah|telah|memang|juga)\s+", re.IGNORECASE)
"""Adverbs before a verb that say nothing of it."""
_TIME_WORD = re.compile(
    r"\s(?=(?:rutin|secara|setiap|tiap|pada|ketika|saat|setahun|seminggu|sebelum|sesudah|setelah|menjelang|selepas|semasa|"
    r"sewaktu|dalam|di)\b)"
)
_BESIDES = re.compile(r"(?:Selain|Di samping)(?! itu\b)[^,.;]{5,120}(?=,\s)")
"""What a thing is or does besides, before the sentence says its subject."""
_OF_A_PLACE = re.compile(
    r"\b(?:desa|kota|kampung|daerah|wilayah|pulau|tempat|suku|orang) (?:ini|itu|tersebut)\s*$", re.IGNORECASE
)
_TITLE = re.compile(
    r"(?:sultan|raja|ratu|prabu|pangeran|raden|sunan|wali|empu|mpu|seniman|bupati|gubernur|presiden|datuk|haji|kyai|kiai)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Cue:
    """A relation's cue where it stands; `end` is how far the sentence may be about it."""

    relation: Relation
    found: re.Match[str]
    sentence: Sentence
    reading: Reading
    end: int

    @property
    def text(self) -> str:
        return self.sentence.text

    @property
    def after(self) -> int:
        return self.found.end()

    @property
    def stop(self) -> int:
        """Where a word of the relation's own ends what it takes."""
        over = self.relation.stop.search(self.text, self.after, self.end) if self.relation.stop else None
        return over.start() if over else self.end

    @property
    def verb(self) -> int:
        """Where the verb of the cue begins, without the adverbs before it."""
        begin = _FULLY.match(self.text, self.found.start())
        return begin.end() if begin else self.found.start()


def spans_of(relation: Relation, found: re.Match[str], sentence: Sentence, reading: Reading) -> list[Span]:
    """The places in the sentence of every value that the cue tells; none where it is not sure."""
    besides = _BESIDES.match(sentence.text)
    end = besides.end() if besides and found.end() < besides.end() else len(sentence.text)
    cue = Cue(relation, found, sentence, reading, end)
    if relation.take in _SEVERAL:
        return _SEVERAL[relation.take](cue)
    span = _ONE[relation.take](cue)
    return [span] if span else []


def _names(cue: Cue) -> list[Span]:
    return [span for span in _members(cue) if cue.text[span[0]].isupper()]


def _members(cue: Cue) -> list[Span]:
    known = cue.reading.members
    key = (cue.text, cue.after, cue.end)
    if key not in known:
        known[key] = list(values.members(cue.text, cue.after, cue.end, cue.reading.wording))
    return known[key]


def _list(cue: Cue) -> list[Span]:
    whole = cue.reading.profile.attributes[cue.relation.attribute].shape is ValueShape.PEOPLE
    members = [
        without_tail(cue.text, _with_clause(cue, span) if whole else span, cue.relation)
        for span in _members(cue)
        if is_allowed(cue.text[slice(*span)], cue.relation)
    ]
    return members if not cue.relation.known_in or any_known(members, cue.text, cue.relation, cue.reading) else []


def _phrase(cue: Cue) -> Span | None:
    span = values.phrase(cue.text, cue.after, cue.stop)
    if span and cue.reading.profile.attributes[cue.relation.attribute].kind is ValueKind.PLACE:
        return values.without_time(cue.text, span)
    return span


def _meaning(cue: Cue) -> Span | None:
    span = _phrase(cue)
    return one_meaning(cue.text, span) if span else None


def _told(cue: Cue) -> Span | None:
    """The verb of the cue with all that it says, without a copula and its article."""
    copula = cue.reading.wording.copula.match(cue.text, cue.found.start())
    article = cue.reading.wording.article.match(cue.text, copula.end() + 1) if copula else None
    told_from = article or copula
    return values.phrase(cue.text, told_from.end() if told_from else cue.verb, cue.end)


def _from_cue_tail(cue: Cue) -> Span | None:
    return _behind(cue, _BLANK.search(cue.found[0]))


def _time(cue: Cue) -> Span | None:
    span = _behind(cue, _TIME_WORD.search(cue.found[0]) or _BLANK.search(cue.found[0]))
    return values.without_place(cue.text, span) if span else None


def _behind(cue: Cue, tail: re.Match[str] | None) -> Span | None:
    return values.phrase(cue.text, cue.found.start() + (tail.end() if tail else 0), cue.stop)


def _cue(cue: Cue) -> Span | None:
    return values.trimmed(cue.text, *cue.found.span())


def _rest(cue: Cue) -> Span | None:
    return values.rest(cue.text, cue.after, cue.stop)


def _whole(cue: Cue) -> Span | None:
    return values.rest(cue.text, cue.verb, cue.stop)


def _person(cue: Cue) -> Span | None:
    """`Raja Gowa ke-24`, `seniman asal Jerman`: a land is no person."""
    span = values.person(cue.text, cue.after, cue.end)
    words = cue.text[slice(*span)] if span else ""
    of_land = is_region(words, cue.reading) or cue.reading.vocabulary.is_foreign(words)
    is_maker = cue.reading.profile.attributes[cue.relation.attribute].kind is ValueKind.PERSON
    return None if is_maker and (of_land or _TITLE.fullmatch(words)) else span


def _name(cue: Cue) -> Span | None:
    if _OF_A_PLACE.search(cue.text, 0, cue.found.start()):
        return None
    span = values.name(cue.text, cue.after, cue.end, cue.reading.wording)
    return None if span is None or _names_a_kind(cue.text[slice(*span)], cue.reading) else span


def _date(cue: Cue) -> Span | None:
    if not cue.reading.wording.is_canonical_for(cue.reading.profile.language):
        return foreign_date(cue.sentence, cue.after, cue.reading)
    return amounts.date(cue.text, max(cue.found.start(), cue.after - _DATE_WORD), cue.end)


def _number(cue: Cue) -> Span | None:
    return amounts.number(cue.text, cue.after, cue.end, cue.relation.unit, cue.reading.wording)


def _measure(cue: Cue) -> Span | None:
    return amounts.measure(cue.text, cue.found.start(), cue.after, cue.end)


_SEVERAL: Mapping[str, Callable[[Cue], list[Span]]] = MappingProxyType({"names": _names, "list": _list})
_ONE: Mapping[str, Callable[[Cue], Span | None]] = MappingProxyType(
    {
        "phrase": _phrase,
        "meaning": _meaning,
        "told": _told,
        "phrase-with-cue-tail": _from_cue_tail,
        "time": _time,
        "cue": _cue,
        "rest": _rest,
        "whole": _whole,
        "person": _person,
        "name": _name,
        "date": _date,
        "number": _number,
        "measure": _measure,
    }
)


def any_known(members: list[Span], text: str, relation: Relation, reading: Reading) -> bool:
    """Whether the lexicon knows one of the members as a thing of the categories the relation names."""
    terms = reading.wording.terms.get(relation.attribute, {})
    return any(
        terms.get(member.casefold()) or not relation.known_in.isdisjoint(reading.vocabulary.scores(member))
        for member in (text[slice(*span)] for span in members)
    )


def _names_a_kind(name: str, reading: Reading) -> bool:
    """Whether the words say what a thing is, not how it is called."""
    if is_kind(name, reading.wording, reading.vocabulary):
        return True
    genus = reading.vocabulary.genus_in(name, first=reading.wording.genus_comes_first)
    return bool(genus) and not any(word[:1].isupper() for word in name.split())


def is_allowed(value: str, relation: Relation) -> bool:
    first = next(iter(value.casefold().split()), "")
    return not relation.only or first in relation.only


def _with_clause(cue: Cue, span: Span) -> Span:
    """`orang tua yang mempunyai anak`: who somebody is, with the clause that says it."""
    relative = cue.reading.wording.relative.match(cue.text, span[1], cue.end)
    return values.phrase(cue.text, span[0], cue.end) or span if relative and "," not in relative[0] else span
