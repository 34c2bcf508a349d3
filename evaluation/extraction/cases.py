"""Reads the gold set: pages with what a careful reader would note down from them."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

HERE = Path(__file__).parent


@dataclass(slots=True)
class GoldFact:
    attributes: tuple[str, ...]
    wordings: tuple[str, ...]
    required: bool = True


@dataclass(slots=True)
class GoldItem:
    names: tuple[str, ...]
    categories: frozenset[str] = frozenset()
    regions: tuple[str, ...] = ()
    facts: list[GoldFact] = field(default_factory=list)


@dataclass(slots=True)
class Case:
    name: str
    language: str
    script: str
    media_type: str
    kind: str
    needs_translation: bool
    items: list[GoldItem]
    page: bytes


def read_cases(half: str) -> list[Case]:
    return [_read(path) for path in sorted((HERE / half).glob("*.case"))]


def _read(path: Path) -> Case:
    head, page = path.read_text(encoding="utf-8").split("\n====\n", 1)
    case = Case(path.stem, "und", "Latn", "text/html", "", needs_translation=False, items=[], page=page.encode())
    for line in head.split("\n"):
        key, _, value = line.removeprefix("# ").partition(" ")
        _apply(case, key, value.strip())
    return case


def _apply(case: Case, key: str, value: str) -> None:
    if key == "language":
        case.language = value
    elif key == "script":
        case.script = value
    elif key == "type":
        case.media_type = value
    elif key == "kind":
        case.kind = value
    elif key == "translate":
        case.needs_translation = True
    elif key == "name":
        first, _, others = value.partition("|")
        case.items.append(GoldItem((first.strip(), *(name.strip() for name in others.split(";") if name.strip()))))
    elif key == "category":
        case.items[-1].categories = frozenset(value.split())
    elif key == "region":
        case.items[-1].regions = tuple(code for code in value.split() if code != "-")
    elif key in {"fact", "set", "may"}:
        case.items[-1].facts.extend(_facts(key, value))


def _facts(key: str, value: str) -> list[GoldFact]:
    attributes, _, words = value.partition(" ")
    members = words.split(";") if key == "set" else [words]
    return [
        GoldFact(tuple(attributes.split("/")), tuple(word.strip() for word in member.split("||")), key != "may")
        for member in members
        if member.strip()
    ]
