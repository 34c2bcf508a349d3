"""The frontier Phi: unique URLs, leased best first among the hosts that may be asked now."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import md5
from typing import Any
from uuid import UUID

from lumbung.store.database import Row, Transaction, named_queries

SQL = named_queries("frontier")
FRONTIER_CHANNEL = "lumbung_frontier"


@dataclass(frozen=True, slots=True)
class FrontierUrl:
    """A URL to be known: already normalised."""

    url: str
    host: str
    domain: str
    priority: float
    depth: int
    features: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class Lease:
    id: int
    url: str
    host: str
    depth: int
    priority: float
    tranche: str | None
    attempts: int
    features: list[float] | None
    delay: float
    robots_status: int | None
    robots: bytes | None
    pages: int
    page_budget: int | None
    robots_stale: bool

    @classmethod
    def archived(cls, url: str, host: str) -> Lease:
        """Stands for a page that was not leased because nobody has to be asked for it."""
        return cls(0, url, host, 0, 0.0, "archive", 1, None, 0.0, None, None, 0, None, robots_stale=False)


def url_key(url: str) -> UUID:
    """Sixteen bytes that stand for a URL in the unique index."""
    return UUID(bytes=md5(url.encode(), usedforsecurity=False).digest())


async def add(
    tx: Transaction, urls: Sequence[FrontierUrl], tranche: str | None = None, parent: int | None = None
) -> int:
    """Insert what is new; returns how many were. Known URLs are sorted out before any row is built."""
    by_key = {url_key(each.url): each for each in urls}
    if not by_key:
        return 0
    known = {row["url_key"] for row in await tx.rows(SQL["known"], {"keys": list(by_key)})}
    fresh = {key: each for key, each in sorted(by_key.items(), key=lambda pair: pair[1].host) if key not in known}
    if not fresh:
        return 0
    hosts = {each.host: each.domain for each in fresh.values()}
    await tx.run(SQL["know_hosts"], {"names": list(hosts), "domains": list(hosts.values())})
    added = await tx.value(SQL["add"], bulk(fresh) | {"tranche": tranche, "parent": parent})
    await tx.notify(FRONTIER_CHANNEL)
    return int(added)


def bulk(urls: Mapping[UUID, FrontierUrl]) -> dict[str, Any]:
    rows = list(urls.values())
    return {
        "urls": [row.url for row in rows],
        "keys": list(urls),
        "hosts": [row.host for row in rows],
        "priorities": [row.priority for row in rows],
        "depths": [row.depth for row in rows],
        "features": ["{" + ",".join(map(str, row.features)) + "}" for row in rows],
    }


async def lease(
    tx: Transaction,
    token: UUID,
    hosts: int,
    default_delay: float,
    lease_seconds: float,
    urls_without_delay: int = 20,
) -> list[Lease]:
    rows = await tx.rows(
        SQL["lease"],
        {
            "hosts": hosts,
            "lease": token,
            "default_delay": default_delay,
            "lease_seconds": lease_seconds,
            "urls_without_delay": urls_without_delay,
        },
    )
    return [Lease(**row) for row in rows]


async def free_host(
    tx: Transaction, host: str, delay_seconds: float, pages: int, failed: bool, wait_seconds: float = 0.0
) -> None:
    await tx.run(
        SQL["free_host"],
        {"host": host, "delay_seconds": delay_seconds, "pages": pages, "failed": failed, "wait_seconds": wait_seconds},
    )
    await tx.notify(FRONTIER_CHANNEL)


async def keep_robots(
    tx: Transaction, host: str, status: int, body: bytes | None, delay_seconds: float | None, keep_seconds: float
) -> None:
    await tx.run(
        SQL["keep_robots"],
        {"host": host, "status": status, "body": body, "delay_seconds": delay_seconds, "keep_seconds": keep_seconds},
    )


async def end_url(tx: Transaction, url: int, token: UUID, state: str, reason: str | None = None) -> bool:
    """True if this lease still held the URL: only then may its page be stored."""
    parameters = {"id": url, "lease": token, "state": state, "reason": reason}
    return await tx.row(SQL["end_url"], parameters) is not None


async def try_later(tx: Transaction, url: int, token: UUID, delay_seconds: float, reason: str) -> None:
    await tx.run(SQL["try_later"], {"id": url, "lease": token, "delay_seconds": delay_seconds, "reason": reason})


async def give_back_expired(tx: Transaction) -> None:
    await tx.run(SQL["give_back_expired"])


async def seconds_to_next_slot(tx: Transaction, default_delay: float) -> float | None:
    seconds = await tx.value(SQL["next_slot"], {"default_delay": default_delay})
    return None if seconds is None else float(seconds)


async def is_dry(tx: Transaction) -> bool:
    return not await tx.value(SQL["leased"]) and not await tx.value(SQL["leasable"])


async def cool_down(tx: Transaction, host: str, seconds: float, reason: str) -> None:
    await tx.run(SQL["cool_down"], {"host": host, "seconds": seconds, "reason": reason})


async def stop_host(tx: Transaction, host: str, reason: str, opted_out: bool = False) -> None:
    await tx.run(SQL["stop_host"], {"host": host, "reason": reason, "opted_out": opted_out})


async def allow_host(tx: Transaction, host: str) -> None:
    await tx.run(SQL["allow_host"], {"host": host})
    await tx.notify(FRONTIER_CHANNEL)


async def set_delay(tx: Transaction, hosts: Sequence[tuple[str, str]], delay_seconds: float) -> None:
    """Bind hosts, given with their registrable domains, to a delay of their own."""
    await tx.run(SQL["know_hosts"], {"names": [name for name, _ in hosts], "domains": [domain for _, domain in hosts]})
    await tx.run(SQL["set_delay"], {"hosts": [name for name, _ in hosts], "delay_seconds": delay_seconds})


async def depth(tx: Transaction) -> Row:
    found = await tx.row(SQL["depth"])
    return found or {"urls": 0, "hosts": 0}


async def states(tx: Transaction) -> dict[str, int]:
    return {row["state"]: row["urls"] for row in await tx.rows(SQL["states"])}


async def ends(tx: Transaction) -> list[Row]:
    return await tx.rows(SQL["ends"])


async def hosts(tx: Transaction, default_delay: float, after: str = "", limit: int = 100) -> list[Row]:
    return await tx.rows(SQL["hosts"], {"default_delay": default_delay, "after": after, "limit": limit})


async def stopped_hosts(tx: Transaction) -> Row:
    return await tx.row(SQL["stopped_hosts"]) or {"stopped": 0, "cooling": 0}


async def find(tx: Transaction, url: str) -> Row | None:
    return await tx.row(SQL["find"], {"key": url_key(url)})


async def recent_offspring(tx: Transaction, limit: int = 1000) -> list[int]:
    return [row["new_links"] for row in await tx.rows(SQL["offspring"], {"limit": limit})]


async def give_back(tx: Transaction, host: str, token: UUID) -> None:
    await tx.run(SQL["give_back"], {"host": host, "lease": token})
