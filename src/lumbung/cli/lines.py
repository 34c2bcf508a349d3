"""Batch commands: JSON Lines in, one answer a line out, in input order, and no line that stops the rest."""

from __future__ import annotations

import codecs
import gzip
import re
import sys
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, BinaryIO, TextIO

from pydantic_core import from_json, to_json

from lumbung.errors import LumbungError, UsageError

Record = dict[str, Any]

MOST_LINE_BYTES = 32 * 1024 * 1024
_SKIPPED_BYTES = 64 * 1024
_ESCAPE = re.compile(
    rb"\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|(?P<half>u[dD][89a-fA-F][0-9a-fA-F]{2})|.)",
    re.DOTALL,
)


def is_readable(path: str) -> bool:
    """A file or a pipe that has a name, but no folder."""
    return Path(path).exists() and not Path(path).is_dir()


def raw_lines(path: str) -> Iterator[bytes]:
    """The lines of a file (packed, if it ends in .gz) or, for `-`, of standard input, as they arrive; of one that is too long,
    its beginning.
    """
    if path == "-":
        yield from _bounded(sys.stdin.buffer)
        return
    if not is_readable(path):
        message = f"There is no file {path}; name a file or - for standard input."
        raise UsageError(message)
    with Path(path).open("rb") as stream:
        yield from _unpacked(path, stream) if path.endswith(".gz") else _bounded(stream)


def _unpacked(path: str, stream: BinaryIO) -> Iterator[bytes]:
    with gzip.open(stream) as lines:
        try:
            yield from _bounded(lines)
        except (EOFError, OSError, zlib.error) as error:
            message = f"{path} is no whole gzip file; what came before the fault was read."
            raise UsageError(message) from error


def _bounded(stream: BinaryIO | gzip.GzipFile) -> Iterator[bytes]:
    """However long a line is, no more of it is held than tells that it is too long."""
    while line := stream.readline(MOST_LINE_BYTES + 1):
        piece = line if len(line) > MOST_LINE_BYTES else b""
        while piece and not piece.endswith(b"\n"):
            piece = stream.readline(_SKIPPED_BYTES)
        yield line


def parse_record(line: bytes) -> Record:
    """The text must be UTF-8, the line a JSON object; half a surrogate pair becomes U+FFFD."""
    if len(line) > MOST_LINE_BYTES:
        message = f"longer than {MOST_LINE_BYTES} bytes"
        raise UsageError(message)
    text = line.removeprefix(codecs.BOM_UTF8)
    try:
        value = _from_json(text)
    except ValueError as error:
        message = f"not a JSON object: {error}"
        raise UsageError(message) from error
    if not isinstance(value, dict):
        message = "not a JSON object"
        raise UsageError(message)
    return value


def _from_json(text: bytes) -> Any:
    try:
        return from_json(text, allow_inf_nan=False)
    except ValueError:
        whole = _ESCAPE.sub(lambda found: rb"\ufffd" if found["half"] else found.group(), text)
        if whole == text:
            raise
        return from_json(whole, allow_inf_nan=False)


def write_record(record: Record, out: TextIO | None = None) -> None:
    stream = out or sys.stdout
    stream.write(to_json(record, inf_nan_mode="null").decode() + "\n")
    stream.flush()


def answer_lines(path: str, answer: Callable[[Record], Record], echo: tuple[str, ...] = ("id",)) -> None:
    """Answer every line; a bad one is answered with "error" and the named fields of its input."""
    for line in raw_lines(path):
        record: Record = {}
        try:
            record = parse_record(line)
            write_record(answer(record))
        except LumbungError as error:
            write_record({name: record[name] for name in echo if name in record} | {"error": str(error)})


def required_text(record: Record, *names: str) -> str:
    """The first of these fields that is there, as text."""
    for name in names:
        if name in record:
            value = record[name]
            if not isinstance(value, str):
                message = f'"{name}" must be text'
                raise UsageError(message)
            return value
    message = "needs " + " or ".join(f'"{name}"' for name in names)
    raise UsageError(message)
