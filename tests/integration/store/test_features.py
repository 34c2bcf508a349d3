"""The feature index: blocks that relate are searched, exactly while small and by a graph of their own when large."""

from __future__ import annotations

import asyncio
import random

import pytest

from lumbung.errors import EngineUnavailable
from lumbung.store import features
from lumbung.store.database import Database
from lumbung.store.features import Feature
from lumbung.text.features import content_vector

SYLLABLES = ["ta", "ri", "pi", "ring", "ba", "lo", "ku", "mang", "sa", "du", "wa", "yang", "ge", "long", "cak", "bu"]


def named(number, rng):
    return "".join(rng.choice(SYLLABLES) for _ in range(3)) + f" {rng.choice(SYLLABLES)}{rng.choice(SYLLABLES)}"


def feature(node, name, category="tarian", provinces=("ID-SB",)):
    return Feature(node, False, 1, category, provinces, content_vector(name, [], [], [], category))


async def nearest(tx, name, categories=("tarian",), provinces=("ID-SB",), limit=10, words=None):
    content = content_vector(name, [], [], [], categories[0])
    found = await features.neighbours(tx, "asking", 1, categories, provinces, content, limit, words)
    return [each.node for each in found]


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


async def held(tx, names):
    nodes = [f"n{number}" for number in range(len(names))]
    await features.keep(tx, nodes, [feature(node, name) for node, name in zip(nodes, names, strict=True)])


async def test_a_graph_of_a_block_finds_what_exact_search_finds(machine):
    rng = random.Random(7)
    names = [named(number, rng) for number in range(1500)]
    async with machine.transaction() as tx:
        await held(tx, names)
        asked = names[::50]
        exact = [await nearest(tx, name) for name in asked]
        assert await features.settle(tx, 1, "tarian", "ID-SB") == len(names)
        assert await tx.value("select count(*) from feature where content is not null") == 0
        await tx.run("set local enable_seqscan = off; set local enable_sort = off")
        by_graph = [await nearest(tx, name) for name in asked]
    found = sum(len(set(a) & set(b)) for a, b in zip(exact, by_graph, strict=True))
    assert found / sum(map(len, exact)) >= 0.98


def test_a_graph_is_walked_the_farther_the_more_of_all_nodes_it_holds():
    assert features.search_widths([1_000]) == features.search_widths([20_000]) == [features.SEARCH_WIDTH]
    assert features.search_widths([10_000_000]) == [features.LARGE_GRAPH_WIDTH]
    beside = features.search_widths([5_000, 15_000, 1])
    assert beside[0] == features.SEARCH_WIDTH // 2
    assert beside[1] > beside[0] > beside[2] == features.NARROWEST_SEARCH


async def test_without_a_region_the_graphs_of_all_blocks_are_walked_each_by_its_own_width(machine):
    rng = random.Random(5)
    names = [named(number, rng) for number in range(1200)]
    places = ["ID-SB" if number % 6 else "ID-JB" for number in range(len(names))]
    async with machine.transaction() as tx:
        nodes = [f"n{number}" for number in range(len(names))]
        made = [feature(*each, provinces=(place,)) for *each, place in zip(nodes, names, places, strict=True)]
        await features.keep(tx, nodes, made)
        asked = names[::40]
        exact = [await nearest(tx, name, provinces=None) for name in asked]
        for province in ("ID-SB", "ID-JB"):
            assert await features.settle(tx, 1, "tarian", province) == places.count(province)
        await tx.run("set local enable_seqscan = off; set local enable_sort = off")
        by_graphs = [await nearest(tx, name, provinces=None) for name in asked]
    found = sum(len(set(a) & set(b)) for a, b in zip(exact, by_graphs, strict=True))
    assert found / sum(map(len, exact)) >= 0.95


async def test_who_shares_a_rare_word_is_found_where_a_walk_is_too_short_for_it(machine, monkeypatch):
    monkeypatch.setattr(features, "search_widths", lambda sizes: [1 for _ in sizes])
    monkeypatch.setattr(features, "RARE_WORD", 3)
    names = ["Tari Piring", "Lagu Piring Kecil", "Tari Lilin", "Tari Payung", "Tari Indang"]
    async with machine.transaction() as tx:
        made = [worded(f"n{number}", name) for number, name in enumerate(names)]
        await features.keep(tx, [each.node for each in made], made)
        await features.settle(tx, 1, "tarian", "ID-SB")
        assert set(await nearest(tx, "Tari Piring", words=["tari", "piring"])) == {"n0", "n1"}
        assert len(await nearest(tx, "Tari Piring", words=["tari"])) == 1
        await features.keep(tx, ["n1"], [worded("n1", "Lagu Kecil")])
        assert "n1" not in await nearest(tx, "Tari Piring", words=["piring"], provinces=("ID-SB",), limit=1)
        assert await tx.value("select count(*) from feature_word where node = 'n1'") == 2
        content = content_vector("Lagu Lilin", [], [], [], "tarian")
        await features.keep(tx, ["asking"], [worded("asking", "Lagu Lilin")])
        found = await features.neighbours(tx, "asking", 1, ["tarian"], ["ID-SB"], content, 10)
        assert "n2" in [each.node for each in found]


def worded(node, name):
    content = content_vector(name, [], [], [], "tarian")
    return Feature(node, False, 1, "tarian", ("ID-SB",), content, dict.fromkeys(name.lower().split(), 0))


async def test_what_comes_after_the_graph_waits_beside_it_and_is_found_at_once(machine):
    async with machine.transaction() as tx:
        await held(tx, ["Tari Piring", "Tari Lilin", "Tari Payung"])
        await features.settle(tx, 1, "tarian", "ID-SB")
        await features.keep(tx, ["new"], [feature("new", "Tari Indang")])
        assert (await nearest(tx, "Tari Indang"))[0] == "new"
        assert await features.settle(tx, 1, "tarian", "ID-SB") == 1
        assert (await nearest(tx, "Tari Indang"))[0] == "new"
        assert await tx.row("select nodes, graphed, round from index_block") == {"nodes": 4, "graphed": 4, "round": 2}


async def test_a_node_that_is_encoded_again_or_withdrawn_leaves_the_graph(machine):
    async with machine.transaction() as tx:
        await held(tx, ["Tari Piring", "Tari Lilin", "Tari Payung"])
        await features.settle(tx, 1, "tarian", "ID-SB")
        await features.keep(tx, ["n0"], [feature("n0", "Tari Indang")])
        await features.keep(tx, ["n1"], [])
        assert sorted(await nearest(tx, "Tari Piring")) == ["n0", "n2"]
        assert (await nearest(tx, "Tari Indang"))[0] == "n0"
        assert await tx.row("select nodes, graphed from index_block") == {"nodes": 2, "graphed": 1}


async def test_blocks_that_outgrow_a_scan_and_long_tails_are_to_be_settled_each_time_anew(machine, monkeypatch):
    monkeypatch.setattr(features, "GRAPH_FROM_NODES", 3)
    monkeypatch.setattr(features, "TAIL_NODES", 2)
    async with machine.transaction() as tx:
        await held(tx, ["Tari Piring", "Tari Lilin"])
        assert await features.grown_blocks(tx, 1) == []
        await features.keep(tx, ["a"], [feature("a", "Tari Payung")])
        [first] = await features.grown_blocks(tx, 1)
        await features.settle(tx, 1, "tarian", "ID-SB")
        await features.keep(tx, ["b"], [feature("b", "Tari Indang")])
        assert await features.grown_blocks(tx, 1) == []
        await features.keep(tx, ["c"], [feature("c", "Tari Gandrung")])
        [second] = await features.grown_blocks(tx, 1)
        assert (first["round"], second["round"]) == (0, 1)


async def test_what_is_cut_off_while_a_graph_is_made_or_fed_is_found_and_settled_next_time(machine, logins):
    async with machine.transaction() as tx:
        await held(tx, ["Tari Piring", "Tari Lilin", "Tari Payung"])
    for number, name in ((3, "Tari Indang"), (4, "Tari Gandrung")):
        await cut_off_while_settling(machine, logins)
        async with machine.transaction() as tx:
            assert len(await nearest(tx, "Tari Lilin")) == number
            await features.settle(tx, 1, "tarian", "ID-SB")
            assert await tx.row("select nodes, graphed from index_block") == {"nodes": number, "graphed": number}
            assert len(await nearest(tx, "Tari Lilin")) == number
            await features.keep(tx, ["later"], [feature("later", name)])


async def cut_off_while_settling(machine, logins):
    watcher = Database(logins.superuser)
    await watcher.open()
    with pytest.raises(EngineUnavailable):
        async with machine.transaction() as tx:
            await features.settle(tx, 1, "tarian", "ID-SB")
            backend = await tx.value("select pg_backend_pid()")
            async with watcher.transaction() as other:
                await other.run("select pg_terminate_backend(%(pid)s, 10000)", {"pid": backend})
            await tx.run("select 1")
    await watcher.close()


async def test_a_graph_that_is_made_while_somebody_asks_hides_nothing_from_them(machine):
    async with machine.transaction() as tx:
        await held(tx, ["Tari Piring", "Tari Lilin", "Tari Payung"])

    class Overtaken:
        """A reader between whose first and second statement the block gets its graph."""

        def __init__(self, tx):
            self._tx, self._asked = tx, 0

        async def rows(self, query, parameters=None):
            found = await self._tx.rows(query, parameters)
            self._asked += 1
            if self._asked == 1:
                async with machine.transaction() as other:
                    await features.settle(other, 1, "tarian", "ID-SB")
            return found

    async with machine.transaction() as tx:
        assert (await nearest(Overtaken(tx), "Tari Lilin"))[0] == "n1"


async def test_a_node_that_waits_to_leave_while_its_graph_is_made_leaves_the_graph_too(machine, logins):
    async with machine.transaction() as tx:
        await held(tx, ["Tari Piring", "Tari Lilin", "Tari Payung"])
    watcher = Database(logins.superuser)
    await watcher.open()
    async with watcher.transaction() as tx:
        waiting = "select count(*) from pg_stat_activity where wait_event_type = 'Lock' and query like 'delete from feature%%'"
        async with machine.transaction() as making:
            await features.settle(making, 1, "tarian", "ID-SB")
            leaving = asyncio.create_task(left(machine, "n1"))
            while not await tx.value(waiting):
                await tx.run("select pg_stat_clear_snapshot()")
        await leaving
    await watcher.close()
    async with machine.transaction() as tx:
        assert sorted(await nearest(tx, "Tari Lilin")) == ["n0", "n2"]


async def left(machine, node):
    async with machine.transaction() as tx:
        await features.keep(tx, [node], [])
