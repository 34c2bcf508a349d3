"""The whole library in and out, a line for each entry: streamed, never held in memory."""

from __future__ import annotations

import zlib
from codecs import BOM_UTF8
from collections.abc import AsyncIterator
from typing import Annotated, Any

from fastapi import APIRouter, HTTPException, Query, Request, Response
from pydantic import BaseModel
from pydantic_core import from_json, to_json
from starlette.responses import StreamingResponse

from lumbung.bootstrap import System
from lumbung.errors import LumbungError, TransientError, UsageError
from lumbung.library.actions.import_records import ImportReport, import_record, record_import
from lumbung.library.disclosure import public_record
from lumbung.library.exported_lines import is_exported
from lumbung.library.records import RecordReader
from lumbung.model.permission import Actor, allow
from lumbung.store import entries
from lumbung.web.api_access import PROBLEMS, Open, Signed
from lumbung.web.rendering import system_of

LINES = "application/x-ndjson"
PAGE_SIZE = 200
LONGEST_LINE_BYTES = 2_000_000
MOST_ERRORS_TOLD = 100
CODINGS = ("identity", "gzip", "x-gzip")
GZIP = 31
"""zlib's number for a window of any size within gzip's frame."""
PIECE_BYTES = 65_536

router = APIRouter(prefix="/api/v1", tags=["bulk"])


class Imported(BaseModel):
    """What became of the lines; of the refused ones the first are told."""

    added: int
    revised: int
    unchanged: int
    older: int
    refused: int
    errors: list[str]
    notes: list[str]


@router.get(
    "/entries.jsonl",
    responses=PROBLEMS | {200: {"content": {LINES: {"schema": {"type": "string"}}}}},
    response_class=StreamingResponse,
    dependencies=[Open],
)
async def export_entries(
    request: Request,
    after: Annotated[str, Query(max_length=128, description="The identity of the last line that you have.")] = "",
) -> Response:
    """All published entries as the public sees them, in the order of their identities; a broken stream is taken up
    after its last whole line.
    """
    return StreamingResponse(lines_after(system_of(request), after), media_type=LINES)


async def lines_after(system: System, after: str) -> AsyncIterator[bytes]:
    """A page in a transaction of its own: a slow reader holds none open."""
    while True:
        async with system.people.transaction() as tx:
            identities = await entries.published_after(tx, after, PAGE_SIZE)
            rows = [row async for row in entries.export(tx, ["published"], identities)] if identities else []
        if not identities:
            return
        yield b"".join(to_json(public_record(row)) + b"\n" for row in rows)
        after = identities[-1]


@router.post(
    "/import",
    responses=PROBLEMS,
    openapi_extra={"requestBody": {"required": True, "content": {LINES: {"schema": {"type": "string"}}}}},
)
async def import_lines(request: Request, actor: Signed) -> Imported:
    """Human records, one JSON object a line, as `lumbung library import` takes them: each line counts by itself, and what
    was imported before is left or revised. They may come packed (`Content-Encoding: gzip`). The token needs `import-records`.
    """
    allow(actor, "import-records")
    system = system_of(request)
    own = system.settings.library
    reader = RecordReader(
        system.profile, system.gazetteer, keep_contributors=own.keep_contributors, licence=own.licence
    )
    report = ImportReport()
    number = 0
    try:
        async for line in lines_of(request):
            number += 1
            if line is None or line.strip():
                await import_line(system, reader, actor, number, line, report)
    except zlib.error:
        report.errors.append(f"line {number + 1}: what was packed is damaged or was cut off; nothing after it was read")
    async with system.people.transaction() as tx:
        await record_import(tx, actor, "the interface", report)
    return Imported(
        added=report.added,
        revised=report.revised,
        unchanged=report.unchanged,
        older=report.older,
        refused=len(report.errors),
        errors=report.errors[:MOST_ERRORS_TOLD],
        notes=report.notes[:MOST_ERRORS_TOLD],
    )


async def lines_of(request: Request) -> AsyncIterator[bytes | None]:
    """Line by line as they come; None for one that is longer than any record may be."""
    held, too_long = b"", False
    async for chunk in pieces_of(request):
        *whole, rest = chunk.split(b"\n")
        for piece in whole:
            line, held = held + piece, b""
            yield None if too_long or len(line) > LONGEST_LINE_BYTES else line
            too_long = False
        held += rest
        if len(held) > LONGEST_LINE_BYTES:
            held, too_long = b"", True
    if held or too_long:
        yield None if too_long else held


def pieces_of(request: Request) -> AsyncIterator[bytes]:
    coding = request.headers.get("content-encoding", "identity").strip().lower()
    if coding not in CODINGS:
        raise HTTPException(415, f"Send the lines as they are, or packed as gzip; {coding} is not known here.")
    return unpacked(request.stream()) if coding != "identity" else request.stream()


async def unpacked(chunks: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    """Piece by piece, so that nothing that is packed tightly fills the memory; members of a file follow each other."""
    unpacking, is_whole = zlib.decompressobj(GZIP), True
    async for chunk in chunks:
        rest = chunk
        while rest:
            yield unpacking.decompress(rest, PIECE_BYTES)
            is_whole = unpacking.eof
            rest = unpacking.unused_data if is_whole else unpacking.unconsumed_tail
            unpacking = zlib.decompressobj(GZIP) if is_whole else unpacking
    if not is_whole:
        raise zlib.error("cut off")


async def import_line(
    system: System, reader: RecordReader, actor: Actor, number: int, line: bytes | None, report: ImportReport
) -> None:
    try:
        record = record_of(line)
        entry = reader.read(record)
        async with system.people.transaction() as tx:
            outcome = await import_record(tx, actor, entry, repeated=report.meets(entry))
        setattr(report, outcome, getattr(report, outcome) + 1)
        report.tell_unplaced(number, reader.unplaced(record))
    except TransientError:
        raise
    except LumbungError as error:
        report.errors.append(f"line {number}: {error}")


def record_of(line: bytes | None) -> dict[str, Any]:
    if line is None:
        raise UsageError(f"the line is longer than {LONGEST_LINE_BYTES} bytes")
    try:
        record = from_json(line.removeprefix(BOM_UTF8), allow_inf_nan=False)
    except ValueError as error:
        raise UsageError("the line is no JSON") from error
    if not isinstance(record, dict):
        raise UsageError("the line is no JSON object")
    if is_exported(record):
        raise UsageError("a line of an operator's export is taken back at the command line, with its archive")
    return record
