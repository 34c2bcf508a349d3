"""Facts from sentences about an item: a cue of the language, then the value."""

from __future__ import annotations

import re
from dataclasses import dataclass

from lumbung.model.candidate import Block
from lumbung.model.profile import ValueKind
from lumbung.text.extraction import values
from lumbung.text.extraction.definitions import is_kind
from lumbung.text.extraction.evidence import Evidence, Kind
from lumbung.text.extraction.kinds import is_region
from lumbung.text.extraction.origins import add_region, is_named_as_people
from lumbung.text.extraction.reading import Reading
from lumbung.text.extraction.rows import read_entry
from lumbung.text.extraction.sentences import Sentence
from lumbung.text.extraction.soundness import states
from lumbung.text.extraction.wording import Relation, Wording
from lumbung.text.stemming import stem

_SURE = 0.86
"""A cue that is often about something else counts only below a heading that names its attribute."""
_DENIAL_REACH = 24
_PLACE_REACH = 90
_VERB = re.compile(r"\b(?:di|me|ber|ter)[a-z]{4,}")
_ADVERBS = re.compile(
    r"(?:\s+(?:biasanya|sering|kerap|umumnya|juga|dapat|bisa|dulu|dahulu|masih|kini|selalu|akan|telah|sudah|lazim|biasa|kemudian))+\s*$",
    re.IGNORECASE,
)
_NEXT_CLAUSE = re.compile(r"[,;]|\s(?:dan|serta|namun|tetapi|tapi|hanya|karena|and|but|en|maar)\s", re.IGNORECASE)
_SUBORDINATE = re.compile(
    r"\b(?:karena|kerana|sebab|sehingga|sedangkan|meskipun|walaupun|agar|supaya)\s+"
    r"(?:(?:juga|sering|biasanya|dapat|bisa|akan|tidak|selalu)\s+)*(?P<next>\w+)",
    re.IGNORECASE,
)
_VERB_OF_SIZE = re.compile(r"(?:ber|se)[a-z]", re.IGNORECASE)
_HAVING = re.compile(
    r"\b(?:dengan|memiliki|mempunyai|terdapat|ada|di atas)\s+\w+(?:\s\w+){0,3}\s*(?:yang\s+)?$", re.IGNORECASE
)
_NOMINAL = re.compile(
    r"\b(?:adalah|ialah|yaitu|yakni|berupa|meliputi|antara lain|menggunakan|terdiri (?:dari|atas|daripada))(?: sebagai| untuk| simbol)?\W*$",
    re.IGNORECASE,
)
"""How a cue ends whose noun is the subject."""
_PLAIN_WORD = re.compile(r"[^\W\d_]+(?:[-'’][^\W\d_]+)*")
_CLAUSE = re.compile(r"[.;:!?]")
_CITED = re.compile(
    r"(?:dalam (?:buku|kitab|novel|jurnal|artikel|laman)|menurut|berdasarkan|dikutip|dilansir|melansir|mengutip|according to|volgens)\b[^,;]{3,140},",
    re.IGNORECASE,
)
"""Who says what follows, and where: nothing in it is said of the item."""
_DATE_WORD = len("bertarikh abad ")
_OF_A_PART = re.compile(
    r"\b(?:dan|serta|and|en) (?:kata|akhiran|awalan|imbuhan|the word|het woord|[\"“'‘])|\bberasal dari (?:kata|bahasa)\b",
    re.IGNORECASE,
)
"""The name has a second part whose meaning follows."""
_MEANS = re.compile(
    r"\b(?:berarti|artinya|bermakna|bermaksud|diartikan|dimaknai|(?:memiliki|mempunyai|mengandung) (?:arti|makna)|means?|meaning|"
    r"betekent|betekenis)\b",
    re.IGNORECASE,
)
_OF_WORDS = re.compile(r"\b(?:dua|tiga|beberapa) (?:suku )?kata\b", re.IGNORECASE)
_BLANK = re.compile(r"\s")
_TIME_WORD = re.compile(
    r"\s(?=(?:rutin|secara|setiap|tiap|pada|ketika|saat|setahun|seminggu|sebelum|sesudah|setelah|menjelang|selepas|semasa|"
    r"sewaktu|dalam|di)\b)"
)
_BESIDES = re.compile(r"(?:Selain|Di samping)(?! itu\b)[^,.;]{5,120}(?=,\s)")
"""What a thing is or does besides, before the sentence says its subject."""
_BESIDE_A_DISH = re.compile(r"\b(?:disajikan|dihidangkan|disantap|dinikmati|dimakan)\b[^.;]*$")
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


@dataclass(frozen=True, slots=True)
class About:
    """In what way a sentence speaks of the item."""

    category: str
    kind: Kind
    named: bool = True
    of_part: bool = False
    of_item: bool = True
    since: int = 0
    """Where the clause begins that does."""
    topic: str = ""
    """The attribute that the heading above names: what the sentence says of it is said of the item."""
    explained: int = 0
    """Up to where words that explain others speak of the item still, as in the definition `..., yaitu`."""

    def takes(self, relation: Relation) -> bool:
        if relation.scope == "any" or (relation.scope == "named" and self.named) or relation.attribute == self.topic:
            return True
        return self.of_item and (relation.of_parts or not self.of_part)


def read_relations(sentence: Sentence, reading: Reading, about: About, evidence: Evidence) -> None:
    """Every relation whose cue stands in the sentence and whose attribute the category has."""
    wording = reading.wording
    if wording.hearsay.search(sentence.text) or not states(sentence.text, wording):
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
        if about.takes(relation) or _is_of_its_own(cue, relation, sentence, wording)
    ]
    explained = wording.explanation.search(sentence.text, about.explained)
    foreign_from = explained.start() if explained else len(sentence.text)
    foreign_from = min(foreign_from, _aside(sentence.text, wording))
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
        if not relation.through and not _follows_subject(before, cue[0], wording):
            continue
        if _has_another_subject(before, wording) or (relation.take == "measure" and _is_of_a_noun(before, cue[0])):
            continue
        own = start < foreign_from and not _is_of_another_noun(before, wording, defines)
        own = own and not (relation.take == "name" and _OF_SOMEBODY.search(sentence.text, about.since, start))
        beside = relation.through and _BESIDE_A_DISH.search(sentence.text, 0, start) is not None
        beside = beside or _is_of_the_compared(sentence.text, about.since, start, wording)
        if not denied and not beside and (own or relation.through):
            end = _read(relation, cue, sentence, reading, about.kind, evidence)
            if end and relation.take == "meaning":
                # What is said of the name's meaning is not said of the thing's.
                covered = (start, cue.end())
            if end and wording.relative.match(sentence.text, end):
                # What follows tells of the value, not of the item.
                foreign_from = min(foreign_from, end)


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


def _is_of_another_noun(before: str, wording: Wording, defines: bool) -> bool:
    """Whether a cue stands in a clause about a noun that came after a verb: `terdapat ukiran yang` terbuat dari."""
    relative = _ADVERBS.sub("", before).rstrip().rsplit(maxsplit=1)
    if len(relative) < 2 or relative[1].casefold() not in wording.relatives:
        return False
    if not wording.genus_comes_first and not defines:
        return True
    if wording.copula.search(before):
        return False
    return any(stem(word) != word for word in _VERB.findall(relative[0].casefold()))


def _is_of_its_own(cue: re.Match[str], relation: Relation, sentence: Sentence, wording: Wording) -> bool:
    """Whether the sentence opens with the noun of the attribute, and names the item behind it: `Busana tari X adalah`."""
    adverb = wording.adverb.match(sentence.text)
    opens = cue.start() <= (adverb.end() if adverb else 0)
    return opens and relation.of_parts and _NOMINAL.search(cue[0]) is not None


def _follows_subject(before: str, cue: str, wording: Wording) -> bool:
    """Whether a verb that says something still has the sentence's subject: none that has other objects stands between.

    `X terbuat dari`, `X adalah tarian yang ditarikan`, `X terbuat dari kayu dan dimainkan`, but not
    `untuk mengambil X dipakai sendok yang terbuat dari`. A cue that names its own subject needs none.
    """
    if not wording.genus_comes_first or not _VERB.match(cue.casefold()):
        return True
    led = _ADVERBS.sub("", before).rstrip()
    verbs = [found for found in _VERB.finditer(led.casefold()) if stem(found[0]) != found[0]]
    if not verbs or led.endswith(",") or wording.joint.fullmatch(f" {led.rsplit(maxsplit=1)[-1]} "):
        return True
    copula = next(wording.copula.finditer(led), None)
    return copula is not None and not any(found.start() >= copula.end() for found in verbs)


def _has_another_subject(before: str, wording: Wording) -> bool:
    """Whether the clause of a cue has a subject of its own: `..., karena isi kue ini` rasanya."""
    found = next(iter(reversed(list(_SUBORDINATE.finditer(before)))), None)
    if found is None or not wording.genus_comes_first or "," in before[found.end() :]:
        return False
    return _VERB.match(found["next"].casefold()) is None


def _is_of_a_noun(before: str, cue: str) -> bool:
    """Whether a size is that of a noun which the thing has: `dengan lubang pintu` setinggi."""
    return _VERB_OF_SIZE.match(cue) is not None and _HAVING.search(before) is not None


def _is_of_the_compared(text: str, since: int, start: int, wording: Wording) -> bool:
    """Whether a cue belongs to what the item is compared with: `mirip dengan tarian dari` Bali."""
    found = wording.checks.compared.search(text, since, start)
    return found is not None and _NEXT_CLAUSE.search(text, found.end(), start) is None


def _aside(text: str, wording: Wording) -> int:
    """Where words begin that say what the last word of the clause is: `..., sebuah tarian yang`."""
    copula = wording.copula.search(text)
    found = wording.aside.search(text, copula.end()) if copula else None
    return found.start() if found else len(text)


def opens_with_cue(sentence: Sentence, reading: Reading, category: str) -> bool:
    """Whether the sentence leaves its subject out and begins with what is said of it."""
    adverb = reading.wording.adverb.match(sentence.text)
    begin = adverb.end() if adverb else 0
    return any(
        relation.may_open and relation.cue.match(sentence.text, begin)
        for relation in reading.hinted_relations(sentence, category)
    )


def _read(
    relation: Relation, cue: re.Match[str], sentence: Sentence, reading: Reading, kind: Kind, evidence: Evidence
) -> int:
    """Adds what the cue says; returns where in the sentence its last value ends, 0 without any."""
    text, last = sentence.text, 0
    if relation.take == "place":
        _read_place(relation, cue, sentence, reading, kind, evidence)
        return 0
    attribute = reading.profile.attributes[relation.attribute]
    if attribute.single and evidence.has(relation.attribute, (sentence.start, sentence.end)):
        return 0
    for start, end in _spans(relation, cue, text, reading):
        at = (sentence.start + start, sentence.start + end)
        value: str | None = text[start:end]
        if relation.take == "number":
            value = reading.count(text[start:end])
        elif relation.take not in {"person", "date", "name", "names"}:
            value = reading.in_canonical_language(text[start:end])
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
        if reading.wording.translations.get(text[start:end].casefold()):
            return True
    return False


def _names_a_kind(name: str, reading: Reading) -> bool:
    """Whether the words say what a thing is, not how it is called."""
    if is_kind(name, reading.wording, reading.vocabulary):
        return True
    genus = reading.vocabulary.genus_in(name, first=reading.wording.genus_comes_first)
    return bool(genus) and name[:1].islower()


def _meaning(text: str, span: values.Span) -> values.Span | None:
    """What a name means, where the sentence explains no more than one word: of several, none is the name's."""
    if len(_MEANS.findall(text)) > 1 or _OF_A_PART.search(text, *span) or _OF_WORDS.search(text, 0, span[0]):
        return None
    return span


def _is_title(words: str) -> bool:
    """`Sultan`, `Raja`: what somebody is, and no name."""
    return _TITLE.fullmatch(words) is not None


def _is_allowed(value: str, relation: Relation) -> bool:
    first = next(iter(value.casefold().split()), "")
    return not relation.only or first in relation.only


def _spans(relation: Relation, cue: re.Match[str], text: str, reading: Reading) -> list[values.Span]:
    after, end = cue.end(), len(text)
    if (besides := _BESIDES.match(text)) and after < besides.end():
        end = besides.end()
    if relation.take == "names":
        return [span for span in values.members(text, after, end, reading.wording) if text[span[0]].isupper()]
    if relation.take == "list":
        members = [
            span
            for span in values.members(text, after, end, reading.wording)
            if _is_allowed(text[slice(*span)], relation)
        ]
        return members if not relation.known_in or _any_known(members, text, relation, reading) else []
    span = None
    if relation.take in {"phrase", "meaning"}:
        over = relation.stop.search(text, after, end) if relation.stop else None
        span = values.phrase(text, after, over.start() if over else end)
        if span and reading.profile.attributes[relation.attribute].kind is ValueKind.PLACE:
            span = values.without_time(text, span)
        if span and relation.take == "meaning":
            span = _meaning(text, span)
    elif relation.take in {"phrase-with-cue-tail", "time"}:
        tail = (_TIME_WORD if relation.take == "time" else _BLANK).search(cue[0]) or _BLANK.search(cue[0])
        span = values.phrase(text, cue.start() + (tail.end() if tail else 0), end)
        span = values.without_place(text, span) if span and relation.take == "time" else span
    elif relation.take == "cue":
        span = values.trimmed(text, cue.start(), cue.end())
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
    elif relation.take == "date":
        span = values.date(text, max(cue.start(), cue.end() - _DATE_WORD), end)
    elif relation.take == "number":
        span = values.number(text, after, end, relation.unit, reading.wording)
    elif relation.take == "measure":
        span = values.measure(text, cue.start(), end)
    return [span] if span else []
