"""The funnel put together: which parts a process runs, and how they end.

Stages are imported where they are made, so that a process loads no more than the parts it runs.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from lumbung.bootstrap import System, user_agent
from lumbung.errors import TransientError
from lumbung.governance.steward.archiver import keep_archiving
from lumbung.governance.steward.mailing import keep_mailing
from lumbung.governance.steward.reseeding import keep_reseeding
from lumbung.governance.steward.watch import keep_watching
from lumbung.model.job import STAGES, NewJob
from lumbung.ports.stage import Handler
from lumbung.providers.fetch.addresses import AddressGuard, parse_network
from lumbung.providers.fetch.fetcher import Fetcher
from lumbung.providers.fetch.limits import FetchLimits
from lumbung.providers.fetch.resolver import Endpoint
from lumbung.providers.mail import SmtpMail
from lumbung.providers.parser.pool import ParserPool
from lumbung.providers.parser.recognition import find_recognition
from lumbung.queues.jetstream import JetStreamQueue
from lumbung.runtime.ending import end_all
from lumbung.runtime.failpoints import passage
from lumbung.runtime.heartbeat import start_beating
from lumbung.runtime.reconciler import keep_reconciling
from lumbung.runtime.relay import Relay
from lumbung.runtime.worker import Worker
from lumbung.store import breakers, jobs, lexicon, readings
from lumbung.text.markup import CLEANER_VERSION
from lumbung.text.url import host_of

if TYPE_CHECKING:
    from lumbung.stages.crawl.crawler import Crawler
    from lumbung.stages.crawl.links import LinkRanker
    from lumbung.stages.crawl.visit import Visitor
    from lumbung.stages.publish.pictures import PictureCopier
    from lumbung.text.gate import Gate

WAKE_SECONDS = 5.0
WORDS_SECONDS = 2.0
BATCHES_OF_QUESTIONS = 4
"""Each holds up to fifty questions, so that these few keep any model busy."""


@dataclass(frozen=True, slots=True)
class Parts:
    """Which parts of the funnel a process runs; by default all of them."""

    stages: frozenset[str] = frozenset(STAGES)
    crawl: bool = True
    relay: bool = True
    """The relay, the reconciler and the archiver."""
    parsers: int = 2


ALL_PARTS = Parts()


@dataclass
class Running:
    """The parts that run in this process."""

    worker: Worker | None = None
    visitor: Visitor | None = None
    crawler: Crawler | None = None
    copier: PictureCopier | None = None
    serving: list[asyncio.Task[None]] = field(default_factory=list)
    """They finish what is in hand when asked to stop."""
    background: list[asyncio.Task[None]] = field(default_factory=list)

    def check(self) -> None:
        """Raise what ended a part that should never end."""
        for task in (*self.serving, *self.background):
            if task.done() and not task.cancelled():
                task.result()


def make_publisher(system: System, run: str) -> Handler:
    """Into the embedded library, or into the remote one that a mapping file describes."""
    from lumbung.stages.publish.handler import PublishHandler

    local = PublishHandler(system.profile, run)
    if system.guarded_library is None:
        return local
    from lumbung.stages.publish.remote_handler import RemotePublishHandler

    return RemotePublishHandler(local, system.guarded_library, passage)


async def parsers(system: System, size: int) -> ParserPool:
    async with system.machine.reading() as tx:
        words = await lexicon.in_force(tx)
    recognition = find_recognition(**dict(system.settings.ocr))
    return ParserPool(size, system.settings.profile, recognition=recognition, words=words)


def handlers(system: System, pool: ParserPool, run: str) -> dict[str, Handler]:
    from lumbung.governance.steward.handler import StewardHandler
    from lumbung.stages.decide.agents import Agents
    from lumbung.stages.decide.handler import DecideHandler
    from lumbung.stages.encode.handler import EncodeHandler
    from lumbung.stages.extract.handler import ExtractHandler

    made: list[Handler] = [
        ExtractHandler(system.profile, pool, system.archive, system.extractor),
        EncodeHandler(system.profile, system.gazetteer),
        DecideHandler(
            system.profile, system.gazetteer, Agents(system.inference, system.profile) if system.inference else None
        ),
        make_publisher(system, run),
        StewardHandler(system.profile),
    ]
    return {handler.stage: handler for handler in made}


def served_by(system: System, pool: ParserPool, run: str, parts: Parts) -> dict[str, Handler]:
    return {stage: each for stage, each in handlers(system, pool, run).items() if stage in parts.stages}


def make_fetcher(system: System) -> Fetcher:
    crawl = system.settings.crawl
    local = {address for address, _ in system.names.hosts.values()}
    allowed = [parse_network(each) for each in (*crawl.allow_private, *sorted(local))]
    return Fetcher(
        user_agent=user_agent(system.settings),
        guard=AddressGuard(allowed),
        limits=FetchLimits(redirects=0),
        resolve={
            (host, port): Endpoint(address, own_port)
            for host, (address, own_port) in system.names.hosts.items()
            for port in (80, 443, own_port)
        },
        ask_public=crawl.contact is not None,
    )


def judges(system: System) -> tuple[Gate, LinkRanker]:
    """Who judges pages and links by the words in force."""
    from lumbung.stages.crawl.links import LinkRanker
    from lumbung.text.gate import Gate

    return Gate(system.profile), LinkRanker(system.profile)


def make_visitor(system: System, pool: ParserPool, fetcher: Fetcher) -> Visitor:
    from lumbung.stages.crawl.visit import Visitor

    agent, own = system.settings.crawl.user_agent, system.settings.web.public_url
    # No circular witness: the library's own pages are never asked for, wherever it lives.
    remote = system.remote_library
    refused = frozenset({host_of(own)} if own else ()) | (remote.hosts if remote else frozenset())
    return Visitor(fetcher, pool, *judges(system), agent, refused)


def make_crawler(system: System, visitor: Visitor) -> Crawler:
    from lumbung.stages.crawl.crawler import Crawler
    from lumbung.stages.crawl.lanes import Lanes

    return Crawler(system.machine, visitor, Lanes(system.settings.crawl.requests_at_once), passage)


async def keep_people_told(system: System, server: str) -> None:
    mail, web = system.settings.mail, system.settings.web
    sender = SmtpMail(server, mail.sender, mail.recipients, mail.security, mail.user, mail.password)
    address = f"{(web.public_url or f'http://{web.host}:{web.port}').rstrip('/')}/ruang-kerja"
    await keep_mailing(system.machine, sender, mail.language, address, passage)


def make_copier(system: System, fetcher: Fetcher) -> PictureCopier:
    from lumbung.providers.pictures import PictureDecoder
    from lumbung.stages.publish.pictures import PictureCopier

    agent = system.settings.crawl.user_agent
    return PictureCopier(system.machine, fetcher, PictureDecoder(), system.pictures, agent, passage)


async def take_in_archives(system: System, files: Sequence[Path]) -> tuple[int, int]:
    """Pages of WARC files into the funnel, without any fetch."""
    from lumbung.archive.reading import responses
    from lumbung.stages.crawl.archives import take_in

    kept = refused = 0
    async with await parsers(system, 2) as pool, make_fetcher(system) as fetcher:
        for file in files:
            taken, left = await take_in(responses(file), make_visitor(system, pool, fetcher), system.machine)
            kept, refused = kept + taken, refused + left
    return kept, refused


@asynccontextmanager
async def running_funnel(system: System, run: str, parts: Parts = ALL_PARTS) -> AsyncIterator[Running]:
    """The named parts, in this process, until the block ends; then what is in hand is finished or returned."""
    async with AsyncExitStack() as stack:
        queue = await JetStreamQueue.connect(system.addresses.nats, system.settings.nats_replicas)
        stack.push_async_callback(queue.close)
        pool = await stack.enter_async_context(await parsers(system, parts.parsers))
        if system.remote_library:
            stack.push_async_callback(system.remote_library.close)
        fetcher = await stack.enter_async_context(make_fetcher(system))
        running = Running()
        stack.push_async_callback(wind_down, running)
        running.background.append(await start_beating(system.machine))
        if parts.relay:
            await redrive_parked(system)
            await ask_what_is_open(system)
            running.background += [
                asyncio.create_task(Relay(system.machine, queue).run()),
                asyncio.create_task(keep_reconciling(system.machine, queue)),
                asyncio.create_task(keep_archiving(system.machine, system.archive, passage)),
                asyncio.create_task(keep_watching(system.machine, system.gazetteer.provinces_of)),
            ]
            if not run.startswith(("harvest:", "demo")):
                # A harvest injects the tranches named on its line and no others.
                reseeding = keep_reseeding(system.machine, system.profile, system.gazetteer.provinces_of)
                running.background.append(asyncio.create_task(reseeding))
            if system.settings.mail.server:
                running.background.append(asyncio.create_task(keep_people_told(system, system.settings.mail.server)))
            if system.extractor or system.inference or system.remote_library:
                running.background.append(asyncio.create_task(keep_waking(system)))
        if parts.stages:
            served = served_by(system, pool, run, parts)
            fewest, most = {"extract": parts.parsers}, most_deliveries(system)
            running.worker = Worker(system.machine, queue, served, fewest, most=most)
            running.serving.append(asyncio.create_task(running.worker.run()))
        if "publish" in parts.stages:
            running.copier = make_copier(system, fetcher)
            running.serving.append(asyncio.create_task(running.copier.run()))
        if parts.crawl:
            running.visitor = make_visitor(system, pool, fetcher)
            running.crawler = make_crawler(system, running.visitor)
            running.serving.append(asyncio.create_task(running.crawler.run()))
        running.background.append(asyncio.create_task(keep_words(system, running, pool, run, parts)))
        yield running


async def keep_words(system: System, running: Running, pool: ParserPool, run: str, parts: Parts) -> None:
    """People may change the lexicon while stages run: what reads with it is made anew and takes over."""
    while True:
        await asyncio.sleep(WORDS_SECONDS)
        with suppress(TransientError):
            async with system.machine.reading() as tx:
                words = await lexicon.in_force(tx)
            if words.version == system.profile.words_version:
                continue
            await asyncio.to_thread(system.follow, words)
            await pool.follow(words)
            if running.visitor:
                running.visitor.follow(*await asyncio.to_thread(judges, system))
            if running.worker:
                running.worker.follow(await asyncio.to_thread(served_by, system, pool, run, parts))


def most_deliveries(system: System) -> dict[str, int]:
    """At a time, by stages that wait for somebody outside; their number follows what arrives."""
    model, library = system.settings.llm.pages_at_once, system.settings.library.requests_at_once
    bounds = (("extract", system.extractor, model), ("decide", system.inference, min(model, BATCHES_OF_QUESTIONS)),
              ("publish", system.remote_library, library))  # fmt: skip
    return {stage: most for stage, outside, most in bounds if outside}


async def redrive_parked(system: System) -> None:
    """What was parked for want of a model, a translator or OCR is read again, once one is configured."""
    if system.settings.ocr.program:
        from lumbung.stages.extract.handler import RECOGNITION

        async with system.machine.transaction() as tx:
            await jobs.unpark(tx, RECOGNITION)
    if system.extractor is None:
        return
    from lumbung.stages.extract.translated import WAITS, TranslatedReader

    waits = WAITS if isinstance(system.extractor, TranslatedReader) else "*"
    where = dict.fromkeys(("host", "kind", "url", "language", "category")) | {"parked": waits}
    version = system.extractor_version
    async with system.machine.transaction() as tx:
        pages = await readings.unread(tx, version, CLEANER_VERSION, where)
        keys = [readings.reading_key(page["url"], page["digest"], version) for page in pages]
        new = [NewJob("extract", key, {"document": page["id"]}) for key, page in zip(keys, pages, strict=True)]
        await jobs.add(tx, new)


async def ask_what_is_open(system: System) -> None:
    """What rules left to people for want of a model is asked, once one is configured."""
    if system.inference is None:
        return
    from lumbung.stages.decide.asking import questions_left_open

    async with system.machine.transaction() as tx:
        await jobs.add(tx, await questions_left_open(tx))


async def keep_waking(system: System) -> None:
    """Work that a provider's outage parked goes on when the provider answers again."""
    translation = system.capabilities.translation(system.inference)
    waited_for = {"inference": system.inference, "translation": translation, "library": system.guarded_library}
    while True:
        await asyncio.sleep(WAKE_SECONDS)
        with suppress(TransientError):
            async with system.machine.transaction() as tx:
                for capability, guarded in waited_for.items():
                    if guarded is not None:
                        await breakers.wake(tx, capability, guarded.providers)


async def wind_down(running: Running, within_seconds: float = 20.0) -> None:
    """In-flight work is finished, or returned by its lease and its message, within a bound."""
    for part in (running.worker, running.crawler, running.copier):
        if part:
            part.stop()
    if running.serving:
        await asyncio.wait(running.serving, timeout=within_seconds)
    await end_all([*running.serving, *running.background])
