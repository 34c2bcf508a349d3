"""Tables of a profile, read so that every complaint can name the file, the line and what to do."""

from __future__ import annotations

import csv
import io
import sys
import tomllib
import unicodedata
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from importlib.resources.abc import Traversable
from typing import NoReturn

from lumbung.errors import ProfileError

SEPARATOR = "|"


@dataclass(frozen=True, slots=True)
class Row:
    """One line of a CSV file of the profile."""

    file: str
    line: int
    cells: dict[str, str]

    def refuse(self, problem: str) -> NoReturn:
        message = f"{self.file}, line {self.line}: {problem}"
        raise ProfileError(message)

    def text(self, column: str) -> str:
        return self.cells.get(column, "").strip()

    def required(self, column: str) -> str:
        value = self.text(column)
        if not value:
            self.refuse(f"{column} is empty; fill it in or remove the line.")
        return value

    def several(self, column: str) -> tuple[str, ...]:
        """The parts of a cell between bars, in order, each once."""
        parts = (part.strip() for part in self.text(column).split(SEPARATOR))
        return tuple(dict.fromkeys(part for part in parts if part))

    def number(self, column: str, default: float) -> float:
        value = self.text(column)
        if not value:
            return default
        try:
            number = float(value)
        except ValueError:
            self.refuse(f"{column} is {value!r}; write a number such as 1.5.")
        if not 0 <= number < float("inf"):
            self.refuse(f"{column} is {value}; it must be a finite number that is not negative.")
        return number

    def flag(self, column: str) -> bool:
        value = self.text(column).lower()
        if value not in {"", "yes", "no"}:
            self.refuse(f"{column} is {value!r}; write yes or no.")
        return value == "yes"

    def choice(self, column: str, allowed: Collection[str]) -> str:
        value = self.required(column)
        if value not in allowed:
            self.refuse(f"{column} is {value!r}; use one of {', '.join(sorted(allowed))}.")
        return value

    def known(self, column: str, value: str, known: Collection[str], where: str) -> str:
        """A reference into another table."""
        if value not in known:
            self.refuse(f"{column} names {value!r}, which {where} does not have; add it there or correct it here.")
        return value


class Remarks:
    """Texts that people read, each in the profile's own language and in English."""

    def __init__(self) -> None:
        self.english: dict[str, str] = {}

    def taken(self, row: Row, column: str) -> str:
        """The text in the profile's language; wherever it stands again, it says the same in English."""
        own, english = row.required(column), row.required(f"{column}_en")
        before = self.english.setdefault(own, english)
        if before != english:
            row.refuse(
                f"{column} {own!r} is {before!r} in English elsewhere; write it as there, or word it another way."
            )
        return own


def read_prose(folder: Traversable, name: str) -> str:
    """A file for people to read; one that says nothing is refused."""
    text = read_text(folder, name)
    if not text.strip():
        raise ProfileError(f"{name}: says nothing; write it in the language that its name tells.")
    return text


def read_text(folder: Traversable, name: str) -> str:
    """NFC text of a file; a missing or unreadable one is a clear error."""
    file = folder / name
    if not file.is_file():
        message = (
            f"{name}: the profile has no such file; create it (docs/how-to/operator/new-profile.md shows its form)."
        )
        raise ProfileError(message)
    try:
        text = file.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        message = f"{name}: not UTF-8 at byte {error.start}; save the file as UTF-8."
        raise ProfileError(message) from error
    if "\0" in text:
        message = f"{name}: holds a NUL character; remove it."
        raise ProfileError(message)
    return unicodedata.normalize("NFC", text)


def read_table(
    folder: Traversable, name: str, columns: tuple[str, ...], optional: tuple[str, ...] = ()
) -> Iterator[Row]:
    """Rows of a CSV file whose header has all `columns`, perhaps some `optional` ones, and nothing else."""
    reader = csv.reader(io.StringIO(read_text(folder, name), newline=""), strict=True)
    header: list[str] | None = None
    try:
        for cells in reader:
            if not cells or cells[0].startswith("#"):
                continue
            if header is None:
                header = _checked_header(name, reader.line_num, cells, columns, optional)
                continue
            if len(cells) != len(header):
                message = f"{name}, line {reader.line_num}: has {len(cells)} cells where the header has {len(header)}; quote cells that hold a comma."
                raise ProfileError(message)
            yield Row(name, reader.line_num, dict(zip(header, map(sys.intern, cells), strict=True)))
    except csv.Error as error:
        message = f"{name}, line {reader.line_num}: not CSV ({error}); check the quotation marks."
        raise ProfileError(message) from error
    if header is None:
        message = f"{name}: is empty; its first line must be {','.join(columns)}."
        raise ProfileError(message)


def _checked_header(
    name: str, line: int, cells: list[str], columns: tuple[str, ...], optional: tuple[str, ...]
) -> list[str]:
    header = [cell.strip() for cell in cells]
    missing = [column for column in columns if column not in header]
    unknown = [column for column in header if column not in columns + optional]
    if missing or unknown or len(set(header)) != len(header):
        fault = (
            "lacks " + ", ".join(missing)
            if missing
            else "has the unknown or repeated column " + ", ".join(unknown or header)
        )
        message = f"{name}, line {line}: the header {fault}; it must be {','.join(columns + optional)}."
        raise ProfileError(message)
    return header


def read_toml(folder: Traversable, name: str) -> dict[str, object]:
    try:
        return tomllib.loads(read_text(folder, name))
    except tomllib.TOMLDecodeError as error:
        message = f"{name}: not TOML: {error}; correct that place."
        raise ProfileError(message) from error
