"""What waits for a person's word, and the rows that such a word changes."""

from __future__ import annotations

from collections.abc import Sequence

from lumbung.store.database import Row, Transaction, named_queries

SQL = named_queries("reviews")


async def item_of(tx: Transaction, identity: str) -> Row | None:
    return await tx.row(SQL["item_of"], {"identity": identity})


async def has_fact(tx: Transaction, identity: str, attribute: str, value_key: str) -> bool:
    values = {"identity": identity, "attribute": attribute, "value_key": value_key}
    return bool(await tx.value(SQL["has_fact"], values))


async def queue(tx: Transaction, category: str | None = None, limit: int = 100) -> list[Row]:
    return await tx.rows(SQL["queue"], {"category": category, "limit": limit})


async def waiting_facts(tx: Transaction, category: str | None = None, limit: int = 100) -> list[Row]:
    return await tx.rows(SQL["waiting_facts"], {"category": category, "limit": limit})


async def counts(tx: Transaction) -> dict[str, int]:
    """What waits for people, by kind: for the front page of the console."""
    return {name: int(value) for name, value in (await tx.row(SQL["counts"]) or {}).items()}


async def node_exists(tx: Transaction, node: str) -> bool:
    return bool(await tx.value(SQL["node_exists"], {"node": node}))


async def documents_of_host(tx: Transaction, host: str) -> list[int]:
    return [row["id"] for row in await tx.rows(SQL["documents_of_host"], {"host": host})]


async def documents_of_url(tx: Transaction, url: str) -> list[int]:
    return [row["id"] for row in await tx.rows(SQL["documents_of_url"], {"url": url})]


async def retract(tx: Transaction, documents: Sequence[int], reason: str) -> list[str]:
    """The candidates of these pages that no longer speak."""
    rows = await tx.rows(SQL["candidates_of_document"], {"documents": list(documents)})
    digests = [row["digest"] for row in rows]
    await tx.run(SQL["retract"], {"digests": digests, "reason": reason})
    return digests


async def retract_extractor(tx: Transaction, version: str, reason: str) -> list[str]:
    rows = await tx.rows(SQL["retract_extractor"], {"version": version, "reason": reason})
    return sorted(row["digest"] for row in rows)


async def retract_answers(tx: Transaction, model: str, prompt: str | None) -> tuple[int, list[str], list[int]]:
    """How many answers of a model went, the candidates and humans they were about, and the items whose facts they were about."""
    asked = {"model": model, "prompt": prompt}
    pairs = await tx.rows(SQL["retract_pair_answers"], asked)
    scopes = await tx.rows(SQL["retract_scope_answers"], asked)
    [validations] = await tx.rows(SQL["retract_validations"], asked)
    await tx.run(SQL["forget_answers"], asked)
    nodes = {row["digest"] for row in scopes} | {node for row in pairs for node in (row["a"], row["b"])}
    answers = len(pairs) + len(scopes) + int(validations["answers"])
    return answers, sorted(nodes), sorted(validations["items"])


async def mark_sensitive(tx: Transaction, digests: Sequence[str], word: str) -> None:
    await tx.run(SQL["mark_sensitive"], {"digests": list(digests), "word": word})


async def unmark_waiting(tx: Transaction, words: Sequence[str]) -> set[str]:
    return {row["digest"] for row in await tx.rows(SQL["unmark_waiting"], {"words": list(words)})}


async def live_candidates(tx: Transaction) -> list[Row]:
    return await tx.rows(SQL["live_candidates"])


async def adopt_revision(tx: Transaction, identity: str, person: int | None, note: str) -> None:
    await tx.run(SQL["adopt_revision"], {"identity": identity, "person": person, "note": note})
