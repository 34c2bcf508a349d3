"""Where tests put their files: in memory, where there is plenty.

A database is a thousand small files, and tests make hundreds of databases: on some disks that takes as long as all the
rest. What is there is gone when the run ends; what a killed run left, the next one removes.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path

import psutil

MEMORY = Path("/dev/shm")
PREFIX = "lumbung-tests-"
MOST_TAKEN_BYTES = 3 * 2**30
"""What five workers with their engines, and the data folders of the longest tests, come to."""
LEFT_OVER_BYTES = 3 * 2**30
"""For the programs themselves."""


def take() -> Path | None:
    """A folder in memory for all temporary files of this process and of those it starts; None where the disk serves."""
    if PREFIX in tempfile.gettempdir() or not _has_room():
        return None
    _sweep()
    folder = Path(tempfile.mkdtemp(prefix=f"{PREFIX}{os.getpid()}-", dir=MEMORY))
    folder.chmod(0o755)
    os.environ["TMPDIR"] = tempfile.tempdir = str(folder)
    return folder


def leave(folder: Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)


def _has_room() -> bool:
    if not os.access(MEMORY, os.W_OK | os.X_OK):
        return False
    enough = psutil.virtual_memory().available >= MOST_TAKEN_BYTES + LEFT_OVER_BYTES
    return enough and shutil.disk_usage(MEMORY).free >= MOST_TAKEN_BYTES


def _sweep() -> None:
    for folder in MEMORY.glob(f"{PREFIX}*"):
        process = folder.name.removeprefix(PREFIX).partition("-")[0]
        if not process.isdigit() or not psutil.pid_exists(int(process)):
            leave(folder)
