"""A machine of an operator's: its own user, home, data folder, clock and network; it shares nothing but addresses."""

from __future__ import annotations

import os
import stat
import sys
from dataclasses import dataclass
from pathlib import Path
from shlex import quote

from lumbung.runtime.engines.privilege import Account
from tests.acceptance.system.program import Program
from tests.cluster.network import Cable

FIRST_USER = 61200
TREE = Path(__file__).parents[2]
FAKETIME = next(iter(sorted(Path("/usr/lib").glob("*/faketime/libfaketime.so.1"))), None)


@dataclass(frozen=True)
class Machine:
    program: Program
    cable: Cable | None


def own_machine(folder: Path, number: int, clock: str, addresses: dict[str, str], cable: Cable | None) -> Machine:
    """Without a cable, which only root has, all machines are this user's own, and on loopback."""
    home = folder / "home"
    home.mkdir(parents=True)
    prefix: tuple[str, ...] = ()
    if cable is not None:
        account = Account(FIRST_USER + number, FIRST_USER + number)
        for each in (folder, home):
            each.chmod(0o700)
            os.chown(each, account.uid, account.gid)
        prefix = (*cable.prefix, *as_user(account, folder), *shifted(clock))
    program = Program(folder / "data", {"HOME": str(home)} | addresses, prefix)
    return Machine(program, cable)


def shifted(clock: str) -> tuple[str, ...]:
    """What the wall clock is off by; steady clocks are not, or programs that wait would wait for as long."""
    if FAKETIME is None:
        return ()
    return ("env", f"LD_PRELOAD={FAKETIME}", f"FAKETIME={clock}", "FAKETIME_DONT_FAKE_MONOTONIC=1")


def as_user(account: Account, folder: Path) -> tuple[str, ...]:
    """Starts a program as this user, who can read the programs wherever they are installed, and nothing else there."""
    user = ["setpriv", f"--reuid={account.uid}", f"--regid={account.gid}", "--clear-groups", "--no-new-privs"]
    script = "\n".join(["set -e", *uncovering(folder), 'exec "$@"'])
    return ("unshare", "--mount", "sh", "-c", script, "sh", *user, "--pdeathsig", "KILL")


def uncovering(folder: Path) -> list[str]:
    """In the mounts of the machine alone: a folder that is shut to it is covered, and holds only the programs."""
    shut = {path: shut_above(path) for path in programs()}
    aside = {path: folder / f"programs-{number}" for number, path in enumerate(shut) if shut[path]}
    lines = [
        f"mkdir -p {quote(str(to))} && mount --bind {quote(str(path))} {quote(str(to))}" for path, to in aside.items()
    ]
    lines += [
        f"mount -t tmpfs -o mode=755 programs {quote(str(each))}"
        for each in sorted({each for each in shut.values() if each})
    ]
    lines += [
        f"mkdir -p {quote(str(path))} && mount --bind {quote(str(to))} {quote(str(path))}" for path, to in aside.items()
    ]
    return lines


def shut_above(path: Path) -> Path | None:
    """The topmost folder above it that others do not pass."""
    return next((each for each in reversed(path.parents) if not each.stat().st_mode & stat.S_IXOTH), None)


def programs() -> list[Path]:
    return sorted({Path(sys.base_prefix).resolve(), Path(sys.prefix).resolve(), TREE})
