from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from typing import TYPE_CHECKING

import psycopg

from lumbung.runtime.engines import Engines, engine_pids, wipe_nats_store
from lumbung.runtime.engines.layout import EngineFolder

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from nats.js import JetStreamContext

    from conftest import Holder, Probe
    from lumbung.runtime.engines import RunningEngines

RECOVERY_SECONDS = 15.0


async def put_three(stream: JetStreamContext) -> None:
    await stream.add_stream(name="extract", subjects=["extract"])
    for number in range(3):
        await stream.publish("extract", str(number).encode())


async def count(stream: JetStreamContext) -> int:
    return (await stream.stream_info("extract")).state.messages


async def streams(stream: JetStreamContext) -> int:
    return (await stream.account_info()).streams


def test_a_killed_postgres_is_back_with_everything_committed(data_dir: Path, probe: Probe) -> None:
    with Engines.attach(data_dir, fsync=False) as engines:
        with probe.connect(engines) as connection:
            connection.execute("INSERT INTO harvest VALUES ('jagung')")
            before = probe.pids(data_dir)
            probe.kill(before.postgres)
            assert probe.eventually(lambda: probe.harvested(engines), RECOVERY_SECONDS) == ["jagung", "padi"]
        after = probe.all_pids(data_dir)
        assert after.postgres != before.postgres
        assert (after.supervisor, after.nats) == (before.supervisor, before.nats)


def test_a_backend_that_computes_on_does_not_hinder_the_restart(data_dir: Path, probe: Probe) -> None:
    with Engines.attach(data_dir, fsync=False) as engines:
        busy = probe.connect(engines)
        busy.pgconn.send_query(b"SELECT count(*) FROM generate_series(1, 1000000000) AS n WHERE sqrt(n) < 0")
        with probe.connect(engines, "superuser") as connection:
            probe.eventually(
                lambda: connection.execute(
                    "SELECT 1 FROM pg_stat_activity WHERE state = 'active' AND query LIKE '%generate_series%'"
                    " AND pid <> pg_backend_pid()"
                ).fetchone()
            )
        probe.kill(probe.pids(data_dir).postgres)
        assert probe.eventually(lambda: probe.harvested(engines), RECOVERY_SECONDS) == ["padi"]
        busy.close()


def test_a_killed_nats_is_back_with_its_stream_on_the_same_port(data_dir: Path, probe: Probe) -> None:
    with Engines.attach(data_dir, fsync=False) as engines:
        probe.with_jetstream(engines, put_three)
        before = probe.pids(data_dir)
        probe.kill(before.nats)
        assert probe.eventually(lambda: probe.with_jetstream(engines, count), RECOVERY_SECONDS) == 3
        assert probe.all_pids(data_dir).nats != before.nats


def test_a_killed_supervisor_is_replaced_and_the_addresses_hold(data_dir: Path, probe: Probe) -> None:
    with Engines.attach(data_dir, fsync=False) as engines:
        probe.with_jetstream(engines, put_three)
        before = probe.pids(data_dir)
        probe.kill(before.supervisor)
        assert probe.eventually(lambda: _new_supervisor(data_dir, before.supervisor), RECOVERY_SECONDS)
        assert probe.eventually(lambda: probe.harvested(engines), RECOVERY_SECONDS) == ["padi"]
        assert probe.eventually(lambda: probe.with_jetstream(engines, count), RECOVERY_SECONDS) == 3
    assert engine_pids(data_dir) is None


def _new_supervisor(data_dir: Path, old: int) -> bool:
    pids = engine_pids(data_dir)
    return pids is not None and pids.supervisor != old and pids.nats is not None


def test_a_killed_supervisor_leaves_no_engine_behind_when_nobody_is_attached(
    data_dir: Path, probe: Probe, hold: Callable[[Path], Holder]
) -> None:
    holder = hold(data_dir)
    supervisor = probe.pids(data_dir).supervisor
    os.kill(holder.process.pid, signal.SIGSTOP)
    probe.kill(supervisor)
    holder.kill()
    assert probe.eventually(lambda: not probe.running(data_dir))


def test_everything_killed_at_once_starts_again(data_dir: Path, probe: Probe, hold: Callable[[Path], Holder]) -> None:
    holder = hold(data_dir)
    pids = probe.pids(data_dir)
    for pid in (holder.process.pid, pids.supervisor, pids.postgres, pids.nats):
        probe.kill(pid)
    with Engines.attach(data_dir, fsync=False) as engines:
        assert probe.harvested(engines) == ["padi"]


ENGINE_PROGRAM = """
import asyncio, os, signal, sys
from pathlib import Path
from lumbung.runtime.engines import PostgresEngine

async def run():
    engine = PostgresEngine(Path(sys.argv[1]), fsync=False, progress=print)
    address = await engine.start()
    os.kill(engine.pid, signal.SIGKILL)
    await engine.died()
    assert await engine.start() == address
    assert await engine.start() == address
    await engine.stop()

asyncio.run(run())
"""


def test_crash_recovery_is_shown_while_it_lasts(data_dir: Path, probe: Probe) -> None:
    said = subprocess.run(
        [sys.executable, "-c", ENGINE_PROGRAM, str(data_dir)], capture_output=True, text=True, check=True
    ).stdout
    assert "PostgreSQL recovers from an interruption: " in said
    assert probe.running(data_dir) == []


def test_a_frozen_engine_carries_on_when_it_thaws(data_dir: Path, probe: Probe) -> None:
    with Engines.attach(data_dir, fsync=False) as engines:
        pids = probe.pids(data_dir)
        assert pids.postgres is not None
        os.kill(pids.postgres, signal.SIGSTOP)
        os.kill(pids.postgres, signal.SIGCONT)
        assert probe.harvested(engines) == ["padi"]
        assert probe.pids(data_dir) == pids


def test_a_frozen_engine_does_not_hold_up_the_end(data_dir: Path, probe: Probe) -> None:
    with Engines.attach(data_dir, fsync=False):
        pids = probe.pids(data_dir)
        for pid in (pids.postgres, pids.nats):
            assert pid is not None
            os.kill(pid, signal.SIGSTOP)
    assert engine_pids(data_dir) is None
    assert probe.running(data_dir) == []


def test_a_wiped_broker_is_back_empty_on_the_same_port(data_dir: Path, probe: Probe) -> None:
    with Engines.attach(data_dir, fsync=False) as engines:
        probe.with_jetstream(engines, put_three)
        wipe_nats_store(data_dir)
        assert probe.with_jetstream(engines, streams) == 0


def test_a_broker_store_that_cannot_be_opened_is_set_aside(data_dir: Path, probe: Probe) -> None:
    with Engines.attach(data_dir, fsync=False):
        pass
    store = EngineFolder(data_dir).nats / "store"
    shutil.rmtree(store)
    store.write_text("not a folder")
    with Engines.attach(data_dir, fsync=False) as engines:
        assert probe.with_jetstream(engines, streams) == 0
    assert (EngineFolder(data_dir).nats / "store.unreadable").exists()


def test_killed_engines_are_back_within_seconds_again_and_again(data_dir: Path, probe: Probe) -> None:
    with Engines.attach(data_dir, fsync=False) as engines:
        for _ in range(3):
            pids = probe.all_pids(data_dir)
            probe.kill(pids.postgres)
            probe.kill(pids.nats)
            started = time.monotonic()
            probe.eventually(lambda: _both_answer(probe, engines), RECOVERY_SECONDS)
            assert time.monotonic() - started < RECOVERY_SECONDS


def _both_answer(probe: Probe, engines: RunningEngines) -> bool:
    probe.with_jetstream(engines, streams)
    return probe.harvested(engines) == ["padi"]


def test_a_deleted_data_folder_is_not_brought_back(data_dir: Path, probe: Probe) -> None:
    with Engines.attach(data_dir, fsync=False) as engines:
        pids = probe.pids(data_dir)
        shutil.rmtree(data_dir)
        probe.kill(pids.postgres)
        assert probe.eventually(lambda: not _alive(pids.supervisor))
        assert not _alive(pids.nats)
        assert not data_dir.exists() or not EngineFolder(data_dir).cluster.exists()
        engines.close()


def _alive(pid: int | None) -> bool:
    assert pid is not None
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def test_a_query_after_the_restart_needs_only_a_new_connection(data_dir: Path, probe: Probe) -> None:
    with Engines.attach(data_dir, fsync=False) as engines:
        connection = probe.connect(engines)
        backend = connection.info.backend_pid
        os.kill(backend, signal.SIGKILL)
        try:
            connection.execute("SELECT 1")
        except psycopg.OperationalError:
            connection.close()
        assert probe.eventually(lambda: probe.harvested(engines), RECOVERY_SECONDS) == ["padi"]
