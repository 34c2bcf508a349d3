"""`lumbung url`: the WHATWG parse and the frontier's identity of URLs."""

from __future__ import annotations

import codecs
import json
import sys
from collections.abc import Callable
from typing import Annotated, Any

import typer

from lumbung.cli.lines import parse_record, raw_lines, required_text, write_record
from lumbung.errors import LumbungError, RefusedError
from lumbung.text import url as urls

app = typer.Typer(
    no_args_is_help=True,
    rich_markup_mode=None,
    help="Parse and normalise URLs as the frontier does.\n\nExample: lumbung url normalize urls.jsonl",
)

Source = Annotated[str, typer.Argument(metavar="FILE", help='JSON Lines {"input","base"?}; - for standard input.')]


@app.command(name="parse")
def parse_urls(source: Source = "-") -> None:
    """Parse as browsers do (WHATWG); http and https only.

    Example: echo '{"input":"../b","base":"http://example.org/a/c"}' | lumbung url parse -
    """
    _answer(source, "href", lambda reference, base: urls.parse(reference, base).href)


@app.command(name="normalize")
def normalize_urls(source: Source = "-") -> None:
    """The identity under which the frontier knows a page; null for what is never crawled.

    Example: echo '{"input":"HTTP://Example.org:80/a/index.html?utm_source=x#top"}' | lumbung url normalize -
    """
    _answer(source, "url", urls.normalize)


def _answer(source: str, field: str, read: Callable[[str, str | None], str]) -> None:
    for line in raw_lines(source):
        record: dict[str, Any] = {}
        try:
            record = _record(line)
            reference = required_text(record, "input")
            base = required_text(record, "base") if record.get("base") is not None else None
            try:
                _write({"input": reference, field: read(reference, base), "reason": None})
            except RefusedError as error:
                _write({"input": reference, field: None, "reason": str(error)})
        except LumbungError as error:
            _write({name: record[name] for name in ("input",) if name in record} | {"error": str(error)})


def _record(line: bytes) -> dict[str, Any]:
    """Unlike other commands this one keeps half surrogate pairs: the URL standard says what they become."""
    record = parse_record(line)
    if b"\\ud" in line or b"\\uD" in line:
        written: dict[str, Any] = json.loads(line.removeprefix(codecs.BOM_UTF8))
        return written if any(_is_broken(value) for value in written.values()) else record
    return record


def _is_broken(value: object) -> bool:
    return isinstance(value, str) and urls.usv_string(value) != value


def _write(record: dict[str, Any]) -> None:
    if any(_is_broken(value) for value in record.values()):
        sys.stdout.write(json.dumps(record, separators=(",", ":")) + "\n")
        sys.stdout.flush()
    else:
        write_record(record)
