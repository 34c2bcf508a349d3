"""The runtime beside its peers in one run, by the CPU time of all processes, engines included.

The bounds leave room for a busy machine; `make bench ARGS=runtime` measures at length.
"""

from __future__ import annotations

import asyncio
import sys

import pytest
from benchmarks.runtime.__main__ import fresh, peer
from benchmarks.runtime.noop import ALONE, IN_HUNDREDS, add_backlog, measure, measure_relay

from lumbung.runtime.engines import Engines, engine_pids

ROOM = 0.9
"""Of what a peer does: a tenth is noise."""
TURNS = 4
"""Each takes seconds of CPU at most, which other work beside it disturbs: whoever is as fast as asked shows it in one of them."""


@pytest.fixture(scope="module")
def workshop(tmp_path_factory):
    """Engines of its own, whose CPU time is nobody else's, and how to measure on them."""
    folder = tmp_path_factory.mktemp("speed") / "data"
    with Engines.attach(folder, fsync=False) as engines:
        pids = engine_pids(folder)
        assert pids is not None
        yield engines, [pids.supervisor]


@pytest.fixture(autouse=True)
def peers_here(monkeypatch):
    monkeypatch.setenv("BENCH_PEERS_PYTHON", sys.executable)


def ours(workshop, name, case, number, waiting=0):
    engines, roots = workshop
    machine, superuser = fresh(engines, name)
    if waiting:
        asyncio.run(add_backlog(superuser, waiting))
    return asyncio.run(measure(machine, engines.nats_url, roots, case, number))


def reaches(bound, share):
    """Whether the share is above the bound in any turn, each on a fresh database."""
    shares = []
    while len(shares) < TURNS and not (shares and shares[-1] > bound):
        shares.append(share(len(shares)))
    assert shares[-1] > bound, shares


def test_a_job_alone_costs_less_than_procrastinate_s(workshop):
    def share(turn):
        theirs = peer(*workshop, "procrastinate", 300, 1)
        return ours(workshop, f"alone{turn}", ALONE, 400).per_cpu_second / theirs.per_cpu_second

    reaches(ROOM, share)


def test_jobs_in_hundreds_cost_less_than_pgqueuer_s(workshop):
    def share(turn):
        theirs = peer(*workshop, "pgqueuer", 5_000, 100)
        return ours(workshop, f"hundreds{turn}", IN_HUNDREDS, 10_000).per_cpu_second / theirs.per_cpu_second

    reaches(ROOM, share)


def test_a_job_costs_the_same_however_many_wait_behind_it(workshop):
    def share(turn):
        few = ours(workshop, f"few{turn}", IN_HUNDREDS, 10_000, waiting=1_000)
        many = ours(workshop, f"many{turn}", IN_HUNDREDS, 10_000, waiting=50_000)
        return many.per_cpu_second / few.per_cpu_second

    reaches(0.5, share)


def test_the_relay_keeps_up_with_a_loop_that_only_publishes(workshop):
    engines, roots = workshop

    def share(turn):
        machine, _ = fresh(engines, f"relay{turn}")
        relayed, bare = asyncio.run(measure_relay(machine, engines.nats_url, roots, 5_000))
        return relayed.per_cpu_second / bare.per_cpu_second

    reaches(ROOM / 2, share)
