"""Which account the engines run as. PostgreSQL refuses to run as root, and neither engine should."""

from __future__ import annotations

import os
import pwd
import stat
from dataclasses import dataclass
from pathlib import Path

from lumbung.errors import EngineUnavailable

# Between the ranges that Linux distributions and service supervisors hand out, so that it belongs to no one else.
UNUSED_IDS = range(60706, 61184)
SETUP_ACCOUNT = "nobody"


@dataclass(frozen=True)
class Account:
    uid: int
    gid: int


def engine_account(cluster: Path) -> Account | None:
    """The account for the engines when we are root; None means: as ourselves.

    An existing cluster keeps its owner, so one made by an ordinary user stays that user's.
    """
    if os.geteuid() != 0:
        return None
    if cluster.exists():
        owner = cluster.stat()
        if owner.st_uid != 0:
            return Account(owner.st_uid, owner.st_gid)
    free = next(uid for uid in UNUSED_IDS if not _is_known(uid))
    return Account(free, free)


def _is_known(uid: int) -> bool:
    try:
        pwd.getpwuid(uid)
    except KeyError:
        return False
    return True


def setup_account() -> Account | None:
    """initdb looks its user up by name, so it needs an account that exists; the files are handed over afterwards."""
    if os.geteuid() != 0:
        return None
    try:
        entry = pwd.getpwnam(SETUP_ACCOUNT)
    except KeyError:
        entry = next(known for known in pwd.getpwall() if known.pw_uid != 0)
    return Account(entry.pw_uid, entry.pw_gid)


def become_owner_of(folder: Path) -> None:
    """Root at an ordinary user's folder works as that user, so that nothing in it becomes root's."""
    owner = folder.stat()
    if os.geteuid() != 0 or owner.st_uid == 0:
        return
    try:
        os.setgroups([])
        os.setgid(owner.st_gid)
        os.setuid(owner.st_uid)
    except OSError as error:
        raise no_unprivileged_user(error) from error


def no_unprivileged_user(error: Exception) -> EngineUnavailable:
    return EngineUnavailable(
        f"The engines must not run as root, and another user cannot be taken here ({error}): "
        "run Lumbung as an ordinary user."
    )


def give_tree(folder: Path, account: Account | None) -> None:
    if account is None:
        return
    try:
        os.chown(folder, account.uid, account.gid)
        for parent, folders, files in os.walk(folder):
            for name in folders + files:
                os.chown(Path(parent) / name, account.uid, account.gid, follow_symlinks=False)
    except OSError as error:
        raise no_unprivileged_user(error) from error


def can_traverse(path: Path, account: Account) -> bool:
    """Whether the account can pass every folder above the path and read the path itself."""
    resolved = path.resolve()
    return all(_permits(folder, account, stat.S_IXUSR) for folder in resolved.parents) and _permits(
        resolved, account, stat.S_IRUSR
    )


def _permits(path: Path, account: Account, owner_bit: int) -> bool:
    status = path.stat()
    if status.st_uid == account.uid:
        return bool(status.st_mode & owner_bit)
    if status.st_gid == account.gid:
        return bool(status.st_mode & (owner_bit >> 3))
    return bool(status.st_mode & (owner_bit >> 6))
