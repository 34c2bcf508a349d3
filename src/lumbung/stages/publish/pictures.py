"""Pictures on accept: judged by the pages that show them when the entry is published, fetched politely, copied clean."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256
from uuid import uuid4

from lumbung.errors import InputRefused, LumbungError, RefusedError, TransientError
from lumbung.ports.failpoints import Passage
from lumbung.ports.fetch import Fetched, Fetcher
from lumbung.ports.pictures import Attribution, PictureReader, PictureShelf
from lumbung.stages.publish.rights import Rights, Shown, rights_of
from lumbung.store import governed, hosts, pictures, stages
from lumbung.store.database import Database, Row, Transaction
from lumbung.store.entries import MachineEntry
from lumbung.store.hosts import FreedHost, KeptPolicy
from lumbung.telemetry import log
from lumbung.text.optout import TdmRules, check_ai_txt, directives_of_headers, keeping_refused
from lumbung.text.robots import Robots
from lumbung.text.url import host_of, parse, registrable_domain

LEASE_SECONDS = 90.0
"""Longer than a fetch may take."""
LONGEST_WAIT_SECONDS = 60.0
AGAIN_SECONDS = 0.5
TURN_SECONDS = 1.0
ROBOTS_KEPT_SECONDS = 24 * 3600.0
ROBOTS_UNREACHABLE_SECONDS = 3600.0
MOST_TRIES = 5
FIRST_PAUSE_SECONDS = 60.0
MOST_PAGES_A_HOST = 1_000_000
"""Pictures do not count against a host's pages."""


async def want_pictures(tx: Transaction, written: Sequence[MachineEntry]) -> None:
    """The verdict on every picture of what was just published; those that may be copied wait for the copier."""
    showing = [entry for entry in written if entry.status == "published" and entry.media and not entry.sensitive]
    if not showing:
        return
    urls = sorted({str(each.get("url") or "") for entry in showing for each in entry.media} - {""})
    pages: dict[str, list[Row]] = defaultdict(list)
    for row in await pictures.shown(tx, urls):
        pages[row["url"]].append(row)
    await pictures.judge(tx, [judged(url, pages[url]) for url in urls if pages[url] and usable(url)])
    await pictures.place(tx, [entry.identity for entry in showing])


def usable(url: str) -> bool:
    try:
        parse(url)
    except RefusedError:
        return False
    return True


def judged(url: str, rows: Sequence[Row]) -> dict[str, object]:
    shown = shown_by(url, rows)
    rights = rights_of(shown)
    own = next((row for row, each in zip(rows, shown, strict=True) if each.own_page), rows[0])
    return {
        "url": url,
        "host": host_of(url),
        "page": own["page"],
        "allowed": rights.allowed,
        "licence": rights.licence,
        "creator": rights.creator,
        "reason": rights.reason,
    }


def shown_by(url: str, rows: Sequence[Row]) -> list[Shown]:
    domain = registrable_domain(host_of(url))
    return [
        Shown(row["licence"] or "", row["creator"] or "", row["domain"] == domain, row["caption"] or "") for row in rows
    ]


@dataclass(frozen=True, slots=True)
class Ending:
    """What came of a turn: a later try, a reference for good, or (both None) nothing against a copy."""

    later_seconds: float | None = None
    reference: str | None = None
    told: str = ""
    costs_a_try: bool = True


class PictureCopier:
    """Takes one picture after the other; the host's slot and lease bind it as they bind every crawler."""

    def __init__(
        self,
        database: Database,
        fetcher: Fetcher,
        reader: PictureReader,
        shelf: PictureShelf,
        agent: str,
        passage: Passage,
    ) -> None:
        self._database = database
        self._fetcher = fetcher
        self._reader = reader
        self._shelf = shelf
        self._agent = agent
        self._passage = passage
        self._token = uuid4()
        self._stopping = False
        self._notice = asyncio.Event()

    def stop(self) -> None:
        self._stopping = True
        self._notice.set()

    async def run(self) -> None:
        listening = asyncio.create_task(self._listen())
        try:
            while not self._stopping:
                self._notice.clear()
                try:
                    wait_seconds = 0.0 if await self.copy_one() else await self._wait_seconds()
                except TransientError as error:
                    log.info("pictures.wait", reason=str(error))
                    wait_seconds = AGAIN_SECONDS
                if wait_seconds and not self._stopping:
                    with suppress(TimeoutError):
                        await asyncio.wait_for(self._notice.wait(), wait_seconds)
        finally:
            listening.cancel()
            await asyncio.gather(listening, return_exceptions=True)

    async def _listen(self) -> None:
        """An idle copier asks nothing: it is told when a picture is wanted or a stage goes on."""
        while True:
            try:
                async for _ in self._database.listen([pictures.CHANNEL, stages.STAGE_CHANNEL]):
                    self._notice.set()
            except TransientError:
                await asyncio.sleep(AGAIN_SECONDS)

    async def _wait_seconds(self) -> float:
        async with self._database.transaction() as tx:
            seconds = await pictures.seconds_to_next(tx)
        return LONGEST_WAIT_SECONDS if seconds is None else min(LONGEST_WAIT_SECONDS, max(AGAIN_SECONDS, seconds))

    async def copy_one(self) -> bool:
        """False when no picture is due."""
        async with self._database.transaction() as tx:
            if any(row["name"] == "publish" and row["paused_reason"] for row in await stages.all_stages(tx)):
                return False
            wanted = await pictures.take(tx, LEASE_SECONDS)
        if wanted is None:
            return False
        self._passage("pictures.taken")
        try:
            answer = await self._fetched(wanted)
            if isinstance(answer, Ending):
                await self._end(wanted, answer)
            else:
                await self._copy(wanted, answer.content)
        except InputRefused as error:
            await self._end(wanted, Ending(reference=error.reason))
        return True

    async def _end(self, wanted: Row, ending: Ending) -> None:
        async with self._database.transaction() as tx:
            if ending.reference is not None or (ending.costs_a_try and wanted["tries"] >= MOST_TRIES):
                await pictures.refer(tx, wanted["url"], ending.reference or f"it could not be fetched: {ending.told}")
                return
            pause = FIRST_PAUSE_SECONDS * 2.0 ** (wanted["tries"] - 1)
            seconds = pause if ending.later_seconds is None else ending.later_seconds
            await pictures.later(tx, wanted["url"], seconds, ending.told, costs_a_try=ending.costs_a_try)

    async def _fetched(self, wanted: Row) -> Fetched | Ending:
        """One request at most, in a turn of the host's own."""
        url, host = wanted["url"], wanted["host"]
        async with self._database.transaction() as tx:
            await hosts.know_hosts(tx, {host: registrable_domain(host)})
            default = float((await governed.values_now(tx)).get("crawl.host_delay_seconds", 5.0))
            delay = await hosts.borrow(tx, self._token, host, default, LEASE_SECONDS)
            policies = {row["name"]: row for row in await hosts.policies(tx, [host]) if row["origin"] == origin_of(url)}
        if delay is None:
            return Ending(later_seconds=TURN_SECONDS, told="the host's turn has not come", costs_a_try=False)
        asked = False
        kept: list[KeptPolicy] = []
        try:
            if "robots" not in policies:
                asked = True
                kept.append(await self._asked_robots(url, host))
                return Ending(later_seconds=delay, told="robots.txt was asked for first", costs_a_try=False)
            if unreachable(policies["robots"]["status"]):
                return Ending(later_seconds=ROBOTS_UNREACHABLE_SECONDS, told="robots.txt cannot be read")
            refusal = refused_by(policies, self._agent, url)
            if refusal is not None:
                return Ending(reference=refusal)
            asked = True
            return judged_answer(await self._fetcher.fetch(url), self._agent)
        finally:
            with suppress(LumbungError):
                async with self._database.transaction() as tx:
                    await hosts.keep_policies(tx, kept)
                    await hosts.free(tx, self._token, [FreedHost(host, delay, asked=asked)], MOST_PAGES_A_HOST)

    async def _asked_robots(self, url: str, host: str) -> KeptPolicy:
        answer = await self._fetcher.fetch(f"{origin_of(url)}/robots.txt")
        status = (answer.status or 0) if answer.verdict == "fetched" else 0
        seconds = ROBOTS_UNREACHABLE_SECONDS if unreachable(status) else ROBOTS_KEPT_SECONDS
        return KeptPolicy(origin_of(url), "robots", host, status, answer.content, seconds)

    async def _copy(self, wanted: Row, body: bytes) -> None:
        seen = await self._reader.look(body)
        async with self._database.transaction() as tx:
            rows = await pictures.shown(tx, [wanted["url"]])
        rights = rights_of(shown_by(wanted["url"], rows), seen.statements, seen.creator)
        if not rights.allowed:
            async with self._database.transaction() as tx:
                await pictures.refer(tx, wanted["url"], rights.reason, seen.statements)
            return
        await self._keep(wanted, body, rights, seen.statements)

    async def _keep(self, wanted: Row, body: bytes, rights: Rights, statements: Sequence[str]) -> None:
        attribution = Attribution(rights.creator, rights.licence or "", rights.licence_url, wanted["page"])
        copy = await self._reader.clean(body, attribution)
        digest = sha256(copy.content).hexdigest()
        await self._shelf.keep(digest, copy.content)
        self._passage("pictures.kept")
        async with self._database.transaction() as tx:
            await pictures.keep_copy(
                tx,
                {
                    "url": wanted["url"],
                    "digest": digest,
                    "content_type": copy.content_type,
                    "width": copy.width,
                    "height": copy.height,
                    "bytes": len(copy.content),
                    "licence": rights.licence,
                    "licence_url": rights.licence_url,
                    "creator": rights.creator,
                    "reason": rights.reason,
                    "statements": list(statements),
                },
            )
        self._passage("pictures.recorded")


def origin_of(url: str) -> str:
    return parse(url).origin


def unreachable(status: int) -> bool:
    return status == 0 or status >= 500 or status == 429


def refused_by(policies: dict[str, Row], agent: str, url: str) -> str | None:
    """What the host says to crawlers binds for pictures as for pages."""
    robots = Robots.of_response(policies["robots"]["status"] or None, bytes(policies["robots"]["body"] or b""))
    verdict = robots.check(agent, url)
    if not verdict.allowed:
        return f"robots.txt: {verdict.rule}"
    tdm, ai = policies.get("tdm"), policies.get("ai")
    if tdm and 200 <= tdm["status"] < 300 and TdmRules.parse(bytes(tdm["body"] or b"")).reserved(url):
        return "opt-out: tdmrep.json reserves text and data mining here"
    if ai and 200 <= ai["status"] < 300 and not check_ai_txt(bytes(ai["body"] or b""), agent, url).allowed:
        return "opt-out: ai.txt forbids this address"
    return None


def judged_answer(answer: Fetched, agent: str) -> Fetched | Ending:
    """An answer that a copy can be made of; redirects are not followed: the page named this address."""
    if answer.verdict == "refused":
        return Ending(reference=answer.explanation or "refused")
    if answer.verdict != "fetched" or answer.truncated:
        return Ending(told=answer.explanation or answer.verdict)
    status = answer.status or 0
    if status == 429 or status >= 500:
        return Ending(told=f"status {status}")
    if status != 200:
        return Ending(reference=f"the host answers with status {status}")
    why = keeping_refused(directives_of_headers(answer.text_headers(), agent, datetime.now(UTC)))
    return Ending(reference=f"opt-out: {why}") if why is not None else answer
