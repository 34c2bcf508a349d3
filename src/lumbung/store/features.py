"""The feature index, searched block by block (Eq. 14): new nodes by an exact scan, settled ones by their block's graph."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from psycopg import sql

from lumbung.store.database import Parameters, Row, Transaction, json, named_queries

SQL = named_queries("features")
GRAPH_FROM_NODES = 1_000
"""A scan reads a page of the table for almost every node, a graph of a thousand stays in memory."""
TAIL_NODES = 500
"""So many nodes may wait beside their block's graph: scanning them costs less than walking it."""
SEARCH_WIDTH, LARGE_GRAPH_WIDTH, NARROWEST_SEARCH = 140, 80, 8
LARGE_GRAPH = 30_000
"""So many of a graph's nodes are looked at. In a large block more of the nearest share a rare word and are found by it, so the walk,
of which each step costs more there, may be shorter. Of each of many graphs some are looked at, however few nodes it has."""
RARE_WORD = 200
"""Who shares a word that fewer names of the blocks have is looked at too. Where half of the names begin alike, a walk stays among
those that do; what it misses are nodes of other beginnings with a word in common."""

WALK = sql.SQL(
    "(select near.node, near.human, 1 - (near.content <=> %(content)s::halfvec) as cosine "
    "from (select set_config('hnsw.ef_search', {width}, true)::int as nodes) width, "
    "lateral (select node, human, content from {graph} where node <> %(node)s "
    "order by sketch <%%> sketch_of(%(content)s::halfvec)::bit(1024) limit width.nodes) near "
    "order by near.content <=> %(content)s::halfvec limit %(limit)s) "
    "union all "
    "(select node, human, 1 - (content <=> %(content)s::halfvec) as cosine from {graph} "
    "where node = any (array(select node from akin where category = {category} and province = {province})) and node <> %(node)s "
    "order by content <=> %(content)s::halfvec limit %(limit)s)"
)
"""The nearest in a block's graph by their sketches, ordered by the vectors themselves. How far it is walked is set by the row
that the walk depends on, so that each graph of a statement has a width of its own. Beside the walk, those that share a rare word."""
LEAVE = sql.SQL("delete from {graph} where node = any (%(nodes)s)")
VECTOR = sql.SQL("select content::text from {graph} where node = %(node)s")


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
    words: Mapping[str, int] = field(default_factory=dict)
    """Of its names, each with how many other distinguishing words its name has at least."""


def halfvec(content: Sequence[float]) -> str:
    return "[" + ",".join([f"{x:.6g}" if x else "0" for x in content]) + "]"


async def keep(tx: Transaction, nodes: Sequence[str], features: Sequence[Feature], beside: Sequence[int] = ()) -> None:
    """Replace what the index holds of these nodes; the sizes of the blocks follow.

    `beside` are versions that stay as they are for nodes that are kept.
    """
    changes = await dropped(tx, nodes, beside, sorted({each.node for each in features}))
    rows = [(each, province) for each in features for province in each.provinces]
    if rows:
        contents = {(each.node, each.version): halfvec(each.content) for each in features}
        await tx.run(
            SQL["keep"],
            {
                "nodes": [each.node for each, _ in rows],
                "humans": [each.human for each, _ in rows],
                "versions": [each.version for each, _ in rows],
                "categories": [each.category for each, _ in rows],
                "provinces": [province for _, province in rows],
                "contents": [contents[each.node, each.version] for each, _ in rows],
                "words": [" ".join(sorted(each.words)) for each, _ in rows],
                "rests": [" ".join(str(each.words[word]) for word in sorted(each.words)) for each, _ in rows],
            },
        )
        changes += [(each.version, each.category, province, 1, 0) for each, province in rows]
    if changes:
        columns = (list(column) for column in zip(*changes, strict=True))
        names = ("versions", "categories", "provinces", "changes", "settled")
        await tx.run(SQL["count"], dict(zip(names, columns, strict=True)))


async def dropped(
    tx: Transaction, nodes: Sequence[str], beside: Sequence[int], kept: Sequence[str]
) -> list[tuple[int, str, str, int, int]]:
    """Take nodes out, of the graphs too; by how much each block shrank, and its graph."""
    gone = await tx.rows(SQL["drop"], {"nodes": list(nodes), "beside": list(beside), "kept": list(kept)})
    settled = [row for row in gone if row["settled"]]
    # Asked for after the rows are ours: a graph that was made while we waited for them is known only now.
    categories = sorted({row["category"] for row in settled})
    held = await tx.rows(SQL["graphs"], {"categories": categories}) if settled else []
    graphs = {block_of(row): row["graph"] for row in held}
    leaving: dict[str, list[str]] = defaultdict(list)
    for row in settled:
        if block_of(row) in graphs:  # the graphs of a version that nobody searches any more go before its nodes
            leaving[graphs[block_of(row)]].append(row["node"])
    for graph, leavers in sorted(leaving.items()):
        await tx.run(of_graph(LEAVE, graph), {"nodes": leavers})
    return [(*block_of(row), -1, -1 if row["settled"] else 0) for row in gone]


def block_of(row: Row) -> tuple[int, str, str]:
    return row["version"], row["category"], row["province"]


def of_graph(query: sql.SQL, graph: str, **given: str) -> str:
    """The statement for one graph; `given` are the names of the parameters that are its own."""
    own = {name: sql.Placeholder(parameter) for name, parameter in given.items()}
    return query.format(graph=sql.Identifier(graph), **own).as_string(None)


async def neighbours(
    tx: Transaction,
    node: str,
    version: int,
    categories: Sequence[str],
    provinces: Sequence[str] | None,
    content: Sequence[float],
    limit: int,
    words: Sequence[str] | None = None,
) -> list[Neighbour]:
    """The nearest nodes of the related blocks; how each block is searched depends on its measured size alone.

    `words` are those of the names of one that the index does not hold; a node's own are known. While another version
    than the one asked in is in force, the node's own vector in that version asks.
    """
    related = {
        "version": version,
        "categories": list(categories),
        "provinces": None if provinces is None else list(provinces),
    }
    named = {"words": None if words is None else list(words), "rare": RARE_WORD}
    asked = related | named | {"node": node, "content": halfvec(content), "limit": limit}
    while True:
        blocks = await tx.rows(SQL["blocks"], related)
        if not blocks:
            return []
        if blocks[0]["version"] != asked["version"]:
            own = await vector_of(tx, node, blocks[0]["version"])
            if own is None:
                return []
            asked |= {"version": blocks[0]["version"], "content": own}
        graphs = [block for block in blocks if block["graph"]]
        rows = await searched(tx, blocks, graphs, asked)
        # A block whose graph was made between the two statements has left the scan and was not walked: ask again.
        if next(row["cosine"] for row in rows if row["node"] is None) == len(graphs):
            return nearest(rows, limit)


async def vector_of(tx: Transaction, node: str, version: int) -> str | None:
    """What the index holds of a node in this version."""
    place = await tx.row(SQL["stands_in"], {"node": node, "version": version})
    if place is None:
        return None
    held = place["content"]
    if held is None and place["graph"] is not None:
        held = await tx.value(of_graph(VECTOR, place["graph"]), {"node": node})
    return None if held is None else str(held)


async def searched(tx: Transaction, blocks: Sequence[Row], graphs: Sequence[Row], asked: Parameters) -> list[Row]:
    """One statement, so that a node on its way into the graph is seen on one side of it."""
    places = {
        "in_categories": [block["category"] for block in blocks],
        "in_provinces": [block["province"] for block in blocks],
    }
    widths = search_widths([block["graphed"] for block in graphs])
    own = {
        f"{name}_{number}": value
        for number, (block, width) in enumerate(zip(graphs, widths, strict=True))
        for name, value in (("width", str(width)), ("category", block["category"]), ("province", block["province"]))
    }
    return await tx.rows(search_of(tuple(block["graph"] for block in graphs)), {**asked, **places, **own})


@lru_cache(maxsize=1024)
def search_of(graphs: tuple[str, ...]) -> str:
    """The statement that scans what waits and walks these graphs; each has parameters of its own."""
    own = ("width", "category", "province")
    walks = [of_graph(WALK, graph, **{name: f"{name}_{number}" for name in own}) for number, graph in enumerate(graphs)]
    return " union all ".join([SQL["scan"], *walks])


def search_widths(sizes: Sequence[int]) -> list[int]:
    """How far each graph is walked: the farther the more of all nodes are in it, because it has more of the nearest ones."""
    total = max(1, sum(sizes))
    return [max(NARROWEST_SEARCH, round(width_alone(size) * math.sqrt(size / total))) for size in sizes]


def width_alone(size: int) -> float:
    return max(LARGE_GRAPH_WIDTH, SEARCH_WIDTH * math.sqrt(math.sqrt(min(1.0, LARGE_GRAPH / max(1, size)))))


def nearest(rows: Sequence[Row], limit: int) -> list[Neighbour]:
    best: dict[str, Neighbour] = {}
    for row in rows:
        if row["node"] is not None and (row["node"] not in best or row["cosine"] > best[row["node"]].cosine):
            best[row["node"]] = Neighbour(row["node"], row["human"], row["cosine"])
    return sorted(best.values(), key=lambda each: (-each.cosine, each.node))[:limit]


async def grown_blocks(tx: Transaction, version: int) -> list[Row]:
    return await tx.rows(SQL["grown"], {"version": version, "graph_from": GRAPH_FROM_NODES, "tail": TAIL_NODES})


async def settle(tx: Transaction, version: int, category: str, province: str, most: int = TAIL_NODES) -> int:
    """Nodes that wait in a block go into its graph: all of them when it is made, then at most so many at once."""
    block = {"version": version, "category": category, "province": province}
    return int(await tx.value(SQL["settle"], block | {"most": most}))


async def held_categories(tx: Transaction, version: int) -> list[str]:
    return [row["category"] for row in await tx.rows(SQL["held_categories"], {"version": version})]


async def keep_check(tx: Transaction, node: str, missed: str | None, evidence: Mapping[str, Any]) -> None:
    await tx.run(SQL["keep_check"], {"node": node, "missed": missed, "evidence": json(dict(evidence))})


async def checks(tx: Transaction) -> tuple[int, int]:
    """How many nodes were looked for everywhere, and for how many of them that found what their blocks did not."""
    row = await tx.row(SQL["checks"])
    return (row["checked"], row["missed"]) if row else (0, 0)
