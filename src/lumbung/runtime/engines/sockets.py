"""The private folder of the sockets: short for the kernel's limit, closed to other users, the same every time."""

from __future__ import annotations

import json
import os
import socket
import stat
import tempfile
import time
from contextlib import suppress
from pathlib import Path

from lumbung.errors import EngineUnavailable
from lumbung.runtime.engines.layout import SOCKET_PATH_LIMIT, EngineFolder, write_private
from lumbung.runtime.engines.privilege import Account, give_tree

CONTROL_SOCKET = "control"
POSTGRES_FOLDER = "pg"
SHARED_PREFIX = "lumbung-"
SWEEP_AFTER_SECONDS = 3600.0
LONGEST_SOCKET = f"/{POSTGRES_FOLDER}/.s.PGSQL.5432.lock"


def prepare_socket_folder(folder: EngineFolder, account: Account | None) -> Path:
    """The recorded folder if it is still ours; otherwise a new one, which is then recorded."""
    recorded = recorded_socket_folder(folder)
    if recorded is None or not _usable(recorded, account):
        recorded = _choose(folder, account)
        write_private(folder.socket_record, json.dumps({"folder": str(recorded), "of": folder.identity}))
    postgres_folder = recorded / POSTGRES_FOLDER
    postgres_folder.mkdir(mode=0o700, exist_ok=True)
    give_tree(postgres_folder, account)
    return recorded


def recorded_socket_folder(folder: EngineFolder) -> Path | None:
    """None also for a copied data folder: the record in it is about the original."""
    try:
        record = json.loads(folder.socket_record.read_text())
    except (FileNotFoundError, ValueError):
        return None
    return Path(record["folder"]) if record["of"] == folder.identity else None


def remove_socket_folder(path: Path) -> None:
    """Leave nothing behind in a shared place; the record stays, and so does the name."""
    with suppress(OSError):
        (path / CONTROL_SOCKET).unlink(missing_ok=True)
        for leftover in (path / POSTGRES_FOLDER).glob(".s.PGSQL.*"):
            leftover.unlink()
        (path / POSTGRES_FOLDER).rmdir()
        path.rmdir()


def _choose(folder: EngineFolder, account: Account | None) -> Path:
    inside = folder.root / "run"
    if account is None and len(os.fsencode(f"{inside}{LONGEST_SOCKET}")) <= SOCKET_PATH_LIMIT:
        inside.mkdir(mode=0o700, exist_ok=True)
        return inside
    parent = _short_parent()
    _sweep(parent)
    try:
        made = Path(tempfile.mkdtemp(prefix=SHARED_PREFIX, dir=parent))
    except OSError as error:
        raise EngineUnavailable(
            f"No folder for the engines' sockets can be made ({error.strerror}): make /tmp writable."
        ) from error
    made.chmod(_mode(account))
    return made


def _sweep(parent: Path) -> None:
    """Remove folders whose supervisor was killed long ago and whose data folder may be gone."""
    for folder in parent.glob(f"{SHARED_PREFIX}*"):
        with suppress(OSError):
            status = folder.lstat()
            old = time.time() - status.st_mtime > SWEEP_AFTER_SECONDS
            if old and status.st_uid == os.geteuid() and not _answers(folder / CONTROL_SOCKET):
                remove_socket_folder(folder)


def _answers(control: Path) -> bool:
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as link:
        try:
            link.connect(str(control))
        except OSError:
            return False
        return True


def _short_parent() -> Path:
    own = os.environ.get("XDG_RUNTIME_DIR", "")
    places = [own] if os.geteuid() != 0 and 0 < len(own) < SOCKET_PATH_LIMIT // 2 else []
    places += ["/run", "/tmp"]  # noqa: S108 - the folder made there is private and has a random name
    return Path(next((place for place in places if os.access(place, os.W_OK | os.X_OK)), tempfile.gettempdir()))


def _mode(account: Account | None) -> int:
    """The engine's account has to pass through to its own folder inside, and nobody may list."""
    return 0o700 if account is None else 0o711


def _usable(path: Path, account: Account | None) -> bool:
    """Ours, a real folder and closed: a stranger may have put something there while we were away."""
    try:
        path.mkdir(mode=0o700)
        path.chmod(_mode(account))
    except FileExistsError:
        with suppress(OSError):
            os.utime(path)
    except OSError:
        return False
    status = path.lstat()
    return stat.S_ISDIR(status.st_mode) and status.st_uid == os.geteuid() and not status.st_mode & 0o066
