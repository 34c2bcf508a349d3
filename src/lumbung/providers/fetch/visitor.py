"""A polite visit to one URL: guard, contact, robots, turn, request; at every hop anew."""

from __future__ import annotations

import asyncio
import hashlib
import json
import re
import time
from base64 import b64decode, b64encode
from collections import defaultdict
from contextlib import AbstractAsyncContextManager
from datetime import UTC, datetime
from pathlib import Path
from typing import Protocol

from lumbung.errors import PolicyRefused, RefusedError, SettingsError
from lumbung.providers.fetch.fetcher import Fetcher
from lumbung.providers.fetch.limits import Reason, Verdict
from lumbung.providers.fetch.polite import TooLongToWait, Turn
from lumbung.providers.fetch.result import FetchResult
from lumbung.text.optout import directives_of_headers, keeping_refused
from lumbung.text.refusals import retry_after_seconds
from lumbung.text.robots import MAX_BYTES, Robots, RobotsVerdict
from lumbung.text.url import ParsedUrl, parse

ROBOTS_KEPT_SECONDS = 24 * 3600
ROBOTS_PATH = "/robots.txt"
MAX_REDIRECTS = 5


def user_agent(name: str, contact: str | None) -> str:
    """The crawler's name and how to reach its operator."""
    if not contact:
        return name
    if not re.fullmatch(r"[!-~]+", contact) or not ("@" in contact or "://" in contact) or set("()") & set(contact):
        message = "The contact must be a mail address or a page, such as budaya@example.org; set LUMBUNG_CONTACT."
        raise SettingsError(message)
    return f"{name} (+{contact if '://' in contact else 'mailto:' + contact.removeprefix('mailto:')})"


class RobotsFolder:
    """Answers to requests for robots.txt, kept for a day."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._seen: dict[str, Robots] = {}

    def look(self, origin: str) -> Robots | None:
        if origin in self._seen:
            return self._seen[origin]
        try:
            kept = json.loads(self._path(origin).read_bytes())
            age = time.time() - float(kept["fetched"])
            robots = Robots.of_response(int(kept["status"]), b64decode(kept["body"]))
        except (OSError, ValueError, KeyError, TypeError):
            return None
        if not 0 <= age < ROBOTS_KEPT_SECONDS:
            return None
        self._seen[origin] = robots
        return robots

    def keep(self, origin: str, status: int | None, body: bytes) -> Robots:
        """A server's failure is remembered for this program only, so that the next one may find it mended."""
        robots = Robots.of_response(status, body)
        self._seen[origin] = robots
        if status is not None and status < 500 and status != 429:
            self._folder.mkdir(parents=True, exist_ok=True)
            content = {"fetched": time.time(), "status": status, "body": b64encode(body[:MAX_BYTES]).decode("ascii")}
            path = self._path(origin)
            unfinished = path.with_suffix(f".{time.monotonic_ns()}")
            unfinished.write_text(json.dumps(content), "ascii")
            unfinished.replace(path)
        return robots

    def _path(self, origin: str) -> Path:
        return self._folder / f"{hashlib.sha256(origin.encode()).hexdigest()[:32]}.json"


class Turns(Protocol):
    """Who gives a host to one asker at a time."""

    def turn(self, host: str, delay_seconds: float) -> AbstractAsyncContextManager[Turn]:
        """TooLongToWait when its turn comes too late, PolicyRefused when it is not to be asked at all."""
        ...


class Visitor:
    def __init__(self, fetcher: Fetcher, turns: Turns, robots: RobotsFolder, agent: str, delay_seconds: float) -> None:
        """`agent` is the name under which robots.txt and opt-outs may address us."""
        self._fetcher = fetcher
        self._agent = agent
        self._turns = turns
        self._robots = robots
        self._delay_seconds = delay_seconds
        self._asking_robots: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)

    async def visit(self, url: str) -> FetchResult:
        """The page behind a URL, or why not; redirects are visits of their own."""
        hops: list[tuple[int, str]] = []
        here = url
        seen: set[str] = set()
        while True:
            result = await self._step(here)
            result.url, result.redirects = url, tuple(hops)
            if result.location is None or not result.fetched:
                return result
            seen.add(result.final_url)
            if result.location in seen:
                return result.ending(Verdict.FAILED, Reason.REDIRECT_LOOP, result.location)
            if len(hops) >= MAX_REDIRECTS:
                return result.ending(Verdict.FAILED, Reason.TOO_MANY_REDIRECTS, result.location)
            hops.append((result.status or 0, result.location))
            here = result.location

    async def _step(self, url: str) -> FetchResult:
        try:
            parsed = parse(url)
        except RefusedError as error:
            return FetchResult(url, Verdict.REFUSED, Reason.BAD_URL, str(error))
        not_admitted = await self._fetcher.admit(url)
        if not_admitted is not None:
            return not_admitted
        try:
            verdict = await self._robots_verdict(parsed)
            if isinstance(verdict, FetchResult):
                return verdict
            if not verdict.allowed:
                return _refused(parsed, Reason.ROBOTS, verdict.rule or "")
            result = await self._request(parsed, max(self._delay_seconds, verdict.crawl_delay or 0.0))
        except TooLongToWait as error:
            return _refused(parsed, Reason.DELAY, str(error))
        except PolicyRefused as error:
            return _refused(parsed, Reason.OPT_OUT, error.reason)
        return _obeying_opt_outs(result, self._agent)

    async def _request(self, url: ParsedUrl, delay_seconds: float) -> FetchResult:
        async with self._turns.turn(url.host, delay_seconds) as turn:
            result = await self._fetcher.fetch(url.request_url, max_redirects=0)
            if result.status in {429, 503}:
                asked = retry_after_seconds(result.header("Retry-After"), time.time())
                turn.pause_seconds = max(delay_seconds, asked or 0.0)
            turn.pause_seconds = max(turn.pause_seconds, self._delay_of_robots(url, result))
        return result

    def _delay_of_robots(self, url: ParsedUrl, answer: FetchResult) -> float:
        """What robots.txt asks for holds already between it and the first page."""
        if url.path != ROBOTS_PATH or not answer.fetched:
            return 0.0
        return Robots.of_response(answer.status, answer.content).check(self._agent, url.request_url).crawl_delay or 0.0

    async def _robots_verdict(self, url: ParsedUrl) -> RobotsVerdict | FetchResult:
        async with self._asking_robots[url.origin]:
            robots = self._robots.look(url.origin)
            if robots is not None:
                return robots.check(self._agent, url.request_url)
            answer = await self._robots_answer(url)
            robots = self._robots.keep(url.origin, answer.status if answer.fetched else None, answer.content)
        if not answer.fetched or answer.status is None or answer.status >= 500 or answer.status == 429:
            return _refused(url, Reason.ROBOTS_UNREACHABLE, answer.explanation or f"status {answer.status}")
        return robots.check(self._agent, url.request_url)

    async def _robots_answer(self, url: ParsedUrl) -> FetchResult:
        here = parse(url.origin + ROBOTS_PATH)
        for _ in range(MAX_REDIRECTS + 1):
            answer = await self._request(here, self._delay_seconds)
            if answer.location is None or not answer.fetched:
                return answer
            here = parse(answer.location)
        # The RFC: after five redirects robots.txt may be taken as not there.
        answer.status = 404
        return answer


def _refused(url: ParsedUrl, reason: Reason, detail: str) -> FetchResult:
    return FetchResult(url.request_url, Verdict.REFUSED, reason, detail, final_url=url.request_url)


def _obeying_opt_outs(result: FetchResult, agent: str) -> FetchResult:
    if not result.fetched:
        return result
    why = keeping_refused(directives_of_headers(result.text_headers(), agent, datetime.now(UTC)))
    if why is None:
        return result
    refused = result.ending(Verdict.REFUSED, Reason.OPT_OUT, why)
    refused.body = refused.content = b""
    return refused
