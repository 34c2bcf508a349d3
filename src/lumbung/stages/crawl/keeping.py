"""Several visits become rows in one transaction: ends of URLs, pages, links, follow-on jobs, and the hosts' next slots."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from hashlib import sha256
from ipaddress import ip_address

from lumbung.equations.backoff import Backoff
from lumbung.model.candidate import PageKind
from lumbung.model.job import NewJob
from lumbung.providers.fetch.addresses import special_purpose
from lumbung.stages.crawl.answers import TRIES
from lumbung.stages.crawl.traps import pattern_of
from lumbung.stages.crawl.visit import Visit, Visitor, is_encoded, request_headers
from lumbung.store import documents, frontier, hosts, jobs, readings
from lumbung.store.database import Transaction
from lumbung.store.documents import NewDocument, Refusal
from lumbung.store.hosts import FreedHost
from lumbung.text.extraction.version import EXTRACTOR_VERSION
from lumbung.text.kinship import sketch
from lumbung.text.url import registrable_domain

BLOCKS_BEFORE_REST = 3
BLOCK_REST_SECONDS = 3600.0


@dataclass
class Keeper:
    """Writes visits; `visitor` is told what the frontier now surely knows."""

    visitor: Visitor
    pages_per_host: int = 2_000
    backoff: Backoff = field(default_factory=Backoff)
    _refusals: list[Refusal] = field(default_factory=list)

    async def keep(self, tx: Transaction, visits: Sequence[Visit]) -> None:
        """All or nothing; a visit whose lease was lost leaves no trace but its answers about the host's wishes."""
        self._refusals = []
        await hosts.lock(tx, touched_hosts(visits))
        await self._keep_policies(tx, visits)
        held = await self._end_urls(tx, visits)
        offspring = await self._add_links(tx, visits, held)
        numbers = await self._keep_pages(tx, [each for each in held if is_kept(each)], offspring)
        await jobs.add(tx, refetched(held, numbers))
        await documents.count_fetches(
            tx,
            [
                (each.lease.tranche, each.outcome, offspring.get(each.lease.id, 0))
                for each in held
                if each.counts_as_page
            ],
        )
        await self._count_shapes(tx, held)
        await self._rest(tx, visits)
        await documents.add_refusals(tx, "crawl", self._refusals)
        await self._free(tx, visits)

    def kept(self, visits: Iterable[Visit]) -> None:
        """After the transaction: what it wrote need not be looked up again."""
        for visit in visits:
            self.visitor.known.add(each.url for each in (*visit.found.urls, *visit.sources))

    async def keep_archived(self, tx: Transaction, visit: Visit) -> None:
        """A page of somebody's archive: it has no lease and no host to free."""
        self._refusals = []
        await self._keep_pages(tx, [visit], {})
        await documents.count_fetches(tx, [(visit.lease.tranche, visit.outcome, 0)])
        await documents.add_refusals(tx, "crawl", self._refusals)

    async def _keep_policies(self, tx: Transaction, visits: Sequence[Visit]) -> None:
        kept = [policy for visit in visits for policy in visit.policies]
        await hosts.keep_policies(tx, list({(each.origin, each.name): each for each in kept}.values()))
        delays = {}
        for visit in visits:
            for policy in visit.policies:
                robots = self.visitor.policies.of(policy.origin).robots
                if policy.name == "robots" and robots is not None:
                    delays[policy.host] = robots.crawl_delay(self.visitor.agent)
            for answer in visit.policy_answers:
                await documents.add_robots(tx, answer)
        await hosts.set_robots_delays(tx, delays)

    async def _end_urls(self, tx: Transaction, visits: Sequence[Visit]) -> list[Visit]:
        """The visits that ended their URL and still held it."""
        token = self.visitor.token
        later = [(each.lease.id, each.reason or "", wait_of(each, self.backoff)) for each in visits if is_later(each)]
        await frontier.try_later(tx, token, later)
        ending = [visit for visit in visits if visit.outcome != "policy" and not is_later(visit)]
        ended = await frontier.end_urls(tx, token, ((each.lease.id, state_of(each), each.reason) for each in ending))
        await frontier.give_back(tx, token, sorted({visit.lease.host for visit in visits if visit.ends_turn}))
        return [visit for visit in ending if visit.lease.id in ended]

    async def _add_links(
        self, tx: Transaction, visits: Sequence[Visit], held: Sequence[Visit]
    ) -> dict[int | None, int]:
        urls = [url for visit in held for url in visit.found.urls] + [url for visit in visits for url in visit.sources]
        offspring = await frontier.add_all(tx, urls)
        await frontier.raise_urls(tx, [url for visit in held for url in visit.found.raised])
        cited = [
            (host, registrable_domain(host), number, visit.lease.url)
            for visit in held
            for host, number in visit.found.cited.items()
        ]
        await hosts.cite(tx, cited)
        return offspring

    async def _keep_pages(
        self, tx: Transaction, visits: Sequence[Visit], offspring: dict[int | None, int]
    ) -> dict[str, int]:
        """The numbers of the pages by their URLs."""
        if not visits:
            return {}
        numbers = await documents.add_all(tx, [document_of(visit) for visit in visits])
        await documents.add_offspring(
            tx, {numbers[visit.lease.url]: offspring.get(visit.lease.id, 0) for visit in visits if visit.lease.id}
        )
        follow_on = []
        for visit in visits:
            number = numbers[visit.lease.url]
            if visit.outline_kind is PageKind.ENCYCLOPAEDIA:
                text = visit.page.text if visit.page else ""
                await documents.keep_encyclopaedia_sketch(tx, number, sketch(text))
                follow_on.append(NewJob("steward", f"mirrors:{number}", {"verb": "mirrors", "document": number}))
            elif visit.outline_kind is PageKind.ITEM:
                follow_on += self._extraction(visit, number)
        await jobs.add(tx, follow_on)
        return numbers

    def _extraction(self, visit: Visit, number: int) -> list[NewJob]:
        gate, judge = visit.gate, self.visitor.judge
        if gate is None or judge is None or gate.passed:
            key = readings.reading_key(visit.lease.url, digest_of(visit), EXTRACTOR_VERSION)
            return [NewJob("extract", key, {"document": number}, visit.trace)]
        failing = next((each.name for each in gate.filters if not each.passed), "score")
        inclusion = judge.inclusion(failing)
        if judge.is_included(inclusion):
            detail = {"score": gate.score, "document": number}
            self._refusals.append(Refusal(visit.lease.url, f"gate: {failing}", detail, inclusion))
        return []

    async def _count_shapes(self, tx: Transaction, held: Sequence[Visit]) -> None:
        counted = []
        for visit in held:
            pattern = (
                pattern_of(visit.lease.url) if visit.outline_kind is not None and visit.outcome == "fetched" else None
            )
            if pattern is not None:
                counted.append((visit.lease.host, pattern, 1, int(gave_something(visit, pattern))))
        await hosts.count_shapes(tx, counted)

    async def _rest(self, tx: Transaction, visits: Sequence[Visit]) -> None:
        for visit in visits:
            host = visit.lease.host
            if visit.cooldown_seconds:
                await hosts.cool_down(tx, host, visit.cooldown_seconds, visit.reason or "")
            if visit.cooldown_seconds and visit.outcome != "policy":
                self._refusals.append(Refusal(visit.lease.url, visit.reason or "", {}, 1.0))
            if visit.notice is not None:
                await hosts.notice(tx, visit.notice[0], host, visit.notice[1])

    async def _free(self, tx: Transaction, visits: Sequence[Visit]) -> None:
        now = time.monotonic()
        ended = [freed(visit, now) for visit in visits if visit.frees_host]
        for row in await hosts.free(tx, self.visitor.token, ended, self.pages_per_host):
            if row["blocks"] >= BLOCKS_BEFORE_REST:
                why = f"{row['blocks']} answers in a row turned us away"
                await hosts.cool_down(tx, row["name"], BLOCK_REST_SECONDS * row["blocks"], why)
            if row["stopped"] == "page budget reached":
                await hosts.notice(tx, "budget", row["name"], row["stopped"])


def touched_hosts(visits: Iterable[Visit]) -> Iterator[str]:
    for visit in visits:
        yield visit.lease.host
        yield from (each.host for each in (*visit.found.urls, *visit.found.raised, *visit.sources))


def refetched(visits: Iterable[Visit], numbers: Mapping[str, int]) -> list[NewJob]:
    """Pages that somebody asked for once more and that came, or are gone; a server's trouble changes nothing."""
    return [
        NewJob(
            "steward",
            f"refetched:{visit.lease.refetch}",
            {"verb": "refetched", "url": visit.lease.url, "document": numbers.get(visit.lease.url)},
        )
        for visit in visits
        if visit.lease.refetch and (visit.lease.url in numbers or is_gone(visit))
    ]


def is_gone(visit: Visit) -> bool:
    status = visit.answer.status if visit.answer is not None else None
    return status in {404, 410, 451} or (visit.reason or "").startswith("opt-out")


def freed(visit: Visit, now: float) -> FreedHost:
    return FreedHost(
        name=visit.lease.host,
        delay_seconds=visit.lease.delay if visit.asked else 0.0,
        wait_seconds=visit.wait_seconds,
        pages=visit.turn_pages,
        failed=visit.asked and visit.outcome in {"failed", "later"},
        asked=visit.asked,
        blocked=(visit.reason or "").startswith("blocked"),
        ended_ago_seconds=max(0.0, now - visit.ended) if visit.asked else 0.0,
        service_seconds=visit.service_seconds,
        address=public_address(visit),
    )


def public_address(visit: Visit) -> str | None:
    """The address that answered; those in networks that the operator lists are not counted together."""
    answered = visit.answer.remote_address if visit.answer is not None else None
    return answered if answered and is_public(answered) else None


@lru_cache(maxsize=4096)
def is_public(address: str) -> bool:
    return special_purpose(ip_address(address)) is None


def is_kept(visit: Visit) -> bool:
    return visit.outcome == "fetched" and visit.outline_kind is not None


def is_later(visit: Visit) -> bool:
    """A blocked URL waits with its host; one that was turned away again and again is let be."""
    return visit.outcome == "later" or (visit.outcome == "blocked" and visit.lease.attempts < TRIES)


def wait_of(visit: Visit, backoff: Backoff) -> float:
    """Until the URL is tried again: at least as long as its host rests."""
    return max(visit.cooldown_seconds, backoff.seconds(visit.lease.attempts))


def state_of(visit: Visit) -> str:
    return {"fetched": "fetched", "failed": "failed"}.get(visit.outcome, "refused")


def gave_something(visit: Visit, pattern: str) -> bool:
    """An item that passed the gate, if there is one, or a listing that led to addresses of another pattern."""
    if visit.outline_kind is PageKind.ITEM and (visit.gate is None or visit.gate.passed):
        return True
    if visit.outline_kind is not PageKind.INDEX:
        return False
    return any(pattern_of(each.url) != pattern for each in visit.found.urls)


def digest_of(visit: Visit) -> str:
    if visit.digest is None:
        visit.digest = sha256(visit.answer.content if visit.answer else b"").hexdigest()
    return visit.digest


def document_of(visit: Visit) -> NewDocument:
    lease, answer, gate = visit.lease, visit.answer, visit.gate
    assert answer is not None
    assert visit.outline_kind is not None
    stored = visit.outline_kind is not PageKind.ENCYCLOPAEDIA
    verdict = {
        "passed": gate.passed,
        "score": round(gate.score, 4),
        "filters": [[each.name, each.passed, round(each.score, 4)] for each in gate.filters],
    } if gate else None  # fmt: skip
    return NewDocument(
        url=lease.url,
        final_url=lease.url,
        host=lease.host,
        domain=registrable_domain(lease.host),
        digest=digest_of(visit),
        status=answer.status or 0,
        content_type=(answer.content_type or "").replace("\x00", ""),
        request_headers=request_headers(answer),
        headers=[(name, value.replace("\x00", "")) for name, value in answer.text_headers()],
        body=answer.content if stored else None,
        wire=answer.body if stored and is_encoded(answer) else None,
        kind=visit.outline_kind.value,
        truncated=answer.truncated,
        address=answer.remote_address,
        gate=verdict,
        frontier=lease.id or None,
        tranche=lease.tranche,
        status_line=answer.status_line,
    )
