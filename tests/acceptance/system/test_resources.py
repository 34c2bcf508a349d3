"""What an idle system takes: little memory a process, and almost no time of a core."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest
from tests.acceptance.system.program import Program, Started

MOST_WORKER_BYTES = 150 * 2**20
MOST_IDLE_SHARE = 0.02
WATCHED_SECONDS = 6.0
LONGEST_SECONDS = 36.0


@pytest.fixture(scope="module")
def running(tmp_path_factory) -> Iterator[tuple[Started, Path]]:
    folder = tmp_path_factory.mktemp("idle") / "data"
    program = Program(folder, {"LUMBUNG_WEB__PORT": "0"})
    started = program.start("up")
    try:
        started.until(lambda line: line.startswith("The library is open"))
        yield started, folder
    finally:
        program("down")
        started.end()


def processes(started: Started, folder: Path) -> list[psutil.Process]:
    """The command with its parts, and the engines, whose supervisor is nobody's child."""
    own = psutil.Process(started.process.pid)
    engines = [each for each in psutil.process_iter(["cmdline"]) if str(folder) in (each.info["cmdline"] or [])]
    return [own, *own.children(recursive=True), *engines, *(child for each in engines for child in each.children(True))]


def cpu_seconds(watched: list[psutil.Process]) -> float:
    return sum(sum(process.cpu_times()[:2]) for process in watched if process.is_running())


def settled(watched: list[psutil.Process]) -> float:
    """The CPU time once the start is over: when a second went by that cost next to nothing."""
    deadline = time.monotonic() + 60
    before = cpu_seconds(watched)
    while time.monotonic() < deadline:
        time.sleep(1)
        now = cpu_seconds(watched)
        if now - before < 0.1:
            return now
        before = now
    pytest.fail("the system does not come to rest")


def idle_share(watched: list[psutil.Process]) -> float:
    """The mean since the start was over; watched for longer where something periodic fell into a short time."""
    before, began = settled(watched), time.monotonic()
    while True:
        time.sleep(WATCHED_SECONDS)
        elapsed = time.monotonic() - began
        share = (cpu_seconds(watched) - before) / elapsed
        if share < MOST_IDLE_SHARE or elapsed > LONGEST_SECONDS:
            print(f"{share:.4f} of a core over {elapsed:.0f} s")
            return share


def test_no_part_without_a_model_takes_more_memory_than_a_worker_may(running):
    started, folder = running
    sizes = {each.pid: each.memory_info().rss for each in psutil.Process(started.process.pid).children()}
    assert len(sizes) >= 3
    assert max(sizes.values()) < MOST_WORKER_BYTES
    assert len(processes(started, folder)) > len(sizes) + 2


def test_an_idle_system_takes_next_to_nothing_of_a_core(running):
    assert idle_share(processes(*running)) < MOST_IDLE_SHARE
