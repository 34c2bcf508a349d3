"""The process that holds both engines: one to a data folder, alive while any client is.

Started by the first client (`python -m lumbung.runtime.engines.supervisor DATA_DIR`); each client keeps one
connection to its control socket, which the kernel closes however the client ends.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import signal
import sys
from contextlib import suppress
from pathlib import Path

from lumbung.errors import EngineUnavailable, LumbungError
from lumbung.runtime.engines.children import Nursery
from lumbung.runtime.engines.layout import EngineFolder, folder_error, write_private
from lumbung.runtime.engines.lock import FileLock
from lumbung.runtime.engines.nats import NatsEngine
from lumbung.runtime.engines.postgres import PostgresEngine
from lumbung.runtime.engines.privilege import engine_account
from lumbung.runtime.engines.sockets import CONTROL_SOCKET, prepare_socket_folder

EXIT_BUSY = 75
FIRST_CLIENT_SECONDS = 30.0
RESTART_PAUSE_SECONDS = (0.0, 0.1, 0.5, 1.0, 2.0, 5.0)


class Supervisor:
    def __init__(self, data_dir: Path, *, fsync: bool, sync_interval: str) -> None:
        self._folder = EngineFolder(data_dir)
        self._nursery = Nursery()
        self._postgres = PostgresEngine(data_dir, nursery=self._nursery, fsync=fsync, progress=self._tell_progress)
        self._nats = NatsEngine(data_dir, nursery=self._nursery, sync_interval=sync_interval)
        self._clients: set[asyncio.StreamWriter] = set()
        self._verdict: dict[str, object] | None = None
        self._stopping = asyncio.Event()

    async def run(self) -> None:
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            loop.add_signal_handler(number, self._stopping.set)
        control = prepare_socket_folder(self._folder, engine_account(self._folder.cluster)) / CONTROL_SOCKET
        control.unlink(missing_ok=True)
        server = await asyncio.start_unix_server(self._serve, control)
        control.chmod(0o600)
        _tell_starter("listening")
        loop.call_later(FIRST_CLIENT_SECONDS, self._stop_if_alone)
        work = asyncio.create_task(self._run_engines())
        await self._stopping.wait()
        control.unlink(missing_ok=True)
        server.close()
        await self._shut_down(work)

    async def _run_engines(self) -> None:
        try:
            await self._postgres.start()
            await self._nats.start()
        except (LumbungError, OSError) as error:
            known = folder_error(self._folder.data_dir, error) if isinstance(error, OSError) else error
            self._announce({"kind": "failed", "error": type(known).__name__, "message": str(known)})
            self._stopping.set()
            return
        self._write_state()
        self._announce({"kind": "ready"})
        await asyncio.gather(self._watch(self._postgres), self._watch(self._nats))

    async def _watch(self, engine: PostgresEngine | NatsEngine) -> None:
        """Start the engine again whenever it dies; the pauses grow while it cannot."""
        failures = 0
        while True:
            await engine.died()
            while True:
                await asyncio.sleep(RESTART_PAUSE_SECONDS[min(failures, len(RESTART_PAUSE_SECONDS) - 1)])
                try:
                    await engine.start()
                except (EngineUnavailable, OSError) as error:
                    failures += 1
                    self._tell_progress(str(error))
                else:
                    failures = 0
                    self._write_state()
                    break

    async def _shut_down(self, work: asyncio.Task[None]) -> None:
        work.cancel()
        with suppress(asyncio.CancelledError):
            await work
        await asyncio.gather(self._postgres.stop(), self._nats.stop())
        self._folder.state.unlink(missing_ok=True)
        for client in self._clients:
            client.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._clients.add(writer)
        if self._verdict is not None:
            _send(writer, self._verdict)
        try:
            async for line in reader:
                if line == b"stop\n":
                    self._stopping.set()
                elif line == b"leave\n" and self._clients == {writer}:
                    self._stopping.set()
                elif line == b"leave\n":
                    break
        except ConnectionError:
            pass
        if not self._stopping.is_set():
            self._clients.discard(writer)
            writer.close()
            self._stop_if_alone()

    def _stop_if_alone(self) -> None:
        if not self._clients:
            self._stopping.set()

    def _announce(self, verdict: dict[str, object]) -> None:
        self._verdict = verdict
        for client in self._clients:
            _send(client, verdict)

    def _tell_progress(self, text: str) -> None:
        for client in self._clients:
            _send(client, {"kind": "progress", "text": text})

    def _write_state(self) -> None:
        state = {"supervisor": os.getpid(), "postgres": self._postgres.pid, "nats": self._nats.pid}
        with suppress(OSError):
            write_private(self._folder.state, json.dumps(state))


def _send(writer: asyncio.StreamWriter, message: dict[str, object]) -> None:
    with suppress(ConnectionError):
        writer.write(json.dumps(message).encode() + b"\n")


def _tell_starter(word: str) -> None:
    """One word to the client that started us, then let go of its pipe."""
    with suppress(OSError):
        os.write(sys.stdout.fileno(), word.encode() + b"\n")
    silence = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1):
        os.dup2(silence, descriptor)


async def _supervise(arguments: argparse.Namespace) -> int:
    folder = EngineFolder(arguments.data_dir)
    folder.prepare()
    lock = FileLock(folder.supervisor_lock)
    if not lock.take():
        return EXIT_BUSY
    os.ftruncate(lock.descriptor, 0)
    os.pwrite(lock.descriptor, str(os.getpid()).encode(), 0)
    await Supervisor(arguments.data_dir, fsync=arguments.fsync, sync_interval=arguments.sync_interval).run()
    return 0


def main() -> int:
    parser = argparse.ArgumentParser(prog="lumbung-engines")
    parser.add_argument("data_dir", type=Path)
    parser.add_argument("--no-fsync", dest="fsync", action="store_false")
    parser.add_argument("--sync-interval", default="2m")
    return asyncio.run(_supervise(parser.parse_args()))


if __name__ == "__main__":
    sys.exit(main())
