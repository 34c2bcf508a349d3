"""`lumbung export`"""

from __future__ import annotations

import json
import sys
from enum import StrEnum
from typing import Annotated

import typer

from lumbung.cli.session import run, system
from lumbung.errors import UsageError
from lumbung.library.exports import STATUSES, canonical_export, exported


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

    Example: lumbung export --format jsonl --status all --canonical > library.jsonl
    """
    if format_ is not Format.JSONL:
        raise UsageError(f"--format {format_} is not available in this version; jsonl is.")
    run(write(list(STATUSES) if status is Status.ALL else [status.value], canonical))


async def write(statuses: list[str], canonical: bool) -> None:
    async with system() as opened, opened.people.transaction() as tx:
        if canonical:
            for record in await canonical_export(tx, statuses):
                sys.stdout.write(json.dumps(record, ensure_ascii=False, sort_keys=True) + "\n")
        else:
            async for record in exported(tx, statuses):
                sys.stdout.write(json.dumps(record, ensure_ascii=False) + "\n")
