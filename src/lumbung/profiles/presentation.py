"""What a profile may say about how the library looks: the wording of its entries and the map of its provinces."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import fields
from importlib.resources.abc import Traversable
from typing import Any

from lumbung.errors import ProfileError
from lumbung.model.profile import Attribute, Category, Region, Sentences, TilePlace
from lumbung.profiles.tables import Row, read_table, read_toml

SENTENCES = "sentences.toml"
OPENERS = "openers"
NESTED = {"kinds": 1, "attributes": 1, "category": 2, OPENERS: 1}
"""How deep under a key its texts stand; under any other key stands one."""
TILES = "tiles.csv"
LONGEST_SHORT_NAME = 9
MOST_NARROW_COLUMNS = 6


def read_sentences(
    folder: Traversable, categories: Mapping[str, Category], attributes: Mapping[str, Attribute]
) -> Sentences:
    if not (folder / SENTENCES).is_file():
        return Sentences()
    sentences = _sentences(read_toml(folder, SENTENCES))
    _known(sentences.kinds, categories, "category")
    _known(sentences.category, categories, "category")
    _known(filter(None, [sentences.opening_tells]), attributes, "attribute")
    for templates in (sentences.attributes, *sentences.category.values()):
        _known(templates, attributes, "attribute")
        for template in templates.values():
            if "{value}" not in template:
                raise ProfileError(f'{SENTENCES}: "{template}" says nothing of the fact; put {{value}} into it.')
    return sentences


def _sentences(written: Mapping[str, Any]) -> Sentences:
    for key, value in written.items():
        if key not in {each.name for each in fields(Sentences)}:
            raise ProfileError(f"{SENTENCES}: {key} is not known; its keys are those of the shipped file.")
        texts = dict(enumerate(value)) if key == OPENERS and isinstance(value, list) else value
        if not _is_texts(texts, NESTED.get(key, 0)):
            raise ProfileError(f"{SENTENCES}: {key} is not of the form that it has in the shipped file.")
    return Sentences(**{**written, OPENERS: frozenset(written.get(OPENERS, ()))})


def _is_texts(value: object, nested: int) -> bool:
    if not nested:
        return isinstance(value, str)
    return isinstance(value, dict) and all(_is_texts(each, nested - 1) for each in value.values())


def _known(named: Iterable[str], known: Collection[str], what: str) -> None:
    for code in named:
        if code not in known:
            raise ProfileError(f"{SENTENCES}: there is no {what} {code!r}; correct the code or remove the line.")


def read_tiles(folder: Traversable, regions: Mapping[str, Region]) -> tuple[TilePlace, ...]:
    if not (folder / TILES).is_file():
        return ()
    places: list[TilePlace] = []
    taken: set[tuple[str, object]] = set()
    for row in read_table(folder, TILES, ("region", "short", "row", "column", "narrow_row", "narrow_column")):
        place = _tile(row, regions)
        for claim in (("region", place.region), ("wide", place.wide), ("narrow", place.narrow)):
            if claim in taken:
                row.refuse(f"{claim[1]} stands here twice ({claim[0]}); every province has a place of its own.")
            taken.add(claim)
        places.append(place)
    return tuple(places)


def _tile(row: Row, regions: Mapping[str, Region]) -> TilePlace:
    short = row.required("short")
    if len(short) > LONGEST_SHORT_NAME:
        row.refuse(f"short is {short!r}; a tile has room for {LONGEST_SHORT_NAME} letters.")
    narrow = (_place(row, "narrow_row"), _place(row, "narrow_column"))
    if narrow[1] > MOST_NARROW_COLUMNS:
        row.refuse(f"narrow_column is {narrow[1]}; a phone has room for {MOST_NARROW_COLUMNS} columns.")
    return TilePlace(
        region=row.known("region", row.required("region"), regions, "regions.csv"),
        short=short,
        wide=(_place(row, "row"), _place(row, "column")),
        narrow=narrow,
    )


def _place(row: Row, column: str) -> int:
    written = row.required(column)
    if not (written.isascii() and written.isdecimal() and int(written)):
        row.refuse(f"{column} is {written!r}; write a whole number from 1.")
    return int(written)
