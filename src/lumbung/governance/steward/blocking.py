"""What blocking loses, Eq. (12): a sampled candidate is looked for in all blocks, and what only that finds is recorded.

A neighbour counts as missed when name and facts say that it is the same item, category and region left aside: so it is
an upper bound, because an item of the same name and facts in another region may be another item after all.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from lumbung.model.item import human_node, is_human
from lumbung.model.job import NewJob
from lumbung.store import candidates, features, items, namesakes
from lumbung.store.database import Transaction
from lumbung.text.comparison import Comparable, compare
from lumbung.text.features import FEATURES_VERSION, content_vector
from lumbung.text.names import name_key
from lumbung.text.namesakes import NameReader

NEIGHBOURS = 50
"""As many as stage 4 asks for."""
VERSION = int(FEATURES_VERSION)


async def carry_out(reader: NameReader, tx: Transaction, payload: Mapping[str, Any]) -> Iterable[NewJob]:
    node = str(payload["node"])
    own = (await described(tx, [node])).get(node)
    if own is not None:
        missed, evidence = await missed_by(tx, reader, node, own, payload["categories"], payload["provinces"])
        await features.keep_check(tx, node, missed, evidence)
    return []


async def near(
    tx: Transaction,
    reader: NameReader,
    node: str,
    own: Comparable,
    version: int,
    categories: Sequence[str],
    provinces: Sequence[str] | None,
) -> set[str]:
    """Whom stage 4 would compare a node with in these blocks."""
    content = content_vector(own.name, own.aliases, own.regions, own.facts, own.category)
    within = await features.neighbours(tx, node, version, categories, provinces, content, NEIGHBOURS)
    names = (own.name, *own.aliases)
    alike = await namesakes.namesakes(tx, reader, node, names, own.category, version, provinces)
    keys = [key for name in names if (key := name_key(name))]
    same = await items.same_names(tx, [code for code in categories if code], keys)
    return {each.node for each in within} | alike | (same - {node})


async def missed_by(
    tx: Transaction,
    reader: NameReader,
    node: str,
    own: Comparable,
    categories: list[str],
    provinces: list[str] | None,
) -> tuple[str | None, dict[str, Any]]:
    """The nearest of those outside the blocks that would have been taken for the same item."""
    reached = await near(tx, reader, node, own, VERSION, categories, provinces)
    content = content_vector(own.name, own.aliases, own.regions, own.facts, own.category)
    everything = await features.held_categories(tx, VERSION)
    anywhere = await features.neighbours(tx, node, VERSION, everything, None, content, NEIGHBOURS)
    outside = [each.node for each in anywhere if each.node not in reached]
    others = await described(tx, outside)
    for other in outside:
        if other in others:
            found = compare(replace(own, regions=()), replace(others[other], category=own.category, regions=()))
            if found.verdict == "same":
                apart = {"category": others[other].category, "regions": list(others[other].regions)}
                return other, {"agree": list(found.agree), **apart}
    return None, {}


async def described(tx: Transaction, nodes: list[str]) -> dict[str, Comparable]:
    found = {}
    for row in await candidates.load(tx, [node for node in nodes if not is_human(node)]):
        if row["state"] == "live" and row["category"] and row["scope"] != "out":
            facts = tuple((claim[1], claim[3]) for claim in row["claims"])
            found[row["digest"]] = comparable(row, row["name"], facts)
    for row in await items.humans(tx, [node for node in nodes if is_human(node)]):
        found[human_node(row["identity"])] = comparable(row, row["title"], tuple((a, key) for a, key in row["facts"]))
    return found


def comparable(row: Mapping[str, Any], name: str, facts: tuple[tuple[str, str], ...]) -> Comparable:
    return Comparable(name, tuple(row["aliases"]), row["category"], tuple(row["regions"]), facts)
