"""One visit to a host: what it says to crawlers where that is not known yet, then one URL; nothing is stored here."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field, replace
from functools import lru_cache
from uuid import uuid4

from lumbung.errors import InputRefused, LumbungError, RefusedError
from lumbung.model.candidate import Link, PageKind, PageText
from lumbung.ports.fetch import Fetched, Fetcher
from lumbung.ports.parser import PageReader
from lumbung.providers.fetch.polite import pause
from lumbung.stages.crawl.answers import REDIRECTS, Ending, ending_of, ending_of_page, not_admitted
from lumbung.stages.crawl.canonical import canonical_elsewhere
from lumbung.stages.crawl.judging import Judge
from lumbung.stages.crawl.links import (
    OWN_PAGES,
    UNKNOWN_TOPIC,
    FoundLinks,
    LinkRanker,
    PageOfLinks,
    Ranking,
    frontier_urls,
    source_urls,
    topic_of,
)
from lumbung.stages.crawl.policy import FILES, UNREACHABLE_SECONDS, PolicyBook, origin_of
from lumbung.stages.crawl.reading import OutlineReader, is_link_source
from lumbung.stages.crawl.sightings import Sightings
from lumbung.stages.crawl.traps import KnownUrls, ShapeBook
from lumbung.stages.crawl.uplink import NobodyAnswers, Uplink
from lumbung.store.documents import PolicyAnswer
from lumbung.store.frontier import FrontierUrl, Lease
from lumbung.store.hosts import KeptPolicy
from lumbung.text.denylist import DENIED
from lumbung.text.gate import Gate, GateVerdict
from lumbung.text.markup.refusal import Unreadable
from lumbung.text.optout import directives_of_headers, keeping_refused, links_refused
from lumbung.text.outline import EMPTY, Outline
from lumbung.text.sitemap import SourceLink, read_link_source
from lumbung.text.url import host_of, normalize, registrable_domain

MOST_REDIRECTS = 5
MOST_LEASES_OF_A_URL = 50
"""A URL that ended so many workers is not given to another."""
MOST_SOURCE_LINKS = 5_000
OUTAGE_SECONDS = 120.0
"""So long a host rests when nobody answers; its URLs wait as they are."""

BorrowHost = Callable[[str], AbstractAsyncContextManager[bool]]
"""A turn at a host that was not leased; False when there was none within a short time."""


@dataclass
class Visit:
    """What came of a lease; the commit writes it in one transaction with others."""

    lease: Lease
    outcome: str = "policy"
    """fetched, refused, failed, later, blocked, or policy: the URL itself was not asked for and waits on."""
    reason: str | None = None
    answer: Fetched | None = None
    outline_kind: PageKind | None = None
    page: PageText | None = None
    gate: GateVerdict | None = None
    found: FoundLinks = field(default_factory=FoundLinks)
    sources: list[FrontierUrl] = field(default_factory=list)
    policies: list[KeptPolicy] = field(default_factory=list)
    policy_answers: list[PolicyAnswer] = field(default_factory=list)
    wait_seconds: float = 0.0
    cooldown_seconds: float = 0.0
    notice: tuple[str, str] | None = None
    asked: bool = False
    ended: float = 0.0
    """When the last request ended, by the monotonic clock."""
    service_seconds: float | None = None
    digest: str | None = None
    """Of the content, once somebody asked for it."""
    frees_host: bool = True
    trace: str | None = None
    turn_pages: int = 0
    """Pages asked for in the turn that this visit ends."""

    @property
    def ends_turn(self) -> bool:
        return self.outcome in {"policy", "blocked"}

    @property
    def counts_as_page(self) -> bool:
        return self.outcome not in {"policy", "later"}

    def end(self, ending: Ending) -> Visit:
        self.outcome, self.reason = ending.outcome, ending.reason
        self.wait_seconds, self.cooldown_seconds, self.notice = (
            ending.wait_seconds,
            ending.cooldown_seconds,
            ending.notice,
        )
        return self


class Visitor:
    """Fetches and judges; it holds no state between visits but what it may forget. Without a gate every page passes."""

    def __init__(
        self,
        fetcher: Fetcher,
        reader: PageReader,
        gate: Gate | None,
        ranker: LinkRanker,
        agent: str,
        refused_hosts: frozenset[str] = frozenset(),
    ) -> None:
        self._fetcher = fetcher
        self._outlines = OutlineReader(reader, agent)
        self._ranker = ranker
        self.agent = agent
        self._refused_hosts = refused_hosts
        self.judge = Judge(gate) if gate is not None else None
        self.policies = PolicyBook(time.monotonic)
        self.known = KnownUrls()
        self.sightings = Sightings()
        self.shapes = ShapeBook()
        self.ranking = Ranking({})
        self.max_depth = 4
        self.borrow: BorrowHost | None = None
        self.token = uuid4()
        self.asked_since: dict[str, float] = {}
        """By the monotonic clock, for each host in hand that has not answered yet."""
        self._uplink = Uplink(time.monotonic)

    def follow(self, gate: Gate, ranker: LinkRanker) -> None:
        """Judge and rank with other words from the next page on."""
        self._ranker = ranker
        if self.judge is not None:
            self.judge.follow(gate)

    async def visit(self, lease: Lease) -> Visit:
        visit = Visit(lease)
        self.sightings.forget(lease.url)
        try:
            return await self._visited(visit)
        except NobodyAnswers:
            return visit.end(Ending("policy", "nobody answers", cooldown_seconds=OUTAGE_SECONDS))

    async def _visited(self, visit: Visit) -> Visit:
        lease = visit.lease
        refusal = self._refusal_before_asking(lease)
        if refusal is not None:
            return visit.end(Ending("refused", refusal))
        if not await self._may_ask(visit):
            return visit
        answer = visit.answer = await self._ask(visit, lease.url)
        ending = ending_of(answer, lease.attempts)
        if ending is not None:
            return visit.end(ending)
        if answer.status in REDIRECTS and answer.location:
            return self._redirected(visit, answer)
        if is_link_source(answer):
            return await self._read_source(visit, answer)
        return await self._read(visit, answer)

    async def read_archived(self, answer: Fetched, url: str) -> Visit:
        """A page of somebody's archive: judged like a fetched one, with nobody to ask and without links to follow."""
        visit = Visit(Lease.archived(url, host_of(url)), answer=answer)
        if visit.lease.host in self._refused_hosts:
            visit.end(Ending("refused", OWN_PAGES))
            return visit
        await self._read(visit, answer)
        visit.found = FoundLinks()
        return visit

    def _refusal_before_asking(self, lease: Lease) -> str | None:
        if lease.host in self._refused_hosts:
            return OWN_PAGES
        if self.ranking.denied.denies(lease.url, lease.host):
            return DENIED
        if lease.begun > MOST_LEASES_OF_A_URL:
            return "tried too often: no worker came to its end"
        return self.shapes.refusal(lease.url, lease.host)

    async def _may_ask(self, visit: Visit) -> bool:
        """Asks for the host's wishes file by file, each in a turn of its own where the host has a delay."""
        lease = visit.lease
        origin = origin_of(lease.url)
        while True:
            policy = self.policies.of(origin)
            if not policy.reachable:
                why = "robots.txt could not be read: nothing may be asked"
                visit.end(Ending("blocked", why, cooldown_seconds=UNREACHABLE_SECONDS, notice=("robots", why)))
                return False
            refusal = policy.refusal(self.agent, lease.url)
            if refusal is not None:
                visit.end(Ending("refused", refusal))
                return False
            missing = policy.missing()
            if missing is None and not (visit.asked and lease.delay > 0):
                return True
            if visit.asked and lease.delay > 0:
                return False
            ending = await self._ask_policy(visit, origin, missing or "robots")
            if ending is not None:
                visit.end(ending)
                return False

    async def _ask_policy(self, visit: Visit, origin: str, name: str) -> Ending | None:
        """Keeps the answer; an ending where nobody could be asked at all."""
        lease = visit.lease
        url = origin + FILES[name]
        answer = await self._ask(visit, url)
        if answer.verdict in {"refused", "unresolved"}:
            return not_admitted(answer, lease.attempts)
        hops = 0
        while name == "robots" and answer.location and answer.status in REDIRECTS and hops < MOST_REDIRECTS:
            hops += 1
            followed = await self._follow(visit, answer.location)
            if followed is None:
                break
            answer = followed
        status = answer.status or 0 if answer.verdict == "fetched" else 0
        if answer.status in REDIRECTS:
            # RFC 9309: after five redirects, or where a file other than robots.txt points elsewhere, it is not there.
            status = 404 if name != "robots" or hops >= MOST_REDIRECTS else 0
        body = answer.content if 200 <= status < 300 else b""
        visit.policies.append(self.policies.learn(origin, lease.host, name, status, body))
        if status:
            visit.policy_answers.append(policy_answer(lease.host, url, status, answer))
        if name == "robots" and status:
            self._take_sitemaps(visit, origin)
        return None

    async def _follow(self, visit: Visit, location: str) -> Fetched | None:
        """The next hop of robots.txt, in the turn of whichever host it names."""
        try:
            host = host_of(location)
        except RefusedError:
            return None
        if host == visit.lease.host:
            await pause(visit.lease.delay)
            return await self._ask(visit, location)
        if self.borrow is None:
            return None
        async with self.borrow(host) as granted:
            return await self._fetch(visit, location) if granted else None

    def _take_sitemaps(self, visit: Visit, origin: str) -> None:
        """Those that robots.txt names; a seed's site is asked for the usual one where it names none."""
        lease = visit.lease
        policy = self.policies.of(origin)
        named = policy.robots.sitemaps if policy.robots else ()
        wanted = []
        for reference in named or ((origin + "/sitemap.xml",) if lease.depth == 0 else ()):
            try:
                url = normalize(reference, origin)
            except RefusedError:
                continue
            if registrable_domain(host_of(url)) == registrable_domain(lease.host):
                wanted.append(url)
        visit.sources += source_urls(wanted, lease, lease.depth, most=20)

    async def _ask(self, visit: Visit, url: str) -> Fetched:
        started = time.monotonic()
        answer = await self._fetch(visit, url)
        visit.ended = time.monotonic()
        if answer.verdict not in {"refused", "unresolved"}:
            visit.asked = True
            visit.service_seconds = visit.ended - started
        self._uplink.hear(visit.lease.host, answer)
        return answer

    async def _fetch(self, visit: Visit, url: str) -> Fetched:
        self.asked_since[visit.lease.host] = time.monotonic()
        try:
            return await self._fetcher.fetch(url)
        finally:
            del self.asked_since[visit.lease.host]

    def _redirected(self, visit: Visit, answer: Fetched) -> Visit:
        """The target is a URL like any other: normalised, guarded, ranked and asked in its own turn."""
        lease = visit.lease
        try:
            target = normalize(answer.location or "", lease.url)
        except RefusedError as error:
            return visit.end(Ending("refused", f"redirect: {error.reason}"))
        host = host_of(target)
        if target == lease.url:
            return visit.end(Ending("failed", "redirects to itself"))
        if lease.redirects >= MOST_REDIRECTS:
            return visit.end(Ending("failed", "too many redirects"))
        if host in self._refused_hosts:
            return visit.end(Ending("refused", "redirect to the library itself"))
        visit.found.urls = [moved(lease, target, lease.redirects + 1)]
        return visit.end(Ending("fetched", "redirect"))

    async def _read_source(self, visit: Visit, answer: Fetched) -> Visit:
        """In a thread: a list of the largest size takes seconds, which are no other host's."""
        lease = visit.lease
        try:
            source = await asyncio.to_thread(read_link_source, answer.content, lease.url)
        except InputRefused as error:
            return visit.end(Ending("refused", f"unreadable: {error.reason}"))
        links = [link for link in source.links if not self.known.holds(link.url)][:MOST_SOURCE_LINKS]
        visit.found = self._ranked_source(links, lease)
        visit.sources += source_urls(source.sources, lease, lease.depth)
        if not links and not source.sources and source.kind == "oai" and "?" not in lease.url:
            visit.sources += source_urls([lease.url + "?metadataPrefix=oai_dc&verb=ListRecords"], lease, lease.depth)
        return visit.end(Ending("fetched", f"link source: {source.kind}"))

    def _ranked_source(self, links: list[SourceLink], lease: Lease) -> FoundLinks:
        listed = tuple(Link(link.url, link.title, "", "") for link in links)
        outline = replace(EMPTY, kind=PageKind.INDEX, links=listed)
        return self._found_links(outline, lease, "und", UNKNOWN_TOPIC)

    def _found_links(self, outline: Outline, lease: Lease, language: str, topic: float) -> FoundLinks:
        page = PageOfLinks(outline, lease, language, topic, self._ranker, self.ranking, self.sightings)
        return frontier_urls(page, self._refused_hosts)

    async def _read(self, visit: Visit, answer: Fetched) -> Visit:
        lease = visit.lease
        directives = directives_of_headers(answer.text_headers(), self.agent)
        try:
            outline, visit.page = await self._outlines.read(answer, lease.url, self.known.holds)
        except LumbungError as error:
            reason = getattr(error, "reason", error)
            if reason == Unreadable.NO_TEXT_LAYER and not keeping_refused(directives):
                # Whether it is of interest shows when its letters are read.
                visit.outline_kind = PageKind.ITEM
                return visit.end(Ending("fetched", "scan"))
            return visit.end(Ending("refused", f"unreadable: {reason}"))
        directives |= outline.directives
        ending = ending_of_page(answer, outline)
        if ending is not None:
            return visit.end(ending)
        visit.outline_kind = outline.kind
        canonical = canonical_elsewhere(lease.url, outline.canonical_url)
        if canonical is not None and lease.id:
            visit.found.urls = [moved(lease, canonical, lease.redirects + 1)]
            return visit.end(Ending("refused", f"canonical address: {canonical}"))
        language = "und"
        if self.judge is not None and outline.kind is not PageKind.NOISE:
            visit.gate, language = self.judge.judge(outline, lease.url, lease.host)
        if lease.depth < self.max_depth and not links_refused(directives):
            visit.found = self._found_links(outline, lease, language, topic_of(visit.gate))
            visit.sources += source_urls(outline.feeds, lease, lease.depth + 1, most=3) if lease.depth <= 1 else []
        refused = keeping_refused(directives)
        return visit.end(Ending("refused", f"opt-out: {refused}") if refused else Ending("fetched"))


def moved(lease: Lease, target: str, redirects: int) -> FrontierUrl:
    """The same page under another address."""
    host = host_of(target)
    features = tuple(lease.features or ())
    return FrontierUrl(
        target,
        host,
        registrable_domain(host),
        lease.priority,
        lease.depth,
        features,
        lease.tranche,
        lease.id or None,
        redirects,
    )


def policy_answer(host: str, url: str, status: int, answer: Fetched) -> PolicyAnswer:
    """As it came; of a file that is not there, whatever stands in its place is let go."""
    return PolicyAnswer(
        host,
        url,
        status,
        request_headers(answer),
        answer.text_headers(),
        answer.body if 200 <= status < 300 else b"",
        answer.remote_address,
        answer.status_line,
        encoded=is_encoded(answer),
    )


def is_encoded(answer: Fetched) -> bool:
    return answer.body is not answer.content and answer.body != answer.content


def request_headers(answer: Fetched) -> list[tuple[str, str]]:
    return _as_text(tuple(answer.request_headers))


@lru_cache(maxsize=4_096)
def _as_text(headers: tuple[tuple[bytes, bytes], ...]) -> list[tuple[str, str]]:
    """All requests to one origin have the same."""
    return [(name.decode("latin-1"), value.decode("latin-1")) for name, value in headers]
