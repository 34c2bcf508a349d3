"""The pages of an export, taken out of its WARC files by their digests."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import AsyncIterator, Iterable
from hashlib import sha256
from typing import Protocol

from lumbung.errors import LumbungError, TransientError
from lumbung.library.actions.restore_export import keep_page
from lumbung.ports.parser import PageReader
from lumbung.store.database import Database


class ArchivedPage(Protocol):
    @property
    def content(self) -> bytes: ...

    @property
    def content_type(self) -> str | None: ...

    def text_headers(self) -> list[tuple[str, str]]: ...


async def restore_pages(
    database: Database, reader: PageReader, answers: Iterable[ArchivedPage], needed: set[tuple[str, str]]
) -> AsyncIterator[str]:
    """Keeps each needed page once; yields what could not be kept and why."""
    urls_of: dict[str, list[str]] = defaultdict(list)
    for url, digest in sorted(needed):
        urls_of[digest].append(url)
    for answer in answers:
        digest = sha256(answer.content).hexdigest()
        for url in urls_of.pop(digest, []):
            try:
                page = await reader.read_letters(answer.content, url, answer.content_type or "")
                async with database.transaction() as tx:
                    await keep_page(
                        tx, url, digest, answer.content, answer.content_type or "", answer.text_headers(), page
                    )
            except TransientError:
                raise
            except LumbungError as error:
                yield f"archive, {url}: {error}"
