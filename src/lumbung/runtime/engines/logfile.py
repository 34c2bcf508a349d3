"""A log file that cannot fill the disk: two halves, the older is dropped."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

HALF_BYTES = 4 * 1024 * 1024


class LimitedLog:
    def __init__(self, path: Path, half_bytes: int = HALF_BYTES) -> None:
        self._path = path
        self._half_bytes = half_bytes
        self._last_lines: list[str] = []

    def write(self, line: bytes) -> str:
        """Append; a full disk loses log lines, never the engine."""
        text = line.decode(errors="replace").rstrip("\n")
        self._last_lines = [*self._last_lines[-19:], text]
        with suppress(OSError):
            if self._path.exists() and self._path.stat().st_size > self._half_bytes:
                self._path.replace(self._path.with_suffix(".old.log"))
            with self._path.open("ab") as stream:
                stream.write(line)
        return text

    @property
    def tail(self) -> str:
        return "\n".join(self._last_lines)
