"""What the system takes: little memory a process, also after work, and almost no time of a core while idle."""

from __future__ import annotations

import re
import subprocess
import sys
import time
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path

import psutil
import pytest
from tests.acceptance.system.program import Program, Started, demo_web

from lumbung.runtime.engines import Engines

TRANCHES = Path(str(files("lumbung.demo"))) / "world" / "tranches"
MOST_WORKER_BYTES = 150 * 2**20
MOST_BYTES_OF_ALL_PARTS = 180 * 2**20
"""One process that crawls, relays, watches and works: more than a worker, and other machines' allocators take their part."""
MOST_BYTES_WITH_A_MODEL = 250 * 2**20
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


@pytest.fixture(scope="module")
def hosts(tmp_path_factory) -> Iterator[Path]:
    yield from demo_web(tmp_path_factory.mktemp("web"))


@pytest.fixture
def model() -> Iterator[dict[str, str]]:
    """The settings of a model that answers over HTTP."""
    command = [sys.executable, "-m", "lumbung.demo.protocol_server"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        told = {"BASE_URL": server.stdout.readline().strip(), "MODEL": "m"}
        prices = dict.fromkeys(("INPUT_MICROS_PER_MILLION", "OUTPUT_MICROS_PER_MILLION"), "0")
        try:
            yield {f"LUMBUNG_LLM__{name}": value for name, value in (told | prices).items()}
        finally:
            server.terminate()


def most_memory_after_work(folder: Path, hosts: Path, environment: dict[str, str], pages: int, decided: int) -> int:
    with Engines.attach(folder, fsync=False):
        line = ["harvest", "--hosts", hosts, "--delay", "0", "--demo-governance"]
        line += [part for tranche in sorted(TRANCHES.glob("*.csv")) for part in ("--tranche", tranche)]
        working = Program(folder, environment).start(*line)
        working.until(lambda told: has_worked(told, pages, decided))
        most = most_memory(working.process.pid)
        assert working.interrupt() == 130
    print(f"{most / 2**20:.0f} MB")
    return most


def test_a_process_that_does_all_the_work_takes_little_more_than_a_worker(tmp_path, hosts):
    """Pages of many languages were crawled, judged, read and decided by then."""
    assert most_memory_after_work(tmp_path / "data", hosts, {}, 150, 100) < MOST_BYTES_OF_ALL_PARTS


def test_a_process_that_asks_a_model_as_well_takes_no_more_than_a_worker_with_one_may(tmp_path, hosts, model):
    assert most_memory_after_work(tmp_path / "data", hosts, model, 40, 5) < MOST_BYTES_WITH_A_MODEL


def has_worked(line: str, pages: int, decided: int) -> bool:
    told = re.fullmatch(r"pages (\d+) · .* · decided (\d+).*", line)
    return told is not None and int(told[1]) >= pages and int(told[2]) >= decided


def most_memory(process: int) -> int:
    """The most that was resident at any time, in bytes; never the most of whoever started it."""
    status = Path(f"/proc/{process}/status").read_text(encoding="ascii")
    return int(re.findall(r"VmHWM:\s+(\d+) kB", status)[0]) * 1024
