"""The program as a user starts it, on a data folder of its own."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

START = [sys.executable, "-c", "from lumbung.cli.app import main; main()"]
PATIENCE_SECONDS = 240
"""For a harvest that takes ten seconds on a quiet machine and shares a busy one."""


@dataclass
class Program:
    data_dir: Path
    environment: dict[str, str] = field(default_factory=dict)
    prefix: tuple[str, ...] = ()
    """A program that starts it with fewer rights than ours."""

    def _environment(self) -> dict[str, str]:
        own = {name: value for name, value in os.environ.items() if not name.startswith("LUMBUNG_")}
        return own | {"LUMBUNG_DATA_DIR": str(self.data_dir), "NO_COLOR": "1"} | self.environment

    def __call__(self, *arguments: str | Path, expect: int = 0, folder: Path | None = None) -> str:
        """What it wrote on standard output; its exit code must be the expected one, and it never shows a traceback."""
        done = self.run(*arguments, folder=folder)
        assert done.returncode == expect, done.stderr
        return done.stdout

    def run(self, *arguments: str | Path, folder: Path | None = None) -> subprocess.CompletedProcess[str]:
        done = subprocess.run(
            [*self.prefix, *START, *map(str, arguments)],
            env=self._environment(),
            cwd=folder or self.data_dir.parent,
            capture_output=True,
            text=True,
            timeout=PATIENCE_SECONDS,
            check=False,
        )
        assert "Traceback" not in done.stderr, done.stderr
        return done

    def complaint(self, *arguments: str | Path, expect: int, folder: Path | None = None) -> str:
        """The one sentence of a command that cannot be done."""
        done = self.run(*arguments, folder=folder)
        assert done.returncode == expect, done.stderr
        assert done.stdout == ""
        sentences = [line for line in done.stderr.splitlines() if line.startswith("lumbung: ")]
        assert len(sentences) == 1, done.stderr
        return sentences[0].removeprefix("lumbung: ")

    def records(self, *arguments: str | Path) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self(*arguments).splitlines()]

    def start(self, *arguments: str | Path) -> Started:
        return Started(
            subprocess.Popen(
                [*self.prefix, *START, *map(str, arguments)],
                env=self._environment(),
                cwd=self.data_dir.parent,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
                start_new_session=True,
            )
        )


class Started:
    """A command that runs beside the test; what it says is read as it says it."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.process = process
        self.lines: list[str] = []
        self._said = threading.Condition()
        self._reading = threading.Thread(target=self._read, daemon=True)
        self._reading.start()

    def _read(self) -> None:
        assert self.process.stderr is not None
        for line in self.process.stderr:
            with self._said:
                self.lines.append(line.rstrip())
                self._said.notify_all()

    def until(self, told: Callable[[str], bool]) -> None:
        deadline = time.monotonic() + PATIENCE_SECONDS
        with self._said:
            while not any(told(line) for line in self.lines):
                assert self.process.poll() is None or self._reading.is_alive(), self.lines
                assert self._said.wait(deadline - time.monotonic()), self.lines

    def interrupt(self, times: int = 1) -> int:
        for _ in range(times):
            self.process.send_signal(signal.SIGINT)
        return self.end()

    def kill(self) -> None:
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait(PATIENCE_SECONDS)

    def end(self, within_seconds: float = PATIENCE_SECONDS) -> int:
        code = self.process.wait(within_seconds)
        self._reading.join(PATIENCE_SECONDS)
        assert not any("Traceback" in line for line in self.lines), "\n".join(self.lines)
        return code


def demo_web(folder: Path) -> Iterator[Path]:
    """The demo world in a process of its own; yields its --hosts file."""
    with subprocess.Popen([sys.executable, "-m", "lumbung.demo.server"], stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        lines = [server.stdout.readline()]
        total = len(list_hosts())
        lines += [server.stdout.readline() for _ in range(total - 1)]
        file = folder / "hosts.txt"
        file.write_text("".join(lines), encoding="ascii")
        try:
            yield file
        finally:
            server.terminate()


def list_hosts() -> list[str]:
    from lumbung.demo.pages import load_world

    return sorted(load_world())
