"""Hosts: slot and lease, what they ask of crawlers, what they gave, and what the curator should know of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import time
from enum import IntEnum
from uuid import UUID

from lumbung.store.database import Row, Transaction, named_queries
from lumbung.text.url import registrable_domain

SQL = named_queries("hosts")
FRONTIER_CHANNEL = "lumbung_frontier"
HOST_CHANNEL = "lumbung_hosts"
"""A host was stopped: crawlers drop what they hold of it at once."""
FAILURES_BEFORE_REST = 10
REST_SECONDS = 3600.0
PROMPT_SECONDS = 1.0
"""A host that answers within this time on the average is a prompt one."""


class Lane(IntEnum):
    """How a host answers, as far as that is known; the database's host_lane tells which."""

    PROMPT = 1
    UNMET = 2
    SLOW = 3


@dataclass(frozen=True, slots=True)
class Room:
    """How many hosts of a lane may be taken, and how long before their turn."""

    hosts: int
    ahead_seconds: float = 0.0


Rooms = Mapping[Lane, Room]


@dataclass(frozen=True, slots=True)
class RunDelay:
    """Hosts that a run of the crawler asks at a pace of its own; nothing of it is kept."""

    hosts: tuple[str, ...] = ()
    seconds: float = 0.0


NO_RUN_DELAY = RunDelay()


@dataclass(frozen=True, slots=True)
class FreedHost:
    """The end of a turn at a host."""

    name: str
    delay_seconds: float
    wait_seconds: float = 0.0
    pages: int = 0
    failed: bool = False
    asked: bool = True
    blocked: bool = False
    ended_ago_seconds: float = 0.0
    """How long before this transaction the last request ended."""
    service_seconds: float | None = None
    address: str | None = None
    """The public address that answered."""


@dataclass(frozen=True, slots=True)
class KeptPolicy:
    origin: str
    name: str
    host: str
    status: int
    body: bytes | None
    keep_seconds: float


async def know_hosts(tx: Transaction, domains: Mapping[str, str]) -> None:
    """Hosts with their registrable domains; known ones cost a look-up."""
    await tx.run(SQL["know"], {"names": list(domains), "domains": list(domains.values())})


async def renew(tx: Transaction, token: UUID, names: Sequence[str], lease_seconds: float) -> dict[str, bool]:
    """The hosts that this worker still holds, and whether it now holds them for longer."""
    rows = await tx.rows(SQL["renew"], {"lease": token, "hosts": list(names), "lease_seconds": lease_seconds})
    return {row["name"]: row["renewed"] for row in rows}


async def lock(tx: Transaction, names: Iterable[str]) -> None:
    """Before a transaction changes several hosts: two that do so never wait for each other."""
    await tx.run(SQL["lock"], {"hosts": sorted(set(names))})


async def free(tx: Transaction, token: UUID, freed: Sequence[FreedHost], page_budget: int) -> list[Row]:
    """Ends the turns at hosts; returns how each stands: consecutive blocks and failures, and whether it is stopped."""
    if not freed:
        return []
    return await tx.rows(
        SQL["free"],
        {
            "lease": token,
            "page_budget": page_budget,
            "hosts": [each.name for each in freed],
            "delays": [each.delay_seconds for each in freed],
            "waits": [each.wait_seconds for each in freed],
            "pages": [each.pages for each in freed],
            "failed": [each.failed for each in freed],
            "asked": [each.asked for each in freed],
            "blocked": [each.blocked for each in freed],
            "patience": FAILURES_BEFORE_REST,
            "rest_seconds": REST_SECONDS,
            "ended_ago": [each.ended_ago_seconds for each in freed],
            "service": [each.service_seconds for each in freed],
            "addresses": [each.address for each in freed],
        },
    )


async def release_expired(tx: Transaction, default_delay: float, run: RunDelay = NO_RUN_DELAY) -> None:
    await tx.run(SQL["release_expired"], delays_of(default_delay, run))


def delays_of(default_delay: float, run: RunDelay) -> dict[str, object]:
    return {"default_delay": default_delay, "run_hosts": list(run.hosts), "run_delay": run.seconds}


async def borrow(
    tx: Transaction, token: UUID, host: str, default_delay: float, lease_seconds: float, run: RunDelay = NO_RUN_DELAY
) -> float | None:
    """The host's delay if it may be asked now and is this worker's from here on; otherwise None."""
    parameters = {"lease": token, "host": host, "lease_seconds": lease_seconds} | delays_of(default_delay, run)
    found = await tx.row(SQL["borrow"], parameters)
    return None if found is None else float(found["delay"])


def lanes_of(rooms: Rooms, prompt_seconds: float) -> dict[str, object]:
    return {
        "rooms": [rooms[lane].hosts for lane in Lane],
        "aheads": [rooms[lane].ahead_seconds for lane in Lane],
        "prompt_seconds": prompt_seconds,
    }


async def seconds_to_next_slot(tx: Transaction, rooms: Rooms, prompt_seconds: float = PROMPT_SECONDS) -> float | None:
    seconds = await tx.value(SQL["next_slot"], lanes_of(rooms, prompt_seconds))
    return None if seconds is None else float(seconds)


async def seconds_to_slot_of(tx: Transaction, host: str) -> float:
    return float(await tx.value(SQL["slot_of"], {"host": host}) or 0.0)


async def stop_reason(tx: Transaction, host: str) -> str | None:
    """Why a host is not asked at all; None when nobody stopped it."""
    why = await tx.value(SQL["stop_reason"], {"host": host})
    return None if why is None else str(why)


async def policies(tx: Transaction, hosts: Sequence[str]) -> list[Row]:
    return await tx.rows(SQL["policies"], {"hosts": list(hosts)})


async def keep_policies(tx: Transaction, kept: Sequence[KeptPolicy]) -> None:
    if kept:
        await tx.run(
            SQL["keep_policies"],
            {
                "origins": [each.origin for each in kept],
                "names": [each.name for each in kept],
                "hosts": [each.host for each in kept],
                "statuses": [each.status for each in kept],
                "bodies": [each.body for each in kept],
                "seconds": [each.keep_seconds for each in kept],
            },
        )


async def set_robots_delays(tx: Transaction, delays: Mapping[str, float | None]) -> None:
    if delays:
        await tx.run(SQL["set_robots_delays"], {"hosts": list(delays), "delays": list(delays.values())})


async def forget_policies(tx: Transaction, host: str) -> None:
    await tx.run(SQL["forget_policies"], {"host": host})


async def cool_down(tx: Transaction, host: str, seconds: float, reason: str) -> None:
    await tx.run(SQL["cool_down"], {"host": host, "seconds": seconds, "reason": reason})


async def stop(tx: Transaction, hosts: Sequence[str], reason: str, *, opted_out: bool = False) -> None:
    await tx.run(SQL["stop"], {"hosts": list(hosts), "reason": reason, "opted_out": opted_out})
    await tx.notify(HOST_CHANNEL)


async def stop_host(tx: Transaction, host: str, reason: str, opted_out: bool = False) -> None:
    """One host, known or not yet."""
    await know_hosts(tx, {host: registrable_domain(host)})
    await stop(tx, [host], reason, opted_out=opted_out)


async def allow(tx: Transaction, hosts: Sequence[str]) -> None:
    await tx.run(SQL["allow"], {"hosts": list(hosts)})
    await tx.run(SQL["close_notices"], {"hosts": list(hosts)})
    await tx.notify(FRONTIER_CHANNEL)


async def allow_host(tx: Transaction, host: str) -> None:
    await allow(tx, [host])


async def set_delay(tx: Transaction, hosts: Sequence[tuple[str, str]], delay_seconds: float | None) -> None:
    """Bind hosts, given with their registrable domains, to a delay of their own; None takes it back."""
    await know_hosts(tx, dict(hosts))
    await tx.run(SQL["set_delay"], {"hosts": [name for name, _ in hosts], "delay_seconds": delay_seconds})


async def set_quiet_hours(
    tx: Transaction, hosts: Sequence[tuple[str, str]], hours: tuple[time, time] | None, zone: str
) -> None:
    """Hosts, given with their registrable domains, are not asked between two times of day; None takes it back."""
    await know_hosts(tx, dict(hosts))
    begins, ends = hours or (None, None)
    parameters = {"begins": begins, "ends": ends, "zone": zone if hours else None}
    await tx.run(SQL["set_quiet"], parameters | {"hosts": [name for name, _ in hosts]})
    await tx.notify(FRONTIER_CHANNEL)


async def is_stopped(tx: Transaction, host: str) -> bool:
    return bool(await tx.value(SQL["is_stopped"], {"host": host}))


async def of_domain(tx: Transaction, name: str) -> list[str]:
    """The hosts that a host name or a registrable domain stands for."""
    return [row["name"] for row in await tx.rows(SQL["of_domain"], {"name": name})]


async def list_hosts(tx: Transaction, default_delay: float, after: str = "", limit: int = 100) -> list[Row]:
    return await tx.rows(SQL["list"], {"default_delay": default_delay, "after": after, "limit": limit})


async def stopped_hosts(tx: Transaction) -> Row:
    return await tx.row(SQL["stopped"]) or {"stopped": 0, "cooling": 0, "quiet": 0}


async def stops(tx: Transaction) -> list[Row]:
    return await tx.rows(SQL["stops"])


async def notice(tx: Transaction, kind: str, host: str, text: str) -> None:
    """What the curator should know; the same again counts up."""
    await tx.run(SQL["notice"], {"kind": kind, "host": host, "text": text})


async def notices(tx: Transaction, limit: int = 100) -> list[Row]:
    return await tx.rows(SQL["notices"], {"limit": limit})


async def count_shapes(tx: Transaction, counted: Sequence[tuple[str, str, int, int]]) -> None:
    """Host, shape, pages and pages that gave something."""
    if counted:
        names = ("hosts", "shapes", "pages", "yielding")
        await tx.run(SQL["count_shapes"], dict(zip(names, map(list, zip(*counted, strict=True)), strict=True)))


async def shapes(tx: Transaction, trial_pages: int) -> list[Row]:
    return await tx.rows(SQL["shapes"], {"trial": trial_pages})


async def cite(tx: Transaction, cited: Sequence[tuple[str, str, int, str]]) -> None:
    """Host, domain, links and the page that pointed there."""
    if cited:
        names = ("hosts", "domains", "links", "pages")
        await tx.run(SQL["cite"], dict(zip(names, map(list, zip(*cited, strict=True)), strict=True)))


async def suggestions(tx: Transaction, least_links: int = 3, limit: int = 50) -> list[Row]:
    return await tx.rows(SQL["suggestions"], {"least": least_links, "limit": limit})


async def twins(tx: Transaction, since_document: int, least_pages: int) -> list[Row]:
    return await tx.rows(SQL["twins"], {"since": since_document, "least": least_pages})


async def paths(tx: Transaction, host: str) -> dict[str, bytes]:
    return {row["path"]: row["digest"].encode() for row in await tx.rows(SQL["paths"], {"host": host})}


async def become_mirror(tx: Transaction, host: str, other: str, reason: str) -> None:
    await tx.run(SQL["become_mirror"], {"host": host, "other": other, "reason": reason})
    await tx.notify(HOST_CHANNEL)
