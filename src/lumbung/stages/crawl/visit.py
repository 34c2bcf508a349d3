"""One visit to a host: its robots.txt when that is stale, otherwise one URL; and what is kept of the answer."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any
from uuid import uuid4

from lumbung.equations.backoff import delay_seconds
from lumbung.errors import LumbungError, RefusedError
from lumbung.model.candidate import PageKind, PageText
from lumbung.model.job import NewJob
from lumbung.ports.fetch import Fetched, Fetcher
from lumbung.ports.parser import PageReader
from lumbung.stages.crawl.links import LinkRanker, frontier_urls, weights_from
from lumbung.store import documents, frontier, jobs, readings, refusals
from lumbung.store.database import Transaction
from lumbung.store.documents import NewDocument
from lumbung.store.frontier import FrontierUrl, Lease
from lumbung.text.extraction.lexical import EXTRACTOR_VERSION
from lumbung.text.gate import Gate, GateVerdict
from lumbung.text.kinship import sketch
from lumbung.text.optout import directives_of_headers, keeping_refused, links_refused
from lumbung.text.robots import Robots
from lumbung.text.url import host_of, normalize, registrable_domain

ROBOTS_KEPT_SECONDS = 24 * 3600.0
BLOCK_SECONDS = 3600.0
TRIES = 3
REDIRECTS = frozenset({301, 302, 303, 307, 308})
BLOCKS = frozenset({401, 403, 407, 418, 429, 451, 503})


@dataclass
class Visit:
    """What came of a lease; the commit writes it in one transaction."""

    lease: Lease
    outcome: str
    """fetched, refused, failed, later, robots or blocked."""
    reason: str | None = None
    answer: Fetched | None = None
    page: PageText | None = None
    gate: GateVerdict | None = None
    links: list[FrontierUrl] = field(default_factory=list)
    left_out: dict[str, int] = field(default_factory=dict)
    wait_seconds: float = 0.0

    @property
    def ends_turn(self) -> bool:
        return self.outcome in {"robots", "blocked"}

    @property
    def counts_as_page(self) -> bool:
        return self.outcome not in {"robots", "later"}


class Visitor:
    """Fetches, judges and keeps; it holds no state between visits but the parsed robots of hosts."""

    def __init__(
        self,
        fetcher: Fetcher,
        reader: PageReader,
        gate: Gate,
        ranker: LinkRanker,
        agent: str,
        refused_hosts: frozenset[str] = frozenset(),
        on_page: Callable[[Visit], None] | None = None,
    ) -> None:
        self._fetcher = fetcher
        self._reader = reader
        self._gate = gate
        self._ranker = ranker
        self._agent = agent
        self._refused_hosts = refused_hosts
        self._robots: dict[bytes, Robots] = {}
        self.on_page = on_page
        self.token = uuid4()
        self.rows: dict[str, Any] = {}

    async def visit(self, lease: Lease) -> Visit:
        if lease.robots_stale:
            url = robots_url(lease.url)
            return Visit(lease, "robots", answer=await self._fetcher.fetch(url))
        refusal = self._robots_refusal(lease)
        if refusal:
            return Visit(lease, "refused", refusal)
        answer = await self._fetcher.fetch(lease.url)
        if answer.verdict != "fetched" or answer.status is None:
            return unanswered(lease, answer)
        if answer.status in REDIRECTS and answer.location:
            return self._redirected(lease, answer)
        if answer.status in BLOCKS:
            return blocked(lease, answer)
        if not 200 <= answer.status < 300:
            retried = answer.status >= 500 and lease.attempts < TRIES
            return Visit(lease, "later" if retried else "failed", f"status {answer.status}", answer)
        return await self._read(lease, answer)

    def _robots_refusal(self, lease: Lease) -> str | None:
        """RFC 9309: a server error means disallow, a client error means allow."""
        status = lease.robots_status or 0
        if status >= 500 or status == 0:
            return "robots.txt could not be read"
        if not 200 <= status < 300 or lease.robots is None:
            return None
        body = bytes(lease.robots)
        if body not in self._robots:
            if len(self._robots) > 1000:
                self._robots.clear()
            self._robots[body] = Robots.parse(body)
        verdict = self._robots[body].check(self._agent, lease.url)
        return None if verdict.allowed else f"robots.txt: {verdict.rule}"

    def _redirected(self, lease: Lease, answer: Fetched) -> Visit:
        """The target is a URL like any other: normalised, guarded, ranked and asked in its own turn."""
        visit = Visit(lease, "fetched", "redirect", answer)
        try:
            target = normalize(answer.location or "", lease.url)
        except RefusedError as error:
            return Visit(lease, "refused", f"redirect: {error.reason}", answer)
        if target == lease.url:
            return Visit(lease, "failed", "redirects to itself", answer)
        host = host_of(target)
        if host in self._refused_hosts:
            return Visit(lease, "refused", "redirect to the library itself", answer)
        visit.links = [
            FrontierUrl(target, host, registrable_domain(host), lease.priority, lease.depth, tuple(lease.features or ()))
        ]
        return visit

    async def _read(self, lease: Lease, answer: Fetched) -> Visit:
        directives = directives_of_headers(answer.text_headers(), self._agent)
        try:
            page = await self._reader.read(answer.content, lease.url, answer.content_type or "")
        except LumbungError as error:
            return Visit(lease, "refused", f"unreadable: {getattr(error, 'reason', error)}", answer)
        directives |= page.directives
        refused = keeping_refused(directives)
        visit = Visit(lease, "fetched", None, answer, page)
        if lease.depth < int(self.rows.get("crawl.max_depth", 4)) and not links_refused(directives):
            visit.links, visit.left_out = frontier_urls(
                page, lease.url, lease.depth + 1, self._ranker, weights_from(self.rows), self._refused_hosts
            )
        if refused:
            return Visit(lease, "refused", f"opt-out: {refused}", answer, links=visit.links, left_out=visit.left_out)
        visit.gate = self._gate.judge(page.text, page.language, lease.url)
        return visit

    async def read_archived(self, answer: Fetched, url: str) -> Visit:
        """A page of somebody's archive: judged like a fetched one, without a host to ask and without links to follow."""
        visit = await self._read(Lease.archived(url, host_of(url)), answer)
        visit.links = []
        return visit

    async def keep_archived(self, tx: Transaction, visit: Visit) -> None:
        await self._keep(tx, visit)

    async def commit(self, tx: Transaction, visit: Visit, free_host: bool) -> None:
        lease, answer = visit.lease, visit.answer
        if visit.outcome == "robots":
            await self._keep_robots(tx, visit)
            return
        if visit.outcome == "later":
            wait = delay_seconds(lease.attempts, 2.0, 2.0, 3600.0)
            await frontier.try_later(tx, lease.id, self.token, wait, visit.reason or "")
        elif await frontier.end_url(tx, lease.id, self.token, state_of(visit), visit.reason):
            await self._keep(tx, visit)
        if visit.outcome == "blocked":
            await frontier.cool_down(tx, lease.host, visit.wait_seconds or BLOCK_SECONDS, visit.reason or "")
            await frontier.give_back(tx, lease.host, self.token)
        if free_host:
            failed = visit.outcome in {"failed", "later"}
            asked = answer is not None
            await frontier.free_host(tx, lease.host, lease.delay if asked else 0.0, int(asked), failed)

    async def _keep_robots(self, tx: Transaction, visit: Visit) -> None:
        lease, answer = visit.lease, visit.answer
        if answer is None:
            return
        status = answer.status or 0 if answer.verdict == "fetched" else 0
        body = answer.content if 200 <= status < 300 else b""
        if status in REDIRECTS:
            status, body = 404, b""
        delay = Robots.parse(body).check(self._agent, lease.url).crawl_delay if body else None
        kept = ROBOTS_KEPT_SECONDS if 0 < status < 500 else BLOCK_SECONDS
        await frontier.keep_robots(tx, lease.host, status, body, delay, kept)
        if status:
            await documents.add_robots(
                tx, lease.host, robots_url(lease.url), status, answer.text_headers(), body
            )
        await frontier.give_back(tx, lease.host, self.token)
        await frontier.free_host(tx, lease.host, lease.delay, 0, status == 0)

    async def _keep(self, tx: Transaction, visit: Visit) -> None:
        lease = visit.lease
        new_links = await frontier.add(tx, visit.links, lease.tranche, lease.id) if visit.links else 0
        await documents.count_fetch(tx, lease.tranche, visit.outcome, 1, new_links)
        if visit.outcome != "fetched" or visit.reason == "redirect" or visit.page is None or visit.gate is None:
            return
        number = await documents.add(tx, self._document(visit))
        await documents.add_offspring(tx, number, new_links)
        if visit.page.kind is PageKind.ENCYCLOPAEDIA:
            await documents.keep_encyclopaedia_sketch(tx, number, sketch(visit.page.text))
            await jobs.add(tx, [NewJob("steward", f"mirrors:{number}", {"verb": "mirrors", "document": number})])
        elif visit.page.kind is PageKind.ITEM and visit.gate.passed:
            key = readings.reading_key(lease.url, digest_of(visit), EXTRACTOR_VERSION)
            await jobs.add(tx, [NewJob("extract", key, {"document": number})])
        elif visit.page.kind is PageKind.ITEM:
            failing = next((each.name for each in visit.gate.filters if not each.passed), "score")
            await refusals.add(tx, "crawl", lease.url, f"gate: {failing}", {"score": visit.gate.score})
        if self.on_page:
            self.on_page(visit)

    def _document(self, visit: Visit) -> NewDocument:
        lease, answer, page, gate = visit.lease, visit.answer, visit.page, visit.gate
        assert answer is not None
        assert page is not None
        assert gate is not None
        return NewDocument(
            url=lease.url,
            final_url=lease.url,
            host=lease.host,
            domain=registrable_domain(lease.host),
            digest=digest_of(visit),
            status=answer.status or 0,
            content_type=answer.content_type or "",
            request_headers=[(name.decode("latin-1"), value.decode("latin-1")) for name, value in answer.request_headers],
            headers=answer.text_headers(),
            body=None if page.kind is PageKind.ENCYCLOPAEDIA else answer.content,
            kind=page.kind.value,
            truncated=answer.truncated,
            address=answer.remote_address,
            gate={"passed": gate.passed, "score": gate.score, "filters": [[f.name, f.passed, f.score] for f in gate.filters]},
            frontier=lease.id or None,
            tranche=lease.tranche,
            published=page.published,
        )


def robots_url(url: str) -> str:
    return normalize("/robots.txt", url)


def digest_of(visit: Visit) -> str:
    return sha256(visit.answer.content if visit.answer else b"").hexdigest()


def state_of(visit: Visit) -> str:
    return {"fetched": "fetched", "failed": "failed"}.get(visit.outcome, "refused")


def unanswered(lease: Lease, answer: Fetched) -> Visit:
    """Refusals are for good; a failure is tried again, a few times."""
    if answer.verdict == "refused":
        return Visit(lease, "refused", answer.explanation, answer)
    if lease.attempts < TRIES and answer.verdict == "failed":
        return Visit(lease, "later", answer.explanation, answer)
    return Visit(lease, "failed", answer.explanation, answer)


def blocked(lease: Lease, answer: Fetched) -> Visit:
    """A block is policy: recorded, cooled down, never circumvented."""
    visit = Visit(lease, "blocked" if answer.status in {429, 503} else "refused", f"blocked: status {answer.status}", answer)
    visit.wait_seconds = retry_after_seconds(answer.header("retry-after")) or BLOCK_SECONDS
    return visit


def retry_after_seconds(value: str | None) -> float | None:
    """The plain number of seconds; a date is not trusted, because it speaks of the host's clock."""
    return float(value) if value and value.isdigit() else None
