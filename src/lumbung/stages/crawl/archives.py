"""WARC files as a source: no host is asked, and every page goes the way of a fetched one."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from lumbung.errors import PolicyRefused, RefusedError
from lumbung.ports.fetch import Fetched
from lumbung.stages.crawl.keeping import Keeper
from lumbung.stages.crawl.policy import FILES
from lumbung.stages.crawl.visit import Visitor
from lumbung.store import governed, hosts, refusals
from lumbung.store.database import Database
from lumbung.text.url import host_of, normalize, parse


class ArchivedPage(Fetched, Protocol):
    @property
    def url(self) -> str: ...


async def permitted_identity(database: Database, url: str) -> str:
    """A host that was stopped, or whose owner opted out, is no source by way of somebody's archive either."""
    identity = normalize(url)
    async with database.transaction() as tx:
        if await hosts.is_stopped(tx, host_of(identity)):
            raise PolicyRefused("The host is stopped or has opted out.", reason="the host is stopped")
    return identity


async def take_in(pages: Iterable[ArchivedPage], visitor: Visitor, database: Database) -> tuple[int, int]:
    """Pages kept and pages refused; taking the same file in again changes nothing."""
    keeper = Keeper(visitor)
    if visitor.judge is not None:
        async with database.transaction() as tx:
            visitor.judge.abide_by(await governed.values_now(tx))
    kept = refused = 0
    for answer in pages:
        if answer.status is None or not 200 <= answer.status < 300:
            continue
        try:
            url = await permitted_identity(database, answer.url)
        except RefusedError as error:
            async with database.transaction() as tx:
                await refusals.add(tx, "crawl", answer.url, f"archive: {error.reason}")
            refused += 1
            continue
        if parse(url).path in FILES.values():
            continue
        visit = await visitor.read_archived(answer, url)
        is_page = visit.outcome == "fetched" and visit.outline_kind is not None
        async with database.transaction() as tx:
            if is_page:
                await keeper.keep_archived(tx, visit)
            else:
                await refusals.add(tx, "crawl", url, visit.reason or visit.outcome)
        kept += is_page
        refused += not is_page
    return kept, refused
