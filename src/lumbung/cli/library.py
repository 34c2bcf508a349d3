"""`lumbung library`"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from lumbung.cli import (
    library_correction,
    library_discussion,
    library_entry,
    library_labels,
    library_takedown,
    library_undo,
)
from lumbung.cli.acts import AsJson, tell
from lumbung.cli.identity import acting
from lumbung.cli.lines import is_readable, parse_record, raw_lines, write_record
from lumbung.cli.session import run, system, talk
from lumbung.errors import LumbungError, TransientError, UsageError
from lumbung.model.job import Job

if TYPE_CHECKING:
    from lumbung.bootstrap import System
    from lumbung.library.actions.import_records import ImportReport
    from lumbung.library.exported_lines import ExportedLine
    from lumbung.library.records import RecordReader
    from lumbung.stages.encode.handler import EncodeHandler

MOST_ERRORS_SHOWN = 20
TABLES = (".csv", ".tsv", ".tab")

app = typer.Typer(
    no_args_is_help=True,
    rich_markup_mode=None,
    help="Import the human corpus, and other work on the library.\n\nExample: lumbung library import korpus.csv --map title=judul --map text=isi",
)
Line = dict[str, Any] | LumbungError
app.add_typer(library_correction.app, name="correction")
app.add_typer(library_discussion.app, name="discussion")
app.add_typer(library_entry.app, name="entry")
app.add_typer(library_labels.app, name="labels")
app.add_typer(library_takedown.app, name="takedown")
app.add_typer(library_undo.app, name="undo")


@app.callback()
def library() -> None:
    """Import the human corpus, and other work on the library."""


@app.command("import")
def import_(
    file: Annotated[
        str,
        typer.Argument(
            help="JSON Lines (.gz too), or a table in UTF-8 with commas, semicolons or tabs (.csv, .tsv); - for standard input (JSON Lines)."
        ),
    ],
    map_: Annotated[list[str] | None, typer.Option("--map", help="For CSV: field=column, repeatable.")] = None,
    archive: Annotated[
        list[Path] | None,
        typer.Option(help="WARC file with the pages that an export's facts quote, repeatable."),
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="The report as one JSON object.")] = False,
) -> None:
    """Bring the human corpus in, untouched; run it again to go on or to take in what changed.

    Lines of `lumbung export` are taken back as they were, owners kept; their facts need the archive.

    Example: lumbung library import korpus.csv --map title=judul --map text=isi
    """
    show(run(import_file(file, map_ or [], archive or [])), json)


def show(report: ImportReport, json: bool) -> None:
    """Refused lines and what came in half on stderr, the counts on stdout; exit code 1 when a line was refused."""
    for told in (report.errors, report.notes):
        for line in told[:MOST_ERRORS_SHOWN]:
            talk(line)
        if len(told) > MOST_ERRORS_SHOWN:
            talk(f"... and {len(told) - MOST_ERRORS_SHOWN} more")
    counts = {name: getattr(report, name) for name in ("added", "revised", "unchanged", "older")}
    if json:
        write_record(counts | {"errors": len(report.errors)})
    else:
        typer.echo(", ".join(f"{count} {name}" for name, count in counts.items()) + f", {len(report.errors)} refused")
    if report.errors:
        raise typer.Exit(1)


@app.command()
def pull(json: Annotated[bool, typer.Option("--json", help="The report as one JSON object.")] = False) -> None:
    """Take in the human corpus of the remote library that library.mapping names; again for what changed since.

    Example: LUMBUNG_LIBRARY__MAPPING=library.toml lumbung library pull
    """
    show(run(pull_records()), json)


async def pull_records() -> ImportReport:
    from lumbung.library.actions.import_records import ImportReport, record_import
    from lumbung.library.records import RecordReader
    from lumbung.providers.library.opening import open_library

    report = ImportReport()
    async with system() as opened:
        remote = opened.settings.library
        if remote.mapping is None:
            raise UsageError("There is no remote library; set library.mapping to its mapping file.")
        token = remote.token.get_secret_value() if remote.token else None
        async with open_library(remote.mapping, token, read_only=True) as source:
            reader = RecordReader(
                opened.profile, opened.gazetteer, source.name, remote.keep_contributors, remote.licence
            )
            number = 0
            async for record in source.records():
                number += 1
                await import_line(opened, reader, number, record, report)
        async with opened.people.transaction() as tx:
            await record_import(tx, await acting(tx, opened.settings), source.name, report)
    return report


@app.command()
def dump(folder: Annotated[Path, typer.Argument(help="A new or empty folder.")], json: AsJson = False) -> None:
    """Write the published library for the public: entries, data dictionary, manifest, citation and checksums.

    Example: lumbung library dump lumbung-2026-11
    """
    entries = run(dump_to(folder))
    tell(json, f"{entries} entries in {folder}", folder=str(folder), entries=entries)


async def dump_to(folder: Path) -> int:
    from lumbung.governance.actions.machine_licence import ROW as MACHINE_LICENCE
    from lumbung.library.dump import DumpFacts, write_dump
    from lumbung.library.exports import disclosed
    from lumbung.store import entries, governed, stages
    from lumbung.text.extraction.version import EXTRACTOR_VERSION
    from lumbung.text.features import FEATURES_VERSION
    from lumbung.text.markup import CLEANER_VERSION

    async with system() as opened, opened.people.transaction() as tx:
        settings = opened.settings
        rules = await governed.values_now(tx)
        profile = opened.profile
        versions = {"extractor": EXTRACTOR_VERSION, "features": str(FEATURES_VERSION), "cleaner": CLEANER_VERSION}
        seeds = {tranche: [seed.url for seed in of_it] for tranche, of_it in sorted(profile.seeds.items())}
        manifest = {
            "profile": {"name": profile.name, "version": profile.version},
            "versions": versions,
            "rules in force": dict(sorted(rules.items())),
            "seeds": seeds,
            "facts by reader": await entries.readings_behind(tx),
            "answers by prompt and model": await entries.agents_behind(tx),
        }
        facts = DumpFacts(
            profile.library_title,
            (await stages.now(tx)).date().isoformat(),
            (await stages.now(tx)).strftime("%Y.%m.%d"),
            {"people": settings.library.licence, "machine": rules.get(MACHINE_LICENCE)},
            settings.web.public_url,
            manifest,
        )
        return await write_dump(folder, disclosed(tx, ["published"]), profile, facts)


async def import_file(file: str, mapping: list[str], archives: Sequence[Path]) -> ImportReport:
    from lumbung.library.actions.import_records import ImportReport, record_import
    from lumbung.library.records import RecordReader

    if file != "-" and not is_readable(file):
        raise UsageError(f"There is no file {file}; name a file or - for standard input.")
    records = csv_records(file, mapping) if file.lower().endswith(TABLES) else json_records(file)
    report = ImportReport()
    async with system() as opened:
        reader = RecordReader(
            opened.profile,
            opened.gazetteer,
            keep_contributors=opened.settings.library.keep_contributors,
            licence=opened.settings.library.licence,
        )
        exported: list[tuple[int, ExportedLine]] = []
        for number, record in records:
            line = await import_line(opened, reader, number, record, report)
            if line is not None:
                exported.append((number, line))
        if exported:
            await restore(opened, exported, archives, f"import of {Path(file).name}", report)
        async with opened.people.transaction() as tx:
            await record_import(tx, await acting(tx, opened.settings), file, report)
    return report


async def import_line(
    opened: System, reader: RecordReader, number: int, record: Line, report: ImportReport
) -> ExportedLine | None:
    """A line of an export is handed back: it waits until its pages and the record it supplements are there."""
    from lumbung.library.actions.import_records import import_record
    from lumbung.library.exported_lines import is_exported, read_line

    try:
        if isinstance(record, LumbungError):
            raise record
        if is_exported(record):
            return read_line(record, opened.profile)
        entry = reader.read(record)
        async with opened.people.transaction() as tx:
            actor = await acting(tx, opened.settings)
            outcome = await import_record(tx, actor, entry, repeated=report.meets(entry))
        setattr(report, outcome, getattr(report, outcome) + 1)
        report.tell_unplaced(number, reader.unplaced(record))
    except TransientError:
        raise
    except LumbungError as error:
        report.errors.append(f"line {number}: {error}")
    return None


async def restore(
    opened: System,
    exported: Sequence[tuple[int, ExportedLine]],
    archives: Sequence[Path],
    run_name: str,
    report: ImportReport,
) -> None:
    from lumbung.archive.reading import responses
    from lumbung.library.actions.restore_export import restore_line
    from lumbung.library.exported_lines import needed_pages
    from lumbung.library.restoration import restore_pages
    from lumbung.providers.parser.pool import ParserPool
    from lumbung.providers.parser.recognition import find_recognition
    from lumbung.stages.encode.handler import EncodeHandler

    needed = needed_pages(line for _, line in exported)
    if needed and archives:
        recognition = find_recognition(**dict(opened.settings.ocr))
        async with ParserPool(2, opened.settings.profile, recognition=recognition) as pool:
            for archive in archives:
                async for error in restore_pages(opened.people, pool, responses(archive), needed):
                    report.errors.append(error)
    encoder = EncodeHandler(opened.profile, opened.gazetteer)
    for number, line in sorted(exported, key=lambda each: (each[1].supplement_of is not None, each[0])):
        try:
            async with opened.people.transaction() as tx:
                actor = await acting(tx, opened.settings)
                keep = opened.settings.library.keep_contributors
                outcome, nodes = await restore_line(tx, actor, line, opened.profile, run_name, keep_contributor=keep)
            if nodes:
                await encode_now(encoder, opened, nodes)
            setattr(report, outcome, getattr(report, outcome) + 1)
        except TransientError:
            raise
        except LumbungError as error:
            report.errors.append(f"line {number}: {error}")


async def encode_now(encoder: EncodeHandler, opened: System, nodes: Sequence[str]) -> None:
    """Into the index without a new decision: what an import brings was decided where it comes from."""
    jobs = [Job(place, encoder.stage, node, {"node": node}, 0) for place, node in enumerate(nodes)]
    async with opened.machine.transaction() as tx:
        prepared = await encoder.prepare(tx, jobs)
    outcome = await encoder.perform(prepared, jobs)
    async with opened.machine.transaction() as tx:
        await encoder.commit(tx, jobs, outcome)


def json_records(file: str) -> Iterator[tuple[int, Line]]:
    """With the numbers of their lines; empty lines are passed over."""
    for number, line in enumerate(raw_lines(file), start=1):
        if line.strip():
            try:
                yield number, parse_record(line)
            except LumbungError as error:
                yield number, error


def csv_records(file: str, mapping: list[str]) -> Iterator[tuple[int, Line]]:
    """With the numbers of their rows, the headings not counted; what no row could mend is told before anything starts."""
    from lumbung.cli.csv_input import read_rows
    from lumbung.library.records import FIELDS

    table, faults = read_rows(file)
    columns = dict(table.columns)
    for pair in mapping:
        field, separator, column = pair.partition("=")
        if not separator:
            raise UsageError(f"--map {pair}: write it as field=column.")
        if field not in FIELDS:
            raise UsageError(f"--map {pair}: there is no field {field}; the fields are: {', '.join(FIELDS)}.")
        columns[field] = table.column(column)
    for needed in ("title", "text"):
        if needed not in columns:
            there = ", ".join(table.columns)
            raise UsageError(f"{file} has no column {needed}; name it with --map {needed}=COLUMN. It has: {there}.")
    return (
        (row + 1, UsageError(faults[row]) if row in faults else {name: column[row] for name, column in columns.items()})
        for row in range(table.size)
    )
