"""`lumbung fetch`: a polite, guarded fetch, or the guard's answer alone."""

from __future__ import annotations

import asyncio
import hashlib
import os
import threading
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from contextlib import AsyncExitStack, suppress
from typing import TYPE_CHECKING, Annotated, Any

import typer

from lumbung.cli.lines import raw_lines, write_record
from lumbung.errors import UsageError

if TYPE_CHECKING:
    from lumbung.config import Settings
    from lumbung.providers.fetch.addresses import AddressGuard
    from lumbung.providers.fetch.fetcher import Fetcher
    from lumbung.providers.fetch.resolver import Overrides
    from lumbung.providers.fetch.result import FetchResult
    from lumbung.stages.crawl.turns import EngineTurns

DELAY_SECONDS = 5.0
AT_ONCE = 32
MOST_PIECES = 512
"""Of a line that never ends no more than so many pieces are held."""

Record = dict[str, Any]


def command(
    urls: Annotated[
        list[str] | None, typer.Argument(metavar="URL…", help="What to fetch; with --check, a file or -.")
    ] = None,
    resolve: Annotated[
        list[str] | None, typer.Option(metavar="HOST:PORT:ADDRESS", help="Local name resolution; repeatable.")
    ] = None,
    allow_private: Annotated[
        list[str] | None, typer.Option(metavar="ADDRESS/BITS", help="A network the guard lets through; repeatable.")
    ] = None,
    check: Annotated[
        bool, typer.Option("--check", help="Only ask the guard, for one URL a line; connect to nothing.")
    ] = False,
) -> None:
    """Fetch politely through the address guard: robots.txt and delays are obeyed, always.

    Example: lumbung fetch https://example.org/ --allow-private 127.0.0.0/8 --resolve example.org:443:127.0.0.1

    Example: echo http://10.0.0.1/ | lumbung fetch --check -
    """
    from lumbung.cli.session import run
    from lumbung.config import load_settings
    from lumbung.providers.fetch.addresses import AddressGuard, parse_network
    from lumbung.providers.fetch.resolver import parse_override

    if not urls:
        raise UsageError("Name at least one URL, or --check with a file or - of URLs.")
    overrides = dict(parse_override(text) for text in resolve or [])
    listed = [parse_network(text) for text in allow_private or []]
    settings, _ = load_settings()
    guard = AddressGuard([*listed, *(parse_network(text) for text in settings.crawl.allow_private)])
    if check:
        run(_check(urls, guard, overrides))
        return
    raise typer.Exit(_exit_code(run(_fetch(urls, guard, overrides, settings))))


def _exit_code(verdicts: list[str]) -> int:
    if any(verdict in {"failed", "unresolved"} for verdict in verdicts):
        return 1
    return 3 if "refused" in verdicts else 0


async def _fetch(urls: list[str], guard: AddressGuard, overrides: Overrides, settings: Settings) -> list[str]:
    from lumbung.providers.fetch.fetcher import Fetcher
    from lumbung.providers.fetch.visitor import user_agent

    contact = settings.crawl.contact or None
    agent = user_agent(settings.crawl.user_agent, contact)
    verdicts: list[str] = []
    async with AsyncExitStack() as stack:
        fetcher = await stack.enter_async_context(
            Fetcher(agent, guard, resolve=overrides, ask_public=contact is not None)
        )
        visit = await _way_of_asking(fetcher, settings, stack)

        async def answer(url: str) -> Record:
            return _fetched_record(await visit(url))

        async for record in _in_order(_each(urls), answer):
            verdicts.append(record["verdict"])
            write_record(record)
    return verdicts


async def _way_of_asking(
    fetcher: Fetcher, settings: Settings, stack: AsyncExitStack
) -> Callable[[str], Awaitable[FetchResult]]:
    """How hosts are given their turns: by the running engines, or by lock files in the data folder."""
    from lumbung.providers.fetch.limits import FetchLimits
    from lumbung.providers.fetch.polite import HostTurns
    from lumbung.providers.fetch.visitor import RobotsFolder, Visitor

    url = _engines_url(settings, stack)
    robots = RobotsFolder(settings.data_dir / "robots")
    if url is not None:
        return Visitor(fetcher, await _engine_turns(url, stack), robots, settings.crawl.user_agent, DELAY_SECONDS).visit
    turns = HostTurns(settings.data_dir / "turns", FetchLimits().total_seconds)
    return Visitor(fetcher, turns, robots, settings.crawl.user_agent, DELAY_SECONDS).visit


def _engines_url(settings: Settings, stack: AsyncExitStack) -> str | None:
    """The machine's login at a database server, or at the engines of the data folder if they run; nothing is started."""
    if settings.database_machine_url is not None:
        return settings.database_machine_url.get_secret_value()
    from lumbung.runtime.engines.client import Engines
    from lumbung.runtime.engines.connection import engine_pids

    if engine_pids(settings.data_dir) is None:
        return None
    return stack.enter_context(Engines.attach(settings.data_dir)).postgres_url("machine")


async def _engine_turns(url: str, stack: AsyncExitStack) -> EngineTurns:
    from lumbung.runtime.ending import end_all
    from lumbung.runtime.heartbeat import start_beating
    from lumbung.stages.crawl.turns import EngineTurns
    from lumbung.store.database import Database

    database = Database(url)
    await database.open()
    stack.push_async_callback(database.close)
    stack.push_async_callback(end_all, [await start_beating(database)])
    return EngineTurns(database)


def _fetched_record(result: FetchResult) -> Record:
    has_body = result.fetched and result.status is not None
    return {
        "url": result.url,
        "final_url": result.final_url or None,
        "status": result.status,
        "content_type": result.content_type,
        "bytes": len(result.content) if has_body else None,
        "sha256": hashlib.sha256(result.content).hexdigest() if has_body else None,
        "redirects": [{"status": status, "url": url} for status, url in result.redirects],
        "verdict": str(result.verdict),
        "reason": result.explanation,
    }


async def _check(sources: list[str], guard: AddressGuard, overrides: Overrides) -> None:
    from lumbung.providers.fetch.fetcher import Fetcher

    async with Fetcher("", guard, resolve=overrides) as fetcher:

        async def answer(url: str) -> Record:
            stop = await fetcher.admit(url)
            if stop is None:
                return {"url": url, "verdict": "allowed", "reason": None}
            return {"url": url, "verdict": str(stop.verdict), "reason": stop.explanation}

        for source in sources:
            async for record in _in_order(_lines(source), answer):
                write_record(record)


async def _each(urls: Iterable[str]) -> AsyncIterator[str]:
    from lumbung.text.url import usv_string

    for url in urls:
        yield usv_string(url)


async def _lines(source: str) -> AsyncIterator[str]:
    if source == "-":
        lines = _standard_input()
    elif "://" in source:
        lines = _each([source])
    else:
        lines = _each(line.decode("utf-8", "replace") for line in raw_lines(source))
    async for line in lines:
        yield line.removeprefix("\ufeff").strip("\r\n")


async def _standard_input() -> AsyncIterator[str]:
    """Lines as they arrive. They are read in a thread of their own, without Python's buffer and its lock, so that
    neither an answer nor an interrupt waits for the next line.
    """
    loop = asyncio.get_running_loop()
    lines: asyncio.Queue[bytes | None] = asyncio.Queue()
    room = threading.Semaphore(1000)

    def read() -> None:
        rest: list[bytes] = []
        while piece := os.read(0, 65_536):
            first, *others = piece.split(b"\n")
            if len(rest) < MOST_PIECES:
                rest.append(first)
            for begun in others:
                room.acquire()
                loop.call_soon_threadsafe(lines.put_nowait, b"".join(rest))
                rest = [begun]
        if last := b"".join(rest):
            loop.call_soon_threadsafe(lines.put_nowait, last)
        loop.call_soon_threadsafe(lines.put_nowait, None)

    def read_while_wanted() -> None:
        with suppress(RuntimeError):  # the loop has ended before the input
            read()

    threading.Thread(target=read_while_wanted, daemon=True).start()
    while (line := await lines.get()) is not None:
        room.release()
        yield line.decode("utf-8", "replace")


async def _in_order(items: AsyncIterator[str], answer: Callable[[str], Awaitable[Record]]) -> AsyncIterator[Record]:
    """Many at once, answered in input order, each as soon as those before it are."""
    tasks: asyncio.Queue[asyncio.Future[Record] | None] = asyncio.Queue(AT_ONCE)

    async def start_all() -> None:
        try:
            async for item in items:
                await tasks.put(asyncio.ensure_future(answer(item)))
        finally:
            # Cancelled, nobody takes the answers any more, and a full queue would be waited at for ever.
            task = asyncio.current_task()
            if task is None or not task.cancelling():
                await tasks.put(None)

    starter = asyncio.create_task(start_all())
    while (task := await tasks.get()) is not None:
        yield await task
    await starter
