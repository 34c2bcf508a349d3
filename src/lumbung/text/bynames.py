"""The names that one name holds: *Perang Pandan (Mekare-kare)*, *Candi Jago atau Candi Jajaghu*."""

from __future__ import annotations

import re
from functools import lru_cache

from lumbung.text.tables import word_table

_REMARK = re.compile(r"[(\[]([^()\[\]]+)[)\]]")
_SHORTEST, _LONGEST = 3, 80


@lru_cache(maxsize=1)
def _between_names() -> re.Pattern[str]:
    words = "|".join(sorted(word_table("byname-words.txt")))
    return re.compile(rf"\s*/\s*|(?:(?<=\s)|^)(?:(?:{words})\s+)+", re.IGNORECASE)


@lru_cache(maxsize=8_192)
def bynames(name: str) -> tuple[str, ...]:
    """What stands in brackets, beside a stroke or after a word such as *atau*; nothing where a name is one name."""
    if not 2 * _SHORTEST < len(name) <= 4 * _LONGEST:
        return ()
    outside = _REMARK.sub(" ", name)
    inside = _REMARK.findall(name)
    said = [part.strip(" ,;") for text in (outside, *inside) for part in _between_names().split(text)]
    whole = outside.strip(" ,;")
    return tuple(dict.fromkeys(part for part in said if _is_name(part) and part not in {name, whole}))


def _is_name(part: str) -> bool:
    return _SHORTEST <= len(part) <= _LONGEST and any(map(str.isalpha, part)) and not any(map(str.isdigit, part))
