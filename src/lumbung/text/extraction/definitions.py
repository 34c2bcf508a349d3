"""Definition sentences: what a sentence says its subject is, and by which names."""

from __future__ import annotations

import re
from dataclasses import dataclass

from lumbung.text.extraction.calling import after_naming, before_verb
from lumbung.text.extraction.category import Vocabulary, fold
from lumbung.text.extraction.sentences import Sentence
from lumbung.text.extraction.titles import with_whole_words
from lumbung.text.extraction.wording import Wording
from lumbung.text.stemming import stem

_APPOSITION = re.compile(r"([^,.;:()]{3,60}),\s+([^,.;:()]{5,100}),\s+(?=[a-z])")
_IN_BRACKETS = re.compile(r"\s*\(([^()]{1,160})\)")
_NOTE = re.compile(r"\[[^\[\]]{1,40}\]")
"""Square brackets hold notes and how a name is spoken."""
_LABELLED = re.compile(r"^(?:[^:]{2,40}:|[A-Z][a-z]{1,4}\.)\s*")
_COMMA = re.compile(r",")
_DASH = re.compile(r"\s[–—-]\s")
"""Before it stands who tells the story, or where."""
_DATELINE = re.compile(r"^\s*(?:[^a-z–—-]{3,40}|[^–—]{0,30}\w\.(?:com|id|net|co|org)\b[^–—]{0,10})\s*(?:[–—]|--?)\s+")
"""Where and for whom a story was written, in capitals or as a site's name before a dash."""
_PLACELINE = re.compile(
    r"^\s*[A-Z][\w.]*(?: [A-Z][\w.]*){0,3}\s*(?:,\s*[^()–—]{3,30})?\((?:[^()]*\.(?:com|id|net|co|org)[^()]*|[A-Z][A-Z ]{2,})\)\s*(?:[–—]|--?)\s+"
)
"""The same with the site in brackets behind the place."""
_SPOKEN_BY = re.compile(r"^\s*[^:]{1,40}:\s+")
"""A name has no colon: what stands before one is who says it, or the name again."""
_POINTING = frozenset({"ini", "itu", "this", "dit", "deze"})
_SEVERAL = re.compile(r"\s*(?:dua|tiga|empat|lima|beberapa|two|three|several|twee|drie) \w+", re.IGNORECASE)
"""Things that are told of together."""
_LISTED = re.compile(
    r"(?:[\w'’-]+ ){0,3}[\w'’-]+(?:, (?:[\w'’-]+ ){0,3}[\w'’-]+)+,? (?:dan|serta|and|en) (?:[\w'’-]+ ){0,3}[\w'’-]+"
)
"""Several names, of which each is another thing."""
_QUOTES = "\"'“”‘’«»*_ "
_LONGEST_SUBJECT_WORDS = 8
_LONGEST_ALIAS_WORDS = 6
_LONGEST_POINTING = 6
_GENUS_END = re.compile(
    r"[,.;:()]|\s(?:yang|dari|daripada|dengan|untuk|oleh|di|pada|that|which|from|of|in|on|at|by|for|to|with|full|used|made|known|played|performed|served|consisting|during|among|since|when|originating|originated|hailing|native|typical|featuring|using|containing|prepared|cooked|eaten|worn|carried|found|produced|woven|created|built|located|popular|whose|where|through|depicting|telling|uit|van|der|des|die|dat|welke|hetwelk|met|vol|voor|op|te|door|bij|aan|waarbij|waarin|waarmee|gevuld|bestaande|bekend|gegeten|gedragen|gebruikt|bereid|gemaakt|afkomstig)\s"
)
_NOT_A_NAME = re.compile(
    r"\b(?:yang|adalah|antara lain|(?:di ?)?antaranya|misalnya|seperti|which|that|who|such as|die|dat|zoals)\b|[?!]",
    re.IGNORECASE,
)
_GLUED = re.compile(r"[”»]\s+\w|\w\"\s+\w")
"""A name does not go on after a word in quotes: a heading and a sentence ran together."""
_TRAILING = re.compile(r"\s+(?:juga|sendiri|pun|memang|itu sendiri|also)$", re.IGNORECASE)
"""Adverbs between another name and the copula."""
_PERFORMED = re.compile(r"^(?:pertunjukan|pementasan|pagelaran|pergelaran)\s+(?=\w)", re.IGNORECASE)
_OF_THE_LAST_NOUN = re.compile(
    r"\b(?:bernama|dilengkapi|disebut|terdiri|memiliki|menggunakan)\b[^.;]*\byang\s*$", re.IGNORECASE
)
"""`X memiliki keris yang` merupakan: what follows tells of the last noun."""
_OWN_NOUN = re.compile(r"[a-z]{4,}nya")
_VERB = re.compile(r"(?:ber|ter|di)[a-z]{3,}")
_WORD = re.compile(r"\w+(?:[-'’]\w+)*")
_SHAPED = re.compile(r"\s(?:berbentuk|berupa|dalam bentuk)\s", re.IGNORECASE)
"""`Kesenian berbentuk tarian` is a dance."""
_GENUS_WORDS = 6
_CULTURE_REACH = 50


@dataclass(frozen=True, slots=True)
class Definition:
    sentence: Sentence
    name: str
    aliases: tuple[str, ...]
    genus: str
    categories: frozenset[str]
    is_culture: bool
    """Whether it calls its subject a tradition, of whatever kind."""
    is_broad: bool
    """Whether its genus is a word like `kesenian`, which things of several kinds are called."""
    is_other: bool
    """Whether it says that its subject is of another country or no tradition at all."""
    tail: int
    """Where, in the sentence, the words after the copula begin."""
    until: int
    """Where they end."""
    since: int
    """Where, before them or not, regions of origin may stand."""
    kind_until: int
    """Where the words of kind end: an adjective among them, as in `a Balinese dance`, says whose it is."""

    def covers(self, sentence: Sentence) -> bool:
        return self.sentence.start <= sentence.start and sentence.end <= self.sentence.end


def read_definition(
    sentence: Sentence, wording: Wording, vocabulary: Vocabulary, heading: str = "", *, known_only: bool = False
) -> Definition | None:
    """The definition a sentence is; None for hearsay, denials and pronouns, unless a heading says what they mean."""
    apposition = _APPOSITION.match(sentence.text)
    if apposition and wording.copula.search(apposition[1]):
        apposition = None
    if apposition and _categories(_genus(apposition[2], wording), wording, vocabulary):
        subject, after, tail, until = apposition[1], apposition[2], apposition.start(2), apposition.end(2)
    elif parted := _subject(sentence.text, wording.copula, wording.copula_hints, wording) or _softly(
        sentence.text, wording, vocabulary
    ):
        subject, tail, until = sentence.text[parted[0] : parted[1]], parted[2], len(sentence.text)
        after = sentence.text[tail:]
    else:
        return None
    subject = _without_lead(subject, wording)
    if _LISTED.fullmatch(subject.strip()):
        return None
    categories = _categories(_genus(after, wording), wording, vocabulary)
    if known_only and not categories:
        return None
    subject = _once(_before_verb(_introduced(subject, wording), wording))
    name, aliases = names_in(subject, wording, vocabulary)
    if _is_pointing(subject, wording, vocabulary):
        name, aliases = heading, ()
    if not name and (before := wording.relative.search(subject)):
        name, aliases = names_in(subject[: before.start()], wording, vocabulary)
    if not name:
        return None
    if wording.hearsay.search(sentence.text) or wording.denial.match(after.strip()) or wording.denial.search(subject):
        return None
    if _SEVERAL.match(after):
        return None
    return defined(sentence, (name, *aliases), (tail, until), wording, vocabulary)


def defined(
    sentence: Sentence,
    names: tuple[str, ...],
    after: tuple[int, int],
    wording: Wording,
    vocabulary: Vocabulary,
    *,
    since: int | None = None,
) -> Definition:
    """The definition of the first name by the words of the sentence from the one place to the other."""
    words = sentence.text[after[0] : after[1]]
    genus = _genus(words, wording)
    strange = wording.modern.search(genus) or wording.other_head.search(genus)
    return Definition(
        sentence=sentence,
        name=names[0],
        aliases=tuple(name for name in names[1:] if not is_kind(name, wording, vocabulary)),
        genus=genus,
        categories=_categories(genus, wording, vocabulary),
        is_culture=wording.culture.search(words[:_CULTURE_REACH]) is not None,
        is_broad=_first_word(genus) in wording.neutral,
        is_other=strange is not None or vocabulary.is_foreign(_without_names(sentence.text, names, wording)),
        tail=after[0],
        until=after[1],
        since=after[0] if since is None else since,
        kind_until=after[0] + _kind_until(words, wording),
    )


def _without_names(text: str, names: tuple[str, ...], wording: Wording) -> str:
    """The folded sentence without the names, and up to what the thing is compared with: these may be of another country."""
    found = wording.contrast.search(text)
    own = text[: found.start()] if found and wording.copula.search(text, 0, found.start()) else text
    own = fold(own)
    for name in names:
        own = own.replace(fold(name), " ")
    return own


def is_kind(name: str, wording: Wording, vocabulary: Vocabulary) -> bool:
    """`tarian perang` says what a thing is, not how it is called."""
    words = name.casefold().split()
    size = vocabulary.generic_length(name)
    return size > 0 and all(word in wording.common for word in words[size:])


def _introduced(subject: str, wording: Wording) -> str:
    """What a subject leads up to, as in `di sana ada X`."""
    found = wording.introduction.match(subject)
    rest = subject[found.end() :] if found else ""
    return rest if 0 < len(rest.split()) <= _LONGEST_ALIAS_WORDS else subject


def _once(subject: str) -> str:
    """`X` of `X X`, where a caption or a heading and the sentence ran together."""
    words = subject.split()
    half = len(words) // 2
    twice = half and not len(words) % 2 and [*map(str.casefold, words[:half])] == [*map(str.casefold, words[half:])]
    return " ".join(words[:half]) if twice else subject


def _without_lead(subject: str, wording: Wording) -> str:
    """The subject after words of time, place or comparison: `Berbeda dengan X, Y adalah` speaks of Y."""
    lead, _, rest = subject.partition(", ")
    led = wording.lead.match(lead) or wording.contrast.match(lead)
    return rest if led and rest.strip() else subject


def _is_pointing(subject: str, wording: Wording, vocabulary: Vocabulary) -> bool:
    """A pronoun, or a kind with a demonstrative, as `ini`, `tarian ini`, `it`."""
    words = subject.casefold().split()
    if not words:
        return True
    if len(words) > _LONGEST_POINTING:
        return False
    if words[0] in wording.pronouns or words[0] in _POINTING:
        return True
    last_shows = words[-1] in wording.demonstratives and wording.genus_comes_first
    return last_shows and bool(vocabulary.genus_in(subject, first=True))


def _categories(genus: str, wording: Wording, vocabulary: Vocabulary) -> frozenset[str]:
    """By the head of the phrase; where that is a word like `pertunjukan`, by the next."""
    words = _SHAPED.sub(" ", genus).split()
    genus = " ".join(words)
    # A capital makes a name of the last word: `is Padang`.
    named = bool(words) and not wording.genus_comes_first and words[-1][0].isupper()
    found = frozenset[str]() if named else vocabulary.genus_in(genus, first=wording.genus_comes_first)
    if len(words) > 1 and wording.genus_comes_first and words[0].casefold() in wording.neutral:
        # `Kesenian tari` is dance, whatever else is called `kesenian`.
        found = vocabulary.genus_in(" ".join(words[1:]), first=True) or found
    while not found and len(words) > 1 and words[0].casefold() in wording.neutral:
        words = words[1:]
        found = vocabulary.genus_in(" ".join(words), first=wording.genus_comes_first)
    while not found and not wording.genus_comes_first and len(words) > 1 and words[-1][0].isupper():
        # A people or a land after the kind it belongs to: `a musical instrument Sundanese`.
        words = words[:-1]
        found = vocabulary.genus_in(" ".join(words), first=False)
    if not found and words and wording.compounds:
        found = vocabulary.genus_of_compound(words[-1].casefold())
    return found


def _softly(text: str, wording: Wording, vocabulary: Vocabulary) -> tuple[int, int, int] | None:
    """The same by a verb that may say other things too: what follows it must be a kind we know."""
    parted = _subject(text, wording.soft_copula, wording.soft_hints, wording)
    return parted if parted and _categories(_genus(text[parted[2] :], wording), wording, vocabulary) else None


def _subject(
    text: str, copula: re.Pattern[str], hints: tuple[str, ...], wording: Wording
) -> tuple[int, int, int] | None:
    """Where the subject of the first copula outside brackets stands, and where what it says begins.

    `Bersumber dari X, yakni cerita, Y merupakan` speaks of Y: what opens with a verb is no subject.
    """
    lowered = text.lower()
    if not any(hint in lowered for hint in hints):
        return None
    is_later = False
    for found in copula.finditer(text):
        before = text[: found.start()]
        if before.count("(") > before.count(")"):
            continue
        begin = before.rfind(", ") + len(", ") if is_later else 0
        if _OF_THE_LAST_NOUN.search(before):
            return None
        if not _is_clause(before[begin:], wording):
            return begin, found.start(), found.end()
        is_later = True
    return None


def _is_clause(subject: str, wording: Wording) -> bool:
    """Whether it opens with a verb and what follows it: `bersumber dari`, `terbuat dari`."""
    if wording.lead.match(subject) or wording.contrast.match(subject):
        return False
    return _verb_at(subject.casefold().split(), wording) == 0


def _verb_at(words: list[str], wording: Wording) -> int | None:
    """Which of the words is a verb with a preposition behind it, as `berasal dari`; names have none."""
    if wording.language != "ind":
        return None
    for place in range(len(words) - 1):
        word = words[place]
        if words[place + 1] in wording.never_first and _VERB.fullmatch(word) and stem(word) != word:
            return place
    return None


def _before_verb(subject: str, wording: Wording) -> str:
    """`X` of `X berasal dari Y dan`, whose second verb is the copula."""
    words = subject.split()
    joined = len(words) > 2 and wording.joint.fullmatch(f" {words[-1]} ") is not None
    verb = _verb_at([word.casefold() for word in words], wording) if joined else None
    return " ".join(words[:verb]) if verb else subject


def names_in(subject: str, wording: Wording, vocabulary: Vocabulary) -> tuple[str, tuple[str, ...]]:
    """The name and the other names of a subject such as `X (Y) atau Z, juga disebut W,`."""
    subject = with_whole_words(_PLACELINE.sub("", subject))
    subject = _NOTE.sub(" ", subject)
    # Brackets before the name are a caption's: `(ilustrasi) Lagu X`.
    behind = [found for found in _IN_BRACKETS.finditer(subject) if subject[: found.start()].strip()]
    bracketed = [part for found in behind for part in re.split(r"[;,]", found[1])]
    bare = _SPOKEN_BY.sub("", _DATELINE.sub("", _IN_BRACKETS.sub(" ", subject)))
    if len(_WORD.findall(bare)) > 3 * _LONGEST_SUBJECT_WORDS:
        return "", ()
    bare = after_naming(_DASH.split(bare.strip(" –—"))[-1], wording, vocabulary)
    parts = [_COMMA.split(piece.strip(" ,"))[0] for piece in wording.alias_mark.split(bare)]
    parts = [re.sub(r"\s+", " ", part).strip(_QUOTES + ":;") for part in parts]
    parts = [_TRAILING.sub("", part) for part in parts]
    called = _PERFORMED.sub("", before_verb(wording.determiner.sub("", parts[0]), wording))
    name = _capitalised(called.strip(_QUOTES))
    if not _is_name(name, _LONGEST_SUBJECT_WORDS) or _is_phrase(name, wording):
        return "", ()
    explained = [_LABELLED.sub("", wording.alias_mark.sub("", part)).strip(_QUOTES) for part in bracketed]
    # `Tari Siwe (tari perempuan)` says what the name means.
    explained = [each for each in explained if not wording.checks.gloss.match(each)]
    explained = [each for each in explained if " " not in each or not each[:1].islower() or called[:1].islower()]
    others = [*parts[1:], *explained]
    return name, tuple(
        dict.fromkeys(
            _capitalised(other) for other in others if other.casefold() != name.casefold() and _is_alias(other, wording)
        ),
    )


def _is_phrase(name: str, wording: Wording) -> bool:
    """Words of grammar make a phrase, not a name; `of` and its like stand in names too. So does *rasanya*, its taste."""
    words = name.casefold().split()
    if words[0] in wording.never_first or _verb_at(words, wording) is not None:
        return True
    own = wording.language == "ind" and _OWN_NOUN.fullmatch(words[0]) and stem(words[0]) != words[0]  # not *yadnya*
    return not wording.grammar.isdisjoint(words) or bool(own)


def _is_alias(text: str, wording: Wording) -> bool:
    """A name of one's own, not a gloss: in languages we would have to translate, no phrase of common words."""
    if not _is_name(_capitalised(text), _LONGEST_ALIAS_WORDS) or wording.breaks.search(text):
        return False
    return wording.language == "ind" or not set(text.casefold().split()) & wording.function_words


def _is_name(text: str, longest: int) -> bool:
    words = _WORD.findall(text)
    if not 1 <= len(words) <= longest or _NOT_A_NAME.search(text) or _GLUED.search(text) or not text[0].isalnum():
        return False
    return not text[0].islower() and not text[0].isdigit()


def _kind_until(words: str, wording: Wording) -> int:
    form = wording.form.match(words.lstrip())
    since = len(words) - len(words.lstrip()) + (form.end() if form else 0)
    end = _GENUS_END.search(words, since)
    return end.start() if end else len(words)


def _genus(after: str, wording: Wording) -> str:
    phrase = after.strip()
    article = wording.form.match(phrase) or wording.article.match(phrase)
    phrase = phrase[article.end() :] if article else phrase
    end = _GENUS_END.search(phrase)
    words = _WORD.findall(phrase[: end.start()] if end else phrase)
    return " ".join(words[:_GENUS_WORDS] if wording.genus_comes_first else words)


def _capitalised(name: str) -> str:
    return name[:1].upper() + name[1:]


def _first_word(text: str) -> str:
    words = text.split()
    return words[0].casefold() if words else ""
