"""WARC files as a source: no host is asked, and every page goes the way of a fetched one."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from lumbung.errors import RefusedError
from lumbung.ports.fetch import Fetched
from lumbung.stages.crawl.visit import Visitor
from lumbung.store import governed, refusals
from lumbung.store.database import Database
from lumbung.text.url import normalize


class ArchivedPage(Fetched, Protocol):
    @property
    def url(self) -> str: ...


async def take_in(pages: Iterable[ArchivedPage], visitor: Visitor, database: Database) -> tuple[int, int]:
    """Pages kept and pages refused; taking the same file in again changes nothing."""
    async with database.transaction() as tx:
        visitor.rows = await governed.values_now(tx)
    kept = refused = 0
    for answer in pages:
        if answer.status is None or not 200 <= answer.status < 300:
            continue
        try:
            url = normalize(answer.url)
        except RefusedError as error:
            async with database.transaction() as tx:
                await refusals.add(tx, "crawl", answer.url, f"archive: {error.reason}")
            refused += 1
            continue
        visit = await visitor.read_archived(answer, url)
        async with database.transaction() as tx:
            if visit.outcome == "fetched":
                await visitor.keep_archived(tx, visit)
            else:
                await refusals.add(tx, "crawl", url, visit.reason or visit.outcome)
        kept += visit.outcome == "fetched"
        refused += visit.outcome != "fetched"
    return kept, refused
