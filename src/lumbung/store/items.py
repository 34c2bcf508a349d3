"""Items and decisions: what stage 4 reads and writes under the lock of its categories."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from hashlib import sha256
from typing import Any

from pydantic_core import to_json

from lumbung.model.item import HUMAN_PREFIX, ItemContent, PairVerdict, pair
from lumbung.store.database import Row, Transaction, json, named_queries

SQL = named_queries("items")


async def lock(tx: Transaction, names: Sequence[str]) -> None:
    await tx.rows(SQL["lock"], {"names": sorted(set(names))})


async def verdicts(tx: Transaction, nodes: Sequence[str]) -> dict[tuple[str, str], PairVerdict]:
    """Stored verdicts about these nodes, with the word of people over them."""
    rows = await tx.rows(SQL["verdicts"], {"nodes": list(nodes)})
    found = {(row["a"], row["b"]): PairVerdict(row["score"], row["verdict"]) for row in rows}
    for act in await tx.rows(SQL["human_pairs"], {"nodes": list(nodes)}):
        found[pair(act["a"], act["b"])] = PairVerdict(1.0, act["kind"])
    return found


async def open_pairs(tx: Transaction, nodes: Sequence[str]) -> dict[tuple[str, str], Mapping[str, Any]]:
    """Pairs that the rule left open, with what it saw of them."""
    return {(row["a"], row["b"]): row["evidence"] for row in await tx.rows(SQL["open_pairs"], {"nodes": list(nodes)})}


async def pairs_left_open(tx: Transaction) -> list[tuple[str, str]]:
    """Pairs that keep two items apart while neither rule nor person has decided on them."""
    return [(row["a"], row["b"]) for row in await tx.rows(SQL["pairs_left_open"])]


async def keep_verdict(
    tx: Transaction,
    nodes: tuple[str, str],
    verdict: PairVerdict,
    decided_by: str,
    evidence: Mapping[str, Any],
    versions: Mapping[str, Any],
) -> None:
    await tx.run(
        SQL["keep_verdict"],
        {
            "a": nodes[0],
            "b": nodes[1],
            "score": verdict.score,
            "verdict": verdict.verdict,
            "decided_by": decided_by,
            "evidence": json(evidence),
            "versions": json(versions),
        },
    )


async def drop_verdicts(tx: Transaction, node: str) -> None:
    await tx.run(SQL["drop_verdicts"], {"node": node})


async def judgements(tx: Transaction, nodes: Sequence[str]) -> list[Row]:
    return await tx.rows(SQL["judgements"], {"nodes": list(nodes)})


async def components(tx: Transaction, nodes: Sequence[str]) -> list[set[str]]:
    """What links of sameness, and the word of people about pairs, connect with these nodes: each whole, none twice."""
    home: dict[str, set[str]] = {}
    for row in await tx.rows(SQL["links"], {"nodes": list(nodes)}):
        mine, other = (home.setdefault(node, {node}) for node in (row["node"], row["other"]))
        if mine is not other:
            mine |= other
            home.update(dict.fromkeys(other, mine))
    return list({id(found): found for found in home.values()}.values())


async def same_names(tx: Transaction, categories: Sequence[str], keys: Sequence[str]) -> set[str]:
    rows = await tx.rows(SQL["same_names"], {"categories": list(categories), "keys": list(keys)})
    return {row["node"] for row in rows}


async def humans(tx: Transaction, nodes: Sequence[str]) -> list[Row]:
    identities = [node.removeprefix(HUMAN_PREFIX) for node in nodes]
    return await tx.rows(SQL["humans"], {"identities": identities})


async def items_of(tx: Transaction, digests: Sequence[str]) -> dict[str, int]:
    rows = await tx.rows(SQL["members"], {"digests": list(digests)})
    return {row["candidate"]: row["item"] for row in rows}


async def load(tx: Transaction, ids: Sequence[int]) -> dict[int, Row]:
    """Items, locked until the commit."""
    return {row["id"]: row for row in await tx.rows(SQL["load"], {"ids": sorted(ids)})}


async def get(tx: Transaction, ids: Sequence[int]) -> dict[int, Row]:
    return {row["id"]: row for row in await tx.rows(SQL["get"], {"ids": sorted(ids)})}


def digest_of(content: ItemContent) -> str:
    return sha256(to_json(asdict(content))).hexdigest()


async def create(tx: Transaction, identity: str, content: ItemContent, alive: bool) -> int | None:
    """None when the identity is taken."""
    return await tx.value(  # type: ignore[no-any-return]
        SQL["create"],
        {
            "identity": identity,
            "category": content.category,
            "content": json(asdict(content)),
            "digest": digest_of(content),
            "alive": alive,
        },
    )


async def change(tx: Transaction, item: int, content: ItemContent, alive: bool) -> int:
    revision = await tx.value(
        SQL["change"],
        {
            "id": item,
            "category": content.category,
            "content": json(asdict(content)),
            "digest": digest_of(content),
            "alive": alive,
        },
    )
    return int(revision)


async def join_item(tx: Transaction, item: int, digests: Sequence[str]) -> None:
    await tx.run(SQL["join_item"], {"item": item, "digests": sorted(digests)})


async def leave(tx: Transaction, digests: Sequence[str]) -> None:
    await tx.run(SQL["leave"], {"digests": list(digests)})


async def members_of(tx: Transaction, items: Sequence[int]) -> list[str]:
    return [row["candidate"] for row in await tx.rows(SQL["of_item"], {"items": list(items)})]


async def record(
    tx: Transaction,
    subject: str,
    item: int | None,
    node: str,
    verdict: str,
    evidence: Mapping[str, Any],
    versions: Mapping[str, Any],
    facts: Sequence[Any] = (),
) -> None:
    await tx.run(
        SQL["decide"],
        {
            "subject": subject,
            "item": item,
            "node": node,
            "verdict": verdict,
            "evidence": json(evidence),
            "versions": json(versions),
            "facts": json(list(facts)),
        },
    )


async def decisions_of(tx: Transaction, subject: str, item: int | None = None, limit: int = 50) -> list[Row]:
    return await tx.rows(SQL["decisions_of"], {"subject": subject, "item": item, "limit": limit})


async def decision(tx: Transaction, number: int) -> Row | None:
    return await tx.row(SQL["decision"], {"id": number})


async def of_categories(tx: Transaction, categories: Sequence[str]) -> list[int]:
    return [row["id"] for row in await tx.rows(SQL["of_category"], {"categories": list(categories)})]


async def outcomes(tx: Transaction) -> list[Row]:
    return await tx.rows(SQL["outcomes"])


async def grey_left_open(tx: Transaction) -> list[tuple[int, str]]:
    """Decisions on which it still hangs whether a candidate brings anything new, each with its candidate."""
    return [(row["id"], row["subject"]) for row in await tx.rows(SQL["grey_left_open"])]


async def pair_evidence(tx: Transaction, nodes: tuple[str, str]) -> Row:
    found = await tx.row(SQL["pair_evidence"], {"a": nodes[0], "b": nodes[1]})
    return found or {"score": 0.0, "evidence": {}}


async def is_retracted_source(tx: Transaction, url: str, host: str) -> bool:
    return bool(await tx.value(SQL["retracted_source"], {"url": url, "host": host}))


async def validations(tx: Transaction, questions: Sequence[str]) -> dict[str, Row]:
    """What the validation agent answered, by question: its verdict, and the claims whose quotes say the contrary."""
    if not questions:
        return {}
    rows = await tx.rows(SQL["validations"], {"questions": sorted(questions)})
    return {row["question"]: row for row in rows}


async def keep_validation(
    tx: Transaction, question: str, verdict: str, evidence: Mapping[str, Any], versions: Mapping[str, Any]
) -> None:
    values = {"question": question, "verdict": verdict, "evidence": json(evidence), "versions": json(versions)}
    await tx.run(SQL["keep_validation"], values)


async def quotes(tx: Transaction, claims: Sequence[int]) -> dict[int, str]:
    return {row["id"]: row["quote"] for row in await tx.rows(SQL["quotes"], {"claims": list(claims)})}


async def asked_agents(tx: Transaction, most: int) -> Row:
    return await tx.row(SQL["asked_agents"], {"most": most}) or {}
