"""Scripts: which one a text is written in (ISO 15924), and aksara put into Latin letters."""

from __future__ import annotations

import unicodedata
from bisect import bisect_right
from collections import Counter
from functools import lru_cache
from itertools import groupby

from lumbung.text.aksara import AKSARA, latin_of

UNDETERMINED = "Zyyy"

_RANGES: tuple[tuple[int, int, str], ...] = (
    (0x0041, 0x005A, "Latn"), (0x0061, 0x007A, "Latn"), (0x00AA, 0x00AA, "Latn"), (0x00BA, 0x00BA, "Latn"),
    (0x00C0, 0x00D6, "Latn"), (0x00D8, 0x00F6, "Latn"), (0x00F8, 0x02B8, "Latn"), (0x0370, 0x03FF, "Grek"),
    (0x0400, 0x052F, "Cyrl"), (0x0531, 0x058F, "Armn"), (0x0591, 0x05F4, "Hebr"), (0x0600, 0x06FF, "Arab"),
    (0x0700, 0x074F, "Syrc"), (0x0750, 0x077F, "Arab"), (0x0780, 0x07BF, "Thaa"), (0x08A0, 0x08FF, "Arab"),
    (0x0900, 0x097F, "Deva"), (0x0980, 0x09FF, "Beng"), (0x0A00, 0x0A7F, "Guru"), (0x0A80, 0x0AFF, "Gujr"),
    (0x0B00, 0x0B7F, "Orya"), (0x0B80, 0x0BFF, "Taml"), (0x0C00, 0x0C7F, "Telu"), (0x0C80, 0x0CFF, "Knda"),
    (0x0D00, 0x0D7F, "Mlym"), (0x0D80, 0x0DFF, "Sinh"), (0x0E00, 0x0E7F, "Thai"), (0x0E80, 0x0EFF, "Laoo"),
    (0x0F00, 0x0FFF, "Tibt"), (0x1000, 0x109F, "Mymr"), (0x10A0, 0x10FF, "Geor"), (0x1100, 0x11FF, "Hang"),
    (0x1200, 0x139F, "Ethi"), (0x1700, 0x171F, "Tglg"), (0x1720, 0x173F, "Hano"), (0x1740, 0x175F, "Buhd"),
    (0x1780, 0x17FF, "Khmr"), (0x1800, 0x18AF, "Mong"), (0x1A00, 0x1A1F, "Bugi"), (0x1AA0, 0x1AAD, "Lana"),
    (0x1B00, 0x1B7F, "Bali"), (0x1B80, 0x1BBF, "Sund"), (0x1BC0, 0x1BFF, "Batk"), (0x1CC0, 0x1CCF, "Sund"),
    (0x1D00, 0x1DBF, "Latn"), (0x1E00, 0x1EFF, "Latn"), (0x1F00, 0x1FFF, "Grek"), (0x212A, 0x212B, "Latn"),
    (0x2C60, 0x2C7F, "Latn"), (0x3005, 0x3007, "Hani"), (0x3041, 0x309F, "Hira"), (0x30A1, 0x30FA, "Kana"),
    (0x30FC, 0x30FF, "Kana"), (0x3105, 0x312F, "Bopo"), (0x3131, 0x318E, "Hang"), (0x31F0, 0x31FF, "Kana"),
    (0x3400, 0x4DBF, "Hani"), (0x4E00, 0x9FFF, "Hani"), (0xA720, 0xA7FF, "Latn"), (0xA930, 0xA95F, "Rjng"),
    (0xA980, 0xA9DF, "Java"), (0xAB30, 0xAB6F, "Latn"), (0xAC00, 0xD7A3, "Hang"), (0xF900, 0xFAFF, "Hani"),
    (0xFB00, 0xFB06, "Latn"), (0xFB50, 0xFDFF, "Arab"), (0xFE70, 0xFEFC, "Arab"), (0xFF21, 0xFF3A, "Latn"),
    (0xFF41, 0xFF5A, "Latn"), (0xFF66, 0xFF9D, "Kana"), (0x11EE0, 0x11EFF, "Maka"), (0x11F00, 0x11F5F, "Kawi"),
    (0x20000, 0x3FFFF, "Hani"),
)  # fmt: skip
_STARTS = tuple(start for start, _, _ in _RANGES)


@lru_cache(maxsize=8192)
def script_of_character(character: str) -> str | None:
    """None for what every script shares: spaces, digits, punctuation, marks, symbols."""
    code = ord(character)
    start, end, script = _RANGES[bisect_right(_STARTS, code) - 1]
    return script if start <= code <= end else None


def script_counts(text: str) -> Counter[str]:
    """Letters of each script; a character is looked up once however often it occurs."""
    counts: Counter[str] = Counter()
    for character, times in Counter(text).items():
        script = script_of_character(character)
        if script is not None:
            counts[script] += times
    return counts


def script_of(text: str) -> str:
    """ISO 15924 code of the script most letters are in; `Zyyy` when there are no letters."""
    if text.isascii():
        return "Latn" if any(map(str.isalpha, text)) else UNDETERMINED
    counts = script_counts(text)
    kana = counts.pop("Hira", 0) + counts.pop("Kana", 0)
    if kana:
        # Japanese mixes kana with Han; a Chinese text may still cite a few kana.
        counts["Jpan"] = kana + (counts.pop("Hani", 0) if kana * 12 >= counts["Hani"] else 0)
    hangul = counts.pop("Hang", 0)
    if hangul:
        counts["Kore"] = hangul
    if counts.pop("Bopo", 0):
        counts["Hani"] += 1
    if not counts or not max(counts.values()):
        return UNDETERMINED
    return max(sorted(counts), key=lambda script: counts[script])


def transliterate(text: str) -> str:
    """Aksara to Latin, run by run; everything else stays as it is. Word spaces are never invented."""
    if text.isascii() or AKSARA.keys().isdisjoint(script_counts(text)):
        return text
    text = unicodedata.normalize("NFC", text)
    return "".join(latin_of("".join(run), script) if script in AKSARA else "".join(run) for script, run in _runs(text))


def _runs(text: str) -> list[tuple[str, list[str]]]:
    """Runs of one script; spaces, joiners and marks belong to the run before them."""
    labelled: list[tuple[str, str]] = []
    script = UNDETERMINED
    for character in text:
        script = script_of_character(character) or script
        labelled.append((script, character))
    return [(label, [c for _, c in run]) for label, run in groupby(labelled, key=lambda pair: pair[0])]
