"""The supervisor's side of its clients: one connection each, which the kernel closes however the client ends."""

from __future__ import annotations

import asyncio
import json
import socket
from contextlib import suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from pathlib import Path

    from lumbung.errors import LumbungError

FAREWELL_SECONDS = 1.0
FIRST_CLIENT_SECONDS = 30.0
HELLO = "hello"
PROGRESS = "progress"
READY = "ready"
FAILED = "failed"
FAILED_FOR_GOOD = "failed for good"
STOPPED = "stopped"
DONE = "done"
LEAVE = b"leave\n"
STOP = b"stop\n"
WIPE_NATS = b"wipe-nats\n"


class Control:
    """Counts the clients, tells them how the engines are, and takes their few words."""

    def __init__(
        self,
        *,
        alone: Callable[[], None],
        stop: Callable[[], None],
        wipe_nats: Callable[[], Awaitable[None]],
        is_ready: Callable[[], bool],
    ) -> None:
        self._alone = alone
        self._stop = stop
        self._wipe_nats = wipe_nats
        self._is_ready = is_ready
        self._attached: set[asyncio.StreamWriter] = set()
        self._waiting: set[asyncio.StreamWriter] = set()
        self._server: asyncio.AbstractServer | None = None
        self._conversations: set[asyncio.Task[None]] = set()
        self._closing = False
        self._last_progress = ""
        self._final_failure: dict[str, str] = {}
        self._heard = asyncio.Event()

    async def listen(self, path: Path) -> None:
        self._server = await asyncio.start_unix_server(self._serve, sock=_bound(path))

    @property
    def has_clients(self) -> bool:
        return bool(self._attached or self._waiting)

    def progress(self, text: str) -> None:
        self._last_progress = text
        self._tell_waiting({"kind": PROGRESS, "text": text})

    def ready(self) -> None:
        self._last_progress = ""
        self._tell_waiting({"kind": READY})
        self._attached |= self._waiting
        self._waiting.clear()

    def failed(self, error: LumbungError) -> None:
        """Those who wait are told why and leave; those who work already wait on for the engine's return."""
        self._tell_waiting(failure(error))

    async def failed_for_good(self, error: LumbungError) -> None:
        """As above, but returns only when somebody has heard it, or nobody came to hear."""
        self._final_failure = failure(error) | {"kind": FAILED_FOR_GOOD}
        self._tell_waiting(self._final_failure)
        if self._waiting:
            self._heard.set()
        with suppress(TimeoutError):
            await asyncio.wait_for(self._heard.wait(), FIRST_CLIENT_SECONDS)

    def stop_listening(self) -> None:
        self._closing = True
        if self._server is not None:
            self._server.close()

    async def dismiss(self, *, on_purpose: bool) -> None:
        """End all connections; a client that was not told it is on purpose starts the engines again."""
        for writer in self._attached | self._waiting:
            if on_purpose:
                _send(writer, {"kind": STOPPED})
            writer.close()
        if self._conversations:
            await asyncio.wait(self._conversations, timeout=FAREWELL_SECONDS)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        conversation = asyncio.current_task()
        if conversation is not None:
            self._conversations.add(conversation)
            conversation.add_done_callback(self._conversations.discard)
        _send(writer, {"kind": HELLO})
        self._waiting.add(writer)
        if self._is_ready():
            self.ready()
        elif self._final_failure:
            _send(writer, self._final_failure)
            self._heard.set()
        elif self._last_progress:
            _send(writer, {"kind": PROGRESS, "text": self._last_progress})
        with suppress(ConnectionError, ValueError):
            async for line in reader:
                if line == LEAVE and (self._attached | self._waiting) != {writer}:
                    break
                await self._obey(line, writer)
        if not self._closing:
            self._attached.discard(writer)
            self._waiting.discard(writer)
            writer.close()
            if not self.has_clients:
                self._alone()

    async def _obey(self, line: bytes, writer: asyncio.StreamWriter) -> None:
        if line == LEAVE:
            self._alone()
        elif line == STOP:
            self._stop()
        elif line == WIPE_NATS:
            await self._wipe_nats()
            _send(writer, {"kind": DONE})

    def _tell_waiting(self, message: dict[str, str]) -> None:
        for writer in self._waiting:
            _send(writer, message)


def failure(error: LumbungError) -> dict[str, str]:
    return {"kind": FAILED, "error": type(error).__name__, "message": str(error)}


def _bound(path: Path) -> socket.socket:
    path.unlink(missing_ok=True)
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    listener.bind(str(path))
    path.chmod(0o600)
    return listener


def _send(writer: asyncio.StreamWriter, message: dict[str, str]) -> None:
    with suppress(ConnectionError, RuntimeError):
        writer.write(json.dumps(message).encode() + b"\n")
