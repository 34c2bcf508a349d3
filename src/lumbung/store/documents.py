"""Documents: the raw response first here, later in the archive; the cleaned text stays while a claim points into it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from lumbung.model.candidate import PageText
from lumbung.store.database import Database, Row, Transaction, json, named_queries

SQL = named_queries("documents")


@dataclass(slots=True)
class NewDocument:
    url: str
    final_url: str
    host: str
    domain: str
    digest: str
    status: int
    content_type: str
    request_headers: list[tuple[str, str]]
    headers: list[tuple[str, str]]
    body: bytes | None
    kind: str
    truncated: str | None = None
    address: str | None = None
    gate: dict[str, Any] | None = None
    frontier: int | None = None
    tranche: str | None = None
    published: str | None = None
    witness: bool = True
    witness_reason: str | None = None
    wire: bytes | None = None
    """The body as sent, where it was sent encoded."""
    status_line: str | None = None


@dataclass(frozen=True, slots=True)
class Refusal:
    subject: str
    reason: str
    detail: dict[str, Any]
    inclusion: float
    """The probability by which a refusal of this reason was recorded."""


@dataclass(frozen=True, slots=True)
class Document:
    id: int
    url: str
    final_url: str
    host: str
    domain: str
    digest: str
    content_type: str
    body: bytes | None
    archive: str | None
    archive_offset: int | None
    kind: str
    tranche: str | None
    published: str | None
    witness: bool


async def add(tx: Transaction, document: NewDocument) -> int:
    values = {name: getattr(document, name) for name in NewDocument.__slots__}
    values |= {name: json(values[name]) for name in ("request_headers", "headers")}
    values["gate"] = None if document.gate is None else json(document.gate)
    return int(await tx.value(SQL["add"], values))


async def add_all(tx: Transaction, documents: Sequence[NewDocument]) -> dict[str, int]:
    """The pages of one commit; their numbers by URL."""
    if not documents:
        return {}
    columns = {name: [getattr(each, name) for each in documents] for name in NewDocument.__slots__}
    for name in ("request_headers", "headers", "gate"):
        columns[name] = [None if value is None else json(value) for value in columns[name]]
    return {row["url"]: int(row["id"]) for row in await tx.rows(SQL["add_all"], columns)}


async def add_offspring(tx: Transaction, new_links: Mapping[int, int]) -> None:
    """New links by document."""
    await tx.run(SQL["add_offspring"], {"documents": list(new_links), "new_links": list(new_links.values())})


async def add_refusals(tx: Transaction, stage: str, refusals: Sequence[Refusal]) -> None:
    if refusals:
        parameters = {
            "stage": stage,
            "subjects": [each.subject for each in refusals],
            "reasons": [each.reason for each in refusals],
            "details": [json(each.detail) for each in refusals],
            "inclusions": [each.inclusion for each in refusals],
        }
        await tx.run(SQL["add_refusals"], parameters)


async def load(tx: Transaction, ids: Sequence[int]) -> dict[int, Document]:
    return {row["id"]: Document(**row) for row in await tx.rows(SQL["load"], {"ids": list(ids)})}


async def keep_text(tx: Transaction, document: int, cleaner: str, page: PageText) -> None:
    structure = [[block.kind, block.start, block.end, block.level, block.label] for block in page.blocks]
    await tx.run(
        SQL["keep_text"],
        {
            "document": document,
            "cleaner": cleaner,
            "title": page.title,
            "text": page.text,
            "language": page.language,
            "script": page.script,
            "structure": json(structure),
        },
    )


async def keep_reading(tx: Transaction, document: int, page: PageText, sketch: Sequence[int]) -> None:
    """What the page is and says of itself, and the sketch of its text."""
    await tx.run(
        SQL["keep_reading"],
        {
            "id": document,
            "kind": page.kind.value,
            "sketch": list(sketch),
            "published": page.published,
            "publisher": page.publisher,
            "origins": list(page.origins),
        },
    )


async def unwitness(tx: Transaction, document: int, reason: str) -> None:
    """Its text is akin to the library, our own output or an encyclopaedia: it counts zero."""
    await tx.run(SQL["unwitness"], {"id": document, "reason": reason})


async def become_encyclopaedia(tx: Transaction, document: int) -> None:
    await tx.run(SQL["become_encyclopaedia"], {"id": document})


async def keep_encyclopaedia_sketch(tx: Transaction, document: int, sketch: Sequence[int]) -> None:
    await tx.run(SQL["keep_encyclopaedia_sketch"], {"document": document, "sketch": list(sketch)})


async def encyclopaedia_sketches(tx: Transaction, sketch: Sequence[int]) -> list[list[int]]:
    """Sketches of encyclopaedia pages that share at least one hash with this one."""
    return [row["sketch"] for row in await tx.rows(SQL["encyclopaedia_sketches"], {"sketch": list(sketch)})]


async def texts_like(tx: Transaction, sketch: Sequence[int]) -> list[Row]:
    return await tx.rows(SQL["texts_like"], {"sketch": list(sketch)})


async def unarchived(tx: Transaction, limit: int) -> list[Row]:
    return await tx.rows(SQL["unarchived"], {"limit": limit}, in_binary=True)


async def unarchived_robots(tx: Transaction, limit: int) -> list[Row]:
    return await tx.rows(SQL["unarchived_robots"], {"limit": limit})


async def mark_archived(tx: Transaction, places: Sequence[tuple[int, str, int, str]]) -> set[int]:
    """Document, archive, offset and digest of the payload of each; returns which of them still waited for it."""
    if not places:
        return set()
    names = ("ids", "archives", "offsets", "digests")
    parameters = dict(zip(names, map(list, zip(*places, strict=True)), strict=True))
    return {row["id"] for row in await tx.rows(SQL["archived"], parameters)}


async def ask_erasures(tx: Transaction, places: Sequence[tuple[str, int, str]]) -> None:
    """Archive, offset and URL of records that must leave it."""
    if places:
        names = ("archives", "offsets", "urls")
        await tx.run(SQL["ask_erasures"], dict(zip(names, map(list, zip(*places, strict=True)), strict=True)))


async def mark_robots_archived(tx: Transaction, places: Sequence[tuple[int, str, int]]) -> None:
    if places:
        names = ("ids", "archives", "offsets")
        await tx.run(SQL["archived_robots"], dict(zip(names, map(list, zip(*places, strict=True)), strict=True)))


async def archived_places(tx: Transaction, after: tuple[str, int, int] = ("", -1, 0), limit: int = 500) -> list[Row]:
    """Archived pages in the order of the files, after a given archive, offset and document."""
    archive, offset, number = after
    parameters = {"archive": archive, "offset": offset, "id": number, "limit": limit}
    return await tx.rows(SQL["archived_places"], parameters)


@dataclass(frozen=True, slots=True)
class PolicyAnswer:
    """robots.txt and its like, as answered: evidence of what a site said to us."""

    host: str
    url: str
    status: int
    request_headers: list[tuple[str, str]]
    headers: list[tuple[str, str]]
    body: bytes
    """As sent."""
    address: str | None
    status_line: str | None = None
    encoded: bool = False
    """The body is in a content encoding."""


async def add_robots(tx: Transaction, answer: PolicyAnswer) -> None:
    values = {name: getattr(answer, name) for name in PolicyAnswer.__slots__}
    await tx.run(SQL["add_robots"], values | {name: json(values[name]) for name in ("request_headers", "headers")})


async def archive_waits(tx: Transaction) -> bool:
    return bool(await tx.value(SQL["archive_waits"]))


async def by_url(tx: Transaction, url: str) -> list[Row]:
    return await tx.rows(SQL["by_url"], {"url": url})


async def count_fetches(tx: Transaction, counted: Sequence[tuple[str | None, str, int]]) -> None:
    """Tranche, outcome and new links of each page."""
    if counted:
        parameters = {
            "tranches": [tranche or "" for tranche, _, _ in counted],
            "outcomes": [outcome for _, outcome, _ in counted],
            "pages": [1] * len(counted),
            "new_links": [new_links for _, _, new_links in counted],
        }
        await tx.run(SQL["figures"], parameters)


async def pages_per_second(tx: Transaction, hours: int = 1) -> float:
    return float(await tx.value(SQL["recent_rate"], {"hours": hours}) or 0.0)


async def by_tranche(tx: Transaction) -> list[Row]:
    return await tx.rows(SQL["by_tranche"])


async def fetch_totals(tx: Transaction) -> list[Row]:
    return await tx.rows(SQL["totals"])


async def encyclopaedia_sketch(tx: Transaction, document: int) -> list[int]:
    return list(await tx.value(SQL["encyclopaedia_sketch"], {"document": document}) or [])


async def next_erasure(tx: Transaction) -> tuple[str, list[int]] | None:
    """A file of the archive and the offsets of the records that must leave it."""
    row = await tx.row(SQL["next_erasure"])
    return None if row is None else (row["archive"], list(row["offsets"]))


async def move_archive(tx: Transaction, old: str, new: str, offsets: Mapping[int, int]) -> None:
    """A file was rewritten: whatever stood in the old one is found in the new one."""
    parameters = {"old": old, "new": new, "olds": list(offsets), "news": list(offsets.values())}
    for step in ("move_documents", "move_robots", "move_erasures"):
        await tx.run(SQL[step], parameters)


async def end_erasures(tx: Transaction, archive: str, offsets: Sequence[int]) -> None:
    await tx.run(SQL["end_erasures"], {"archive": archive, "offsets": list(offsets)})


async def announce(database: Database, archive: str) -> None:
    """In a transaction of its own, before an archive is written: it goes, unless whoever cites it strikes it out."""
    await database.statement(SQL["note_leftover"], {"archive": archive})


async def note_leftover(tx: Transaction, archive: str) -> None:
    """Nothing cites it any more."""
    await tx.run(SQL["note_leftover"], {"archive": archive})


async def strike_leftover(tx: Transaction, archive: str) -> None:
    await tx.run(SQL["strike_leftover"], {"archive": archive})


async def leftovers(tx: Transaction, old_seconds: float) -> list[Row]:
    """Archives that may go, each with whether it was noted long ago."""
    return await tx.rows(SQL["leftovers"], {"seconds": old_seconds})


async def erase_text(tx: Transaction, document: int, reason: str | None = None) -> bool:
    """Claims, candidates, cleaned text and body go, and its record is to leave the archive; False while a fact still
    rests on one of its claims. Without a reason of its own it is the mirror of an encyclopaedia.
    """
    parameters = {
        "document": document,
        "mirror": reason is None,
        "reason": reason or "a mirror of an encyclopaedia",
    }
    if await tx.value(SQL["rests"], parameters):
        return False
    for step in ("erase_claims", "erase_members", "erase_candidates", "erase_text", "erase_body"):
        await tx.run(SQL[step], parameters)
    return True
