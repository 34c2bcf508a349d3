"""Paragraphs that talk to a machine instead of about culture: nothing is taken from them.

Grounding alone cannot tell: a page that dictates an answer also contains its words. This is a second line behind the
closed schema, so it is narrow on purpose; a tale of a servant who ignores his king's orders stays a tale.
"""

from __future__ import annotations

import re

ORDERS = re.compile(
    r"""
    \b(?:abaikan|lupakan|hiraukan|ignore|disregard|forget|override|bypass|negeer|vergeet|ignoriere|ignorez|oublie[zr]?|lalekna|poho'?keun)\b[^.!?\n]{0,80}
        \b(?:sebelum\w*|di\ atas|terdahulu|previous|prior|above|earlier|preceding|sistem|system|semua|seluruh|all|any|alle|eerdere|vorige|vorherigen|toutes|précédentes|kabeh|sadaya)\b
        [^.!?\n]{0,60}\b(?:instruksi|perintah|aturan|arahan|petunjuk|prompts?|instructions?|rules|guidelines|instructies|opdrachten|regels|anweisungen|prentah|paréntah)
    | \b(?:abaikan|lupakan|ignore|disregard|forget|negeer|vergeet)\b[^.!?\n]{0,40}
        \b(?:instruksi|perintah|aturan|arahan|petunjuk|prompts?|instructions?|instructies)\b[^.!?\n]{0,40}
        \b(?:sebelum\w*|di\ atas|terdahulu|previous|prior|above|earlier|sistem|system|hierboven)
    | \b(?:system\ prompt|prompt\ sistem|language\ models?|model\ bahasa|asisten\ ai|ai\ assistants?|llms?|chatgpt|to\ the\ ai|kepada\ ai|untuk\ ai)\b
        [^.!?\n]{0,100}\b(?:harus|wajib|must|should|jawab\w*|answer|output|respond|tulis\w*|catat\w*|publish|terbitkan|classify|set)\b
    | \{\s*["']?(?:items|facts|verdicts?|name|category|attribute|quote|publish|answer)["']?\s*:
    | \b(?:items?|facts?|name|category|attribute|value|quote|verdict|publish|confidence)\s*(?:=|:|->)\s*["'`“][^"'`”\n]{1,200}["'`”]
        [^\n]{0,40}?\b(?:items?|facts?|name|category|attribute|value|quote|verdict|publish|confidence)\s*(?:=|:|->)
    | <\|?/?(?:im_start|im_end|system|assistant|page-|about-|item-|records-|passages-|facts-)
    | \[/?INST\]
    """,
    re.IGNORECASE | re.VERBOSE,
)


class Orders:
    """The stretches of a text that are orders: whole paragraphs."""

    def __init__(self, text: str) -> None:
        spans: list[tuple[int, int]] = []
        for found in ORDERS.finditer(text):
            start = text.rfind("\n", 0, found.start()) + 1
            end = text.find("\n", found.end())
            spans.append((start, len(text) if end < 0 else end))
        self._spans = spans

    def touch(self, start: int, end: int) -> bool:
        return any(start < last and first < end for first, last in self._spans)
