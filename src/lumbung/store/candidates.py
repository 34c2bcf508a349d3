"""Candidates and claims, each claim grounded in its page by the database itself."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from lumbung.store.database import Row, Transaction, json, named_queries

SQL = named_queries("candidates")


@dataclass(frozen=True, slots=True)
class NewClaim:
    attribute: str
    value: str
    value_key: str
    quote: str
    start: int
    end: int
    language: str
    confidence: float
    polarity: int = 1


@dataclass(frozen=True, slots=True)
class NewCandidate:
    digest: str
    document: int
    cleaner: str
    segment: int
    extractor: str
    name: str
    name_key: str
    aliases: list[str]
    alias_keys: list[str]
    category: str | None
    regions: list[str]
    media: list[dict[str, Any]]
    state: str
    state_reason: str | None
    sensitive: list[str]
    claims: tuple[NewClaim, ...]


async def add(tx: Transaction, candidate: NewCandidate) -> None:
    values = {name: getattr(candidate, name) for name in NewCandidate.__slots__ if name != "claims"}
    await tx.run(SQL["add"], values | {"media": json(candidate.media)})
    home = {"candidate": candidate.digest, "document": candidate.document, "cleaner": candidate.cleaner}
    await tx.run_many(
        SQL["add_claim"],
        [home | {name: getattr(claim, name) for name in NewClaim.__slots__} for claim in candidate.claims],
    )


async def load(tx: Transaction, digests: Sequence[str]) -> list[Row]:
    return await tx.rows(SQL["load"], {"digests": sorted(digests)})


async def supersede(tx: Transaction, document: int, extractor: str) -> list[str]:
    rows = await tx.rows(SQL["supersede"], {"document": document, "extractor": extractor})
    return [row["digest"] for row in rows]


async def parked(tx: Transaction) -> list[Row]:
    return await tx.rows(SQL["parked"])


async def set_state(tx: Transaction, digests: Sequence[str], state: str, reason: str) -> list[str]:
    rows = await tx.rows(SQL["set_state"], {"digests": list(digests), "state": state, "reason": reason})
    return [row["digest"] for row in rows]


async def of_documents(tx: Transaction, documents: Sequence[int]) -> list[str]:
    return [row["digest"] for row in await tx.rows(SQL["of_documents"], {"documents": list(documents)})]


async def set_scope(
    tx: Transaction, digest: str, scope: str, evidence: dict[str, Any], *, sensitive: bool = False
) -> None:
    """What an agent calls sensitive is so from here on; nobody's word takes it back here."""
    values = {"digest": digest, "scope": scope, "evidence": json(evidence), "sensitive": sensitive}
    await tx.run(SQL["set_scope"], values)


async def scope_judged(tx: Transaction, by: str, after: str, limit: int) -> list[Row]:
    """Live candidates whose scope an agent, or a rule, judged, and whether a published entry rests on each."""
    return await tx.rows(SQL["scope_judged"], {"by": by, "after": after, "limit": limit})


async def open_scopes(tx: Transaction) -> list[str]:
    return [row["digest"] for row in await tx.rows(SQL["open_scopes"])]


async def forget_scope(tx: Transaction, digests: Sequence[str]) -> None:
    await tx.run(SQL["forget_scope"], {"digests": list(digests)})


async def counts(tx: Transaction) -> dict[str, int]:
    return {row["state"]: row["candidates"] for row in await tx.rows(SQL["counts"])}


async def claims_of(tx: Transaction, digest: str) -> list[Row]:
    return await tx.rows(SQL["claims_of"], {"digest": digest})


async def without_landmarks(tx: Transaction, digests: Sequence[str]) -> list[Row]:
    return await tx.rows(SQL["without_landmarks"], {"digests": sorted(digests)})


async def keep_landmarks(tx: Transaction, documents: Mapping[int, Sequence[int]]) -> None:
    rows = [{"document": document, "landmarks": list(documents[document])} for document in sorted(documents)]
    await tx.run_many(SQL["keep_landmarks"], rows)
