"""What an origin says to crawlers: robots.txt, tdmrep.json and ai.txt, asked for in this order and kept for a day."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from lumbung.store.hosts import KeptPolicy
from lumbung.text.optout import TdmRules, check_ai_txt, directives_of_signals, keeping_refused
from lumbung.text.robots import MAX_BYTES, Robots

KEPT_SECONDS = 24 * 3600.0
UNREACHABLE_SECONDS = 3600.0
MOST_HOSTS = 2_000
FILES = {"robots": "/robots.txt", "tdm": "/.well-known/tdmrep.json", "ai": "/ai.txt"}


@dataclass(slots=True)
class Policy:
    """The files of one origin, as far as they were asked for; each read once and used for every page."""

    robots: Robots | None = None
    tdm: TdmRules | None = None
    ai: bytes | None = None
    reserved: str | None = None
    """What the signals in robots.txt say against keeping any page."""
    reachable: bool = True
    good_until: float = 0.0
    """By the monotonic clock of this process."""

    def missing(self) -> str | None:
        """The next file to ask for."""
        if self.robots is None:
            return "robots"
        if self.tdm is None:
            return "tdm"
        return "ai" if self.ai is None else None

    def take(self, name: str, status: int, body: bytes) -> None:
        there = 200 <= status < 300
        if name == "robots":
            self.robots = Robots.of_response(status or None, body)
            self.reserved = keeping_refused(directives_of_signals(self.robots.signals))
            self.reachable = 0 < status < 500 and status != 429
        elif name == "tdm":
            self.tdm = TdmRules.parse(body) if there else TdmRules()
        else:
            # Servers that answer every path with a page of theirs have no ai.txt.
            self.ai = body if there and b"<" not in body[:500] else b""

    def refusal(self, agent: str, url: str) -> str | None:
        """Why this URL is not asked for; None as long as nothing known forbids it."""
        if self.robots is not None:
            verdict = self.robots.check(agent, url)
            if not verdict.allowed:
                return f"robots.txt: {verdict.rule}"
            if self.reserved is not None:
                return f"robots.txt: {self.reserved}"
        if self.tdm is not None and self.tdm.reserved(url):
            return "opt-out: tdmrep.json reserves text and data mining here"
        if self.ai and not check_ai_txt(self.ai, agent, url).allowed:
            return "opt-out: ai.txt forbids this address"
        return None


def origin_of(identity: str) -> str:
    """Of a normalised URL, without another parse: its path begins with the first slash after the host."""
    return identity[: identity.index("/", len("https://"))]


def kept_seconds(name: str, status: int) -> float:
    unreachable = name == "robots" and (status == 0 or status >= 500 or status == 429)
    return UNREACHABLE_SECONDS if unreachable else KEPT_SECONDS


@dataclass
class PolicyBook:
    """The policies this process has read, by origin; bounded, and no older than the database says."""

    clock: Callable[[], float]
    _policies: dict[str, Policy] = field(default_factory=dict)
    _read_hosts: dict[str, float] = field(default_factory=dict)

    def unread(self, hosts: Iterable[str]) -> list[str]:
        """Hosts whose stored policies are to be loaded."""
        now = self.clock()
        return [host for host in dict.fromkeys(hosts) if self._read_hosts.get(host, 0.0) <= now]

    def load(self, hosts: Iterable[str], rows: Iterable[Mapping[str, Any]]) -> None:
        now = self.clock()
        if len(self._read_hosts) > MOST_HOSTS:
            self._read_hosts.clear()
            self._policies.clear()
        for host in hosts:
            self._read_hosts[host] = now + KEPT_SECONDS
        for row in rows:
            policy = self.of(row["origin"])
            policy.take(row["name"], row["status"], bytes(row["body"] or b""))
            policy.good_until = min(policy.good_until or now + KEPT_SECONDS, now + row["seconds_left"])
            self._read_hosts[row["host"]] = min(self._read_hosts[row["host"]], policy.good_until)

    def of(self, origin: str) -> Policy:
        policy = self._policies.get(origin)
        if policy is None or (policy.good_until and policy.good_until <= self.clock()):
            policy = self._policies[origin] = Policy()
        return policy

    def learn(self, origin: str, host: str, name: str, status: int, body: bytes) -> KeptPolicy:
        """An answer of the host itself, for use and for the database."""
        policy = self.of(origin)
        policy.take(name, status, body[:MAX_BYTES])
        seconds = kept_seconds(name, status)
        until = self.clock() + seconds
        policy.good_until = min(policy.good_until or until, until)
        self._read_hosts[host] = min(self._read_hosts.get(host, until), until)
        return KeptPolicy(origin, name, host, status, body[:MAX_BYTES] if 200 <= status < 300 else None, seconds)

    def forget(self, host: str) -> None:
        """Ask the database again at the next turn."""
        self._read_hosts.pop(host, None)
