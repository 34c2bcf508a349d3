"""Canonical names: one key for the spellings of one name, other keys for other things.

The key has no spaces. Aksara does not divide words, so a name in it can only meet its Latin form that way, and names
that people write together or apart (*ondel-ondel*, *ondel ondel*, *ondel2*) meet as well.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from lumbung.text.aksara import AKSARA
from lumbung.text.quantity import read_roman, written_out
from lumbung.text.script import script_of, transliterate
from lumbung.text.spelling import modernise
from lumbung.text.tables import word_lines

if TYPE_CHECKING:
    from collections.abc import Iterable


@dataclass(frozen=True, slots=True)
class CanonicalName:
    """`latin` keeps the source's spelling, `canonical` is for reading, `key` for comparing."""

    latin: str
    canonical: str
    key: str
    script: str


_LOOKALIKES = str.maketrans("АВЕЗІЈКМНОРСТУХаеіјорсухѕΑΒΕΖΗΙΚΜΝΟΡΤΥΧο", "ABE3IJKMHOPCTYXaeijopcyxsABEZHIKMNOPTYXo")
_QUOTES = dict.fromkeys(map(ord, "’‘ʼʻʾʿˀ`´′‛＇ꞌ"), "'")
_DASHES = dict.fromkeys(map(ord, "‐‑‒–—―−﹣－_"), "-")
_SPECIAL_LETTERS = str.maketrans(
    {"ñ": "ny", "Ñ": "Ny", "ŋ": "ng", "Ŋ": "Ng", "ṅ": "ng", "ṇ": "n", "ø": "o", "Ø": "O", "ð": "d",
     "ł": "l", "đ": "d", "Đ": "D", "æ": "ae", "œ": "oe", "ß": "ss", "ı": "i", "ṛ": "re", "Ṛ": "Re", "ə": "e", "Ə": "E"}
)  # fmt: skip
_OPENING = {")": "(", "]": "[", "}": "{"}
_LONGEST_REMEMBERED = 300
_LONGEST_WORD = 60
_LONGEST_SPOKEN_FIGURE = 2
_REPEATED_BY_FIGURE = re.compile(r"(?<![^\W_])((?:[^\W\d_]){3,})2((?:an|nya|kan|i)?)(?![^\W_])")
_REPEATED_APART = re.compile(r"(?<![\w'-])([^\W\d_]{2,})(?:\s+|\s*-\s*)(\1)(?![\w'-])", re.IGNORECASE)
_SIBILANT = re.compile(r"\b[çÇ]")  # Çiwa, Çaka in old Dutch writing; elsewhere ç is a c
_QUOTATION = re.compile(r"[\"“”„«»‹›*]")
_EDGES = " .,;:!?-/\\|·•…"
_ROMAN = re.compile(r"\b(?=[IVX]{2})X{0,3}(?:IX|IV|V?I{0,3})\b")
"""From II to XXXIX, in capitals; a single letter is no number."""
_SPACES = re.compile(r"\s+")
_WORD = re.compile(r"[^\W_]+")


def clean(name: str) -> str:
    """One form of the characters: compatibility forms, hidden characters, look-alikes, quotes, dashes, spaces."""
    if not name.isascii():
        name = "".join(c for c in name if unicodedata.category(c) not in {"Cf", "Cs", "Co", "Cn"})
        name = unicodedata.normalize("NFKC", re.sub("[\ufe00-\ufe0f]", "", name))
        name = name.translate(_QUOTES).translate(_DASHES)
        name = _WORD.sub(lambda match: _without_lookalikes(match.group()), name)
    else:
        name = name.replace("_", " ").replace("`", "'")
    name = "".join(c if c >= " " and c != "\x7f" else " " for c in name)
    return _SPACES.sub(" ", name).strip()


def _without_lookalikes(word: str) -> str:
    """Greek and Cyrillic letters that only look Latin, in a word that has Latin letters too."""
    if word.isascii() or not any("a" <= c <= "z" or "A" <= c <= "Z" for c in word):
        return word
    return word.translate(_LOOKALIKES)


def strip_diacritics(text: str) -> str:
    if text.isascii():
        return text
    text = _SIBILANT.sub(lambda match: "S" if match.group() == "Ç" else "s", text)
    decomposed = unicodedata.normalize("NFD", text.translate(_SPECIAL_LETTERS))
    kept = "".join(c for c in decomposed if not ("\u0300" <= c <= "\u036f" or "\u1dc4" <= c <= "\u1dff"))
    return unicodedata.normalize("NFC", kept)


def _without_remarks(name: str) -> str:
    """Drops what stands in brackets, unless nothing else stands in the name; a lone bracket is a sign like others."""
    if not _OPENING.keys() & set(name):
        return name
    kept = list(name)
    open_at: list[int] = []
    for place, sign in enumerate(name):
        if sign in _OPENING.values():
            open_at.append(place)
        elif sign in _OPENING and open_at and name[open_at[-1]] == _OPENING[sign]:
            start = open_at.pop()
            if not open_at:
                kept[start : place + 1] = [" "] * (place + 1 - start)
    shorter = _SPACES.sub(" ", "".join(kept)).strip(_EDGES)
    return shorter if any(map(str.isalnum, shorter)) else name


def _readable(latin: str) -> str:
    text = _without_remarks(_QUOTATION.sub(" ", latin)).strip(_EDGES) or latin
    if text.startswith("'") and any(map(str.isalnum, text)):  # a mark at the end may be a glottal stop: Rambu Solo'
        text = text.strip("'").strip(_EDGES)
    text = _REPEATED_BY_FIGURE.sub(r"\1-\1\2", text)
    text = strip_diacritics(modernise(text))
    if text.isupper() and sum(map(str.isalpha, text)) > 4:
        text = text.title().replace("'S", "'s")
    text = _REPEATED_APART.sub(r"\1-\2", text)
    return _SPACES.sub(" ", text).strip()


def canonical_name(name: str) -> CanonicalName:
    """Any text in; a name without letters or figures keeps its signs as key, so that nothing merges by emptiness."""
    return _remembered(name) if len(name) <= _LONGEST_REMEMBERED else _canonical_name(name)


@lru_cache(maxsize=8_192)
def _remembered(name: str) -> CanonicalName:
    return _canonical_name(name)


def _canonical_name(name: str) -> CanonicalName:
    latin = clean(transliterate(name))
    canonical = latin
    for _ in range(4):  # each step may open another; in practice the second changes nothing
        again = _readable(canonical)
        if again == canonical:
            break
        canonical = again
    script = script_of(name)
    return CanonicalName(latin, canonical, _key(canonical), script if script in AKSARA else script_of(latin))


def name_key(name: str) -> str:
    return canonical_name(name).key


def _key(canonical: str) -> str:
    figures = _ROMAN.sub(lambda found: str(read_roman(found.group().casefold())), canonical)
    words = _WORD.findall(strip_diacritics(figures).casefold().replace("'", "").replace("&", " dan "))
    # Folded once more where words meet, so that a name written together has the key of one written apart.
    return _fold("".join(_word_key(word) for word in words)) or _SPACES.sub("", canonical)


def _word_key(word: str) -> str:
    if len(word) > _LONGEST_WORD:
        return word
    if word.isdecimal() and len(word) <= _LONGEST_SPOKEN_FIGURE:  # Serampang 12, Serampang Dua Belas
        word = written_out(int(word))
    variants = _variants()
    if word in variants:
        return variants[word]
    folded = fold_word(word)
    return variants.get(folded, folded)


_DOUBLED = re.compile(r"([bcdfhjklmnpqrstvwxyz])\1+|(?<!n)(g)g+")
# Differences of writing, not of name, in order; what each of them joins is said beside it.
_FOLDS: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile("oe"), "u"),
    (re.compile("([dtbgp])h"), r"\1"),  # bedhaya, gathotkaca, bhineka, phinisi
    (re.compile("s[yj]"), "s"),  # syair
    (re.compile("dj"), "j"),
    (re.compile("oo"), "o"),  # Sam Poo Kong
    (re.compile("tj|ch"), "c"),
    (re.compile("v"), "w"),  # Srivijaya
    (re.compile("q"), "k"),
    (re.compile("x"), "ks"),
    (_DOUBLED, r"\1\2"),  # Makassar, Makasar
    (re.compile("n(?=k)"), "ng"),  # Banka, anklung
    (re.compile("(?<=[bcdfgjkmpst])e(?=[rl][aeiou])"), ""),  # kraton, keraton; klepon, kelepon
    (re.compile("(?<=[ie])y(?=[aou])"), ""),  # reyog, kiyai
    (re.compile("(?<=[bcdfghjklmprtwz])y(?=[aeou])"), "i"),  # kyai, surya
    (re.compile("(?<=u)w(?=[aeio])|(?<=o)w(?=[aei])"), ""),  # buwana, Talang Tuwo
    (re.compile("(?<=[sk])w(?=[aeio])"), "u"),  # swara
)
_FINALS = {"d": "t", "b": "p", "g": "k"}  # joged, joget; bedug, beduk
_KEPT = frozenset({"babad", "tajug"})  # a chronicle, a prayer house; *babat* is tripe, *tajuk* a crown
_SPOKEN_O = re.compile("(?:(?<=[bcdfghjklmnpqrstvwxyz])o[bcdfghjklmnpqrstvwxyz])*o$")
_SYLLABLE = re.compile("[aeiou]")


def _fold(text: str) -> str:
    for pattern, plain_form in _FOLDS:
        text = pattern.sub(plain_form, text)
    return text


@lru_cache(maxsize=8_192)
def fold_word(word: str) -> str:
    """One written form for the ways of writing a word; not for reading."""
    if not word.isascii() or word in _KEPT:
        return word
    word = _fold(word)
    if len(word) > 2 and word[-1] == "y" and word[-2] in "aou":
        word = word[:-1] + "i"  # Baduy, Badui; the diphthong has one sound
    if len(word) > 2 and word[-1] in _FINALS and not word.endswith("ng"):
        word = word[:-1] + _FINALS[word[-1]]
    if word.endswith("o") and len(_SYLLABLE.findall(word)) >= 3 and not _is_doubled(word):
        # Javanese a is spoken o at the end (Panaraga, Ponorogo); shorter words are listed: a moko is no *maka*.
        word = _SPOKEN_O.sub(lambda match: match.group().replace("o", "a"), word)
    return word


def _is_doubled(word: str) -> bool:
    """*gadogado* is *gado-gado* written together, and each half is a short word."""
    half = len(word) // 2
    return word[:half] == word[half:]


@lru_cache(maxsize=1)
def _variants() -> dict[str, str]:
    heads: dict[str, str] = {}
    for head, *others in word_lines("variants.txt"):
        key = fold_word(head)
        for word in (head, *others):
            folded = fold_word(word)
            heads[word] = heads[modernise(word)] = key
            if folded[-1] == word[-1]:  # *mulud* is Maulid, but its folded form is also that of *mulut*, mouth
                heads[folded] = key
    return heads


@lru_cache(maxsize=1_000)
def _folded_phrases(phrases: tuple[str, ...]) -> frozenset[tuple[str, ...]]:
    folded = (tuple(fold_word(part) for part in _WORD.findall(phrase.casefold())) for phrase in phrases)
    return frozenset(phrase for phrase in folded if phrase)


def undivided(words: Iterable[str]) -> str:
    """The key of words that may be one: *Rojo Lele*, *Rojolele*. Read apart each might be another's variant."""
    return fold_word("".join(_WORD.findall(strip_diacritics("".join(words)).casefold().replace("'", ""))))


def strip_generic(name: str, generic_words: Iterable[str]) -> str:
    """The canonical name without generic words at either end (*Tari Piring*: *Piring*), unless that is all of it."""
    generic = _folded_phrases(tuple(generic_words))
    words = canonical_name(name).canonical.split()
    folded = [fold_word("".join(_WORD.findall(word.casefold()))) for word in words]
    sizes = sorted({len(phrase) for phrase in generic}, reverse=True)
    start, end = 0, len(words)
    changed = True
    while changed:
        changed = False
        for size in sizes:
            if end - start > size and tuple(folded[start : start + size]) in generic:
                start, changed = start + size, True
            elif end - start > size and tuple(folded[end - size : end]) in generic:
                end, changed = end - size, True
    return " ".join(words[start:end])
