from __future__ import annotations

import asyncio
import os
import shutil
import signal
import subprocess
import sys
import time
from dataclasses import astuple
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar
from urllib.parse import parse_qs, urlsplit

import nats
import psycopg
import pytest

from lumbung.runtime.engines import Engines, engine_pids, stop_engines
from lumbung.runtime.engines.children import engine_processes
from lumbung.runtime.engines.layout import EngineFolder
from lumbung.runtime.engines.sockets import recorded_socket_folder, remove_socket_folder

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Iterator

    from nats.js import JetStreamContext

    from lumbung.runtime.engines import EnginePids, RunningEngines

Answer = TypeVar("Answer")
HOLDER_PROGRAM = """
import sys
from pathlib import Path
from lumbung.runtime.engines import Engines
with Engines.attach(Path(sys.argv[1]), fsync=False):
    print("attached", flush=True)
    sys.stdin.read()
print("left", flush=True)
"""


class Holder:
    """Another command that uses the engines, in its own process."""

    def __init__(self, data_dir: Path, *before: str) -> None:
        command = [*before, sys.executable, "-c", HOLDER_PROGRAM, str(data_dir)]
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, text=True)

    def await_attached(self) -> None:
        assert self.process.stdout is not None
        assert self.process.stdout.readline() == "attached\n"

    def leave(self) -> str:
        said, _ = self.process.communicate(timeout=60)
        return said

    def kill(self) -> None:
        self.process.kill()
        self.process.communicate()


class Probe:
    """How the tests look at engines and processes."""

    @staticmethod
    def connect(engines: RunningEngines, role: str = "owner") -> psycopg.Connection[tuple[object, ...]]:
        return psycopg.connect(engines.postgres_url(role), autocommit=True)

    @classmethod
    def harvested(cls, engines: RunningEngines) -> list[object]:
        with cls.connect(engines) as connection:
            return [row[0] for row in connection.execute("SELECT name FROM harvest ORDER BY name")]

    @staticmethod
    def with_jetstream(
        engines: RunningEngines, work: Callable[[JetStreamContext], Coroutine[object, object, Answer]]
    ) -> Answer:
        async def run() -> Answer:
            client = await nats.connect(
                engines.nats_url, allow_reconnect=False, connect_timeout=2, reconnect_time_wait=0.01
            )
            try:
                return await work(client.jetstream())
            finally:
                await client.close()

        return asyncio.run(run())

    @staticmethod
    def eventually(ask: Callable[[], Answer], within_seconds: float = 20.0) -> Answer:
        """Ask again until there is an answer; what is awaited happens in processes that cannot tell us."""
        deadline = time.monotonic() + within_seconds
        while True:
            try:
                answer = ask()
            except Exception:
                if time.monotonic() > deadline:
                    raise
            else:
                if answer or time.monotonic() > deadline:
                    return answer
            time.sleep(0.02)

    @staticmethod
    def pids(data_dir: Path) -> EnginePids:
        pids = engine_pids(data_dir)
        assert pids is not None
        return pids

    @classmethod
    def all_pids(cls, data_dir: Path) -> EnginePids:
        """Once both engines run."""
        return cls.eventually(lambda: cls.pids(data_dir) if None not in astuple(cls.pids(data_dir)) else None)

    @staticmethod
    def socket_folder(engines: RunningEngines) -> Path:
        return Path(parse_qs(urlsplit(engines.postgres_url()).query)["host"][0])

    @staticmethod
    def kill(pid: int | None) -> None:
        assert pid is not None
        os.kill(pid, signal.SIGKILL)

    @staticmethod
    def running(data_dir: Path) -> list[int]:
        folder = EngineFolder(data_dir)
        return engine_processes(folder.postgres_mark) + engine_processes(folder.nats_mark) if data_dir.exists() else []

    @staticmethod
    def log(data_dir: Path, name: str = "postgres") -> str:
        return (EngineFolder(data_dir).logs / f"{name}.log").read_text()


@pytest.fixture
def probe() -> type[Probe]:
    return Probe


@pytest.fixture
def start_command(request: pytest.FixtureRequest) -> Callable[..., Holder]:
    def start(data_dir: Path, *before: str) -> Holder:
        holder = Holder(data_dir, *before)
        request.addfinalizer(holder.kill)
        return holder

    return start


@pytest.fixture
def hold(start_command: Callable[..., Holder]) -> Callable[..., Holder]:
    def start(data_dir: Path, *before: str) -> Holder:
        holder = start_command(data_dir, *before)
        holder.await_attached()
        return holder

    return start


@pytest.fixture(scope="session")
def prepared_dir(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder whose cluster was made once; tests work on copies."""
    folder = tmp_path_factory.mktemp("prepared") / "data"
    with Engines.attach(folder, fsync=False) as engines, Probe.connect(engines) as connection:
        connection.execute("CREATE TABLE harvest (name text)")
        connection.execute("INSERT INTO harvest VALUES ('padi')")
    return folder


@pytest.fixture
def data_dir(prepared_dir: Path, tmp_path: Path) -> Iterator[Path]:
    folder = tmp_path / "data"
    subprocess.run(["cp", "-a", prepared_dir, folder], check=True)
    yield folder
    _leave_nothing_running(folder)


@pytest.fixture
def fresh_dir(tmp_path: Path) -> Iterator[Path]:
    folder = tmp_path / "fresh"
    yield folder
    _leave_nothing_running(folder)


def _leave_nothing_running(data_dir: Path) -> None:
    stop_engines(data_dir)
    left = Probe.running(data_dir)
    sockets = recorded_socket_folder(EngineFolder(data_dir))
    if sockets is not None:
        remove_socket_folder(sockets)
    shutil.rmtree(data_dir, ignore_errors=True)
    assert left == []
