"""What a title says: the name it begins with, a list, or the headline of a story."""

from __future__ import annotations

import re
from functools import lru_cache

from lumbung.text.extraction.wording import Wording
from lumbung.text.stemming import stem

_SYMBOLS = re.compile(r"[^\w\s\"'“‘(\[#&+.,:;!?%/*•–—-]+\s*")
"""Pictures before a heading or an entry."""
_NUMBERING = re.compile(r"^\s*(?:\d{1,3}\s?[.)]{1,2}\s*|(?:[a-zA-Z]|[IVX]{1,5})[.)]\s+)(?=\D)|^\s*[-–•]\s+")
_LISTING_TITLE = re.compile(
    r"(?:^|[!?:.]\s)\s*(?:(?:mengenal|inilah|simak|intip|kenali|berikut|yuk|ini|deretan|the|here are|meet)\s+){0,2}\d{1,3}\+?\s|\b(?:daftar|macam|jenis[- ]jenis|nama-nama|kumpulan|berbagai|aneka|ragam|list of|types of|lijst van|inilah|ini dia|top \d+)\b",
    re.IGNORECASE,
)
_LISTING_WORDS = re.compile(
    r"^\s*(?:(?:inilah|berikut|mengenal|ini dia|top|deretan)\s+)?(?:\d+\+?\s+)?"
    r"(?:(?:daftar|macam-macam|macam|jenis[- ]jenis|jenis|berbagai|aneka|ragam|contoh|nama-nama|list of|types of|lijst van)\s+)*",
    re.IGNORECASE,
)
_TITLE_LEAD = re.compile(
    r"^(?:(?:mengenal|deskripsi|resep|resepi|resipi|sejarah|asal[- ]usul(?! nama)|keunikan|makna|arti|filosofi|mengintip|melihat|menjelajahi|menyelami|menelusuri|mengulik|mengupas|menilik|memahami|lebih dekat|inilah|tentang|profil|"
    r"apa(?:kah)? itu|apa sih|kenali|lirik(?= lagu)|about|over|discover(?:ing)?|introducing|(?:authentic|easy|homemade|traditional) (?=[A-Z][\w ]+ recipe)|how to (?:make|cook)|recipe for|recept (?:voor|van)|recipe:|recept:|the making of|what (?:is|are)(?: an?| the)?|wat (?:is|zijn)(?: een| de| het)?)\s+)+",
    re.IGNORECASE,
)
_TITLE_TAIL = re.compile(
    r"(?:\s+(?:recipes?|recept(?:en)?))(?:\s*[:|–—-]\s.*)?$|\s*[:,–—|(?]\s.*$|\s-\s.*$|\s*\(.*$|\?$|\s(?:dan|beserta|serta|lengkap dengan|&|and its|en zijn)\s(?:apa|(?:[a-z]+ ){0,2}\w{3,}nya)\b.*$",
    re.IGNORECASE,
)
_AND_MORE = re.compile(
    r"\s(?:dan|beserta|serta|lengkap dengan|&)\s(?:apa|(?:[a-z]+ ){0,2}\w{3,}nya)\b.*$", re.IGNORECASE
)
_OTHER_NAME = re.compile(r"(?<=[a-z]{3})\s?/\s?(?=[A-Z][a-z]{2})")
"""`Tolindo/Popondi` are two names of one thing."""
_TWICE = re.compile(
    r"\b(?P<first>\w{2,4}(?P<own>\w{3,}))\s?[-–—]\s?(?P<last>(?P=own)\w{0,4})\b|"
    r"\b(?P<one>\w{3,})(?:\s[-–—]|[-–—]\s)(?P<again>(?P=one)(?:an)?)\b",
    re.IGNORECASE,
)
"""With room on both sides only a word with a prefix goes on: `Batik – Batik Tulis` is a kind and a name."""
_PASSIVE = re.compile(r"di[a-z]{4,}")


def with_whole_words(text: str) -> str:
    """`Megoak-Goakan` of `Megoak – Goakan`: a word said twice is one, whatever stands round its hyphen."""
    if "–" not in text and " -" not in text and "- " not in text:
        return text
    return _TWICE.sub(lambda found: f"{found['first'] or found['one']}-{found['last'] or found['again']}", text)


def is_numbered(heading: str) -> bool:
    return _NUMBERING.match(heading) is not None


def is_listing(title: str) -> bool:
    return _LISTING_TITLE.search(title) is not None


def without_listing_words(title: str) -> str:
    """What a list says its members are: `tarian Bali` of `10 macam tarian Bali`."""
    return _LISTING_WORDS.sub("", title)


@lru_cache(maxsize=1024)
def title_lead(title: str) -> int:
    """Where the name may begin, after numbers and words such as `mengenal`; of one heading it is asked several times."""
    symbols = _SYMBOLS.match(title.lstrip())
    drawn = len(title) - len(title.lstrip()) + symbols.end() if symbols else 0
    numbering = _NUMBERING.match(title[drawn:])
    start = drawn + (numbering.end() if numbering else 0)
    lead = _TITLE_LEAD.match(title[start:])
    return start + (lead.end() if lead else 0)


def title_end(title: str) -> int:
    """Where words such as `beserta maknanya` begin, which say what else the text tells."""
    more = _AND_MORE.search(title)
    return more.start() if more else len(title)


def clean_title(title: str) -> str:
    """The name a title begins with."""
    bare = with_whole_words(title[title_lead(title) :])
    short = _OTHER_NAME.split(_TITLE_TAIL.sub("", bare), maxsplit=1)[0].strip(" \"'“”`*.")
    return short or bare


def is_headline(title: str, wording: Wording) -> bool:
    """Whether a title says what happened: a passive verb or a word of news after its first word."""
    words = title.casefold().split()[1:]
    if wording.headline.search(" ".join(words)):
        return True
    return wording.language == "ind" and any(_PASSIVE.fullmatch(word) and stem(word) != word for word in words)
