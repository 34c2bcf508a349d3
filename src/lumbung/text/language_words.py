"""Words that tell neighbouring languages apart where the model is unsure: the second witness.

The model learned Indonesian from messages and manuals; in prose about culture it takes Indonesian sentences for
Minangkabau or Musi, whose words they share. A sentence whose every word is in the dictionary is Indonesian.
"""

from __future__ import annotations

import re
from functools import lru_cache
from importlib.resources import files

from lumbung.text.ngrams import plain_text
from lumbung.text.stemming import root_words

NAMES = re.compile(r"(?<=[^\W_] )[A-Z][^\W_]*(?:[-'’][^\W_]+)*(?: [A-Z][^\W_]*(?:[-'’][^\W_]+)*)*")
_WORDS_LOOKED_AT = 60
_SHORTEST_ROOT = 3
_ENCLITIC = re.compile(r"(?:nya|lah|kah|pun)$")
_SUFFIX = re.compile(r"(?:kan|an|i)$")
_PREFIXES = (
    *("memper", "diper", "pember", "keber", "meny", "meng", "peny", "peng", "mem", "men", "pem", "pen", "per"),
    *("ter", "ber", "di", "me", "pe", "be", "se", "ke"),
)
_LOST = ("", "t", "k", "s", "p")
"""Letters with which a root may begin that a nasal prefix took."""
_GRAMMAR = frozenset(
    {
        *("yang", "dan", "dari", "di", "ke", "pada", "dengan", "untuk", "oleh", "dalam", "ini", "itu", "adalah"),
        *("merupakan", "sebagai", "tidak", "atau", "juga", "serta", "karena", "akan", "telah", "sudah", "dapat"),
        *("bisa", "ada", "para", "secara", "antara", "tersebut", "mereka", "kami", "kita", "saya", "ia", "dia"),
        *("bagi", "saat", "hingga", "sampai", "namun", "tetapi", "jika", "apabila", "ketika", "maupun"),
    }
)


_BETAWI = re.compile(
    r"\b(?:kagak|kaga|ntu|entu|enih|aye|ame|ampe|udeh|ude|kite|juge|beberape|nyok|gimane|kenape|dimane|siape|ternyate|"
    r"apelagi|bejibun|aje|(?!oranye\b)[a-z]{3,}nye)\b"
)
"""Words that no Indonesian writes: forms in -e of what ends in -a there, and Betawi's own."""


def has_betawi_words(text: str) -> bool:
    """Whether a sentence that is Indonesian otherwise has a word of Betawi."""
    return _BETAWI.search(text) is not None


_ENDINGS_OF_ONE = (r"[a-z]{3,}itas", r"[a-z]{4,}(?:aliti|titi|viti|uniti|rsiti)")
"""Of words that both took from Dutch or English."""
_CLEARLY_MORE = 3


@lru_cache(maxsize=1)
def _words_of_one() -> tuple[re.Pattern[str], re.Pattern[str]]:
    """What only Indonesian writes, and what only Malay."""
    table = files("lumbung.text.tables").joinpath("indonesian-malay.txt").read_text("utf-8")
    rows = [line.partition("=") for line in table.splitlines() if line and not line.startswith("#")]
    sides = [" ".join(row[side] for row in rows).split() for side in (0, 2)]
    return _pattern(sides[0], _ENDINGS_OF_ONE[0]), _pattern(sides[1], _ENDINGS_OF_ONE[1])


def _pattern(words: list[str], ending: str) -> re.Pattern[str]:
    listed = "|".join(re.escape(word).replace("_", " ") for word in words)
    return re.compile(rf"(?<![\w-])(?:{listed}|{ending})(?:nya|lah|kah|pun)?(?![\w-])")


def of_the_pair(text: str) -> str | None:
    """Indonesian or Malay, where words that only one of them writes stand in the text and hardly any of the other's."""
    lowered = text.lower()
    indonesian, malay = (len(set(pattern.findall(lowered))) for pattern in _words_of_one())
    if malay > _CLEARLY_MORE * indonesian:
        return "zsm"
    return "ind" if indonesian > _CLEARLY_MORE * malay else None


_NEIGHBOURS = {
    "por": (
        "el los las del y una unas con en son es pero también más muy hay su sus al lo fue desde",
        "o os um uma do dos da das em com não são é seu sua ao à pelo pela mais também foi",
    ),
    "fra": (
        "el els del dels al als amb i per és va van una aquest aquesta són seu seva més ha han la",
        "le les du des au aux avec et par qui est une ce cette sont son sa dans en sur pour pas à ne il elle la l d",
    ),
    "nld": (
        "'n nie hy vir sy ons was het wat word sal kan is deur uit oor hulle ook as jy hierdie daar",
        "een niet hij voor zijn ons was heeft wat wordt zal kan is door uit over zij ook als jij deze dit het er met",
    ),
    "ara": (
        "در از است که كه را این اين با شد می مي های هاي بود برای براي آن خود شده",
        "في من على إلى الى عن أن ان التي الذي هذا هذه مع كان و ما لا",
    ),
}
"""Little words of a neighbour that the model has not (Spanish, Catalan, Afrikaans, Persian), and of the language it takes it for."""


def reads_as_neighbour(text: str, language: str) -> bool:
    """Whether little words of the neighbour outnumber those of the language itself."""
    if language not in _NEIGHBOURS:
        return False
    words = plain_text(text).split()[:_WORDS_LOOKED_AT]
    neighbour, own = (sum(word in little.split() for word in words) for little in _NEIGHBOURS[language])
    return neighbour > own


_PERSIAN = "\u067e\u0698\u06a9\u06af\u06cc"
_PERSIAN_SHARE = 0.02


def has_persian_letters(text: str) -> bool:
    """Whether letters that Arabic has not are too many for a foreign name."""
    return sum(map(text.count, _PERSIAN)) > _PERSIAN_SHARE * len(text)


def known_share(text: str) -> tuple[float, int]:
    """The share of words that are Indonesian, and of how many; names within sentences do not count."""
    words = plain_text(NAMES.sub(" ", text)).split()[:_WORDS_LOOKED_AT]
    if words and not is_known(words[0]):
        words = words[1:]  # a name may open the text as well
    return (sum(map(is_known, words)) / len(words) if words else 0.0), len(words)


@lru_cache(maxsize=16_384)
def is_known(word: str) -> bool:
    """Whether the dictionary has the word, or a root of it."""
    roots = root_words()
    if word in _GRAMMAR or word in roots:
        return True
    bare = _ENCLITIC.sub("", word)
    return any(form in roots or _has_root(form, roots) for form in (word, bare, _SUFFIX.sub("", bare)))


def _has_root(form: str, roots: frozenset[str]) -> bool:
    for prefix in _PREFIXES:
        rest = form.removeprefix(prefix)
        if rest != form and len(rest) >= _SHORTEST_ROOT and any(letter + rest in roots for letter in _LOST):
            return True
    return False
