"""An archive of either kind, as a test looks into it, and as another process opens it by its environment."""

from __future__ import annotations

import io
import os
from dataclasses import dataclass
from pathlib import Path

from pydantic import SecretStr
from tests.integration.archive.storage import ACCESS_KEY, SECRET_KEY
from warcio.archiveiterator import ArchiveIterator

from lumbung.archive.index import index_of
from lumbung.archive.object_store import Bucket, ObjectStore
from lumbung.archive.objects import WarcObjects
from lumbung.archive.threaded import ThreadedArchive
from lumbung.archive.warc import WarcFolder

OPERATOR = "budaya@example.org"


@dataclass(frozen=True)
class Shelf:
    environment: dict[str, str]
    """The settings that name it."""

    @property
    def objects(self) -> ObjectStore | None:
        if "LUMBUNG_ARCHIVE_URL" not in self.environment:
            return None
        url, endpoint = self.environment["LUMBUNG_ARCHIVE_URL"], self.environment["LUMBUNG_S3__ENDPOINT"]
        return ObjectStore(Bucket(url, endpoint, "us-east-1", SecretStr(ACCESS_KEY), SecretStr(SECRET_KEY)), "warc")

    @property
    def folder(self) -> Path:
        return Path(self.environment["LUMBUNG_ARCHIVE_DIR"])

    def open(self, **options: int) -> ThreadedArchive:
        store = self.objects
        return ThreadedArchive(
            WarcObjects(store, OPERATOR, **options) if store else WarcFolder(self.folder, OPERATOR, **options)
        )

    async def records(self, archive: str | None = None) -> list[tuple]:
        """Type, headers and content of each record, read by others' means, digests compared."""
        opened = self.open()
        found = []
        for name in [archive] if archive else await opened.names():
            content = b"".join([block async for block in opened.content(name)])
            for record in ArchiveIterator(io.BytesIO(content), check_digests="raise"):
                found.append((record.rec_type, record.rec_headers, record.content_stream().read()))
        return found

    async def index_lines(self) -> list[str]:
        found: list[str] = []
        store = self.objects
        for name in await self.open().names():
            text = store.get(index_of(name)) if store else (self.folder / index_of(name)).read_bytes()
            found += text.decode().splitlines()
        return sorted(found)

    def files(self) -> list[str]:
        """Of archives and indexes, whether cited or not."""
        store = self.objects
        return sorted(store.listed() if store else os.listdir(self.folder))


def shelf_of(bucket: Bucket) -> Shelf:
    return Shelf(
        {
            "LUMBUNG_ARCHIVE_URL": bucket.url,
            "LUMBUNG_S3__ENDPOINT": bucket.endpoint or "",
            "LUMBUNG_S3__ACCESS_KEY": ACCESS_KEY,
            "LUMBUNG_S3__SECRET_KEY": SECRET_KEY,
        }
    )
