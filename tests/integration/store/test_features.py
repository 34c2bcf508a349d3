"""The feature index: blocks that relate are searched, exactly while small and by a graph of their own when large."""

from __future__ import annotations

import random

import pytest

from lumbung.store import features
from lumbung.store.database import Database
from lumbung.store.features import Feature
from lumbung.text.features import content_vector

SYLLABLES = ["ta", "ri", "pi", "ring", "ba", "lo", "ku", "mang", "sa", "du", "wa", "yang", "ge", "long", "cak", "bu"]


def named(number, rng):
    return "".join(rng.choice(SYLLABLES) for _ in range(3)) + f" {rng.choice(SYLLABLES)}{rng.choice(SYLLABLES)}"


def feature(node, name, category="tarian", provinces=("ID-SB",)):
    return Feature(node, False, 1, category, provinces, content_vector(name, [], [], [], category))


async def nearest(tx, name, categories=("tarian",), provinces=("ID-SB",), limit=10):
    content = content_vector(name, [], [], [], categories[0])
    return [each.node for each in await features.neighbours(tx, "asking", 1, categories, provinces, content, limit)]


@pytest.fixture
async def machine(logins):
    database = Database(logins.machine)
    await database.open()
    yield database
    await database.close()


async def test_only_related_blocks_are_searched_and_unknown_relates_to_all(machine):
    async with machine.transaction() as tx:
        await features.keep(
            tx,
            ["a", "b", "c", "d"],
            [
                feature("a", "Tari Piring"),
                feature("b", "Tari Piring", provinces=("ID-JB",)),
                feature("c", "Tari Piring", "ritual"),
                feature("d", "Tari Piring", provinces=("-",)),
            ],
        )
        assert await nearest(tx, "Tari Piring", provinces=("ID-SB", "-")) == ["a", "d"]
        assert await nearest(tx, "Tari Piring", provinces=None) == ["a", "b", "d"]
        assert set(await nearest(tx, "Tari Piring", ("tarian", "ritual"), None)) == {"a", "b", "c", "d"}


async def test_encoding_a_node_again_replaces_it_and_sizes_follow(machine):
    async with machine.transaction() as tx:
        await features.keep(tx, ["a"], [feature("a", "Tari Piring", provinces=("ID-SB", "ID-RI"))])
        await features.keep(tx, ["a"], [feature("a", "Tari Lilin", provinces=("ID-SB",))])
        assert await tx.rows("select province, nodes from index_block order by 1") == [
            {"province": "ID-RI", "nodes": 0},
            {"province": "ID-SB", "nodes": 1},
        ]
        assert await nearest(tx, "Tari Lilin", provinces=None) == ["a"]


async def test_a_graph_of_a_block_finds_what_exact_search_finds(machine):
    rng = random.Random(7)
    names = [named(number, rng) for number in range(1500)]
    async with machine.transaction() as tx:
        nodes = [f"n{number}" for number in range(len(names))]
        await features.keep(tx, nodes, [feature(node, name) for node, name in zip(nodes, names, strict=True)])
        asked = names[::50]
        exact = [await nearest(tx, name) for name in asked]
        await features.build_graph(tx, 1, "tarian", "ID-SB")
        await tx.run("set local enable_seqscan = off; set local enable_sort = off")
        by_graph = [await nearest(tx, name) for name in asked]
    found = sum(len(set(a) & set(b)) for a, b in zip(exact, by_graph, strict=True))
    assert found / sum(map(len, exact)) >= 0.95
