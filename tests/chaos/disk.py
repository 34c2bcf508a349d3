"""A small disk under a data folder, which can be filled: a tmpfs where mounting is allowed."""

from __future__ import annotations

import shutil
import subprocess
from contextlib import suppress
from pathlib import Path

SPARE_BYTES = 160 * 1024 * 1024
PIECE = bytes(256 * 1024)


class SmallDisk:
    """`is_small` is False where nothing may be mounted; then the folder is an ordinary one."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.is_small = False

    def hold_copy_of(self, prepared: Path) -> None:
        self.folder.mkdir(parents=True)
        size = sum(file.stat().st_size for file in prepared.rglob("*") if file.is_file() and not file.is_symlink())
        command = ["mount", "-t", "tmpfs", "-o", f"size={size + SPARE_BYTES},mode=0755", "tmpfs", str(self.folder)]
        with suppress(OSError):
            self.is_small = subprocess.run(command, capture_output=True, check=False).returncode == 0
        shutil.copytree(prepared, self.folder, symlinks=True, dirs_exist_ok=True)

    def fill(self) -> None:
        with (self.folder / "ballast").open("ab", buffering=0) as ballast, suppress(OSError):
            while True:
                ballast.write(PIECE)

    def empty(self) -> None:
        (self.folder / "ballast").unlink(missing_ok=True)

    def remove(self) -> None:
        if self.is_small:
            subprocess.run(["umount", "-l", str(self.folder)], capture_output=True, check=False)
        shutil.rmtree(self.folder, ignore_errors=True)
