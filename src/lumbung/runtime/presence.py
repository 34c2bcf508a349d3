"""Who does the work on a data folder: at most one `lumbung up` or harvest at a time, told by a kernel lock."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from lumbung.runtime.engines.layout import as_ours
from lumbung.runtime.engines.lock import FileLock

LOCK_NAME = "work.lock"
STOP_SECONDS = 60.0
SIGNING_SECONDS = 1.0


class WorkPresence:
    def __init__(self, data_dir: Path) -> None:
        self._data_dir = data_dir
        with self._told():
            data_dir.mkdir(parents=True, exist_ok=True)
        self._file = data_dir / LOCK_NAME
        self._lock = FileLock(self._file)
        self.is_ours = False

    def take(self) -> bool:
        """True if the work is ours now; the kernel gives it back however we end."""
        with self._told():
            if not self._lock.take():
                return False
            self._file.write_text(str(os.getpid()), encoding="ascii")
        self.is_ours = True
        return True

    @contextmanager
    def _told(self) -> Iterator[None]:
        """A folder that cannot be used is told as the engines would, who come later."""
        try:
            yield
        except OSError as error:
            raise as_ours(self._data_dir, error) from error

    def leave(self) -> None:
        self.is_ours = False
        self._lock.release()

    def holder(self) -> int | None:
        """The process that does the work, if any does. One that has just begun may not have written its number yet."""
        deadline = time.monotonic() + SIGNING_SECONDS
        while not self._lock.take():
            text = self._file.read_text(encoding="ascii").strip() if self._file.exists() else ""
            if text.isdigit() and self._is_open_in(int(text)):
                return int(text)
            if time.monotonic() > deadline:
                return None
        self._lock.release()
        return None

    def _is_open_in(self, process: int) -> bool:
        """A number that a dead one left behind may be another program's by now."""
        try:
            opened = list(Path(f"/proc/{process}/fd").iterdir())
        except FileNotFoundError:
            return not Path("/proc/self").exists()  # nobody to ask there
        except OSError:
            return True  # another user's, which we may not look into
        ours = self._file.stat()
        for each in opened:
            with suppress(OSError):
                if os.path.samestat(each.stat(), ours):
                    return True
        return False

    def stop_holder(self) -> bool:
        """Ask the working process to stop and wait until it has; False if none works."""
        holder = self.holder()
        if holder is None:
            return False
        with suppress(ProcessLookupError):
            os.kill(holder, signal.SIGTERM)
        deadline = time.monotonic() + STOP_SECONDS
        while self.holder() is not None and time.monotonic() < deadline:
            time.sleep(0.1)
        return True
