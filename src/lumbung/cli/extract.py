"""`lumbung extract`: candidates with their quotes, or the main text, of files."""

from __future__ import annotations

import asyncio
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import AsyncExitStack, contextmanager
from dataclasses import asdict, dataclass
from io import BufferedReader
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, BinaryIO, Literal, cast

import typer

from lumbung.cli.lines import Record, is_readable, write_record
from lumbung.errors import InputRefused, LumbungError, SettingsError, UsageError

if TYPE_CHECKING:
    from lumbung.model.candidate import Candidate, ExtractedFact, PageText
    from lumbung.providers.parser.pool import ParserPool
    from lumbung.providers.parser.recognition import Recognition
    from lumbung.stages.extract.llm import LlmExtractor

Engine = Literal["auto", "lexical", "llm"]
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
        typer.Argument(metavar="FILE…", help="HTML, text, PDF or WARC; - reads one of them from standard input."),
    ],
    main_text: Annotated[bool, typer.Option("--main-text", help="The visible main text instead.")] = False,
    url: Annotated[str, typer.Option(help="The address the page came from.")] = "",
    profile: Annotated[str, typer.Option(help="Name or folder of a profile.")] = "pdbi",
    engine: Annotated[
        Engine, typer.Option(help="lexical, llm, or auto: the model of the settings if they name one.")
    ] = "auto",
) -> None:
    """Read candidates with their quotes from HTML, text, PDF or WARC files, as JSON Lines.

    Where the model gives no answer, the lexical engine's is given; `engine` in each line says whose it is.

    Example: lumbung extract gambyong.html --url https://example.org/gambyong
    """
    from lumbung.profiles.loader import load_profile

    load_profile(profile)
    for name in files:
        if name != "-" and not is_readable(name):
            message = f"There is no file {name}; name HTML, text, PDF or WARC files."
            raise UsageError(message)
    asyncio.run(_run(files, url, profile, engine, main_text=main_text))


async def _run(files: list[str], url: str, profile: str, engine: Engine, *, main_text: bool) -> None:
    """Several pages are read at once; their answers come out in the order of the input."""
    from lumbung.providers.parser.pool import ParserPool

    asyncio.get_running_loop().set_exception_handler(_unless_interrupted)
    async with ParserPool(_CHILDREN, profile, recognition=_recognition()) as pool, AsyncExitStack() as stack:
        model = None if main_text or engine == "lexical" else _model(stack, profile, asked=engine == "llm")
        reader = _Reader(pool, model)
        waiting: list[asyncio.Task[list[Record]]] = []
        for source in _sources(files, url):
            waiting.append(asyncio.create_task(_answers(reader, source, main_text=main_text)))
            if len(waiting) >= _AHEAD:
                _write(await waiting.pop(0))
        while waiting:
            _write(await waiting.pop(0))


def _unless_interrupted(loop: asyncio.AbstractEventLoop, context: dict[str, object]) -> None:
    """An interrupt that met one of the tasks has ended the program already; it is no fault to tell."""
    if not isinstance(context.get("exception"), SystemExit):
        loop.default_exception_handler(context)


def _recognition() -> Recognition | None:
    from lumbung.config import load_settings
    from lumbung.providers.parser.recognition import find_recognition

    try:
        return find_recognition(**dict(load_settings()[0].ocr))
    except SettingsError as error:
        print(f"lumbung: {error} Scans are not read.", file=sys.stderr)
    return None


def _model(stack: AsyncExitStack, profile: str, *, asked: bool) -> LlmExtractor | None:
    """The model of the settings; without one that can be used the lexical engine reads, unless the model was asked for."""
    try:
        return _configured(stack, profile)
    except SettingsError as error:
        if asked:
            raise
        print(f"lumbung: {error} The lexical engine reads.", file=sys.stderr)
    except UsageError:
        if asked:
            raise
    return None


def _configured(stack: AsyncExitStack, profile: str) -> LlmExtractor:
    """Paid within the smallest cap of the settings."""
    from lumbung.config import load_settings

    settings, _ = load_settings()
    if settings.llm.base_url is None or settings.llm.model is None:
        raise UsageError("No model is configured; set LUMBUNG_LLM__BASE_URL and LUMBUNG_LLM__MODEL.")
    from lumbung.outside import endpoints_of
    from lumbung.profiles.loader import load_profile
    from lumbung.providers.inference.alone import Fuse, Memory, Purse
    from lumbung.providers.inference.gateway import GuardedInference
    from lumbung.stages.extract.llm import LlmExtractor
    from lumbung.text.region import Gazetteer

    budget = settings.budget
    purse = Purse(min(budget.hour_micros, budget.day_micros, budget.month_micros))
    inference = GuardedInference(list(endpoints_of(settings)), purse, Fuse(), Memory())
    inference.require_prices()
    stack.push_async_callback(inference.close)
    loaded = load_profile(profile)
    return LlmExtractor(inference, loaded, Gazetteer(loaded), settings.llm.model)


@dataclass(frozen=True, slots=True)
class _Reader:
    pool: ParserPool
    model: LlmExtractor | None

    async def candidates(self, source: _Source) -> list[Candidate]:
        page, found = await self.pool.extract(source.body, source.url, source.content_type)
        if self.model is None:
            return found
        try:
            return (await self.model.extract(page, source.name, found=found)).candidates
        except LumbungError as error:
            print(f"lumbung: {source.name}: {error} The lexical engine's reading is given.", file=sys.stderr)
            return found


def _write(records: list[Record]) -> None:
    for record in records:
        write_record(record)


def _sources(files: list[str], url: str) -> Iterator[_Source]:
    for name in files:
        try:
            if name == "-":
                yield from _read(name, cast("BufferedReader", sys.stdin.buffer), url)
            else:
                with Path(name).open("rb") as stream:
                    yield from _read(name, stream, url)
        except OSError as error:
            yield _Source(url or name, url, "", b"", f"The file cannot be read: {error.strerror or error}.")


def _read(name: str, stream: BufferedReader, url: str) -> Iterator[_Source]:
    """A page, or those of an archive; pipes are as good as files."""
    from lumbung.providers.parser.pool import MOST_BODY_BYTES
    from lumbung.providers.parser.records import is_web_archive

    if is_web_archive(name, stream.peek(16)[:16]):
        yield from _archived(name, stream)
    else:
        kind = _TYPES.get(Path(name).suffix.lower(), "")
        yield _Source(url or name, url, kind, stream.read(MOST_BODY_BYTES + 1))


@contextmanager
def _with_places(stream: BufferedReader) -> Iterator[BinaryIO]:
    """The stream, or a copy on disk of one that cannot go back, which the archive's reader wants to."""
    if stream.seekable():
        yield stream
        return
    with tempfile.TemporaryFile() as copy:
        shutil.copyfileobj(stream, copy)
        copy.seek(0)
        yield copy


def _archived(name: str, stream: BufferedReader) -> Iterator[_Source]:
    from lumbung.providers.parser.records import archived_pages

    pages = 0
    try:
        with _with_places(stream) as archive:
            for page in archived_pages(archive):
                pages += 1
                yield _Source(page.url or name, page.url, page.content_type, page.body)
    except InputRefused as refusal:
        yield _Source(name, "", "", b"", refusal.reason)
        return
    if not pages:
        yield _Source(name, "", "", b"", "The archive holds no page that can be read.")


async def _answers(reader: _Reader, source: _Source, *, main_text: bool) -> list[Record]:
    if source.error:
        return [{"source": source.name, "error": source.error}]
    try:
        if main_text:
            page = await reader.pool.read_letters(source.body, source.url, source.content_type)
            return [_main_text(source.name, page)]
        return [_candidate(source.name, candidate) for candidate in await reader.candidates(source)]
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


def _fact(fact: ExtractedFact) -> Record:
    told = asdict(fact)
    del told["polarity"]  # what a page denies is no fact of the item
    return told


def _candidate(name: str, candidate: Candidate) -> Record:
    return {
        "source": name,
        "name": candidate.name,
        "aliases": list(candidate.aliases),
        "category": candidate.category,
        "regions": list(candidate.regions),
        "facts": [_fact(fact) for fact in candidate.facts if fact.polarity > 0],
        "media": [
            {"url": media.url, "caption": media.caption, "licence_hint": media.licence_hint}
            for media in candidate.media
        ],
        "engine": candidate.engine,
        "parked": candidate.parked,
    }
