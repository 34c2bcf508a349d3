"""How each language words definitions and relations: the files of `languages/`, compiled once."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from importlib import resources

_FAMILY = {"ind": "ind", "msa": "ind", "zlm": "ind", "zsm": "ind", "eng": "eng", "nld": "nld"}


@dataclass(frozen=True, slots=True)
class Relation:
    """A cue whose following words are the value of an attribute."""

    attribute: str
    cue: re.Pattern[str]
    take: str
    confidence: float
    categories: frozenset[str]
    unit: str


@dataclass(frozen=True, slots=True)
class Wording:
    language: str
    copula: re.Pattern[str]
    alias_mark: re.Pattern[str]
    article: re.Pattern[str]
    determiner: re.Pattern[str]
    demonstratives: frozenset[str]
    pronouns: frozenset[str]
    denial: re.Pattern[str]
    hearsay: re.Pattern[str]
    contrast: re.Pattern[str]
    breaks: re.Pattern[str]
    joint: re.Pattern[str]
    origin: re.Pattern[str]
    genus_comes_first: bool
    relations: tuple[Relation, ...]
    numbers: dict[str, str]
    translations: dict[str, str]
    """Closed vocabulary, into the canonical language of the profiles that know it."""

    def is_canonical_for(self, language: str) -> bool:
        """Whether its phrases may stand as values of a library in that language as they are."""
        return _FAMILY.get(language) == self.language


def wording_for(language: str) -> Wording | None:
    """The wording of a page's language; None for a language whose sentences we do not read."""
    family = _FAMILY.get(language)
    return _load(family) if family else None


@cache
def _load(family: str) -> Wording:
    source = resources.files("lumbung.text.extraction") / "languages" / f"{family}.toml"
    data = tomllib.loads(source.read_text(encoding="utf-8"))
    return Wording(
        language=family,
        copula=_words(data["copulas"]),
        alias_mark=_words(data["alias_marks"]),
        article=re.compile(rf"(?:(?:{_either(data['articles'])})\s+)+", re.IGNORECASE),
        determiner=re.compile(rf"^(?:{_either(data.get('determiners', ()))})\s+", re.IGNORECASE),
        demonstratives=frozenset(data["demonstratives"]),
        pronouns=frozenset(data["pronouns"]),
        denial=_words(data["denials"]),
        hearsay=_words(data["hearsay"]),
        contrast=_words(data["contrasts"]),
        breaks=_words(data["breaks"]),
        joint=re.compile(rf"\s*[,;]\s*(?:(?:{_either(data['joints'])})\s+)?|\s+(?:{_either(data['joints'])})\s+|\n", re.IGNORECASE),
        origin=_words(data["origins"]),
        genus_comes_first=data.get("genus_comes_first", True),
        relations=tuple(_relation(row) for row in data.get("relation", ())),
        numbers=data.get("numbers", {}),
        translations=data.get("translations", {}),
    )


def _relation(row: dict[str, object]) -> Relation:
    categories = row.get("categories", ())
    return Relation(
        attribute=str(row["attribute"]),
        cue=re.compile(rf"(?<!\w)(?:{row['cue']})(?:(?<=\s)|(?=[\s:,]|$))[\s:]*", re.IGNORECASE),
        take=str(row["take"]),
        confidence=float(str(row["confidence"])),
        categories=frozenset(categories if isinstance(categories, list) else ()),
        unit=str(row.get("unit", "")),
    )


def _either(words: Iterable[str]) -> str:
    return "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True)) or r"(?!)"


def _words(words: Iterable[str]) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w)(?:{_either(words)})(?!\w)", re.IGNORECASE)
