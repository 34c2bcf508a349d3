"""The two TOML files of a profile: its head with the constants, and its categories."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import NoReturn
from zoneinfo import ZoneInfo

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from lumbung.errors import ProfileError
from lumbung.model.profile import Category
from lumbung.profiles.constants import REQUIRED_CONSTANTS

CONSTANT_NAME = re.compile(r"[a-z0-9_-]+(\.[a-z0-9_-]+)+")


@dataclass(frozen=True, slots=True)
class Head:
    name: str
    version: str
    language: str
    timezone: str
    library_title: str
    constants: dict[str, object]


class _HeadFile(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)
    name: str = Field(pattern=r"^[a-z][a-z0-9-]*$")
    version: str = Field(min_length=1)
    language: str = Field(pattern=r"^[a-z]{3}$")
    timezone: str
    library_title: str = Field(min_length=1)
    constants: dict[str, float | int | str | bool | list[float | int | str]]


class _CategoryEntry(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)
    code: str = Field(pattern=r"^[a-z][a-z0-9-]*$")
    label: str = Field(min_length=1)
    label_en: str = Field(min_length=1)
    generic_words: list[str] = Field(default_factory=list)
    light_words: list[str] = Field(default_factory=list)
    confusable: list[str] = Field(default_factory=list)
    sensitive: bool = False
    target: int = Field(default=0, ge=0)


class _CategoriesFile(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)
    category: list[_CategoryEntry] = Field(min_length=1)


def read_head(content: dict[str, object]) -> Head:
    try:
        head = _HeadFile.model_validate(content)
    except ValidationError as error:
        _refuse("profile.toml", error)
    try:
        ZoneInfo(head.timezone)
    except (KeyError, ValueError, OSError) as error:
        message = f"profile.toml: timezone {head.timezone!r} is not known; write one such as Asia/Jakarta."
        raise ProfileError(message) from error
    constants: dict[str, object] = dict(head.constants)
    _check_constants(constants)
    return Head(head.name, head.version, head.language, head.timezone, head.library_title, constants)


def _check_constants(constants: dict[str, object]) -> None:
    for name in constants:
        if not CONSTANT_NAME.fullmatch(name):
            message = f'profile.toml: constant {name!r} must be a quoted dotted name such as "fusion.theta".'
            raise ProfileError(message)
    for name, limits in REQUIRED_CONSTANTS.items():
        value = constants.get(name)
        if isinstance(value, bool) or not isinstance(value, int | float):
            state = "is missing" if name not in constants else f"is {value!r}"
            message = f'profile.toml: constant "{name}" {state}; write a number from {limits[0]} to {limits[1]}.'
            raise ProfileError(message)
        if not limits[0] <= value <= limits[1]:
            message = f'profile.toml: constant "{name}" is {value}; it must lie between {limits[0]} and {limits[1]}.'
            raise ProfileError(message)


def read_categories(content: dict[str, object]) -> dict[str, Category]:
    try:
        entries = _CategoriesFile.model_validate(content).category
    except ValidationError as error:
        _refuse("categories.toml", error)
    codes = [entry.code for entry in entries]
    for entry in entries:
        if codes.count(entry.code) > 1:
            message = f"categories.toml: code {entry.code!r} stands there twice; give one of them another code."
            raise ProfileError(message)
        for other in entry.confusable:
            if other not in codes or other == entry.code:
                message = f"categories.toml: {entry.code} is confusable with {other!r}, which is no other category; correct it."
                raise ProfileError(message)
    return {entry.code: _category(entry, entries) for entry in entries}


def _category(entry: _CategoryEntry, entries: list[_CategoryEntry]) -> Category:
    """Confusion is mutual: naming it on one side is enough."""
    confusable = set(entry.confusable) | {other.code for other in entries if entry.code in other.confusable}
    return Category(
        code=entry.code,
        label=entry.label,
        label_en=entry.label_en,
        generic_words=tuple(dict.fromkeys(entry.generic_words)),
        light_words=tuple(dict.fromkeys(entry.light_words)),
        confusable=tuple(sorted(confusable)),
        sensitive=entry.sensitive,
        target=entry.target,
    )


def _refuse(file: str, error: ValidationError) -> NoReturn:
    first = error.errors()[0]
    place = ".".join(str(part) for part in first["loc"]) or "the file"
    message = f"{file}: {place}: {first['msg']}; correct it or remove it."
    raise ProfileError(message) from error
