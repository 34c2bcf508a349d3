"""Hosts: stop asking one, allow it again, bind it to a delay; and forget what the crawl learned about links."""

from __future__ import annotations

from datetime import time
from zoneinfo import available_timezones

from lumbung.errors import PolicyRefused, RefusedError, UsageError
from lumbung.model.permission import Actor, allow
from lumbung.store import console, frontier, governed, hosts, learning
from lumbung.store.database import Transaction
from lumbung.text.url import host_of, normalize, registrable_domain

LEAST_DELAY_SECONDS = 1.0
LONGEST_DELAY_SECONDS = 24 * 3600.0


def host_name(given: str) -> str:
    named = given.strip().removeprefix("http://").removeprefix("https://").split("/")[0]
    try:
        return host_of(normalize(f"http://{named}/"))
    except RefusedError as error:
        raise UsageError(f"{given} is not the name of a host.") from error


async def stop_host(tx: Transaction, actor: Actor, host: str, reason: str) -> str:
    """Nothing more is asked of the host; what was fetched stays until somebody retracts it."""
    allow(actor, "stop-host", reason=reason)
    name = host_name(host)
    await console.know_host(tx, name, registrable_domain(name))
    await frontier.stop_host(tx, name, reason)
    await governed.append_action(tx, actor.person, "stop-host", name, reason, {"stopped": True})
    return name


async def allow_host(tx: Transaction, actor: Actor, host: str, reason: str) -> str:
    """A site whose owner opted out is not ours to allow again."""
    allow(actor, "allow-host", reason=reason)
    name = host_name(host)
    known = await console.host(tx, name)
    if known is None:
        raise UsageError(f"The host {name} is not known.")
    if known["opted_out"]:
        raise PolicyRefused(f"The owner of {name} opted out; that is not undone from here.")
    await frontier.allow_host(tx, name)
    await governed.append_action(tx, actor.person, "allow-host", name, reason, {"stopped": False})
    return name


async def set_host_delay(tx: Transaction, actor: Actor, host: str, delay_seconds: float | None, reason: str) -> str:
    """Seconds between two requests; None leaves it to the default, to Crawl-delay and to how fast the host answers."""
    allow(actor, "set-host-delay", reason=reason)
    if delay_seconds is not None and not LEAST_DELAY_SECONDS <= delay_seconds <= LONGEST_DELAY_SECONDS:
        raise UsageError(f"A delay lies between {LEAST_DELAY_SECONDS:g} and {LONGEST_DELAY_SECONDS:g} seconds.")
    name = host_name(host)
    await frontier.set_delay(tx, [(name, registrable_domain(name))], delay_seconds)
    effect = {"delay_seconds": delay_seconds}
    await governed.append_action(tx, actor.person, "set-host-delay", name, reason, effect)
    return name


async def set_quiet_hours(
    tx: Transaction, actor: Actor, host: str, hours: tuple[time, time] | None, zone: str, reason: str
) -> str:
    """Between two times of day, by the clocks of a zone, the host is not asked; None takes them back."""
    allow(actor, "set-quiet-hours", reason=reason)
    if hours is not None and hours[0] == hours[1]:
        raise UsageError("Quiet hours begin and end at different times; a host that is never to be asked is stopped.")
    if zone not in available_timezones():
        raise UsageError(f"There is no time zone {zone}; write one like Asia/Jakarta.")
    name = host_name(host)
    await hosts.set_quiet_hours(tx, [(name, registrable_domain(name))], hours, zone)
    effect = {"hours": [each.isoformat("minutes") for each in hours] if hours else None, "zone": zone}
    await governed.append_action(tx, actor.person, "set-quiet-hours", name, reason, effect)
    return name


async def reset_crawl_weights(tx: Transaction, actor: Actor, reason: str) -> None:
    """The governed weights are in force again; learning begins anew from them."""
    allow(actor, "reset-crawl-weights", reason=reason)
    forgotten = await learning.model(tx)
    await learning.reset_model(tx)
    effect = {"weights": forgotten["weights"], "pages": forgotten["updates"]} if forgotten else {}
    await governed.append_action(tx, actor.person, "reset-crawl-weights", "crawl.priority", reason, effect)
