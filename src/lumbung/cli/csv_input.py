"""CSV files from anybody: read whole, checked, and refused in one sentence when they cannot be read."""

from __future__ import annotations

import csv
import io
import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from lumbung.errors import UsageError

_DELIMITERS = "\t;|,"
"""In this order where two part the headings alike: what is rarer in a heading comes first."""
_NAMED_SEPARATOR = re.compile(r"sep=([,;\t|])\r?", re.IGNORECASE)
_QUOTED = re.compile(r'"[^"]*"')
_LONGEST_FIELD = 50_000_000
_MOST_TOLD = 5


@dataclass(frozen=True)
class Table:
    """Columns by their heading; every value without the spaces around it."""

    source: str
    columns: dict[str, list[str]]
    size: int
    places: tuple[int, ...] = ()
    """Where each row stood before others were left out; empty where none was."""

    def column(self, heading: str) -> list[str]:
        if heading not in self.columns:
            there = ", ".join(self.columns)
            raise UsageError(f'{self.source} has no column "{heading}"; its columns are: {there}.')
        return self.columns[heading]

    def without(self, faults: dict[int, str]) -> Table:
        """The rows that can be used; what is left out is told, and the rest goes on."""
        if not faults:
            return self
        places = self.places or tuple(range(self.size))
        tell_left_out(self.source, {places[row]: why for row, why in faults.items()})
        if len(faults) == self.size:
            raise UsageError(f"{self.source} has no row that can be used.")
        kept = [row for row in range(self.size) if row not in faults]
        columns = {heading: [values[row] for row in kept] for heading, values in self.columns.items()}
        return Table(self.source, columns, len(kept), tuple(places[row] for row in kept))


def tell_left_out(source: str, faults: dict[int, str]) -> None:
    """Rows by their number from 1 on; of very many the first few are told."""
    told = "; ".join(f"row {row + 1}: {why}" for row, why in list(faults.items())[:_MOST_TOLD])
    more = " ..." if len(faults) > _MOST_TOLD else ""
    number = "1 row is" if len(faults) == 1 else f"{len(faults)} rows are"
    print(f"{source}: {number} left out: {told}{more}", file=sys.stderr)


def read_bytes(path: str) -> bytes:
    if path == "-":
        return sys.stdin.buffer.read()
    file = Path(path)
    if not file.exists():
        raise UsageError(f"There is no file {path}.")
    try:
        return file.read_bytes()
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}.") from error


def read_text(path: str) -> str:
    """UTF-8, with or without a byte order mark; nothing else, because a guessed encoding garbles names silently."""
    raw = read_bytes(path)
    if raw.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise UsageError(f"{path} is UTF-16; save it as UTF-8.")
    if b"\x00" in raw:
        raise UsageError(f"{path} holds NUL bytes and is not a text file.")
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise UsageError(f"{path} is not UTF-8 (line {line}); save it as UTF-8.") from error


def _separated(text: str) -> tuple[str, str]:
    """The table and its separator: the one that spreadsheets name in a line before it, or that most parts the headings."""
    heading, _, rest = text.partition("\n")
    named = _NAMED_SEPARATOR.fullmatch(heading)
    if named:
        return rest, named[1]
    bare = _QUOTED.sub("", heading)
    return text, max(_DELIMITERS, key=lambda mark: (bare.count(mark), -_DELIMITERS.index(mark)))


def _rows(path: str, text: str) -> list[list[str]]:
    text, delimiter = _separated(text)
    csv.field_size_limit(_LONGEST_FIELD)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, skipinitialspace=True, strict=True)
    rows: list[list[str]] = []
    try:
        rows.extend(row for row in reader if any(map(str.strip, row)))
    except csv.Error as error:
        raise UsageError(f"{path} is not readable as CSV near line {reader.line_num}: {error}.") from error
    return rows


def read_table(path: str, *, leaves_out: bool = False) -> Table:
    """Every row with a value for each heading; one with more values than that is left out and told, or refused."""
    table, faults = read_rows(path)
    if faults and not leaves_out:
        row, why = next(iter(faults.items()))
        raise UsageError(f"{path}, row {row + 1}: {why}.")
    return table.without(faults)


def read_rows(path: str) -> tuple[Table, dict[int, str]]:
    """The table, and what is wrong with single rows of it."""
    text = read_text(path)
    rows = _rows(path, text)
    if not rows:
        raise UsageError(f"{path} is empty; it needs a line of column headings.")
    headings = [heading.strip() for heading in rows[0]]
    for place, heading in enumerate(headings, start=1):
        if not heading:
            raise UsageError(f"{path}: column {place} has no heading.")
    twice = sorted({heading for heading in headings if headings.count(heading) > 1})
    if twice:
        raise UsageError(f'{path} has the heading "{twice[0]}" twice.')
    width = len(headings)
    faults = {
        number: f"{len(row)} values for {width} columns" for number, row in enumerate(rows[1:]) if len(row) > width
    }
    padded = ((row + [""] * (width - len(row)))[:width] for row in rows[1:])
    columns = list(zip(*padded, strict=True)) or [()] * width
    stripped = ([value.strip() for value in column] for column in columns)
    return Table(path, dict(zip(headings, stripped, strict=True)), len(rows) - 1), faults


def identified(table: Table, heading: str) -> Table:
    """The records that have an id, and an id of their own: of two with the same the first stays."""
    seen: set[str] = set()
    faults: dict[int, str] = {}
    for row, each in enumerate(table.column(heading)):
        if not each:
            faults[row] = f'no value in the id column "{heading}"'
        elif each in seen:
            faults[row] = f'the id "{each}" stands there twice'
        seen.add(each)
    return table.without(faults)


def first_present(table: Table, names: Sequence[str]) -> str | None:
    """The heading that bears one of these names, whatever its case."""
    folded = {heading.casefold(): heading for heading in table.columns}
    return next((folded[name] for name in names if name in folded), None)
