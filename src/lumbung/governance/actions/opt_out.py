"""A site owner's opt-out: the host is stopped at once, without asking who they are."""

from __future__ import annotations

from lumbung.errors import RefusedError, UsageError
from lumbung.store import frontier, governed
from lumbung.store.database import Transaction
from lumbung.text.url import host_of, normalize

LONGEST_REASON = 500


async def opt_out_host(tx: Transaction, host: str, reason: str) -> str:
    """Stops the host and returns its name; a person decides later what becomes of what came from it."""
    named = host.strip().removeprefix("http://").removeprefix("https://").split("/")[0]
    try:
        name = host_of(normalize(f"http://{named}/"))
    except RefusedError as error:
        raise UsageError(f"{host} is not the name of a site.") from error
    await frontier.stop_host(tx, name, "the site's owner opted out", opted_out=True)
    told = reason.strip()[:LONGEST_REASON] or "no reason given"
    await governed.append_action(tx, None, "opt-out-host", name, told, {"host": name})
    return name
