"""A client's side of the supervisor: find it, start it, wait until the engines answer."""

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
from typing import TYPE_CHECKING

import lumbung
from lumbung import errors
from lumbung.errors import EngineUnavailable
from lumbung.runtime.engines import control
from lumbung.runtime.engines.layout import EngineFolder, folder_error
from lumbung.runtime.engines.lock import is_held
from lumbung.runtime.engines.nats import wipe_store
from lumbung.runtime.engines.sockets import CONTROL_SOCKET, recorded_socket_folder

if TYPE_CHECKING:
    from collections.abc import Callable

HOLDER_PATIENCE_SECONDS = 90.0
HELLO_SECONDS = 30.0
RETRY_SECONDS = 0.02
KEPT_ENVIRONMENT = ("PATH", "HOME", "TMPDIR", "TZ", "LD_LIBRARY_PATH", "XDG_RUNTIME_DIR")


@dataclass(frozen=True)
class StartOptions:
    fsync: bool
    sync_interval: str


@dataclass(frozen=True)
class EnginePids:
    supervisor: int
    postgres: int | None
    nats: int | None


class SupervisorConnection:
    """Reads by itself rather than through a file object, whose lock a forked child could inherit locked."""

    def __init__(self, link: socket.socket) -> None:
        self._link = link
        self._received = b""

    def next_message(self) -> dict[str, str] | None:
        """None when the supervisor is gone."""
        while b"\n" not in self._received:
            try:
                chunk = self._link.recv(4096)
            except TimeoutError:
                raise
            except OSError:
                return None
            if not chunk:
                return None
            self._received += chunk
        line, _, self._received = self._received.partition(b"\n")
        message: dict[str, str] = json.loads(line)
        return message

    def await_ready(self, progress: Callable[[str], None]) -> bool:
        """True when both engines answer, however long that takes; False if the supervisor is just leaving."""
        self._link.settimeout(HELLO_SECONDS)
        message = self.next_message()
        self._link.settimeout(None)
        while message is not None and message["kind"] != control.STOPPED:
            if message["kind"] == control.READY:
                return True
            if message["kind"] == control.FAILED_FOR_GOOD:
                self.wait_for_end()
            if message["kind"] in {control.FAILED, control.FAILED_FOR_GOOD}:
                raise _told_error(message)
            if message["kind"] == control.PROGRESS:
                progress(message["text"])
            message = self.next_message()
        return False

    def wait_for_end(self) -> bool:
        """Returns when the supervisor goes; True if it was stopped on purpose."""
        while (message := self.next_message()) is not None:
            if message["kind"] == control.STOPPED:
                return True
        return False

    def say(self, word: bytes) -> None:
        with suppress(OSError):
            self._link.sendall(word)

    def leave(self) -> None:
        self.say(control.LEAVE)

    def drop(self) -> None:
        self._link.close()


def attach_to_supervisor(
    folder: EngineFolder, options: StartOptions, progress: Callable[[str], None]
) -> SupervisorConnection:
    folder.prepare()
    deadline = time.monotonic() + HOLDER_PATIENCE_SECONDS
    while time.monotonic() < deadline:
        connection = connect(folder)
        if connection is None:
            if not is_held(folder.supervisor_lock):
                _start_supervisor(folder, options)
            time.sleep(RETRY_SECONDS)
            continue
        try:
            if connection.await_ready(progress):
                return connection
        except TimeoutError as error:
            connection.drop()
            raise EngineUnavailable(_who_holds(folder)) from error
        except errors.LumbungError:
            connection.drop()
            raise
        connection.drop()
    raise EngineUnavailable(_who_holds(folder))


def connect(folder: EngineFolder) -> SupervisorConnection | None:
    try:
        sockets = recorded_socket_folder(folder)
    except OSError as error:
        raise folder_error(folder.data_dir, error) from error
    if sockets is None:
        return None
    link = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        link.connect(str(sockets / CONTROL_SOCKET))
    except OSError:
        link.close()
        return None
    return SupervisorConnection(link)


def _start_supervisor(folder: EngineFolder, options: StartOptions) -> None:
    """Returns when a supervisor listens: ours, or the one that was faster."""
    command = [sys.executable, "-P", "-m", "lumbung.runtime.engines.supervisor", str(folder.data_dir)]
    command += ["--sync-interval", options.sync_interval, *(() if options.fsync else ("--no-fsync",))]
    environment = {name: os.environ[name] for name in KEPT_ENVIRONMENT if name in os.environ}
    import_path = [str(Path(lumbung.__file__).parent.parent), *filter(None, [os.environ.get("PYTHONPATH")])]
    answer = subprocess.run(
        command,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        cwd="/",
        start_new_session=True,
        env=environment | {"PYTHONPATH": os.pathsep.join(import_path)},
        check=False,
    )
    said = answer.stdout.decode(errors="replace").strip()
    if said.startswith("{"):
        raise _told_error(json.loads(said))
    if said not in {"listening", "busy"}:
        complaint = answer.stderr.decode(errors="replace").strip().splitlines()
        last = complaint[-1] if complaint else f"it ended with code {answer.returncode}"
        raise EngineUnavailable(f"The engines' supervisor does not start: {last}.")


def _told_error(message: dict[str, str]) -> errors.LumbungError:
    kind: type[errors.LumbungError] = getattr(errors, message["error"])
    return kind(message["message"])


def _who_holds(folder: EngineFolder) -> str:
    holder = ""
    with suppress(OSError):
        holder = folder.supervisor_lock.read_text()
    return (
        f"The engines of {folder.data_dir} are held by process {holder or 'unknown'}, which does not answer: "
        "end that process, then retry."
    )


def stop_engines(data_dir: Path) -> bool:
    """Have both engines shut down cleanly, whoever uses them; False if none ran."""
    folder = EngineFolder(data_dir.absolute())
    found = False
    deadline = time.monotonic() + HOLDER_PATIENCE_SECONDS
    while is_held(folder.supervisor_lock):
        found = True
        connection = connect(folder)
        if connection is not None:
            connection.say(control.STOP)
            connection.wait_for_end()
            connection.drop()
        if time.monotonic() > deadline:
            raise EngineUnavailable(_who_holds(folder))
        time.sleep(RETRY_SECONDS)
    return found


def engine_pids(data_dir: Path) -> EnginePids | None:
    """The processes; an engine that is down has none, and the answer is None if no supervisor holds the folder."""
    folder = EngineFolder(data_dir.absolute())
    if not is_held(folder.supervisor_lock):
        return None
    try:
        return EnginePids(**json.loads(folder.state.read_text()))
    except FileNotFoundError:
        return EnginePids(int(folder.supervisor_lock.read_text()), None, None)


def wipe_nats_store(data_dir: Path) -> None:
    """Delete all that the broker keeps; a running one is back, empty and on the same port, when this returns."""
    folder = EngineFolder(data_dir.absolute())
    connection = connect(folder)
    if connection is None:
        wipe_store(folder)
        return
    connection.say(control.WIPE_NATS)
    while (message := connection.next_message()) is not None and message["kind"] != control.DONE:
        pass
    connection.drop()
