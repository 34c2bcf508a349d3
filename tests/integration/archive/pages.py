"""Pages as the crawl leaves them, and what the database and the archive say of them."""

from __future__ import annotations

from datetime import UTC, datetime
from hashlib import sha256

from lumbung.governance.steward.archiver import archive_once, verify_archive
from lumbung.ports.archive import ArchivedResponse
from lumbung.store import documents
from lumbung.store.documents import NewDocument

AT = datetime(2026, 1, 2, 3, 4, 5, 678901, tzinfo=UTC)
BODY = b"<html>Tari</html>" * 50


def response(url="http://a.example/x", body=BODY, **changes):
    values = {
        "url": url,
        "status": 200,
        "headers": [("Content-Type", "text/html"), ("Transfer-Encoding", "chunked"), ("X-Ganjil", "é\r\nX-Palsu: 1")],
        "request_headers": [("Host", "a.example"), ("User-Agent", "LumbungBot")],
        "body": body,
        "address": "127.0.0.1",
        "truncated": None,
        "fetched_at": AT,
    }
    return ArchivedResponse(**(values | changes))


def body_of(name: str) -> bytes:
    return f"Isi {name[0]}".encode() * 40


def document(url: str, body: bytes, **changes) -> NewDocument:
    digest = sha256(body).hexdigest()
    return NewDocument(url, url, "a.example", "a.example", digest, 200, "text/html", [], [], body, "item", **changes)


async def fetched(database, *names: str) -> dict[str, int]:
    """Pages whose text begins by the first letter of their name; their numbers."""
    async with database.transaction() as tx:
        return {name: await documents.add(tx, document(f"http://a.example/{name}", body_of(name))) for name in names}


async def archived(database, archive) -> None:
    while await archive_once(database, archive, lambda _: None):
        pass


async def problems(database, archive) -> list[str]:
    async with database.transaction() as tx:
        return await verify_archive(tx, archive)


async def erase(database, number: int) -> None:
    async with database.transaction() as tx:
        assert await documents.erase_text(tx, number, "taken down")


async def cited(database) -> list[str]:
    async with database.transaction() as tx:
        rows = await tx.rows(
            "select archive from document where archive is not null union select archive from robots_archive"
        )
        return sorted(row["archive"] for row in rows if row["archive"])


async def waiting(database) -> int:
    async with database.transaction() as tx:
        return await tx.value("select count(*) from document where body is not null")
