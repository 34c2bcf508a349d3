"""The feature index: one table, searched block by block; a large block has a graph of its own (Eq. 14)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from psycopg import sql

from lumbung.store.database import Row, Transaction, named_queries

SQL = named_queries("features")
GRAPH_FROM_NODES = 3_000
"""Measured: an exact scan takes 4 ms at 2 thousand nodes, 9 at 4 and 28 at 8, a graph 2 to 3 at any of these; below
the planner's cost of one more graph outweighs what it spares, and an exact scan misses nothing."""
SEARCH_WIDTH = "200"


@dataclass(frozen=True, slots=True)
class Neighbour:
    node: str
    human: bool
    cosine: float


@dataclass(frozen=True, slots=True)
class Feature:
    node: str
    human: bool
    version: int
    category: str
    provinces: Sequence[str]
    content: Sequence[float]


def halfvec(content: Sequence[float]) -> str:
    return "[" + ",".join(f"{x:.6g}" for x in content) + "]"


async def keep(tx: Transaction, nodes: Sequence[str], features: Sequence[Feature]) -> None:
    """Replace what the index holds of these nodes; the sizes of the blocks follow."""
    changes: list[tuple[int, str, str, int]] = []
    for node in nodes:
        gone = await tx.rows(SQL["drop"], {"node": node})
        changes += [(row["version"], row["category"], row["province"], -1) for row in gone]
    for each in features:
        await tx.run(SQL["keep"], values_of(each))
        changes += [(each.version, each.category, province, 1) for province in each.provinces]
    if changes:
        versions, categories, provinces, numbers = (list(column) for column in zip(*changes, strict=True))
        await tx.run(
            SQL["count"], {"versions": versions, "categories": categories, "provinces": provinces, "changes": numbers}
        )


def values_of(feature: Feature) -> dict[str, Any]:
    return {
        "node": feature.node,
        "human": feature.human,
        "version": feature.version,
        "category": feature.category,
        "provinces": list(feature.provinces),
        "content": halfvec(feature.content),
    }


async def neighbours(
    tx: Transaction,
    node: str,
    version: int,
    categories: Sequence[str],
    provinces: Sequence[str] | None,
    content: Sequence[float],
    limit: int,
) -> list[Neighbour]:
    """The nearest nodes of the related blocks; how each block is searched depends on its measured size alone."""
    parameters = {
        "version": version,
        "categories": list(categories),
        "provinces": None if provinces is None else list(provinces),
    }
    blocks = await tx.rows(SQL["blocks"], parameters)
    if not blocks:
        return []
    if any(block["indexed"] for block in blocks):
        await tx.rows(SQL["search_widely"], {"width": SEARCH_WIDTH})
    rows = await tx.rows(search_of(version, blocks), {"node": node, "content": halfvec(content), "limit": limit})
    best: dict[str, Neighbour] = {}
    for row in rows:
        if row["node"] not in best or row["cosine"] > best[row["node"]].cosine:
            best[row["node"]] = Neighbour(row["node"], row["human"], row["cosine"])
    return sorted(best.values(), key=lambda each: (-each.cosine, each.node))[:limit]


def search_of(version: int, blocks: Sequence[Row]) -> str:
    """One statement over all blocks. Each names its block by constants, because a partial graph is found by them."""
    one = sql.SQL(
        "(select node, human, 1 - (content <=> %(content)s::halfvec) as cosine from feature "
        "where version = {version} and category = {category} and province = {province} and node <> %(node)s "
        "order by content <=> %(content)s::halfvec limit %(limit)s)"
    )
    parts = [
        one.format(
            version=sql.Literal(version),
            category=sql.Literal(block["category"]),
            province=sql.Literal(block["province"]),
        )
        for block in blocks
    ]
    return sql.SQL(" union all ").join(parts).as_string(None)


async def large_blocks(tx: Transaction, version: int) -> list[Row]:
    return await tx.rows(SQL["large"], {"version": version, "nodes": GRAPH_FROM_NODES})


async def build_graph(tx: Transaction, version: int, category: str, province: str) -> None:
    await tx.rows(SQL["build"], {"version": version, "category": category, "province": province})
