"""The process that holds both engines: one to a data folder, alive while any client is.

The first client starts it (`python -m lumbung.runtime.engines.supervisor DATA_DIR`). It restarts an engine that
dies, and shuts both down cleanly when the last client has left, or at SIGTERM.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import signal
import time
import traceback
from contextlib import suppress
from pathlib import Path

from lumbung.errors import EngineUnavailable, LumbungError
from lumbung.runtime.engines.children import Nursery
from lumbung.runtime.engines.control import FIRST_CLIENT_SECONDS, Control, failure
from lumbung.runtime.engines.layout import EngineFolder, as_ours, write_private
from lumbung.runtime.engines.lock import FileLock
from lumbung.runtime.engines.nats import DEFAULT_SYNC_INTERVAL, NatsEngine
from lumbung.runtime.engines.postgres import PostgresEngine
from lumbung.runtime.engines.privilege import become_owner_of, engine_account
from lumbung.runtime.engines.sockets import CONTROL_SOCKET, prepare_socket_folder, remove_socket_folder

LISTENING = "listening"
BUSY = "busy"
STEADY_SECONDS = 5.0
SHORTEST_PAUSE_SECONDS = 0.1
LONGEST_PAUSE_SECONDS = 2.0


class Supervisor:
    def __init__(self, data_dir: Path, lock: FileLock, *, fsync: bool, sync_interval: str) -> None:
        self._folder = EngineFolder(data_dir)
        self._lock = lock
        self._up = asyncio.Event()
        self._over = asyncio.Event()
        self._on_purpose = False
        self._control = Control(
            alone=self._over.set, stop=self._stop, wipe_nats=self._wipe_nats, is_ready=self._up.is_set
        )
        self._nursery = Nursery()
        self._postgres = PostgresEngine(data_dir, nursery=self._nursery, fsync=fsync, progress=self._control.progress)
        self._nats = NatsEngine(data_dir, nursery=self._nursery, sync_interval=sync_interval)

    async def run(self) -> None:
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            loop.add_signal_handler(number, self._stop)
        sockets = prepare_socket_folder(self._folder, engine_account(self._folder.cluster))
        await self._control.listen(sockets / CONTROL_SOCKET)
        _tell_starter(LISTENING, self._folder.logs / "supervisor.log")
        loop.call_later(FIRST_CLIENT_SECONDS, self._leave_if_alone)
        work = asyncio.create_task(self._run_engines())
        work.add_done_callback(lambda _work: self._over.set())
        await self._over.wait()
        self._control.stop_listening()
        work.cancel()
        await asyncio.wait([work])
        await asyncio.gather(self._postgres.stop(), self._nats.stop())
        self._nursery.kill_all()
        self._folder.state.unlink(missing_ok=True)
        remove_socket_folder(sockets)
        self._lock.release()
        await self._control.dismiss(on_purpose=self._on_purpose)

    def _leave_if_alone(self) -> None:
        if not self._control.has_clients:
            self._over.set()

    def _stop(self) -> None:
        self._on_purpose = True
        self._over.set()

    async def _run_engines(self) -> None:
        try:
            await self._postgres.start()
            await self._nats.start()
            self._note_up()
            await asyncio.gather(self._watch(self._postgres), self._watch(self._nats))
        except (LumbungError, OSError) as error:
            await self._control.failed_for_good(as_ours(self._folder.data_dir, error))
        except Exception as error:
            traceback.print_exc()
            await self._control.failed_for_good(EngineUnavailable(f"The engines' supervisor failed: {error!r}."))
            raise

    async def _watch(self, engine: PostgresEngine | NatsEngine) -> None:
        """Start the engine again whenever it dies; the pauses grow while it cannot start."""
        while True:
            started = time.monotonic()
            await engine.died()
            self._up.clear()
            self._write_state()
            pause = 0.0 if time.monotonic() - started > STEADY_SECONDS else SHORTEST_PAUSE_SECONDS
            while not await self._revive(engine, pause):
                pause = min(LONGEST_PAUSE_SECONDS, pause * 2 + SHORTEST_PAUSE_SECONDS)

    async def _revive(self, engine: PostgresEngine | NatsEngine, pause: float) -> bool:
        await asyncio.sleep(pause)
        if not self._lock.still_in_place():
            # The data folder was deleted under us: nothing must bring it back.
            self._stop()
            await asyncio.Future()
        try:
            await engine.start()
        except (LumbungError, OSError) as error:
            self._control.failed(as_ours(self._folder.data_dir, error))
            return False
        self._note_up()
        return True

    async def _wipe_nats(self) -> None:
        self._up.clear()
        await self._nats.wipe()
        await self._up.wait()

    def _note_up(self) -> None:
        self._write_state()
        if self._postgres.pid is not None and self._nats.pid is not None:
            self._up.set()
            self._control.ready()

    def _write_state(self) -> None:
        pids = {"supervisor": os.getpid(), "postgres": self._postgres.pid, "nats": self._nats.pid}
        with suppress(OSError):
            write_private(self._folder.state, json.dumps(pids))


def _tell_starter(word: str, log: Path | None = None) -> None:
    """One word to the client that started us, then let go of its pipe."""
    with suppress(OSError):
        os.write(1, word.encode() + b"\n")
    silence = os.open(os.devnull, os.O_RDWR)
    os.dup2(silence, 1)
    os.dup2(silence if log is None else os.open(log, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), 2)


async def _supervise(data_dir: Path, *, fsync: bool, sync_interval: str) -> None:
    folder = EngineFolder(data_dir)
    try:
        folder.prepare()
        become_owner_of(folder.root)
        lock = FileLock(folder.supervisor_lock)
        if not lock.take():
            _tell_starter(BUSY)
            return
        lock.sign(str(os.getpid()))
        await Supervisor(data_dir, lock, fsync=fsync, sync_interval=sync_interval).run()
    except (LumbungError, OSError) as error:
        traceback.print_exc()
        _tell_starter(json.dumps(failure(as_ours(data_dir, error))))


def main() -> None:
    parser = argparse.ArgumentParser(prog="lumbung-engines")
    parser.add_argument("data_dir", type=Path)
    parser.add_argument("--no-fsync", dest="fsync", action="store_false")
    parser.add_argument("--sync-interval", default=DEFAULT_SYNC_INTERVAL)
    arguments = parser.parse_args()
    if os.fork() != 0:
        # The client waits for this half only, so the other is nobody's child to forget.
        os._exit(0)
    os.umask(0o077)
    asyncio.run(_supervise(arguments.data_dir, fsync=arguments.fsync, sync_interval=arguments.sync_interval))


if __name__ == "__main__":
    main()
