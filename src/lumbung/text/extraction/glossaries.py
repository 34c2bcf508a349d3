"""The closed vocabulary of a language, by what its words stand for: the files `languages/*.csv`."""

from __future__ import annotations

import csv
from collections.abc import Iterable
from importlib import resources


def classes_of(family: str, common: dict[str, str]) -> dict[str, dict[str, str]]:
    """The rows `class,term,canonical` of the language's glossary, by class; a language may have none."""
    source = resources.files("lumbung.text.extraction") / "languages" / f"{family}.csv"
    classes: dict[str, dict[str, str]] = {"common": common}
    for row in csv.DictReader(source.read_text(encoding="utf-8").splitlines() if source.is_file() else ()):
        classes.setdefault(row["class"], {})[row["term"]] = row["canonical"]
    return classes


def refused_of(names: Iterable[str], classes: dict[str, dict[str, str]]) -> frozenset[str]:
    """What the classes behind a `-` say."""
    return frozenset(word for name in names if name[0] == "-" for word in classes[name[1:]].values())


def terms_of(names: Iterable[str], classes: dict[str, dict[str, str]]) -> dict[str, str]:
    """The terms of several classes, the first one counting; the class `common` is left without what is refused."""
    refused = refused_of(names, classes)
    found: dict[str, str] = {}
    for terms in (classes[name] for name in names if name[0] != "-"):
        kept = (
            terms
            if terms is not classes["common"]
            else {each: word for each, word in terms.items() if word not in refused}
        )
        found = {**kept, **found}
    return found
