"""Hosts: stop asking one, allow it again."""

from __future__ import annotations

from lumbung.errors import PolicyRefused, RefusedError, UsageError
from lumbung.model.permission import Actor, allow
from lumbung.store import console, frontier, governed
from lumbung.store.database import Transaction
from lumbung.text.url import host_of, normalize, registrable_domain


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
