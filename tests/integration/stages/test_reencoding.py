"""A change of the features: the index is brought to the new version while it goes on being searched."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from contextlib import asynccontextmanager

import pytest
from tests.integration.stages import reencoder
from tests.integration.stages.test_order import CLEARED, PROFILE, Bench, page

from lumbung.governance.notices import sentence
from lumbung.governance.steward import reencoding
from lumbung.governance.steward.handler import StewardHandler
from lumbung.model.job import STAGES, NewJob
from lumbung.queues.jetstream import JetStreamQueue
from lumbung.runtime.failpoints import EXIT_CODE
from lumbung.runtime.worker import Worker
from lumbung.stages.encode import handler as encode
from lumbung.store import audits, feature_versions, features, jobs, namesakes
from lumbung.text.features import ENCODERS, FEATURES_VERSION, content_vector
from lumbung.text.names import name_key

VERSION = int(FEATURES_VERSION)
FORMER = VERSION - 1
HURRIED = (
    (reencoding, "PORTION"),
    (reencoding, "REST_SECONDS"),
    (reencoding, "WAIT_SECONDS"),
    (features, "GRAPH_FROM_NODES"),
    (features, "TAIL_NODES"),
)
SYLLABLES = ["ta", "pi", "ring", "ba", "lo", "ku", "mang", "sa", "du", "wa", "yang", "ge", "long", "cak", "bu"]


def former_vector(name, aliases, regions, facts, category):
    """Another way to see the same records: names read backwards."""
    return content_vector(name[::-1], [each[::-1] for each in aliases], regions, facts, category)


def pages(count):
    rng = random.Random(7)
    names = ["Tari " + "".join(rng.choices(SYLLABLES, k=3)).capitalize() for _ in range(count)]
    return [
        page(f"https://w{n}.example/{n}", name, [("fungsi", "hiburan")], regions=(("ID-SB",), ("ID-JB",), ())[n % 3])
        for n, name in enumerate(names + [name + "a" for name in names[::4]])
    ]


class Library(Bench):
    """The stages and the steward; waiting jobs are woken where they would be."""

    def __init__(self, machine, people):
        super().__init__(machine, people)
        self.handlers["steward"] = StewardHandler(PROFILE)
        self.worker = Worker(machine, None, self.handlers)

    async def run(self, together=100):
        await super().run(together)
        while await self.woken():
            await super().run(together)

    async def woken(self):
        async with self.machine.transaction() as tx:
            await tx.run("update job set due = lumbung_now() where state = 'waiting'")
            await jobs.wake_due(tx)
            return any([await jobs.ready_count(tx, stage, 1) for stage in STAGES])

    async def begin(self):
        async with self.machine.transaction() as tx:
            await reencoding.begin(tx)

    async def read(self, question, *given):
        async with self.machine.transaction() as tx:
            return await question(tx, *given)

    async def neighbours(self):
        """Of each node of the index, what stage 4 would find."""
        async with self.machine.transaction() as tx:
            held = await tx.rows(f"select distinct node from feature where version = {VERSION} order by node")
            return {row["node"]: await self.around(tx, row["node"]) for row in held}

    async def around(self, tx, node):
        own = await features.vector_of(tx, node, VERSION)
        content = [float(x) for x in own[1:-1].split(",")]
        found = await features.neighbours(tx, node, VERSION, ["tarian", ""], None, content, 20)
        return [(each.node, round(each.cosine, 4)) for each in found]


@pytest.fixture
def library(bench, monkeypatch):
    """Small portions and graphs, with the rests left out by the clock."""
    for module, name in HURRIED:
        monkeypatch.setattr(module, name, getattr(module, name))
    reencoder.hurry()

    @asynccontextmanager
    async def opened():
        async with bench() as made:
            yield Library(made.machine, made.people)

    return opened


def by_a_former_program(monkeypatch):
    monkeypatch.setattr(encode, "VERSION", FORMER)
    monkeypatch.setitem(ENCODERS, FORMER, former_vector)


def by_this_program(monkeypatch, knows_the_former):
    monkeypatch.setattr(encode, "VERSION", VERSION)
    if not knows_the_former:
        monkeypatch.delitem(ENCODERS, FORMER)


async def emptied(made, superuser):
    import psycopg

    async with await psycopg.AsyncConnection.connect(superuser) as connection:
        await connection.execute("set session_replication_role = replica")
        for table in (*CLEARED, "features_version", "feature_word"):
            await connection.execute(f"delete from {table}")


async def brought_in(made, arrivals):
    for each in arrivals:
        await made.add(*each)
    await made.run()


def reencoding_process(logins, engines, failpoint=""):
    command = [sys.executable, "-m", "tests.integration.stages.reencoder", logins.machine, engines.nats_url]
    environment = os.environ | {"LUMBUNG_FAILPOINTS": failpoint}
    return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120, check=False)


async def test_an_older_index_is_brought_over_through_a_kill_and_finds_what_a_fresh_one_finds(
    library, logins, engines, monkeypatch
):
    queue = await JetStreamQueue.connect(engines.nats_url)
    for stage in STAGES:
        await queue._context.purge_stream(f"lumbung_{stage}")
    await queue.close()
    arrivals = pages(80)
    async with library() as made:
        await brought_in(made, arrivals)
        fresh, exported = await made.neighbours(), await made.export()
        assert len(fresh) == 100
        await emptied(made, logins.superuser)
        by_a_former_program(monkeypatch)
        await brought_in(made, arrivals)
        assert await made.read(feature_versions.in_force) == FORMER
        assert await made.neighbours() == {}

        killed = reencoding_process(logins, engines, "worker.committed=6")
        assert killed.returncode == EXIT_CODE, killed.stderr
        states = {row["state"]: row["vectors"] for row in await made.read(feature_versions.progress)}
        assert 0 < states["filling"] < states["in force"]
        done = reencoding_process(logins, engines)
        assert done.returncode == 0, done.stderr

        assert await made.read(feature_versions.states) == {FORMER: "gone", VERSION: "in force"}
        assert await made.neighbours() == fresh
        assert await made.export() == exported
        left = await made.read(
            lambda tx: tx.rows("select graph from index_block where version = 0 and (nodes > 0 or graph is not null)")
        )
        assert left == []
        assert await made.read(jobs.dead) == []


async def found_by(made, name):
    """The names that the decision about a page found, by the links it left."""
    async with made.machine.transaction() as tx:
        rows = await tx.rows(
            "select o.name from candidate c join pair_verdict v on c.digest in (v.a, v.b) "
            "join candidate o on o.digest in (v.a, v.b) and o.digest <> c.digest where c.name_key = %(key)s",
            {"key": name_key(name)},
        )
    return sorted({row["name"] for row in rows})


async def test_who_arrives_meanwhile_is_decided_at_once_in_the_version_in_force(library, monkeypatch):
    async with library() as made:
        by_a_former_program(monkeypatch)
        await brought_in(made, [page("https://a.example/1", "Tari Piring", [("fungsi", "hiburan")])])
        by_this_program(monkeypatch, knows_the_former=True)
        await made.begin()
        await made.add(*page("https://b.example/2", "Tari Piriang", [("fungsi", "hiburan")]))
        await Bench.run(made)
        assert await made.read(feature_versions.in_force) == FORMER
        assert await found_by(made, "Tari Piriang") == ["Tari Piring"]
        await made.run()
        assert await made.read(feature_versions.states) == {FORMER: "gone", VERSION: "in force"}


async def test_decisions_wait_for_the_whole_index_where_the_former_version_is_unknown(library, monkeypatch):
    async with library() as made:
        by_a_former_program(monkeypatch)
        await brought_in(made, [page("https://a.example/1", "Tari Piring", [("fungsi", "hiburan")])])
        by_this_program(monkeypatch, knows_the_former=False)
        await made.add(*page("https://b.example/2", "Tari Piriang", [("fungsi", "hiburan")]))
        await Bench.run(made)
        parked = await made.read(lambda tx: tx.rows("select stage, capability from job where state = 'parked'"))
        assert parked == [{"stage": "decide", "capability": "index"}]
        assert await found_by(made, "Tari Piriang") == []
        await made.begin()
        await made.run()
        assert await found_by(made, "Tari Piriang") == ["Tari Piring"]
        assert await made.read(lambda tx: tx.rows("select 1 from job where state = 'parked'")) == []


@pytest.mark.parametrize(
    ("category", "proposed"), [("tarian", 1), ("seni-pertunjukan", 1), ("makanan-minuman", 0)], ids=str
)
async def test_published_entries_that_only_the_new_version_brings_together_are_proposed_and_stay(
    library, monkeypatch, category, proposed
):
    async with library() as made:
        by_a_former_program(monkeypatch)
        monkeypatch.setitem(ENCODERS, FORMER, lambda name, *_: content_vector(name_key(name)[-1], [], [], [], None))
        facts = [("fungsi", "hiburan rakyat"), ("iringan", "talempong"), ("busana", "baju kurung")]
        twins = [
            page("https://a.ac.id/1", "Tari Piring", facts),
            page("https://b.go.id/2", "Tari Piriang", facts, category),
        ]
        monkeypatch.setattr(features, "neighbours", no_neighbours)
        monkeypatch.setattr(namesakes, "namesakes", no_namesakes)
        await brought_in(made, twins)
        monkeypatch.undo()
        reencoder.hurry()
        before = await made.export()
        await made.begin()
        await made.run()
        assert await made.export() == before
        told = [sentence(row, "id") for row in await made.read(audits.notices) if row["kind"] == "entries-alike"]
        assert len(told) == proposed
        assert all("Tari Piring" in each and "Tari Piriang" in each for each in told), "by their titles"


async def no_neighbours(*_):
    return []


async def no_namesakes(*_):
    return set()


async def test_what_an_older_program_encodes_after_the_switch_is_picked_up(library, monkeypatch):
    async with library() as made:
        await brought_in(made, [page("https://a.example/1", "Tari Piring", [("fungsi", "hiburan")])])
        async with made.machine.transaction() as tx:
            [row] = await tx.rows("select node from feature")
            stray = features.Feature(
                row["node"], False, FORMER, "tarian", ["ID-SB"], former_vector("Tari", [], [], [], None)
            )
            await features.keep(tx, [row["node"]], [stray])
        assert await made.neighbours() == {}
        await made.begin()
        await made.run()
        assert list(await made.neighbours()) == [row["node"]]


async def test_an_older_program_leaves_the_encoding_to_newer_ones(library, monkeypatch):
    async with library() as made:
        await brought_in(made, [page("https://a.example/1", "Tari Piring", [("fungsi", "hiburan")])])
        by_a_former_program(monkeypatch)
        await made.add(*page("https://b.example/2", "Tari Piriang", [("fungsi", "hiburan")]))
        [job] = await made.read(jobs.ready_of, "encode", 10)
        await made.worker._handle(made.handlers["encode"], [job])
        rows = await made.read(lambda tx: tx.rows(f"select state, reason from job where id = {job}"))
        assert rows[0]["state"] == "waiting"
        assert "a newer program" in rows[0]["reason"]


async def test_a_version_that_a_newer_program_overtook_is_let_go(library, monkeypatch):
    async with library() as made:
        by_a_former_program(monkeypatch)
        monkeypatch.setattr(encode, "VERSION", FORMER - 1)
        monkeypatch.setitem(ENCODERS, FORMER - 1, former_vector)
        await brought_in(made, [page("https://a.example/1", "Tari Piring", [("fungsi", "hiburan")])])
        monkeypatch.setattr(encode, "VERSION", FORMER)
        async with made.machine.transaction() as tx:
            await feature_versions.begin_filling(tx, FORMER)
            [row] = await tx.rows("select node from feature")
            await jobs.add(tx, [NewJob("encode", "again", {"node": row["node"], "again": True})])
        await made.run()
        by_this_program(monkeypatch, knows_the_former=True)
        await made.begin()
        await made.run()
        states = {FORMER - 1: "gone", FORMER: "gone", VERSION: "in force"}
        assert await made.read(feature_versions.states) == states
        assert await made.read(lambda tx: tx.rows("select distinct version from feature")) == [{"version": VERSION}]
