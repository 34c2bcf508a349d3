"""Inject seeds into the frontier: the curator's act, or the operator's on the command line."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from lumbung.errors import RefusedError
from lumbung.model.permission import Actor, allow
from lumbung.store import frontier, governed
from lumbung.store.database import Transaction
from lumbung.store.frontier import FrontierUrl
from lumbung.text.url import host_of, normalize, registrable_domain

SEED_PRIORITY = 100.0


@dataclass(frozen=True, slots=True)
class InjectedSeeds:
    added: int
    known: int
    refused: dict[str, str]


async def inject_seeds(tx: Transaction, actor: Actor, urls: Sequence[str], tranche: str, reason: str) -> InjectedSeeds:
    """Seeds come before all discovered links; a URL that is known already is not asked again."""
    allow(actor, "inject-seeds", reason=reason)
    rows: dict[str, FrontierUrl] = {}
    refused: dict[str, str] = {}
    for each in urls:
        try:
            url = normalize(each)
        except RefusedError as error:
            refused[each] = error.reason
            continue
        host = host_of(url)
        rows[url] = FrontierUrl(url, host, registrable_domain(host), SEED_PRIORITY, 0)
    added = await frontier.add(tx, list(rows.values()), tranche)
    result = InjectedSeeds(added, len(rows) - added, refused)
    await governed.append_action(
        tx, actor.person, "inject-seeds", tranche, reason, {"added": added, "known": result.known, "refused": refused}
    )
    return result
