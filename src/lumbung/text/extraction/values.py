"""Cuts the words after a cue into values: lists, phrases, numbers, dates, people."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise, takewhile

from lumbung.text.extraction.wording import Wording
from lumbung.text.stemming import stem

Span = tuple[int, int]

_HARD_END = re.compile(r"(?<!\s[A-Z])(?<!\.[A-Z])\.|[;:()\n!?]|\s[–—-]\s|$")
_NEXT = r"\sdan (?:sering|selalu|biasanya|kerap|umumnya|telah|sudah|masih|pernah|kini)\s|\sdengan gerak(?:an)?\s"
"""What is told of the subject next, or how it moves: no more of what came before."""
_BESIDES = re.compile(_NEXT)
_CLAUSE_END = re.compile(
    r"[.;:()\n!?](?=\s|$)|\s[–—]\s|[”»](?=[\s,])|\sdan juga\s(?=di|me|ber)|"
    + _NEXT
    + r"|\sdan (?:cocok|pas|nikmat|lezat|enak)\s|\sdan \w{3,}nya\s(?=bikin|sangat|cukup|lebih|juga|pun|yang|di\w{4,}|ter\w{4,})|"
    r"\s(?:ini|tersebut)(?=\s(?!dan\s|serta\s|yang\s|untuk\s|dari\s|dengan\s|dalam\s|di\s|pada\s|sebagai\s|kepada\s|agar\s|supaya\s))|"
    r"\s(?:di ?mana|yang mana|bagi (?:mereka|kita|siapa))(?=\s|$)|,\s+(?:dan|serta|and)\s|$"
)
_TURN = re.compile(
    r"\s(?:tapi|tetapi|namun|melainkan|bahkan|padahal|sekaligus|sehingga|karena|kerana|sebab)(?=\s)|"
    r",\s+(?:yang|sedangkan|namun|tetapi|tapi|sehingga|karena|biasanya|sekarang|kini|dahulu|dulu|lalu|kemudian|bahkan|meski|meskipun|"
    r"walaupun|manakala|sementara|misalnya|\w{3,}nya|which|but|while|die|maar)\s"
)
"""Here the clause is over, and what stands before it is whole."""
_ANNOUNCING = re.compile(
    r"\b(?:berikut|ini|lain|yaitu|yakni|meliputi|seperti|macam|jenis|bahan|alat|cara|following|these|such|as|namely|volgende|deze)\W*\Z",
    re.IGNORECASE,
)
"""Words behind which a colon opens what they speak of."""
_LAST_OF_LIST = re.compile(r",\s+(?:dan|serta|and|en)\s+((?:[\w'’-]+\s?){1,5})(?=[.;)\n]|$)")
"""The end of an enumeration, which is no new clause."""
_NEW_SUBJECT = re.compile(
    r",\s+[A-Z][\w'’-]+(?: [A-Z]?[\w'’-]+){0,3} (?:juga |pun |biasanya |sering )?(?:di|ber|me)[a-z]{4,}\b"
)
_WORD = re.compile(r"\w+(?:[-'’]\w+)*")
_PERSON = re.compile(
    r"(?:(?:seorang \w+ |seniman |maestro |pujangga |almarhum |sultan |raja )?(?:bernama )?)?"
    r"((?:[A-Z][\w'’.-]*|[IVX]+)(?:\s+(?:[A-Z][\w'’.-]*|[IVX]+|bin|binti|van|de|den|der|ing|al)\b)*)",
)
_NUMERAL = re.compile(r"\s[IVX]+(?=\.\s)")
"""With the numeral of a ruler and a full stop the name is over."""
_PLACE = re.compile(
    r"(?:(?:daerah|pulau|kampung|desa|kota|negeri|kabupaten|tanah|Pulau)\s+)?((?!Indonesia|Nusantara)[A-Z][\w'’-]+(?:\s+[A-Z][\w'’-]+)*)"
)
_NOT_PLACE = re.compile(r"\s(?:pada|oleh|sekitar|tahun|ketika|saat|yang)\s")
_NOT_TIME = re.compile(
    r"\s(?:di|oleh|untuk|dengan|bertempat|guna|sebagai|in|at|by|te|door)\s(?!bulan|hari|malam|musim)"
)
_VERB = re.compile(r"(?:di|me|ber|ter)[a-z]{4,}", re.IGNORECASE)
_PASSIVE = re.compile(r"\b(?:di|ter)[a-z]{4,}\b")
_DONE_BESIDES = re.compile(r",\s+(?:dan|serta)\s+(?:(?:juga|biasanya|sering|kerap|umumnya)\s+)?((?:di|ter)[a-z]{4,})\s")
_ACTIVE = re.compile(r"me[a-z]{4,}")
_DONE_TO = re.compile(r"di[a-z]{3,}kan")
_TASTE = re.compile(r"(?:cita ?)?rasa\s", re.IGNORECASE)
"""From here on tastes are told."""
_MIXED = re.compile(
    r"\d+ (?:bilah|buah|batang|lembar|helai|potong|keping|ruas) (?=\w)|(?:campuran|olahan|racikan|tambahan|jenis|sedikit|beberapa|sejumlah|sebuah|seorang|bahan(?:-bahan)?)(?: (?:dari|utama|dasar|baku|berupa))* (?=\w)",
    re.IGNORECASE,
)
"""Words before a member that only say that it is one."""
_OWN_NOUN = re.compile(r"[a-z]{3,}nya")
_DOING = re.compile(r"\s((?:ber|ter|di|me)[a-z]{4,})\b")
_STATE = re.compile(r"\s((?:ber|ter)(?!warna|motif|corak|lengan|sama\b)[a-z]{3,})\b")
"""What a member is like or has, as in `kayu berdawai satu`, is no part of its name."""
_AT_LAST_TOGETHER = re.compile(r"\sbersama\Z", re.IGNORECASE)
_NEW_CLAUSE = frozenset({"menjadi", "merupakan", "memiliki", "mempunyai", "memerlukan", "membutuhkan", "memakan"})
_BOUND = frozenset({"untuk", "yang"})
"""Words behind which a verb belongs to the noun before."""
_OWNS = frozenset({"punya", "memiliki", "mempunyai"})
_JOINED_VERB = re.compile(
    r"\s*(,|\s(?:dan|serta|lalu|kemudian))\s+(?:(?:hanya|juga|sering|biasanya|kerap|umumnya)\s+)?((?:di|ber|ter|me)[a-z]{4,})\b",
    re.IGNORECASE,
)
_CITED = re.compile(r"(?:\[\w{1,3}\]\s*)+\Z")
_DANGLING = re.compile(
    r"\s(?:dan|atau|serta|yang|dengan|untuk|oleh|dari|saja|juga|pula|lho|lo|loh|sih|deh|nih|dll|dsb|and|or|with|en|of)\Z",
    re.IGNORECASE,
)
"""Words with which no value ends: something was cut off behind them."""
_LISTING = re.compile(
    r"\b(?:terdiri|berupa|seperti|meliputi|yaitu|yakni|antara|bernama|disebut|dengan|dari|daripada|such|called|of|van)\b",
    re.IGNORECASE,
)
"""A clause with these words has members of its own."""
_UNNAMED = re.compile(
    r"^(?:berbagai|aneka|bermacam|beberapa)\b|^bumbu(?:-bumbu)?(?: khas| khusus| tradisional| lokal)?$|^(?:cara|waktu|proses|teknik|mirip|serupa|minimal|maksimal|sedikitnya|masakan|makanan|minuman|sajian|hidangan|rasa|aroma|tekstur|cita) |^(?:material|bahan) (?:\w+)$|^(?:dua|tiga|empat|lima|enam|tujuh|\d+) (?:warna|macam|jenis|unsur|bahan)$|\b(?:lain|lainnya|sebagainya|others?)$",
    re.IGNORECASE,
)
"""Members that name nothing."""
_UNSAYING = re.compile(
    r"(?:(?:dua|tiga|beberapa|berbagai) (?:cara|macam|jenis)|yang|sangat|cukup|begitu|amat|unik|tersendiri|mendalam|tertentu|khusus|dan|atau|serta|sama|sebagai berikut|that|which|and|the following|die|dat|en)\b|"
    r"[^.;]{0,80}\bsebagai berikut",
    re.IGNORECASE,
)
"""A phrase that opens so tells of the word before it, and says no value."""
_LETTERS = re.compile(r"[^\W\d_]")
_RANGE = frozenset({"sampai", "hingga", "bukan", "tidak", "selain", "maupun", "to", "tot", "up"})
"""Words behind which a member goes on: what stands before them is not the whole of it."""
_EXAMPLE = re.compile(r"seperti|misalnya|contohnya", re.IGNORECASE)
"""Before these stands a class, and no member."""
_HEAD_AGAIN = re.compile(
    r"(\w{3,})(?: [\w-]+){1,3}?,? (?:seperti|misalnya|antara lain|yaitu|yakni|yaitu) (?=\1\b)", re.IGNORECASE
)
"""A class whose examples repeat its noun: `kayu pilihan seperti kayu wenang`."""
_GLOSSED = re.compile(r"(?<=\w) \([^()]{2,40}\)(?=,|\s+(?:dan|serta|atau|and|en)\s|[.;]|$)")
"""What a member is, in brackets behind it."""
_NAMELY = re.compile(r"[^,.;:()]{3,40}? (?:yaitu|yakni|iaitu|bernama) (?=[A-Z])")
"""A class before the name of its one member."""
_SHARED_HEAD = re.compile(r"\b(hasil \w+) (dan|serta) (\w+)(?=[.,;]|$)")
_SHORT_MEMBER_WORDS = 3
_NAME_END = re.compile(r"[.,;:()\n!?]|\s[–—-]\s|\s(?:dan|serta|atau|and|or|en|of)\s|$")
_LONGEST_NAME_WORDS = 4
_LONGEST_MEMBER_WORDS = 5
_MOST_MEMBERS = 25
_LONGEST_PHRASE = 220
_LONGEST_REST = 280
_SENTENCE_OVER = re.compile(r"[;!?](?=\s|$)|\.\W*$|\s[–—]\s|$")


def members(text: str, start: int, end: int, wording: Wording) -> Iterator[Span]:
    """The members of an enumeration; it ends where a clause begins, unless that tells of one member only."""
    text = _in_one(text, start, end)
    led = wording.class_with_examples.match(text, start, end) or _HEAD_AGAIN.match(text, start, end)
    start = led.end() if led else start
    if namely := _NAMELY.match(text, start, end):
        start = namely.end()
    stop = _first(_HARD_END, text, start, end)
    pieces = list(_pieces(text, start, stop, wording))
    if _is_apposed(text, pieces, wording):
        pieces = pieces[:1]
    for count, piece in enumerate(pieces[:_MOST_MEMBERS]):
        led = wording.loose.match(text[slice(*trimmed(text, *piece))])  # `steamed rice`
        broken = wording.breaks.search(
            text, trimmed(text, *piece)[0] + (led.end() if led else 0), _together(text, piece)
        )
        mixed = _MIXED.match(text, *trimmed(text, *piece))
        span = trimmed(text, mixed.end() if mixed else piece[0], broken.start() if broken else piece[1])
        state = next((each for each in _STATE.finditer(text, *span) if stem(each[1]) != each[1]), None)
        if state and count and state[1].casefold().startswith("ter"):
            # `..., silu terbuat dari kayu`: the next thing is told of.
            return
        span = trimmed(text, span[0], state.start()) if state else span
        words = len(_WORD.findall(text[span[0] : span[1]]))
        if _TASTE.match(text, *span):
            return
        shown = broken is not None and broken[0].casefold() in wording.demonstratives
        if broken and (_EXAMPLE.match(broken[0]) or broken[0].strip().casefold() in _RANGE):
            return
        if _begins_clause(text[span[0] : span[1]], count) or (shown and count):
            return
        if 0 < words <= _LONGEST_MEMBER_WORDS and _names_something(text[slice(*span)]):
            yield span
        relative = broken is not None and broken[0].casefold() in wording.relatives
        rest = pieces[count + 1 :]
        apart = (
            bool(rest) and "," in text[piece[1] : rest[0][0]]
        )  # `yang dimasak dengan santan dan cabai` is one clause
        if relative and apart and not _LISTING.search(text, *piece) and _goes_on_plainly(text, rest, wording):
            continue
        if broken or state or not 0 < words <= _LONGEST_MEMBER_WORDS:
            return


def _together(text: str, piece: Span) -> int:
    """Where a member ends, without a last `bersama`: `doa bersama` is one, and not done with another."""
    found = _AT_LAST_TOGETHER.search(text, *trimmed(text, *piece))
    return found.start() if found else piece[1]


def _in_one(text: str, start: int, end: int) -> str:
    """The text without glosses in brackets between members, and with joints that part none: `hasil bumi dan laut`."""
    if "(" in text[start:end]:
        masked = _GLOSSED.sub(lambda found: " " * len(found[0]), text[start:end])
        text = text[:start] + masked + text[end:]
    if "hasil " in text[start:end]:
        text = text[:start] + _SHARED_HEAD.sub(r"\1_\2_\3", text[start:end]) + text[end:]
    return text


def _is_apposed(text: str, pieces: list[Span], wording: Wording) -> bool:
    """Whether the words after the first comma say what the word before it is: `sagu, sumber karbohidrat yang penting`."""
    if len(pieces) < 2 or any(_LETTERS.search(text, left[1], right[0]) for left, right in pairwise(pieces)):
        return False
    plain = all(
        len(_WORD.findall(text[start:end])) <= _SHORT_MEMBER_WORDS and not wording.breaks.search(text, start, end)
        for start, end in pieces
    )
    return len(pieces) == 2 or not plain


def _names_something(member: str) -> bool:
    """Figures alone, and words such as `lainnya`, name nothing."""
    return _UNNAMED.search(member) is None and any(letter.isalpha() for letter in member)


def _goes_on_plainly(text: str, pieces: list[Span], wording: Wording) -> bool:
    """Whether all that follows are short members, the last after an `and`: the clause before told of one of them."""
    if not pieces or not wording.joint.fullmatch(" " + text[: pieces[-1][0]].rsplit(maxsplit=1)[-1] + " "):
        return False
    return all(
        0 < len(_WORD.findall(text[start:end])) < _LONGEST_MEMBER_WORDS
        and not wording.breaks.search(text, start, end)
        and not _begins_clause(text[start:end], 1)
        for start, end in pieces
    )


def _begins_clause(words: str, count: int) -> bool:
    """A verb, or a noun of the thing (*teksturnya*), after the first member opens a clause; an active verb within one does."""
    first, *rest = [word.casefold() for word in _WORD.findall(words)] or [""]
    # `Tempat untuk mengadakan upacara` is a noun with its purpose.
    rest = list(takewhile(lambda word: word not in _BOUND, rest))
    if any(_ACTIVE.fullmatch(word) and stem(word) != word for word in rest):
        return True
    if count and any(word in _OWNS or _DONE_TO.fullmatch(word) for word in rest):
        # `Terbuat dari kayu, kendang dimainkan`: the subject of the sentence comes after what is said of it first.
        return True
    return bool(count) and (
        first in _OWNS or bool(_OWN_NOUN.fullmatch(first) or (_VERB.match(first) and stem(first) != first))
    )


def phrase(text: str, start: int, end: int) -> Span | None:
    """The words up to the end of the clause; where it cannot be told whether another begins, nothing is cut out of them."""
    turn = _first(_TURN, text, start, end)
    stop = _outside_brackets(text, start, turn)
    if "," in text[start:stop] and (last := _LAST_OF_LIST.match(text, stop, turn)) and not _begins_clause(last[1], 1):
        stop = last.end()
    span = trimmed(text, start, _next_clause(text, start, stop))
    says = 2 < span[1] - span[0] <= _LONGEST_PHRASE and not _UNSAYING.match(text, *span)
    over = (
        _WORD.search(text, span[1], turn) is None or _stands_alone(text, span) or _goes_on_of_itself(text, span, turn)
    )
    return span if says and over else None


def rest(text: str, start: int, end: int) -> Span | None:
    """All that the sentence goes on to say: of several clauses, none is left out."""
    span = trimmed(text, start, _first(_SENTENCE_OVER, text, start, end))
    return span if 2 < span[1] - span[0] <= _LONGEST_REST and not _UNSAYING.match(text, *span) else None


def _outside_brackets(text: str, start: int, end: int) -> int:
    """Where the clause ends; words in brackets within it belong to it."""
    at = start
    while text.startswith(")", stop := _first(_CLAUSE_END, text, at, end)) and "(" in text[start:stop]:
        at = stop + 1
    return stop


def _stands_alone(text: str, span: Span) -> bool:
    """Whether what follows is another statement, not what the words announce: `teknik ikat ganda: benang ... diikat`."""
    if _BESIDES.match(text, span[1]):
        return True
    return text[span[1] : span[1] + 1] in {":", ";"} and _ANNOUNCING.search(text, *span) is None


def _goes_on_of_itself(text: str, span: Span, end: int) -> bool:
    """Whether the sentence goes on with another thing that is done to its subject: `..., dan dikenal dengan sebutan`."""
    joint = _DONE_BESIDES.match(text, span[1], end)
    return joint is not None and stem(joint[1]) != joint[1] and _PASSIVE.search(text, *span) is None


def _says_more(text: str, span: Span, end: int) -> bool:
    """Whether an `and` goes on with what the subject is or has besides: `... dan menjadi`."""
    joint = _JOINED_VERB.match(text, span[1], end)
    return joint is not None and joint[2].casefold() in _NEW_CLAUSE


def _next_clause(text: str, start: int, end: int) -> int:
    """Where a joint is followed by a verb that says something else: `..., berasal dari`, `... dan dimainkan`."""
    if subject := _NEW_SUBJECT.search(text, start, end):
        end = subject.start()
    first = _WORD.search(text, start, end)
    active = first is not None and first[0].casefold().startswith(("me", "ber"))
    for joint in _JOINED_VERB.finditer(text, first.end() if first else start, end):
        verb = joint[2].casefold()
        goes_on = verb.startswith(("me", "ber")) and active
        if verb in _NEW_CLAUSE or (stem(verb) != verb and not goes_on):
            return joint.start()
    return end


def without_time(text: str, span: Span) -> Span:
    """A place without the words about when and by whom."""
    found = _NOT_PLACE.search(text, *span)
    return trimmed(text, span[0], found.start()) if found else span


def without_place(text: str, span: Span) -> Span | None:
    """A time without the words about where, by whom and what for: `setiap tahun`. In a longer one they may belong to its last word."""
    found = _NOT_TIME.search(text, *span)
    if found is None:
        return span
    cut = trimmed(text, span[0], found.start())
    return cut if len(_WORD.findall(text[slice(*cut)])) <= _SHORT_MEMBER_WORDS else None


def person(text: str, start: int, end: int) -> Span | None:
    found = _PERSON.match(text, start, end)
    if found is None:
        return None
    numbered = _NUMERAL.search(text, *found.span(1))
    return trimmed(text, found.start(1), numbered.end() if numbered else found.end(1))


def name(text: str, start: int, end: int, wording: Wording) -> Span | None:
    """A name of a few words, up to whatever goes on after it."""
    stop = _first(_NAME_END, text, start, end)
    broken = wording.breaks.search(text, start, stop)
    span = trimmed(text, start, broken.start() if broken else stop)
    verb = next((each for each in _DOING.finditer(text, *span) if stem(each[1]) != each[1]), None)
    span = trimmed(text, span[0], verb.start()) if verb else span
    words = text[span[0] : span[1]].casefold().split()
    fits = 0 < len(words) <= _LONGEST_NAME_WORDS and wording.grammar.isdisjoint(words)
    return span if fits and words[0] not in wording.never_first else None


def place(text: str, start: int) -> Span | None:
    """A capitalised name right here."""
    found = _PLACE.match(text, start)
    return found.span(1) if found else None


def trimmed(text: str, start: int, end: int) -> Span:
    while start < end and (text[start].isspace() or text[start] in ",;:–-\"“”'‘’"):
        start += 1
    while end > start and (text[end - 1].isspace() or text[end - 1] in ",;:–-.\"“”'‘’"):
        end -= 1
    cited = _CITED.search(text, start, end) or _DANGLING.search(text, start, end)
    return trimmed(text, start, cited.start()) if cited else (start, end)


def _pieces(text: str, start: int, end: int, wording: Wording) -> Iterator[Span]:
    at = start
    for found in wording.joint.finditer(text, start, end):
        yield at, found.start()
        at = found.end()
    yield at, end


def _first(pattern: re.Pattern[str], text: str, start: int, end: int) -> int:
    found = pattern.search(text, start, end)
    return found.start() if found else end
