"""Characters that nobody sees: removed, but for the joiners that some scripts cannot be written without."""

from __future__ import annotations

import re
import unicodedata

# Arabic and Syriac, the Indic and Southeast Asian blocks, Mongolian, and the aksara of the archipelago.
_JOINING = (
    "\u0600-\u08ff\u0900-\u0dff\u0f00-\u109f\u1780-\u18af\u1a00-\u1aaf\u1b00-\u1bff\ua840-\ua87f\ua8e0-\uaadf"
    "\uabc0-\uabff\ufb50-\ufdff\ufe70-\ufefe\U00011000-\U000118ff\U00011ee0-\U00011f5f"
)
ILLEGIBLE = "\ufffd"
"""Stands for what could not be read: no value is taken that has it."""
_JOINERS = "\u200c\u200d"
_UNSEEN = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\u3164\ufeff"
    "\uffa0\ufff9-\ufffb\U0001d173-\U0001d17a\U000e0000-\U000e0fff\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f]",
)
_IDLE_JOINER = re.compile(f"(?<![{_JOINING}{_JOINERS}])[{_JOINERS}]+(?![{_JOINING}])|(?<=[{_JOINERS}])[{_JOINERS}]+")
_SURROGATE = re.compile("[\ud800-\udfff]")
_BLANKS = re.compile(r"[^\S\n]+")
_LINE_ENDS = re.compile(r" ?\n[ \n]*")
_SQUEEZED = re.compile(f"[{_JOINERS}\u200b|]+")


def visible(text: str) -> str:
    """The text as a reader sees it, in NFC."""
    if text.isascii():
        return _UNSEEN.sub("", text)
    text = _SURROGATE.sub(ILLEGIBLE, text)
    text = _UNSEEN.sub("", text)
    if "\u200c" in text or "\u200d" in text:
        text = _IDLE_JOINER.sub("", text)
    return unicodedata.normalize("NFC", text)


def one_line(text: str) -> str:
    """Visible text with single blanks and no line ends."""
    plain = " ".join(text.split())
    if plain.isascii() and plain.isprintable():
        return plain
    return " ".join(visible(plain).split())


def tidy(text: str) -> str:
    """Visible text with single blanks; line ends that stand for breaks stay."""
    return _LINE_ENDS.sub("\n", _BLANKS.sub(" ", visible(text))).strip()


def squeezed(text: str) -> str:
    """Only what tells two texts apart: no blanks, no joiners, no bars between cells."""
    plain = "".join(text.split())
    if plain.isascii():
        return plain.replace("|", "") if "|" in plain else plain
    return _SQUEEZED.sub("", plain)
