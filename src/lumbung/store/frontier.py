"""The frontier Phi: unique URLs, leased best first among the hosts that may be asked now."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import md5
from typing import Any
from uuid import UUID

from lumbung.store.database import Row, Transaction, named_queries
from lumbung.store.hosts import (
    FRONTIER_CHANNEL,
    NO_RUN_DELAY,
    PROMPT_SECONDS,
    Lane,
    Rooms,
    RunDelay,
    allow_host,
    delays_of,
    know_hosts,
    lanes_of,
    list_hosts,
    set_delay,
    stop_host,
    stopped_hosts,
)

__all__ = [
    "FRONTIER_CHANNEL", "FrontierUrl", "Lease", "add", "add_all", "allow_host", "depth", "end_urls", "ends", "find", "give_back", "hosts",
    "is_dry", "lease", "raise_urls", "recent_offspring", "refetch", "refuse_urls", "refuse_waiting", "set_delay", "states", "stop_host", "stopped_hosts", "try_later", "url_key", "waiting_after",
]  # fmt: skip

SQL = named_queries("frontier")
hosts = list_hosts
HOSTS_PER_ADDRESS = 4
HOSTS_PER_DOMAIN = 8
"""Of one registrable domain, hosts not yet met and slow ones that may be in hand at once: names are cheap to make."""
SHARED_BY_DOMAINS = 100
"""An address that answers for more domains than this is a network's front, not somebody's machine."""


@dataclass(slots=True)
class FrontierUrl:
    """A URL to be known: already normalised."""

    url: str
    host: str
    domain: str
    priority: float
    depth: int
    features: tuple[float, ...] = ()
    tranche: str | None = None
    parent: int | None = None
    """The frontier row of the page that pointed here."""
    redirects: int = 0


@dataclass(slots=True)
class Lease:
    id: int
    url: str
    host: str
    depth: int
    priority: float
    tranche: str | None
    attempts: int
    """Tries so far, this one included."""
    features: list[float] | None
    redirects: int
    delay: float
    pages: int
    page_budget: int | None
    wait: float = 0.0
    """Seconds until the host's turn, from the moment of the lease."""
    begun: int = 1
    """Leases so far, this one included: those of workers that died count here, and not as tries."""
    refetch: str | None = None
    """The act by which somebody asked for the page once more, and what for."""
    lane: int = Lane.UNMET

    @classmethod
    def archived(cls, url: str, host: str) -> Lease:
        """Stands for a page that was not leased because nobody has to be asked for it."""
        return cls(0, url, host, 0, 0.0, "archive", 1, None, 0, 0.0, 0, None)


def url_key(url: str) -> str:
    """Sixteen bytes that stand for a URL in the unique index, as hexadecimal digits."""
    return md5(url.encode(), usedforsecurity=False).hexdigest()


async def add(
    tx: Transaction, urls: Sequence[FrontierUrl], tranche: str | None = None, parent: int | None = None
) -> int:
    """Insert what is new, all of one tranche and parent; returns how many were."""
    return sum((await _add(tx, urls, tranche, parent)).values())


async def add_all(tx: Transaction, urls: Sequence[FrontierUrl]) -> dict[int | None, int]:
    """Insert what is new of several pages at once; returns each parent's offspring."""
    return await _add(tx, urls, None, None)


async def _add(
    tx: Transaction, urls: Sequence[FrontierUrl], tranche: str | None, parent: int | None
) -> dict[int | None, int]:
    by_key = _best_by_key(urls)
    if not by_key:
        return {}
    await know_hosts(tx, {each.host: each.domain for each in by_key.values()})
    rows = await tx.rows(SQL["add"], _columns(by_key, tranche, parent))
    if any(row["roused"] for row in rows):
        await tx.notify(FRONTIER_CHANNEL)
    return {row["parent"]: int(row["urls"]) for row in rows}


def _best_by_key(urls: Sequence[FrontierUrl]) -> dict[str, FrontierUrl]:
    """Each URL is the first page's find, and stands where the last word about it puts it."""
    by_url: dict[str, FrontierUrl] = {}
    for each in urls:
        first = by_url.setdefault(each.url, each)
        if each.priority > first.priority:
            by_url[each.url] = replace(first, priority=each.priority, features=each.features)
    return {url_key(url): each for url, each in by_url.items()}


async def raise_urls(tx: Transaction, urls: Sequence[FrontierUrl]) -> None:
    """What still waits stands higher from here on, by what further pages said of it; nothing is set lower."""
    by_key = _best_by_key(urls)
    if by_key:
        columns = _columns(by_key, None, None)
        await tx.run(SQL["raise_urls"], {name: columns[name] for name in ("keys", "priorities", "features")})


def _columns(urls: Mapping[str, FrontierUrl], tranche: str | None, parent: int | None) -> dict[str, Any]:
    """In the order of the index, so that neighbours are looked up together."""
    keys = sorted(urls)
    rows = [urls[key] for key in keys]
    return {
        "urls": [row.url for row in rows],
        "keys": keys,
        "hosts": [row.host for row in rows],
        "priorities": [row.priority for row in rows],
        "depths": [row.depth for row in rows],
        "features": ["{" + ",".join(map(str, row.features)) + "}" if row.features else None for row in rows],
        "tranches": [row.tranche or tranche for row in rows],
        "parents": [row.parent or parent for row in rows],
        "redirects": [row.redirects for row in rows],
    }


async def lease(
    tx: Transaction,
    token: UUID,
    rooms: Rooms,
    default_delay: float,
    lease_seconds: float,
    urls_without_delay: int = 20,
    run: RunDelay = NO_RUN_DELAY,
    *,
    hosts_at_most: int | None = None,
    prompt_seconds: float = PROMPT_SECONDS,
) -> list[Lease]:
    """Hosts whose turn comes soon enough, of each lane as many as it has room for; few of one address at a time,
    unless it serves very many domains, and of one domain few that are slow or not yet met.
    """
    rows = await tx.rows(
        SQL["lease"],
        {
            "hosts": sum(room.hosts for room in rooms.values()) if hosts_at_most is None else hosts_at_most,
            "lease": token,
            "lease_seconds": lease_seconds,
            "urls_without_delay": urls_without_delay,
            "prompt_lane": Lane.PROMPT.value,
            "hosts_per_address": HOSTS_PER_ADDRESS,
            "hosts_per_domain": HOSTS_PER_DOMAIN,
            "shared_by_domains": SHARED_BY_DOMAINS,
        }
        | delays_of(default_delay, run)
        | lanes_of(rooms, prompt_seconds),
    )
    return [Lease(**row) for row in rows]


async def end_urls(tx: Transaction, token: UUID, ends_: Iterable[tuple[int, str, str | None]]) -> set[int]:
    """Id, state and reason of each; returns those that this worker still held: only their pages may be stored."""
    listed = list(ends_)
    if not listed:
        return set()
    parameters = {
        "lease": token,
        "ids": [number for number, _, _ in listed],
        "states": [state for _, state, _ in listed],
        "reasons": [reason for _, _, reason in listed],
    }
    return {row["id"] for row in await tx.rows(SQL["end_urls"], parameters)}


async def try_later(tx: Transaction, token: UUID, later: Sequence[tuple[int, str, float]]) -> None:
    """Id, reason and seconds of each."""
    if later:
        parameters = {
            "lease": token,
            "ids": [number for number, _, _ in later],
            "reasons": [reason for _, reason, _ in later],
            "delays": [seconds for _, _, seconds in later],
        }
        await tx.run(SQL["try_later"], parameters)


async def give_back(tx: Transaction, token: UUID, hosts_: Sequence[str]) -> None:
    if hosts_:
        await tx.run(SQL["give_back"], {"hosts": list(hosts_), "lease": token})


async def refetch(tx: Transaction, url: str, asked_by: str, priority: float) -> None:
    """A page that had its end waits for its turn again."""
    await tx.run(SQL["refetch"], {"key": url_key(url), "refetch": asked_by, "priority": priority})
    await tx.notify(FRONTIER_CHANNEL)


async def refuse_waiting(tx: Transaction, host: str, reason: str) -> None:
    await tx.run(SQL["refuse_waiting"], {"host": host, "reason": reason})


async def waiting_after(tx: Transaction, after: int, limit: int) -> list[Row]:
    return await tx.rows(SQL["waiting_after"], {"after": after, "limit": limit})


async def refuse_urls(tx: Transaction, ids: Sequence[int], reason: str) -> None:
    if ids:
        await tx.run(SQL["refuse_urls"], {"ids": list(ids), "reason": reason})


async def is_dry(tx: Transaction, rested: bool = True) -> bool:
    """Nothing is leased or leasable; `rested` says whether a host that has cooled down may be asked again."""
    return not await tx.value(SQL["busy"], {"rested": rested})


async def depth(tx: Transaction) -> Row:
    found = await tx.row(SQL["depth"])
    return found or {"urls": 0, "hosts": 0}


async def states(tx: Transaction) -> dict[str, int]:
    return {row["state"]: row["urls"] for row in await tx.rows(SQL["states"])}


async def ends(tx: Transaction) -> list[Row]:
    return await tx.rows(SQL["ends"])


async def find(tx: Transaction, url: str) -> Row | None:
    return await tx.row(SQL["find"], {"key": url_key(url)})


async def recent_offspring(tx: Transaction, limit: int = 1000) -> list[int]:
    return [row["new_links"] for row in await tx.rows(SQL["offspring"], {"limit": limit})]
