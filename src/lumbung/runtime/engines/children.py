"""Child processes of the supervisor: started, awaited and reaped without polling."""

from __future__ import annotations

import asyncio
import ctypes
import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from signal import Signals
from typing import IO, TYPE_CHECKING

from lumbung.runtime.engines.binaries import cannot_run
from lumbung.runtime.engines.privilege import Account, no_unprivileged_user

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

PR_SET_PDEATHSIG = 1
PR_SET_CHILD_SUBREAPER = 36
ENGINE_PROGRAMS = {"postgres", "initdb", "nats-server"}
KEPT_ENVIRONMENT = ("PATH", "HOME", "TMPDIR", "TZ", "LD_LIBRARY_PATH")


@dataclass
class Child:
    pid: int
    exited: asyncio.Future[int]
    output: asyncio.StreamReader

    @property
    def running(self) -> bool:
        return not self.exited.done()

    def tell(self, number: Signals) -> None:
        if self.running:
            with suppress(ProcessLookupError):
                os.kill(self.pid, number)

    async def stop(self, first: Signals, patience_seconds: float) -> int:
        """Ask, wait, then kill: a frozen child must not hold us up for ever."""
        self.tell(first)
        self.tell(signal.SIGCONT)
        try:
            return await asyncio.wait_for(asyncio.shield(self.exited), patience_seconds)
        except TimeoutError:
            self.tell(signal.SIGKILL)
            return await self.exited


class Nursery:
    """Starts children and reaps everything that becomes ours, orphans of a killed child included."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._waiting: dict[int, asyncio.Future[int]] = {}
        self._loop.add_signal_handler(signal.SIGCHLD, self._reap)
        _prctl(PR_SET_CHILD_SUBREAPER, 1)

    async def start(
        self,
        arguments: Sequence[str | Path],
        *,
        folder: Path,
        account: Account | None = None,
        death_signal: Signals = signal.SIGTERM,
        kept_descriptors: Sequence[int] = (),
        standard_input: IO[bytes] | None = None,
    ) -> Child:
        try:
            process = subprocess.Popen(  # noqa: ASYNC220 - it returns as soon as the program runs
                [str(argument) for argument in arguments],
                cwd=folder,
                stdin=standard_input or subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                env={"LC_ALL": "C", **{name: os.environ[name] for name in KEPT_ENVIRONMENT if name in os.environ}},
                pass_fds=tuple(kept_descriptors),
                start_new_session=True,
                umask=0o077,
                # Changing the user clears the death signal, so both happen here, in this order.
                preexec_fn=_child_setup(account, death_signal),  # noqa: PLW1509 - it calls the kernel alone, no lock of ours
            )
        except subprocess.SubprocessError as error:
            raise no_unprivileged_user(error) from error
        except OSError as error:
            raise cannot_run(Path(arguments[0]), error) from error
        exited: asyncio.Future[int] = self._loop.create_future()
        self._waiting[process.pid] = exited
        process.returncode = 0  # we reap it ourselves
        reader = asyncio.StreamReader()
        await self._loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), process.stdout)
        return Child(process.pid, exited, reader)

    async def run(
        self,
        arguments: Sequence[str | Path],
        *,
        folder: Path,
        account: Account | None = None,
        standard_input: IO[bytes] | None = None,
    ) -> tuple[int, str]:
        """Run a program to its end; its exit code and what it said."""
        child = await self.start(
            arguments, folder=folder, account=account, death_signal=signal.SIGKILL, standard_input=standard_input
        )
        said = await child.output.read()
        return await child.exited, said.decode(errors="replace")

    def kill_all(self) -> None:
        for pid in self._waiting:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)

    def _reap(self) -> None:
        while True:
            try:
                pid, status = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                return
            if pid == 0:
                return
            exited = self._waiting.pop(pid, None)
            if exited is not None and not exited.done():
                exited.set_result(os.waitstatus_to_exitcode(status))


def _child_setup(account: Account | None, death_signal: Signals) -> Callable[[], None]:
    parent = os.getpid()

    def setup() -> None:
        if account is not None:
            os.setgroups([])
            os.setgid(account.gid)
            os.setuid(account.uid)
        _prctl(PR_SET_PDEATHSIG, death_signal)
        if os.getppid() != parent:
            os._exit(1)

    return setup


_LIBC = ctypes.CDLL(None, use_errno=True) if sys.platform == "linux" else None


def _prctl(option: int, argument: int) -> None:
    """Linux only; elsewhere the next supervisor finds and ends what a killed one left behind."""
    if _LIBC is not None:
        _LIBC.prctl(option, argument, 0, 0, 0)


def engine_processes(mark: str) -> list[int]:
    """The engine processes of one data folder, known by the mark that each of them shows in its command line.

    The mark is visible to everybody, unlike the working folder, which root in a container may not look up.
    """
    wanted = mark.encode()
    found = []
    for entry in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            if wanted in (entry / "cmdline").read_bytes() and (entry / "comm").read_text().strip() in ENGINE_PROGRAMS:
                found.append(int(entry.name))
    return found


async def end_leftovers(mark: str, patience_seconds: float = 0.0) -> None:
    """See that nothing a dead engine or supervisor left behind still runs."""
    deadline = time.monotonic() + patience_seconds
    while leftovers := engine_processes(mark):
        if time.monotonic() >= deadline:
            for pid in leftovers:
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
        await asyncio.sleep(0.01)
