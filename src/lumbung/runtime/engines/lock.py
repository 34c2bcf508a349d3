"""Kernel locks on files: released by the kernel when their last holder dies, however it dies."""

from __future__ import annotations

import fcntl
import os
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

# Whoever only asks whether a lock is held takes it for an instant.
PATIENCE_SECONDS = 0.2


class FileLock:
    """An exclusive flock. Its descriptor may be inherited, and then the child holds it too."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._descriptor: int | None = None

    @property
    def descriptor(self) -> int:
        if self._descriptor is None:
            raise RuntimeError(f"{self.path} is not locked")
        return self._descriptor

    def take(self, patience_seconds: float = PATIENCE_SECONDS) -> bool:
        """True if we hold it now; False if somebody else does."""
        if self._descriptor is not None:
            return True
        descriptor = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        deadline = time.monotonic() + patience_seconds
        while True:
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                if time.monotonic() >= deadline:
                    os.close(descriptor)
                    return False
                time.sleep(0.005)
            else:
                self._descriptor = descriptor
                return True

    def sign(self, holder: str) -> None:
        """Leave a word about who holds it, for error messages only."""
        os.ftruncate(self.descriptor, 0)
        os.pwrite(self.descriptor, holder.encode(), 0)

    def still_in_place(self) -> bool:
        """Whether the path still names the file we hold: it does not when the folder was deleted or replaced."""
        try:
            return os.path.samestat(os.fstat(self.descriptor), self.path.stat())
        except OSError:
            return False

    def release(self) -> None:
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None


def is_held(path: Path) -> bool:
    try:
        probe = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    except FileNotFoundError:
        return False
    try:
        fcntl.flock(probe, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    else:
        return False
    finally:
        os.close(probe)
