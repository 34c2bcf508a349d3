"""What a command holds while it uses the engines."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import lumbung
from lumbung import errors
from lumbung.errors import EngineUnavailable
from lumbung.runtime.engines.cluster import DATABASE, SUPERUSER, login_name
from lumbung.runtime.engines.layout import LOGINS, EngineFolder, EngineSecrets
from lumbung.runtime.engines.lock import is_held
from lumbung.runtime.engines.nats import NatsAddress
from lumbung.runtime.engines.postgres import PostgresAddress
from lumbung.runtime.engines.sockets import CONTROL_SOCKET, POSTGRES_FOLDER, recorded_socket_folder

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import TracebackType

EXIT_BUSY = 75
PATIENCE_SECONDS = 90.0
RETRY_SECONDS = 0.05


@dataclass(frozen=True)
class EnginePids:
    supervisor: int
    postgres: int | None
    nats: int | None


class RunningEngines:
    """Both engines run at least until this is closed, or its process ends in any way."""

    def __init__(self, data_dir: Path, connection: socket.socket) -> None:
        self._folder = EngineFolder(data_dir)
        self._connection = connection
        self._process = os.getpid()
        self._secrets = EngineSecrets.load(self._folder.secrets)
        sockets = recorded_socket_folder(self._folder)
        if sockets is None:
            raise EngineUnavailable(f"The engines of {data_dir} left while we were attaching: try again.")
        self._postgres = PostgresAddress(sockets / POSTGRES_FOLDER)
        self._nats = NatsAddress(int((self._folder.nats / "port").read_text()), self._secrets.nats)

    @property
    def data_dir(self) -> Path:
        return self._folder.data_dir

    def postgres_url(self, role: str = "owner", database: str = DATABASE) -> str:
        if role == "superuser":
            return self._postgres.url(SUPERUSER, self._secrets.superuser, database)
        if role not in LOGINS:
            raise errors.UsageError(f"There is no login {role!r}: take one of {', '.join(LOGINS)}.")
        return self._postgres.url(login_name(role), getattr(self._secrets, role), database)

    @property
    def nats_url(self) -> str:
        return self._nats.url

    def close(self) -> None:
        """Let go; the last one to leave waits until both engines have shut down cleanly."""
        if self._process == os.getpid():
            with suppress(OSError):
                self._connection.sendall(b"leave\n")
                while self._connection.recv(4096):
                    pass
        self._connection.close()

    def __enter__(self) -> RunningEngines:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class Engines:
    @staticmethod
    def attach(
        data_dir: Path,
        progress: Callable[[str], None] | None = None,
        *,
        fsync: bool = True,
        sync_interval: str = "2m",
    ) -> RunningEngines:
        """Share the engines of the data folder, starting them if nobody has."""
        folder = EngineFolder(Path(data_dir).absolute())
        folder.prepare()
        deadline = time.monotonic() + PATIENCE_SECONDS
        while True:
            connection = _connect(folder)
            if connection is None:
                _start_supervisor(folder, fsync=fsync, sync_interval=sync_interval)
                connection = _connect(folder)
            if connection is not None and _await_ready(connection, progress or (lambda _text: None)):
                return RunningEngines(folder.data_dir, connection)
            if time.monotonic() > deadline:
                raise EngineUnavailable(_held_by(folder))
            time.sleep(RETRY_SECONDS)


def stop_engines(data_dir: Path) -> bool:
    """Ask the supervisor to stop both engines, whoever uses them; False if none ran."""
    folder = EngineFolder(Path(data_dir).absolute())
    connection = _connect(folder)
    if connection is None:
        return False
    with connection:
        connection.sendall(b"stop\n")
        while connection.recv(4096):
            pass
    while is_held(folder.supervisor_lock):
        time.sleep(RETRY_SECONDS)
    return True


def engine_pids(data_dir: Path) -> EnginePids | None:
    """The processes as of the last start or restart; None if no supervisor holds the folder."""
    folder = EngineFolder(Path(data_dir).absolute())
    if not is_held(folder.supervisor_lock):
        return None
    try:
        return EnginePids(**json.loads(folder.state.read_text()))
    except FileNotFoundError:
        return EnginePids(int(folder.supervisor_lock.read_text()), None, None)


def _connect(folder: EngineFolder) -> socket.socket | None:
    sockets = recorded_socket_folder(folder)
    if sockets is None:
        return None
    connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        connection.connect(str(sockets / CONTROL_SOCKET))
    except OSError:
        connection.close()
        return None
    return connection


def _start_supervisor(folder: EngineFolder, *, fsync: bool, sync_interval: str) -> None:
    """Returns when a supervisor listens: ours, or the one that was faster."""
    package_root = str(Path(lumbung.__file__).parent.parent)
    command = [sys.executable, "-P", "-m", "lumbung.runtime.engines.supervisor", str(folder.data_dir)]
    command += ["--sync-interval", sync_interval, *(() if fsync else ("--no-fsync",))]
    with (folder.logs / "supervisor.log").open("ab") as log:
        process = subprocess.Popen(  # noqa: S603
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=log,
            cwd="/",
            start_new_session=True,
            env=os.environ | {"PYTHONPATH": package_root},
        )
    word = process.stdout.read() if process.stdout else b""
    if word.strip() == b"listening":
        return
    if process.wait() != EXIT_BUSY:
        raise EngineUnavailable(f"The engines' supervisor does not start (see {folder.logs / 'supervisor.log'}).")


def _await_ready(connection: socket.socket, progress: Callable[[str], None]) -> bool:
    """True when both engines answer; False if the supervisor is just leaving."""
    with connection.makefile("rb") as lines:
        for line in lines:
            message: dict[str, Any] = json.loads(line)
            if message["kind"] == "ready":
                return True
            if message["kind"] == "failed":
                connection.close()
                raise getattr(errors, message["error"])(message["message"])
            progress(message["text"])
    connection.close()
    return False


def _held_by(folder: EngineFolder) -> str:
    holder = ""
    with suppress(OSError):
        holder = folder.supervisor_lock.read_text()
    return (
        f"The engines of {folder.data_dir} are held by process {holder or 'unknown'}, which does not answer: "
        "end that process, then retry."
    )
