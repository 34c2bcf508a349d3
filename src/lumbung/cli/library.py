"""`lumbung library`"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from typing import Annotated, Any

import typer

from lumbung.bootstrap import System
from lumbung.cli.lines import parse_record, raw_lines, write_record
from lumbung.cli.session import run, system, talk
from lumbung.errors import LumbungError, UsageError
from lumbung.library.actions.import_records import ImportReport, import_record, record_import
from lumbung.library.records import RecordReader
from lumbung.model.permission import OPERATOR_AT_THE_MACHINE

app = typer.Typer(
    no_args_is_help=True, rich_markup_mode=None, help="Import the human corpus, and other work on the library."
)


@app.callback()
def library() -> None:
    """Import the human corpus, and other work on the library."""


@app.command("import")
def import_(
    file: Annotated[str, typer.Argument(help="JSON Lines or CSV; - for standard input (JSON Lines).")],
    map_: Annotated[list[str] | None, typer.Option("--map", help="For CSV: field=column, repeatable.")] = None,
    json: Annotated[bool, typer.Option("--json", help="The report as one JSON object.")] = False,
) -> None:
    """Bring the human corpus in, untouched; run it again to go on or to take in what changed.

    Example: lumbung library import korpus.csv --map title=judul --map text=isi
    """
    report = run(import_file(file, map_ or []))
    for error in report.errors[:20]:
        talk(error)
    if json:
        write_record(
            {
                "added": report.added,
                "revised": report.revised,
                "unchanged": report.unchanged,
                "errors": len(report.errors),
            }
        )
    else:
        typer.echo(
            f"{report.added} added, {report.revised} revised, {report.unchanged} unchanged, {len(report.errors)} refused"
        )
    if report.errors:
        raise typer.Exit(1)


async def import_file(file: str, mapping: list[str]) -> ImportReport:
    records = csv_records(file, mapping) if file.endswith(".csv") else json_records(file)
    report = ImportReport()
    async with system() as opened:
        reader = RecordReader(
            opened.profile, opened.gazetteer, keep_contributors=opened.settings.library.keep_contributors
        )
        for number, record in enumerate(records, start=1):
            await import_line(opened, reader, number, record, report)
        async with opened.people.transaction() as tx:
            await record_import(tx, OPERATOR_AT_THE_MACHINE, file, report)
    return report


async def import_line(
    opened: System, reader: RecordReader, number: int, record: dict[str, Any] | LumbungError, report: ImportReport
) -> None:
    try:
        if isinstance(record, LumbungError):
            raise record
        entry = reader.read(record)
        async with opened.people.transaction() as tx:
            outcome = await import_record(tx, OPERATOR_AT_THE_MACHINE, entry)
        setattr(report, outcome, getattr(report, outcome) + 1)
    except LumbungError as error:
        report.errors.append(f"line {number}: {error}")


def json_records(file: str) -> Iterator[dict[str, Any] | LumbungError]:
    for line in raw_lines(file):
        if line.strip():
            try:
                yield parse_record(line)
            except LumbungError as error:
                yield error


def csv_records(file: str, mapping: list[str]) -> Iterator[dict[str, Any] | LumbungError]:
    columns = dict(pair.split("=", 1) for pair in mapping if "=" in pair)
    text = b"".join(raw_lines(file)).decode("utf-8-sig", errors="replace")
    rows = csv.DictReader(io.StringIO(text, newline=""))
    unknown = [column for column in columns.values() if column not in (rows.fieldnames or [])]
    if unknown:
        raise UsageError(f"{file} has no column {unknown[0]}; it has {', '.join(rows.fieldnames or [])}.")
    for row in rows:
        named = {field: row[column] for field, column in columns.items()}
        yield {name: value for name, value in row.items() if name and value is not None} | named
