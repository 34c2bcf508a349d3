"""Facts from sentences about an item: a cue of the language, then the value."""

from __future__ import annotations

import re

from lumbung.model.candidate import Block
from lumbung.text.extraction import values
from lumbung.text.extraction.clauses import (
    About,
    aside_from,
    follows_subject,
    has_another_subject,
    is_in_the_name,
    is_of_a_noun,
    is_of_another_noun,
    is_of_its_own,
    is_of_the_compared,
    up_to_relative,
)
from lumbung.text.extraction.evidence import Evidence, Kind
from lumbung.text.extraction.origins import ORIGIN, add_region, is_named_as_people
from lumbung.text.extraction.reading import Reading
from lumbung.text.extraction.rows import read_entry
from lumbung.text.extraction.sentences import Sentence
from lumbung.text.extraction.soundness import states
from lumbung.text.extraction.taking import any_known, is_allowed, spans_of
from lumbung.text.extraction.worded import read_worded
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
_BESIDE_A_DISH = re.compile(
    r"\b(?:disajikan|dihidangkan|disantap|dinikmati|dimakan|served|eaten|enjoyed|paired|geserveerd|gegeten)\b[^.;]*$"
)
"""What is served with a dish is no part of it, nor is what that is made of."""
_OF_SOMEBODY = re.compile(
    r"\b(?:bernama|seorang|bagian\w*|named)\b|\byang (?:dalam|di|oleh|pada) [^,;]{2,40}$|\bdengan \w+ (?:\w+ )?(?:ini|itu)\s",
    re.IGNORECASE,
)
"""The other name is that of a person, of a part or of some of the things."""
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
        if (
            covered[0] < start < covered[1]
            or (cited and start < cited.end())
            or is_in_the_name(sentence.text, start, about)
        ):
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
        allowed = [span for span in spans if is_allowed(reading.text[slice(*span)], relation)]
        if not relation.known_in or any_known(allowed, reading.text, relation, reading):
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
        spans = spans_of(relation, cue, sentence, reading) if relation.take == "list" else []
        return read_worded(relation, cue, spans, sentence, reading, kind, evidence)
    for start, end in spans_of(relation, cue, sentence, reading):
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
    small = name.lower()
    return " " not in name and small in text and re.search(rf"\b{re.escape(small)}\b", text) is not None
