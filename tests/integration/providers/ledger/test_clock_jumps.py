"""The clocks of the database and of all workers jump by an hour, forth and back: the cap holds at every moment."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from bisect import bisect_left
from contextlib import contextmanager
from itertools import accumulate
from pathlib import Path

import psycopg
import pytest
from tests.integration.providers.ledger.spender import LARGEST

from lumbung.runtime.engines.binaries import find_postgres, reachable_postgres
from lumbung.runtime.engines.privilege import setup_account
from lumbung.store.migrate import migrate

LIBRARY = next(iter(sorted(Path("/usr/lib").glob("*/faketime/libfaketime.so.1"))), None)
ROLES = ("owner", "machine", "people")
CAP = 200 * LARGEST
WINDOW_SECONDS = 4.0
JUMPS = ("+0", "+3600", "+0", "-3600", "+0")
"""What the clock of the database is off by, one after the other."""
SECONDS_EACH = 1.6
SPENDERS = {11: "+3600", 12: "-3600"}

pytestmark = pytest.mark.skipif(LIBRARY is None, reason="libfaketime is not installed")


def shifted(**more):
    """No steady clock is shifted: programs that wait would wait for an hour."""
    kept = {name: os.environ[name] for name in ("PATH", "HOME", "PYTHONPATH") if name in os.environ}
    return kept | {"LC_ALL": "C", "LD_PRELOAD": str(LIBRARY), "FAKETIME_DONT_FAKE_MONOTONIC": "1", **more}


@contextmanager
def server(folder):
    """PostgreSQL as our own child, with a clock that a file shifts."""
    account = setup_account()
    programs = reachable_postgres(find_postgres(), account)
    clock, cluster = folder / "clock", folder / "cluster"
    clock.write_text(JUMPS[0])
    as_account = {"user": account.uid, "group": account.gid, "extra_groups": []} if account else {}
    if account:
        os.chown(folder, account.uid, account.gid)
    made = [programs.initdb, "-D", cluster, "-U", "postgres", "-A", "trust", "-N", "--no-locale", "-E", "UTF8"]
    subprocess.run(made, check=True, capture_output=True, cwd=folder, **as_account)
    options = ["-c", "listen_addresses=", "-c", f"unix_socket_directories={folder}", "-c", "fsync=off"]
    environment = shifted(FAKETIME_TIMESTAMP_FILE=str(clock), FAKETIME_NO_CACHE="1")
    process = subprocess.Popen(
        [programs.postgres, "-D", cluster, *options],
        cwd=folder,
        env=environment,
        stderr=subprocess.DEVNULL,
        **as_account,
    )
    try:
        yield clock, lambda role: f"postgresql://{role}@/lumbung?host={folder}"
    finally:
        process.send_signal(signal.SIGQUIT)
        process.wait()


def when_it_answers(url):
    deadline = time.monotonic() + 60
    while True:
        try:
            return psycopg.connect(url, autocommit=True)
        except psycopg.OperationalError:
            assert time.monotonic() < deadline, "PostgreSQL does not start"
            time.sleep(0.05)


def prepared(folder, url, window_seconds=WINDOW_SECONDS):
    with when_it_answers(f"postgresql://postgres@/postgres?host={folder}") as connection:
        for role in ROLES:
            connection.execute(f"create role {role} login")
        connection.execute("create database lumbung owner owner")
    with psycopg.connect(url("postgres"), autocommit=True) as connection:
        connection.execute("create extension vector")
    migrate(*(url(role) for role in ROLES))
    with psycopg.connect(url("owner"), autocommit=True) as owner:
        owner.execute("update budget_window set cap_micros = %s", (1000 * CAP,))
        owner.execute(
            "update budget_window set cap_micros = %s, seconds = %s where name = 'hour'", (CAP, window_seconds)
        )


def spend_while_clocks_jump(folder, clock, url, seconds_each=SECONDS_EACH):
    """Lines of the spenders: asked and settled by the steady clock, how much, and what the spender took the time for."""
    command = [sys.executable, "-m", "tests.integration.providers.ledger.spender", url("machine")]
    spenders = [
        subprocess.Popen(
            [*command, str(seed), str(folder / f"spent-{seed}")], env=shifted(FAKETIME=offset), start_new_session=True
        )
        for seed, offset in SPENDERS.items()
    ]
    try:
        deadline = time.monotonic() + 60
        while len(spent_by_now(folder)) < len(spenders):
            assert time.monotonic() < deadline, "not all of them spend"
            time.sleep(0.05)
        for offset in JUMPS:
            clock.write_text(offset)
            with psycopg.connect(url("owner")) as owner:
                [off] = owner.execute("select extract(epoch from clock_timestamp())::float8").fetchone()
            assert abs(off - time.time() - float(offset)) < 600, "the database's clock was not shifted"
            time.sleep(seconds_each)
        assert all(each.poll() is None for each in spenders), "a spender fell out"
    finally:
        for each in spenders:
            os.killpg(each.pid, signal.SIGKILL)
            each.wait()
    return sorted(
        (float(settled), float(asked), int(micros), float(told))
        for notes in spent_by_now(folder)
        for asked, settled, micros, told in map(str.split, notes.splitlines())
    )


def spent_by_now(folder):
    return [notes for each in folder.glob("spent-*") if (notes := each.read_text())]


def most_in_a_window(rows, width):
    """The greatest sum of what was settled within so many seconds."""
    times = [row[0] for row in rows]
    sums = [0, *accumulate(row[2] for row in rows)]
    return max(sums[place + 1] - sums[bisect_left(times, at - width)] for place, at in enumerate(times))


@pytest.fixture
def folder():
    """Right below the folder for temporary files, where another account can reach it."""
    made = Path(tempfile.mkdtemp(prefix="lumbung-clock-"))
    yield made
    shutil.rmtree(made)


def test_no_jump_of_any_clock_opens_a_window_twice_or_keeps_it_shut(folder):
    with server(folder) as (clock, url):
        prepared(folder, url)
        rows = spend_while_clocks_jump(folder, clock, url)
        with psycopg.connect(url("owner")) as owner:
            alarms = owner.execute("select count(*) from alarm").fetchone()
            booked = owner.execute("select sum(spent_micros) from spend").fetchone()
    apart = max(row[3] for row in rows) - min(row[3] for row in rows)
    assert apart > 7000, "the clocks of the spenders were not shifted"
    slowest = max(settled - asked for settled, asked, *_ in rows)
    assert most_in_a_window(rows, max(0.0, WINDOW_SECONDS - slowest)) <= CAP
    assert alarms == (0,)
    assert sum(row[2] for row in rows) <= int(booked[0])
    assert rows[-1][0] - rows[0][0] > 2 * SECONDS_EACH, "frozen after a jump"
