"""`lumbung export`"""

from __future__ import annotations

import json
import sys
from enum import StrEnum
from typing import Annotated

import typer

from lumbung.cli.session import run, system
from lumbung.errors import UsageError


class Format(StrEnum):
    JSONL = "jsonl"
    CSV = "csv"
    JSONLD = "jsonld"
    WARC = "warc"


class Status(StrEnum):
    PUBLISHED = "published"
    SHADOW = "shadow"
    REVIEW = "review"
    HELD = "held"
    ALL = "all"


def command(
    format_: Annotated[Format, typer.Option("--format", help="What to write.")] = Format.JSONL,
    status: Annotated[Status, typer.Option(help="Which entries.")] = Status.PUBLISHED,
    canonical: Annotated[
        bool, typer.Option("--canonical", help="Sorted, without times and batches: two libraries can be compared.")
    ] = False,
) -> None:
    """Write entries to standard output.

    JSON Lines are the operator's: everything, so that `lumbung library import` can take it back. CSV and JSON-LD are
    for others: what people hid, and what a community's label withholds, is left out.

    Example: lumbung export --format jsonl --status all --canonical > library.jsonl
    """
    from lumbung.library.exports import STATUSES

    if format_ is Format.WARC:
        run(write_archive())
        return
    if canonical and format_ is not Format.JSONL:
        raise UsageError("--canonical goes with --format jsonl.")
    run(write(list(STATUSES) if status is Status.ALL else [status.value], format_, canonical))


async def write(statuses: list[str], format_: Format, canonical: bool) -> None:
    from lumbung.library import tables
    from lumbung.library.exports import canonical_export, disclosed, exported
    from lumbung.library.linked_data import json_ld
    from lumbung.library.plain_text import json_line

    async with system() as opened, opened.people.transaction() as tx:
        if canonical:
            for record in await canonical_export(tx, statuses):
                sys.stdout.write(json_line(json.dumps(record, ensure_ascii=False, sort_keys=True)) + "\n")
            return
        if format_ is Format.CSV:
            sys.stdout.write(tables.header())
        lines = exported if format_ is Format.JSONL else disclosed
        async for record in lines(tx, statuses):
            if format_ is Format.CSV:
                sys.stdout.writelines(tables.lines(record))
                continue
            base = opened.settings.web.public_url or f"http://{opened.settings.web.host}:{opened.settings.web.port}"
            shown = json_ld(record, opened.profile, base) if format_ is Format.JSONLD else record
            sys.stdout.write(json_line(json.dumps(shown, ensure_ascii=False)) + "\n")


async def write_archive() -> None:
    """The WARC files one after another: gzip members and records stay whole."""
    async with system() as opened:
        for name in await opened.archive.names():
            async for block in opened.archive.content(name):
                sys.stdout.buffer.write(block)
