"""`lumbung extract`: candidates with their quotes, or the main text, of files."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from lumbung.cli.lines import Record, write_record
from lumbung.errors import InputRefused, UsageError

if TYPE_CHECKING:
    from lumbung.model.candidate import Candidate, PageText
    from lumbung.providers.parser import ParserPool

_CHILDREN = 2
_AHEAD = 8
_TYPES = {
    ".html": "text/html",
    ".htm": "text/html",
    ".xhtml": "application/xhtml+xml",
    ".txt": "text/plain",
    ".md": "text/plain",
    ".pdf": "application/pdf",
}


@dataclass(frozen=True, slots=True)
class _Source:
    name: str
    url: str
    content_type: str
    body: bytes
    error: str = ""


def command(
    files: Annotated[
        list[str],
        typer.Argument(metavar="FILE…", help="HTML, text, PDF or WARC; - reads one page from standard input."),
    ],
    main_text: Annotated[bool, typer.Option("--main-text", help="The visible main text instead.")] = False,
    url: Annotated[str, typer.Option(help="The address the page came from.")] = "",
    profile: Annotated[str, typer.Option(help="Name or folder of a profile.")] = "pdbi",
) -> None:
    """Read candidates with their quotes from HTML, text, PDF or WARC files, as JSON Lines.

    Example: lumbung extract gambyong.html --url https://example.org/gambyong
    """
    from lumbung.profiles.loader import load_profile

    load_profile(profile)
    for name in files:
        if name != "-" and not Path(name).is_file():
            message = f"There is no file {name}; name HTML, text, PDF or WARC files."
            raise UsageError(message)
    asyncio.run(_run(files, url, profile, main_text=main_text))


async def _run(files: list[str], url: str, profile: str, *, main_text: bool) -> None:
    """Several pages are read at once; their answers come out in the order of the input."""
    from lumbung.providers.parser import ParserPool

    async with ParserPool(_CHILDREN, profile) as pool:
        waiting: list[asyncio.Task[list[Record]]] = []
        for source in _sources(files, url):
            waiting.append(asyncio.create_task(_answers(pool, source, main_text=main_text)))
            if len(waiting) >= _AHEAD:
                _write(await waiting.pop(0))
        while waiting:
            _write(await waiting.pop(0))


def _write(records: list[Record]) -> None:
    for record in records:
        write_record(record)


def _sources(files: list[str], url: str) -> Iterator[_Source]:
    from lumbung.providers.parser.pool import MOST_BODY_BYTES
    from lumbung.providers.parser.records import is_web_archive

    for name in files:
        try:
            if name == "-":
                yield _Source(url or name, url, "", sys.stdin.buffer.read(MOST_BODY_BYTES + 1))
                continue
            path = Path(name)
            with path.open("rb") as stream:
                start = stream.read(16)
                stream.seek(0)
                if is_web_archive(name, start):
                    yield from _archived(name, path)
                else:
                    kind = _TYPES.get(path.suffix.lower(), "")
                    yield _Source(url or name, url, kind, stream.read(MOST_BODY_BYTES + 1))
        except OSError as error:
            yield _Source(url or name, url, "", b"", f"The file cannot be read: {error.strerror or error}.")


def _archived(name: str, path: Path) -> Iterator[_Source]:
    from lumbung.providers.parser.records import archived_pages

    try:
        with path.open("rb") as stream:
            for page in archived_pages(stream):
                yield _Source(page.url or name, page.url, page.content_type, page.body)
    except InputRefused as refusal:
        yield _Source(name, "", "", b"", refusal.reason)


async def _answers(pool: ParserPool, source: _Source, *, main_text: bool) -> list[Record]:
    if source.error:
        return [{"source": source.name, "error": source.error}]
    try:
        if main_text:
            page = await pool.read(source.body, source.url, source.content_type)
            return [_main_text(source.name, page)]
        _, candidates = await pool.extract(source.body, source.url, source.content_type)
        return [_candidate(source.name, candidate) for candidate in candidates]
    except InputRefused as refusal:
        return [{"source": source.name, "error": refusal.reason}]


def _main_text(name: str, page: PageText) -> Record:
    """An encyclopaedia's text is never given out."""
    from lumbung.model.candidate import PageKind

    text = "" if page.kind is PageKind.ENCYCLOPAEDIA else page.text
    return {
        "source": name,
        "title": page.title,
        "text": text,
        "language": page.language,
        "script": page.script,
        "kind": page.kind.value,
    }


def _candidate(name: str, candidate: Candidate) -> Record:
    return {
        "source": name,
        "name": candidate.name,
        "aliases": list(candidate.aliases),
        "category": candidate.category,
        "regions": list(candidate.regions),
        "facts": [asdict(fact) for fact in candidate.facts],
        "media": [
            {"url": media.url, "caption": media.caption, "licence_hint": media.licence_hint}
            for media in candidate.media
        ],
        "engine": candidate.engine,
        "parked": candidate.parked,
    }
