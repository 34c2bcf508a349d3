"""Words that tell neighbouring languages apart where the model is unsure: the second witness.

The model learned Indonesian from messages and manuals; in prose about culture it takes Indonesian sentences for
Minangkabau or Musi, whose words they share. A sentence whose every word is in the dictionary is Indonesian.
"""

from __future__ import annotations

import re
from functools import lru_cache

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


_MALAY = re.compile(
    r"\b(?:muzik\w*|kerana|bahawa|iaitu|sahaja|berbeza|perbezaan|beza|[a-z]{4,}(?:aliti|titi|viti|uniti|rsiti)|diperbuat|"
    r"(?:dikenali|dipanggil|diiktiraf) sebagai|ianya|jiran(?:-jiran)?|kuih(?:-muih)?|resipi|resepi|halia|halba|moden|inggeris|"
    r"eropah|sepanyol|ogos|julai|peratus|televisyen|polis|mesyuarat|ditubuhkan|penubuhan|lagenda|hendaklah|tetamu|"
    r"daripada (?:buluh|kayu|tepung|beras|pelbagai))\b"
)
_INDONESIAN = re.compile(
    r"\b(?:musik\w*|karena|bahwa|berbeda|perbedaan|beda|[a-z]{3,}itas|terbuat|bisa|gampang|mobil|kantor|uang|kue|"
    r"kabupaten|provinsi|kecamatan|kelurahan|istri|resep|jahe|modern|inggris|eropa|spanyol|agustus|juli|persen|"
    r"televisi|didirikan|tionghoa|tiongkok|laki-laki|(?:dikenal|disebut) (?:sebagai|dengan)|yaitu)\b"
)
"""Words and spellings that only one of the two standards of Malay writes."""


def of_the_pair(text: str) -> str | None:
    """Indonesian or Malay, where words that only one of them writes stand in the text and none of the other's."""
    lowered = text.lower()
    malay, indonesian = _MALAY.search(lowered), _INDONESIAN.search(lowered)
    if (malay is None) == (indonesian is None):
        return None
    return "zsm" if malay else "ind"


_SPANISH = frozenset(
    {
        *("el", "los", "las", "del", "y", "una", "unas", "con", "en", "son", "es", "pero", "también", "más", "muy"),
        *("hay", "su", "sus", "al", "lo", "fue", "desde"),
    }
)
_PORTUGUESE = frozenset(
    {
        *("o", "os", "um", "uma", "do", "dos", "da", "das", "em", "com", "não", "são", "é", "seu", "sua", "ao", "à"),
        *("pelo", "pela", "mais", "também", "foi"),
    }
)


def reads_as_spanish(text: str) -> bool:
    """Whether little words of Spanish outnumber those of Portuguese, its neighbour that the model knows."""
    words = plain_text(text).split()[:_WORDS_LOOKED_AT]
    spanish, portuguese = sum(word in _SPANISH for word in words), sum(word in _PORTUGUESE for word in words)
    return spanish > portuguese


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
