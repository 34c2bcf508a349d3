"""Which language a text is in (ISO 639-3), as far as its letters tell; `und` rather than a wild guess.

Codes are of individual languages (`zsm` Standard Malay beside `ind`), except where writing does not tell the members of
a macrolanguage apart: `zho` Chinese and `ara` Arabic. How the weights were learned: docs/reference/language-model.md.
"""

from __future__ import annotations

import io
import re
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from operator import itemgetter
from typing import TYPE_CHECKING

from lumbung.text.script import script_of, transliterate

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

UNDETERMINED = "und"
_LEAST_CONFIDENCE = 0.4
_LEAST_KNOWN = 0.35
_WINDOW = 2000
_ENOUGH_WORDS = 4
_SURE = 0.6
_CODE = re.compile(r"[{}=\\|]|\w\(|;\s*$|</?\w+[^>]*>", re.MULTILINE)
_FEWEST_CODE_SIGNS = 2
_CODE_SHARE = 0.12
_LEAST_OF_SHORT = ((2, 0.93), (3, 0.8))
"""Names and titles of so few words belong to many languages: a language is named only if it is this sure."""
_LEAST_OF_NAMES = 0.8
"""The same holds for a list of names, however long: no word of it begins with a small letter."""
_LOOKALIKES = {
    "min": 0.9,
    "bew": 0.75,
    **dict.fromkeys(("mui", "bjn", "ace", "nij", "btm", "bbc", "ljp", UNDETERMINED), 0.8),
}
"""Languages that Indonesian prose is taken for, and how sure an answer must be to need no second witness."""
_KNOWN_OF_LOOKALIKE = 0.9
_KNOWN_OF_UNDETERMINED = 0.84
_KNOWN_OF_DEFINITION = 0.6
_COPULAS = frozenset({"adalah", "merupakan", "berasal"})
_WITHOUT_COPULAS = {"min": 0.97, "bew": 0.75, "bjn": 0.8, "mui": 0.7, UNDETERMINED: 1.0}
"""Minangkabau says *adolah*, the others hardly use such words: a definition full of names is Indonesian all the same,
unless the answer is as sure as this."""
_WORDS_OF_DEFINITION = 3
_BY_ONE_WORD = 0.6
_MODEL = "language.npz"
_PAIR = ("ind", "zsm")

# Languages a script is used for; None: any that is written in Latin letters.
_LATIN: frozenset[str] | None = None
_CANDIDATES: dict[str, frozenset[str]] = {
    "Arab": frozenset({"ara", "zsm", UNDETERMINED}),
    "Bugi": frozenset({"bug", "mak"}),
}
_BY_SCRIPT = {"Java": "jav", "Bali": "ban", "Sund": "sun", "Jpan": "jpn", "Rjng": "rej", "Maka": "mak"}
_SCRIPT_ALONE = 0.9
# Letters for Javanese sounds that Malay does not have, and little words of both (kang, ing, lan; yang, dan, dengan).
_PEGON_LETTERS = "\u068e\u069f"
_PEGON_WORDS = frozenset(
    ["كڠ", "ايڠ", "اڠ", "لن", "سكيڠ", "ساكيڠ", "اڠكڠ", "ايڠكڠ", "مريڠ", "اورا", "ايكو", "ايكي", "سيرا", "ديني", "كدوي"]
)
_JAWI_WORDS = frozenset(
    ["يڠ", "دان", "دڠن", "ايت", "اين", "كڤد", "اداله", "دري", "تيدق", "اونتوق", "دالم", "اوله", "سبواه", "مريک", "كيت"]
)
_ARABIC_WORD = re.compile(r"[\u0620-\u064a\u066e-\u06d3\u0750-\u077f\u08a0-\u08c7]+")
_VOWEL_SIGNS = re.compile(r"[\u064b-\u065f\u0670]")
_FEWEST_PEGON = 2
_BY_LETTERS = 0.8
# Forms of Han characters that only Japanese writes.
_JAPANESE_FORMS = frozenset("々〆込働峠畑辻塀匂枠栃榊搾腺駅円図広沢気売読単価伝転県黒歳渋竜撮")
# Letters that only one Batak language has; the others are shared, and Toba is by far the most written.
_BATAK_LETTERS = {"btx": "ᯆᯭᯫᯣᯢ", "btd": "ᯍᯨ", "bts": "ᯁᯃᯈᯌᯏᯓᯕᯙᯜᯟᯯ", "btm": "ᯄᯊᯚ"}


@dataclass(frozen=True, slots=True)
class Identified:
    """`confidence` is a calibrated probability; it is 0 when no language is named."""

    language: str
    script: str
    confidence: float


@dataclass(frozen=True, slots=True)
class _Model:
    languages: tuple[str, ...]
    buckets: NDArray[np.uint32]
    weights: NDArray[np.int8]
    scale: NDArray[np.float32]
    intercept: NDArray[np.float32]
    pair_words: NDArray[np.uint32]
    pair_ratios: NDArray[np.int8]
    sharpness: tuple[float, float]


@lru_cache(maxsize=1)
def _model() -> _Model:
    import numpy as np

    packed = files("lumbung.text.models").joinpath(_MODEL).read_bytes()
    with np.load(io.BytesIO(packed), allow_pickle=False) as table:
        return _Model(
            languages=tuple(str(name) for name in table["languages"]),
            buckets=table["buckets"],
            weights=table["weights"],
            scale=table["scale"],
            intercept=table["intercept"],
            pair_words=table["pair_words"],
            pair_ratios=table["pair_ratios"],
            sharpness=(float(table["sharpness"][0]), float(table["sharpness"][1])),
        )


def languages() -> tuple[str, ...]:
    """Every code that `identify` can answer."""
    known = {*_model().languages, *_BY_SCRIPT.values(), *_BATAK_LETTERS, "zho"}
    return tuple(sorted(known))


def identify(text: str) -> Identified:
    """Language and script of any text; a long one is judged by its beginning, middle and end."""
    text = _excerpt(text)
    script = script_of(text)
    language, confidence = _language(text, script)
    return Identified(language, script, round(confidence, 4))


def _excerpt(text: str) -> str:
    if len(text) <= 3 * _WINDOW:
        return text
    middle = (len(text) - _WINDOW) // 2
    return f"{text[:_WINDOW]} {text[middle : middle + _WINDOW]} {text[-_WINDOW:]}"


def _language(text: str, script: str) -> tuple[str, float]:
    if script in _BY_SCRIPT:
        return _BY_SCRIPT[script], _SCRIPT_ALONE
    if script == "Hani":
        return ("jpn" if not _JAPANESE_FORMS.isdisjoint(text) else "zho"), _SCRIPT_ALONE
    if script == "Batk":
        return _batak(text), _SCRIPT_ALONE
    if script == "Bugi":
        return _most_probable(transliterate(text), _CANDIDATES[script])
    if script == "Arab":
        return _arabic(text)
    return _latin(text) if script == "Latn" and not _is_code(text) else (UNDETERMINED, 0.0)


def _arabic(text: str) -> tuple[str, float]:
    from lumbung.text.language_words import has_persian_letters

    if _is_pegon(text):
        return "jav", _BY_LETTERS
    read = _most_probable(text, _CANDIDATES["Arab"])
    foreign = read[0] == "ara" and has_persian_letters(text)
    return (UNDETERMINED, 0.0) if foreign else _not_a_neighbour(text, read)


def _is_pegon(text: str) -> bool:
    """Whether Arabic letters write Javanese: it has two letters of its own and little words that Malay has not."""
    words = _ARABIC_WORD.findall(_VOWEL_SIGNS.sub("", text))
    pegon = sum(word in _PEGON_WORDS for word in words) + sum(map(text.count, _PEGON_LETTERS))
    return pegon >= _FEWEST_PEGON and pegon > sum(word in _JAWI_WORDS for word in words)


def _latin(text: str) -> tuple[str, float]:
    text = text.lower() if text.isupper() else text
    read = _most_probable(text, _LATIN)
    if read[1] < _SURE:
        read = max(read, _most_probable(_without_names(text), _LATIN), key=itemgetter(1))
    defines = read[1] < _WITHOUT_COPULAS.get(read[0], 0.0) and not _COPULAS.isdisjoint(text.lower().split())
    if defines or read[1] < _LOOKALIKES.get(read[0], 0.0):
        read = _by_dictionary(text, read, defines=defines)
    if read[0] in _PAIR:
        read = _by_words_of_one(text, read)
    if read[0] == "ind" or (read[0] == "mui" and read[1] < _LOOKALIKES["mui"]):
        read = _betawi(text, read)
    read = _not_a_neighbour(text, read)
    return read if read[1] >= _least_confidence(text) else (UNDETERMINED, 0.0)


def _least_confidence(text: str) -> float:
    words = text.split()
    of_names = 0.0 if any(word[0].islower() for word in words) else _LEAST_OF_NAMES
    return next((share for most, share in _LEAST_OF_SHORT if len(words) <= most), of_names)


def _by_words_of_one(text: str, read: tuple[str, float]) -> tuple[str, float]:
    """Indonesian and Malay share most words; one that only the other writes tells."""
    from lumbung.text.language_words import of_the_pair

    told = of_the_pair(text)
    if told is None or told == read[0]:
        return (read[0], max(read[1], _BY_ONE_WORD)) if told else read
    return told, _BY_ONE_WORD


def _betawi(text: str, read: tuple[str, float]) -> tuple[str, float]:
    """Betawi shares most words with Indonesian; one that it does not share tells it."""
    from lumbung.text.language_words import has_betawi_words

    return ("bew", _BY_ONE_WORD) if has_betawi_words(text) else read


def _not_a_neighbour(text: str, read: tuple[str, float]) -> tuple[str, float]:
    from lumbung.text.language_words import reads_as_neighbour

    return (UNDETERMINED, 0.0) if reads_as_neighbour(text, read[0]) else read


def _by_dictionary(text: str, read: tuple[str, float], *, defines: bool) -> tuple[str, float]:
    """Indonesian instead of a language that shares its words, if the dictionary has (nearly) all words of the text."""
    from lumbung.text.language_words import known_share

    share, words = known_share(text)
    least = _KNOWN_OF_UNDETERMINED if read[0] == UNDETERMINED else _KNOWN_OF_LOOKALIKE
    if defines:
        least = _KNOWN_OF_DEFINITION
    if words < (_WORDS_OF_DEFINITION if defines else _ENOUGH_WORDS) or share < least:
        return read
    return "ind", max(_LEAST_CONFIDENCE, round(share - read[1] / 2, 4))


def _is_code(text: str) -> bool:
    """Whether signs of programs stand among the words as no prose has them."""
    signs = len(_CODE.findall(text))
    return signs >= _FEWEST_CODE_SIGNS and signs >= _CODE_SHARE * len(text.split())


def _without_names(text: str) -> str:
    """For doubtful cases: a name within a sentence says where things are, not which language speaks of them."""
    from lumbung.text.language_words import NAMES

    rest = NAMES.sub(" ", text)
    return rest if len(rest.split()) >= _ENOUGH_WORDS else text


def _batak(text: str) -> str:
    counts = {code: sum(map(text.count, letters)) for code, letters in _BATAK_LETTERS.items()}
    likeliest = max(counts, key=lambda code: counts[code])
    return likeliest if counts[likeliest] else "bbc"


def _most_probable(text: str, candidates: frozenset[str] | None) -> tuple[str, float]:
    import numpy as np

    from lumbung.text.ngrams import plain_text

    plain = plain_text(text)
    scores = _scores(plain) if plain.strip() else None
    if scores is None:
        return UNDETERMINED, 0.0
    model = _model()
    a, b = model.sharpness
    scores = scores * (a + b * np.log1p(plain.count(" ") - 1))
    scores[_barred(candidates)] = -np.inf
    shares = np.exp(scores - scores.max())
    shares /= shares.sum()
    best = int(shares.argmax())
    if model.languages[best] == UNDETERMINED or shares[best] < _LEAST_CONFIDENCE:
        return UNDETERMINED, 0.0
    return model.languages[best], float(shares[best])


def _scores(plain: str) -> NDArray[np.float32] | None:
    """One score a language; None when too little of the text was ever seen in training."""
    import numpy as np

    from lumbung.text.ngrams import divide, features, weighted, word_ratio

    model = _model()
    distinct, weights = weighted(features(plain))
    places = np.minimum(np.searchsorted(model.buckets, distinct), len(model.buckets) - 1)
    known = model.buckets[places] == distinct
    strength = weights[known]
    if float(strength @ strength) < _LEAST_KNOWN:
        return None
    scores = (strength @ model.weights[places[known]].astype(np.float32)) * model.scale + model.intercept
    if model.languages[int(scores.argmax())] in _PAIR:
        first, second = (model.languages.index(language) for language in _PAIR)
        ratio = word_ratio(plain, model.pair_words, model.pair_ratios)
        scores[first], scores[second] = divide(float(scores[first]), float(scores[second]), ratio)
    return np.asarray(scores, dtype=np.float32)


@lru_cache(maxsize=8)
def _barred(candidates: frozenset[str] | None) -> NDArray[np.intp]:
    """Places of the languages that are not written in this script."""
    import numpy as np

    barred = [
        language == "ara" if candidates is None else language not in candidates for language in _model().languages
    ]
    return np.flatnonzero(barred)
