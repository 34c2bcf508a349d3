"""Words of the archipelago as they are spoken: dialects and older spellings write one sound in several ways.

Unlike the folding of names these forms make no key. *Uwuh* and *uwoh* are one word, *batok* (a shell) and *batuk* (a
cough) are two: where the dictionary has both, the letters tell them apart after all.
"""

from __future__ import annotations

import re
from functools import lru_cache

from lumbung.text.names import fold_word
from lumbung.text.stemming import root_words

SHORTEST_SPOKEN = 3
_SHORTEST_OPEN = 5
_SHORTEST_INNER = 8
_SHORTEST_WITH_NASAL = 8
_VOWEL = re.compile("[aeiou]")
_SOUNDS = (
    (re.compile("(?<=[uo])w(?=[aeiou])"), ""),  # uwuh
    (re.compile("(?<=.)i[ae](?=[kh]$|ng$)"), "i"),  # Minangkabau itiak, putiah, balimbiang
    (re.compile("(?<=.)u[ao](?=[kh]$|ng$)"), "u"),  # Minangkabau kaluak, gaduang
    (re.compile("o(?=[^aeiou]+$)"), "u"),  # kampong, uwoh
    (re.compile("e(?=[^aeiou]+$)"), "i"),  # puteh, tarek
    (re.compile("o(?=[ae])"), "u"),  # moang
    (re.compile("e(?=[ao])"), "i"),
)
_DIALECTS = (
    (re.compile("^h(?=[aeiou].*[aeiou])"), ""),  # haruan, aruan
    (re.compile("eh$"), "as"),  # Minangkabau padeh
    (re.compile("ek$"), "at"),  # Minangkabau silek, katupek
    (re.compile("uik$"), "ut"),  # Minangkabau rumpuik
    (re.compile("e(?=[^aeiou]+$)"), "a"),  # pegel, pegal
    (re.compile("e(?=[^aeiou]+[aeiou])"), "a"),  # Banjar barandam
    (re.compile("(?<=[bcdfgjkmpst])a(?=[rl][aeiou][^aeiou]+[aeiou])"), ""),
)
_LOST = re.compile("(?<=[bcdfgjkmpst])a(?=[rl][aeiou])")
_NASAL = re.compile("n(?=[dtcj])|m(?=[bp])")  # Asmarandana, Asmaradana

SHORTEST_ROUGH = 4
_SHORTEST_ROUGH_FORM = 3
_ROUGH = (
    (re.compile("h"), ""),  # lempah, lempa
    (re.compile("(?<=[aeiou])k(?=[^aeiourly]|$)"), ""),  # the glottal stop: tasek, tase'
    (re.compile("ng(?=[^aeiou]|$)"), "n"),  # anging, angin
    (re.compile("[ao]u"), "o"),  # tauge, toge; nuwou, nuwo
    (re.compile("ai|eu"), "e"),
    (re.compile("(?<=.)ie$"), "i"),  # wadie, wadi
    (re.compile("o"), "u"),  # dohong, duhung
    (re.compile(r"(.)\1+"), r"\1"),
)
_PREFIX = re.compile("^(?:[bmp][aeou]|n(?=[djct]))(?=.{5})")  # bamadihin, madihin


@lru_cache(maxsize=8_192)
def spoken(word: str) -> tuple[str, str]:
    """The sounds of a folded word, by its spelling and by its dialect; for comparing only."""
    if len(word) < SHORTEST_SPOKEN or not (word.isascii() and word.isalpha()):
        return word, word
    elsewhere = word
    for pattern, sound in _DIALECTS if len(word) >= _SHORTEST_OPEN else ():
        elsewhere = pattern.sub(sound, elsewhere)
    return _sounds(word), elsewhere


def _sounds(word: str) -> str:
    word = word.replace("eu", "e")  # Acehnese meuseukat
    if word[-1] == "o" or (word[-1] == "a" and len(word) >= _SHORTEST_INNER):
        word = word.replace("o", "a") if len(word) >= _SHORTEST_OPEN else word  # Bandawasa, Bondowoso
    vowels = [found.start() for found in _VOWEL.finditer(word)]
    if len(vowels) > 2:  # before the last two syllables: malamang, melamang
        word = _LOST.sub("", word[: vowels[-2]].replace("e", "a") + word[vowels[-2] :])
    for pattern, sound in _SOUNDS:
        changed = pattern.sub(sound, word)
        word = changed if len(_VOWEL.findall(changed)) > 1 else word
    return _NASAL.sub("", word) if len(word) >= _SHORTEST_WITH_NASAL else word


@lru_cache(maxsize=8_192)
def rough(word: str) -> tuple[frozenset[str], frozenset[str]]:
    """What stays of a folded word under the sounds that hands and dialects differ by most; and without a verb's prefix.

    An e is written for two vowels, so each word has one form for either.
    """
    if len(word) < SHORTEST_ROUGH or not (word.isascii() and word.isalpha()):
        return frozenset(), frozenset()
    for pattern, sound in _ROUGH:
        word = pattern.sub(sound, word)
    return _either_vowel(word), _either_vowel(_PREFIX.sub("", word)) - _either_vowel(word)


def _either_vowel(word: str) -> frozenset[str]:
    forms = (re.sub(r"(.)\1+", r"\1", word.replace("e", vowel)) for vowel in "ia")
    return frozenset(vowel + form for vowel, form in zip("ia", forms, strict=True) if len(form) >= _SHORTEST_ROUGH_FORM)


@lru_cache(maxsize=8_192)
def roughly_alike(a: str, b: str) -> bool:
    """Whether two words may be one as hands and dialects write it; not where the dictionary has both."""
    (mine, my_stem), (others, their_stem) = rough(a), rough(b)
    alike = mine & others or mine & their_stem or my_stem & others
    return bool(alike) and not both_in_dictionary(a, b)


@lru_cache(maxsize=1)
def _folded_words() -> str:
    """As one text, a line each: a set of them would take ten times the room."""
    # Past its memory, which all these words would fill.
    folded = {fold_word.__wrapped__(word) for word in root_words() if word.isalpha()}
    return "\n".join(["", *sorted(folded), ""])


def _in_dictionary(word: str) -> bool:
    return word in root_words() or f"\n{word}\n" in _folded_words()


def both_in_dictionary(a: str, b: str) -> bool:
    return a != b and _in_dictionary(a) and _in_dictionary(b)


@lru_cache(maxsize=8_192)
def sounds_alike(a: str, b: str) -> bool:
    """Whether a law of sounds leads from one to the other, be they two words of the dictionary or not."""
    return any(mine == theirs for mine, theirs in zip(spoken(a), spoken(b), strict=True))


def spoken_alike(a: str, b: str) -> bool:
    return sounds_alike(a, b) and not both_in_dictionary(a, b)
