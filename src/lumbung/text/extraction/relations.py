"""Facts from sentences about an item: a cue of the language, then the value."""

from __future__ import annotations

import re

from lumbung.model.candidate import Block
from lumbung.model.profile import ValueKind, ValueShape
from lumbung.text.extraction import values
from lumbung.text.extraction.clauses import (
    About,
    aside_from,
    follows_subject,
    has_another_subject,
    is_of_a_noun,
    is_of_another_noun,
    is_of_its_own,
    is_of_the_compared,
    up_to_relative,
)
from lumbung.text.extraction.definitions import is_kind
from lumbung.text.extraction.evidence import Evidence, Kind
from lumbung.text.extraction.kinds import is_region
from lumbung.text.extraction.meanings import one_meaning
from lumbung.text.extraction.origins import ORIGIN, add_region, is_named_as_people
from lumbung.text.extraction.reading import Reading
from lumbung.text.extraction.rows import read_entry
from lumbung.text.extraction.sentences import Sentence
from lumbung.text.extraction.soundness import states
from lumbung.text.extraction.worded import foreign_date, read_worded, without_tail
from lumbung.text.extraction.wording import Relation, Wording

_SURE = 0.86
"""A cue that is often about something else counts only below a heading that names its attribute."""
_DENIAL_REACH = 24
_PLACE_REACH = 90
_PLAIN_WORD = re.compile(r"[^\W\d_]+(?:[-'’][^\W\d_]+)*")
_CLAUSE = re.compile(r"[.;:!?]")
_CITED = re.compile(
    r"(?:dalam (?:buku|kitab|novel|jurnal|artikel|laman)|menurut|berdasarkan|dikutip|dilansir|melansir|mengutip|according to|volgens)\b[^,;]{3,140},",
    re.IGNORECASE,
)
"""Who says what follows, and where: nothing in it is said of the item."""
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
_BESIDE_A_DISH = re.compile(
    r"\b(?:disajikan|dihidangkan|disantap|dinikmati|dimakan|served|eaten|enjoyed|paired|geserveerd|gegeten)\b[^.;]*$"
)
"""What is served with a dish is no part of it, nor is what that is made of."""
_OF_A_PLACE = re.compile(
    r"\b(?:desa|kota|kampung|daerah|wilayah|pulau|tempat|suku|orang) (?:ini|itu|tersebut)\s*$", re.IGNORECASE
)
_OF_SOMEBODY = re.compile(
    r"\b(?:bernama|seorang|bagian\w*|named)\b|\byang (?:dalam|di|oleh|pada) [^,;]{2,40}$|\bdengan \w+ (?:\w+ )?(?:ini|itu)\s",
    re.IGNORECASE,
)
"""The other name is that of a person, of a part or of some of the things."""
_TITLE = re.compile(
    r"(?:sultan|raja|ratu|prabu|pangeran|raden|sunan|wali|empu|mpu|seniman|bupati|gubernur|presiden|datuk|haji|kyai|kiai)",
    re.IGNORECASE,
)
_NAME_BEFORE = re.compile(r"\b(?:kata|nama|istilah|perkataan|sebutan)\b[^.;]{0,40}$", re.IGNORECASE)
"""It is the name that comes from somewhere."""
_OF_A_WORD = re.compile(r"\bkata [\w\"“”'‘’-]+(?: [\w\"“”'‘’-]+)?\s*$", re.IGNORECASE)


def read_relations(sentence: Sentence, reading: Reading, about: About, evidence: Evidence) -> None:
    """Every relation whose cue stands in the sentence and whose attribute the category has."""
    wording = reading.wording
    sentence = _before_hearsay(sentence, wording)
    if not sentence.text or not states(sentence.text, wording):
        return
    of_name = wording.name_talk.match(sentence.text) is not None
    relations = reading.hinted_relations(sentence, about.category)
    cues = [
        (cue.start(), -cue.end(), place, cue)
        for place, relation in enumerate(relations)
        if (about.takes(relation) or about.named)
        and (relation.confidence >= _SURE or relation.attribute == about.topic)
        and (relation.take == "meaning" or not of_name)
        for cue in relation.cue.finditer(sentence.text, about.since)
        if about.takes(relation) or is_of_its_own(cue, relation, sentence, wording)
    ]
    explained = wording.explanation.search(sentence.text, about.explained)
    foreign_from = explained.start() if explained else len(sentence.text)
    foreign_from = foreign_from if about.own_aside else min(foreign_from, aside_from(sentence.text, wording))
    cited = _CITED.match(sentence.text)
    covered = (0, 0)
    for start, _, place, cue in sorted(cues):
        if covered[0] < start < covered[1] or (cited and start < cited.end()):
            continue
        denied = wording.denial.search(sentence.text[max(0, start - _DENIAL_REACH) : cue.end()])
        relation = relations[place]
        defines = about.explained > 0
        before = sentence.text[about.since : start]
        if before.count("(") > before.count(")") or cue[0].count("(") > cue[0].count(")"):
            continue
        if not relation.through and not follows_subject(before, cue[0], reading, about):
            continue
        if has_another_subject(before, wording) or (relation.take == "measure" and is_of_a_noun(before, cue[0])):
            continue
        led = (
            before if relation.take == "meaning" or relation.scope == "any" else up_to_relative(before, cue[0], wording)
        )
        own = start < foreign_from and not is_of_another_noun(led, reading, about, defines)
        own = own and not (relation.take == "name" and _OF_SOMEBODY.search(sentence.text, about.since, start))
        beside = relation.through and _BESIDE_A_DISH.search(sentence.text, 0, start) is not None
        beside = beside or is_of_the_compared(sentence.text, about.since, start, wording)
        if not denied and not beside and (own or relation.through):
            end = _read(relation, cue, sentence, reading, about.kind, evidence)
            if end and relation.take == "meaning":
                # What is said of the name's meaning is not said of the thing's.
                covered = (start, cue.end())
            if end and wording.relative.match(sentence.text, end):
                # What follows tells of the value, not of the item.
                foreign_from = min(foreign_from, end)


def _before_hearsay(sentence: Sentence, wording: Wording) -> Sentence:
    """The sentence up to a clause behind a comma that only reports: `..., yang diperkirakan`; empty if it all does."""
    told = wording.hearsay.search(sentence.text)
    if told is None:
        return sentence
    comma = sentence.text.rfind(", ", 0, told.start())
    clause = wording.relative.match(sentence.text, comma) if comma > 0 else None
    return Sentence(sentence.text[:comma] if clause else "", sentence.start)


def read_listed(sentence: Sentence, entries: list[Block], reading: Reading, about: About, evidence: Evidence) -> None:
    """The entries below a sentence that ends with the cue of an enumeration: `Jenis-jenisnya antara lain:`."""
    for relation in reading.relations_of(about.category):
        if relation.take != "list":
            continue
        attribute = reading.profile.attributes[relation.attribute]
        ended = any(cue.end() == len(sentence.text) for cue in relation.cue.finditer(sentence.text, about.since))
        if not ended or not about.takes(relation):
            continue
        spans = [(block.start, block.end) for block in entries]
        allowed = [span for span in spans if _is_allowed(reading.text[slice(*span)], relation)]
        if not relation.known_in or _any_known(allowed, reading.text, relation, reading):
            for span in allowed:
                read_entry(reading, span, attribute, Kind.LISTED, evidence)


def opens_with_cue(sentence: Sentence, reading: Reading, category: str) -> bool:
    """Whether the sentence leaves its subject out and begins with what is said of it."""
    quoted = len(sentence.text) - len(sentence.text.lstrip('"“'))
    adverb = reading.wording.adverb.match(sentence.text, quoted)
    begin = adverb.end() if adverb else quoted
    return any(
        relation.may_open and relation.cue.match(sentence.text, begin)
        for relation in reading.hinted_relations(sentence, category)
    )


def _read(
    relation: Relation, cue: re.Match[str], sentence: Sentence, reading: Reading, kind: Kind, evidence: Evidence
) -> int:
    """Adds what the cue says; returns where in the sentence its last value ends, 0 without any."""
    text, last = sentence.text, 0
    if relation.take in {"place", "people"}:
        read = _read_place if relation.take == "place" else _read_people
        read(relation, cue, sentence, reading, kind, evidence)
        return 0
    attribute = reading.profile.attributes[relation.attribute]
    if attribute.single and evidence.has(relation.attribute, (sentence.start, sentence.end)):
        return 0
    if relation.worded:
        spans = _spans(relation, cue, sentence, reading) if relation.take == "list" else []
        return read_worded(relation, cue, spans, sentence, reading, kind, evidence)
    for start, end in _spans(relation, cue, sentence, reading):
        at = (sentence.start + start, sentence.start + end)
        value: str | None = text[start:end]
        if relation.take == "number":
            value = reading.count(text[start:end])
        elif relation.take not in {"person", "date", "name", "names"}:
            value = reading.in_canonical_language(text[start:end], relation.attribute)
        elif relation.take == "date":
            value = reading.date(text[start:end])
        if value is not None:
            evidence.add(relation.attribute, value, (sentence.start, sentence.end), at, kind)
        last = end
    return last


def _read_place(
    relation: Relation, cue: re.Match[str], sentence: Sentence, reading: Reading, kind: Kind, evidence: Evidence
) -> None:
    """The places that stand right after the cue; a name the gazetteer does not know stays as it is written."""
    start, quote = sentence.start + cue.end(), (sentence.start, sentence.end)
    if _OF_A_WORD.search(sentence.text, 0, cue.start()):
        return
    # The cue may have the first words of the place's name: `dari Daerah Istimewa Yogyakarta`.
    near = reading.regions_in(sentence.start + cue.start(), min(sentence.end, start + _PLACE_REACH))
    known = [found for found in near if found.end > start]
    reached = start
    for found in known:
        if not _leads_on(reading.text[reached : found.start], reading.wording):
            break
        people = reading.wording.people.search(reading.text, sentence.start + cue.start(), found.start)
        as_place = people is None and not is_named_as_people(found, reading) and reading.is_also_land(found)
        add_region(found, relation.attribute, quote, kind, reading, evidence, as_place=as_place)
        reached = found.end
    native = reading.wording.is_canonical_for(reading.profile.language)
    of_a_word = _NAME_BEFORE.search(sentence.text, 0, cue.start())
    span = values.place(sentence.text, cue.end()) if native and not known and not of_a_word else None
    if span and not _is_common_word(sentence.text[slice(*span)], reading.text):
        at = (sentence.start + span[0], sentence.start + span[1])
        evidence.add(relation.attribute, sentence.text[span[0] : span[1]], quote, at, kind)


def _read_people(
    relation: Relation, cue: re.Match[str], sentence: Sentence, reading: Reading, kind: Kind, evidence: Evidence
) -> None:
    """Whose it is: the peoples right behind `masyarakat` and the like; of a land that no people is called by, it is the place."""
    start, quote = sentence.start + cue.end(), (sentence.start, sentence.end)
    reached = start
    for found in reading.regions_in(start, min(sentence.end, start + _PLACE_REACH)):
        between = reading.text[reached : found.start]
        if between.strip() and not reading.is_joint(reached, found.start):
            break
        if found.level == "people" or reading.is_also_people(found):
            evidence.add(relation.attribute, reading.name_of(found), quote, (found.start, found.end), kind)
        else:
            add_region(found, ORIGIN, quote, kind, reading, evidence, as_place=True)
        reached = found.end


def _leads_on(between: str, wording: Wording) -> bool:
    """Whether only words of place and names stand before a region: a clause that begins there is about something else."""
    words = _PLAIN_WORD.findall(between)
    if wording.place_end.search(between) or _CLAUSE.search(between):
        return False
    if between.startswith(",") and words and words[0].casefold() not in wording.checks.place_words:
        # `From Lombok, Ayam Taliwang`: behind the comma the sentence says its subject.
        return False
    return all(word[0].isupper() or word in wording.checks.place_words for word in words)


def _is_common_word(name: str, text: str) -> bool:
    """Whether the page writes the word with a small letter too: `berasal dari Singkong` names no place."""
    return " " not in name and re.search(rf"\b{re.escape(name.lower())}\b", text) is not None


def _any_known(members: list[values.Span], text: str, relation: Relation, reading: Reading) -> bool:
    """Whether the lexicon knows one of the members as a thing of the categories the relation names."""
    for start, end in members:
        if not relation.known_in.isdisjoint(reading.vocabulary.scores(text[start:end])):
            return True
        if reading.wording.terms.get(relation.attribute, {}).get(text[start:end].casefold()):
            return True
    return False


def _names_a_kind(name: str, reading: Reading) -> bool:
    """Whether the words say what a thing is, not how it is called."""
    if is_kind(name, reading.wording, reading.vocabulary):
        return True
    genus = reading.vocabulary.genus_in(name, first=reading.wording.genus_comes_first)
    return bool(genus) and not any(word[:1].isupper() for word in name.split())


def _is_title(words: str) -> bool:
    """`Sultan`, `Raja`: what somebody is, and no name."""
    return _TITLE.fullmatch(words) is not None


def _is_allowed(value: str, relation: Relation) -> bool:
    first = next(iter(value.casefold().split()), "")
    return not relation.only or first in relation.only


def _with_clause(text: str, span: values.Span, end: int, wording: Wording) -> values.Span:
    """`orang tua yang mempunyai anak`: who somebody is, with the clause that says it."""
    relative = wording.relative.match(text, span[1], end)
    return values.phrase(text, span[0], end) or span if relative and "," not in relative[0] else span


def _spans(relation: Relation, cue: re.Match[str], sentence: Sentence, reading: Reading) -> list[values.Span]:
    text = sentence.text
    after, end = cue.end(), len(text)
    if (besides := _BESIDES.match(text)) and after < besides.end():
        end = besides.end()
    if relation.take == "names":
        return [span for span in values.members(text, after, end, reading.wording) if text[span[0]].isupper()]
    if relation.take == "list":
        whole = reading.profile.attributes[relation.attribute].shape is ValueShape.PEOPLE
        members = [
            _with_clause(text, span, end, reading.wording) if whole else span
            for span in values.members(text, after, end, reading.wording)
            if _is_allowed(text[slice(*span)], relation)
        ]
        members = [without_tail(text, span, relation) for span in members]
        return members if not relation.known_in or _any_known(members, text, relation, reading) else []
    span = None
    if relation.take in {"phrase", "meaning"}:
        over = relation.stop.search(text, after, end) if relation.stop else None
        span = values.phrase(text, after, over.start() if over else end)
        if span and reading.profile.attributes[relation.attribute].kind is ValueKind.PLACE:
            span = values.without_time(text, span)
        if span and relation.take == "meaning":
            span = one_meaning(text, span)
    elif relation.take == "told":
        copula = reading.wording.copula.match(text, cue.start())
        article = reading.wording.article.match(text, copula.end() + 1) if copula else None
        told_from = article or copula
        begin = told_from or _FULLY.match(text, cue.start())
        span = values.phrase(text, begin.end() if begin else cue.start(), end)
    elif relation.take in {"phrase-with-cue-tail", "time"}:
        tail = (_TIME_WORD if relation.take == "time" else _BLANK).search(cue[0]) or _BLANK.search(cue[0])
        over = relation.stop.search(text, cue.end(), end) if relation.stop else None
        span = values.phrase(text, cue.start() + (tail.end() if tail else 0), over.start() if over else end)
        span = values.without_place(text, span) if span and relation.take == "time" else span
    elif relation.take == "cue":
        span = values.trimmed(text, cue.start(), cue.end())
    elif relation.take in {"rest", "whole"}:
        begin = _FULLY.match(text, cue.start())
        over = relation.stop.search(text, after, end) if relation.stop else None
        start = after if relation.take == "rest" else begin.end() if begin else cue.start()
        span = values.rest(text, start, over.start() if over else end)
    elif relation.take == "person":
        span = values.person(text, after, end)
        # `Raja Gowa ke-24`, `seniman asal Jerman`: a land is no person.
        words = text[slice(*span)] if span else ""
        of_land = is_region(words, reading) or reading.vocabulary.is_foreign(words)
        is_maker = reading.profile.attributes[relation.attribute].kind is ValueKind.PERSON
        span = None if is_maker and (of_land or _is_title(words)) else span
    elif relation.take == "name":
        of_place = _OF_A_PLACE.search(text, 0, cue.start())
        span = values.name(text, after, end, reading.wording) if of_place is None else None
        span = span if span and not _names_a_kind(text[slice(*span)], reading) else None
    elif relation.take == "date" and not reading.wording.is_canonical_for(reading.profile.language):
        span = foreign_date(sentence, after, reading)
    elif relation.take == "date":
        span = values.date(text, max(cue.start(), cue.end() - _DATE_WORD), end)
    elif relation.take == "number":
        span = values.number(text, after, end, relation.unit, reading.wording)
    elif relation.take == "measure":
        span = values.measure(text, cue.start(), cue.end(), end)
    return [span] if span else []
