"""Turns at a host for programs that run without the engines: one lock file a host in the data folder.

A turn is held during the request; at its end the file says when the next may begin. A program that dies in its
turn leaves the time by which its request must be over.
"""

from __future__ import annotations

import asyncio
import fcntl
import hashlib
import json
import os
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from lumbung.errors import SettingsError, TransientError

POLL_SECONDS = 0.05


class TooLongToWait(TransientError):
    """The host's turn comes later than the caller waits."""

    def __init__(self, host: str, seconds: float) -> None:
        super().__init__(f"{host} may be asked again in {seconds:.0f} s")
        self.seconds = seconds


@dataclass(slots=True)
class Turn:
    """The request in progress; a longer pause than the usual one may be asked for."""

    pause_seconds: float


async def pause(seconds: float) -> None:
    """Not a moment less: timers of event loops are rounded, and may ring early."""
    until = time.monotonic() + seconds
    while (left := until - time.monotonic()) > 0.0:
        await asyncio.sleep(left)


def _boot_id() -> str:
    try:
        return Path("/proc/sys/kernel/random/boot_id").read_text("ascii").strip()
    except OSError:
        return ""


class HostTurns:
    def __init__(self, folder: Path, request_seconds: float, max_wait_seconds: float = 300.0) -> None:
        self._folder = folder
        self._request_seconds = request_seconds
        self._max_wait_seconds = max_wait_seconds
        self._boot = _boot_id()

    @asynccontextmanager
    async def turn(self, host: str, delay_seconds: float) -> AsyncIterator[Turn]:
        """Waits for the host's turn, and lets nobody else ask it until the delay after the end has passed."""
        give_up = time.monotonic() + self._max_wait_seconds
        handle = await self._locked(host, give_up)
        try:
            await self._wait_until_free(handle, host, give_up)
            self._write(handle, self._request_seconds + delay_seconds)
            turn = Turn(delay_seconds)
            try:
                yield turn
            finally:
                self._write(handle, turn.pause_seconds)
        finally:
            os.close(handle)

    async def _locked(self, host: str, give_up: float) -> int:
        handle = self._opened(host)
        try:
            while True:
                try:
                    fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
                except BlockingIOError:
                    if time.monotonic() > give_up:
                        raise TooLongToWait(host, self._request_seconds) from None
                    await asyncio.sleep(POLL_SECONDS)
                else:
                    return handle
        except BaseException:
            os.close(handle)
            raise

    def _opened(self, host: str) -> int:
        path = self._folder / f"{hashlib.sha256(host.encode()).hexdigest()[:32]}.json"
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            return os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        except OSError as error:
            message = f"{self._folder} cannot be written ({error.strerror}); set LUMBUNG_DATA_DIR to a folder that can."
            raise SettingsError(message) from error

    async def _wait_until_free(self, handle: int, host: str, give_up: float) -> None:
        seconds = self._seconds_left(handle)
        if time.monotonic() + seconds > give_up:
            raise TooLongToWait(host, seconds)
        await pause(seconds)

    def _seconds_left(self, handle: int) -> float:
        """By the monotonic clock within one boot of the machine; across boots by the other, never beyond the pause
        that was written, in case that clock was set back.
        """
        try:
            written = json.loads(os.pread(handle, 4096, 0))
            boot, pause = str(written["boot"]), float(written["pause"])
            monotonic, wall = float(written["monotonic"]), float(written["wall"])
        except (ValueError, KeyError, TypeError):
            return 0.0
        if boot and boot == self._boot:
            return max(0.0, monotonic + pause - time.monotonic())
        return min(max(0.0, wall + pause - time.time()), pause)

    def _write(self, handle: int, pause_seconds: float) -> None:
        content = {"boot": self._boot, "monotonic": time.monotonic(), "wall": time.time(), "pause": pause_seconds}
        data = json.dumps(content).encode()
        os.pwrite(handle, data, 0)
        os.ftruncate(handle, len(data))
