"""Kernel locks on files: released by the kernel when their last holder dies, however it dies."""

from __future__ import annotations

import fcntl
import os
from pathlib import Path


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

    def take(self) -> bool:
        """True if we hold it now; False if somebody else does."""
        if self._descriptor is not None:
            return True
        descriptor = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(descriptor)
            return False
        self._descriptor = descriptor
        return True

    def release(self) -> None:
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None


def is_held(path: Path) -> bool:
    if not path.exists():
        return False
    probe = FileLock(path)
    if probe.take():
        probe.release()
        return False
    return True
