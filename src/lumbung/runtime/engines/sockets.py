"""The private folder of the sockets: short enough for the kernel's limit, closed to other users, the same every time."""

from __future__ import annotations

import os
import stat
import tempfile
from pathlib import Path

from lumbung.runtime.engines.layout import SOCKET_PATH_LIMIT, EngineFolder, write_private
from lumbung.runtime.engines.privilege import Account

CONTROL_SOCKET = "control"
POSTGRES_FOLDER = "pg"
LONGEST_SOCKET = f"/{POSTGRES_FOLDER}/.s.PGSQL.5432.lock"


def prepare_socket_folder(folder: EngineFolder, account: Account | None) -> Path:
    """The recorded folder if it is still ours; otherwise a new one, which is then recorded."""
    recorded = recorded_socket_folder(folder)
    if recorded is None or not _usable(recorded, account):
        recorded = _choose(folder, account)
        write_private(folder.socket_record, str(recorded))
    postgres_folder = recorded / POSTGRES_FOLDER
    postgres_folder.mkdir(mode=0o700, exist_ok=True)
    if account is not None:
        os.chown(postgres_folder, account.uid, account.gid)
    return recorded


def recorded_socket_folder(folder: EngineFolder) -> Path | None:
    try:
        return Path(folder.socket_record.read_text())
    except FileNotFoundError:
        return None


def _choose(folder: EngineFolder, account: Account | None) -> Path:
    inside = folder.root / "run"
    if account is None and len(os.fsencode(f"{inside}{LONGEST_SOCKET}")) <= SOCKET_PATH_LIMIT:
        inside.mkdir(mode=0o700, exist_ok=True)
        return inside
    made = Path(tempfile.mkdtemp(prefix="lumbung-", dir=_short_parent()))
    made.chmod(_mode(account))
    return made


def _short_parent() -> str:
    own = os.environ.get("XDG_RUNTIME_DIR", "")
    if os.geteuid() != 0 and own and len(own) < 40 and os.access(own, os.W_OK):
        return own
    return next(place for place in ("/run", "/tmp", tempfile.gettempdir()) if os.access(place, os.W_OK))  # noqa: S108


def _mode(account: Account | None) -> int:
    """The engine's account has to pass through to its own folder inside, and nobody may list."""
    return 0o700 if account is None else 0o711


def _usable(path: Path, account: Account | None) -> bool:
    """Ours, a real folder and closed: a stranger may have put something there while we were away."""
    try:
        path.mkdir(mode=0o700)
        path.chmod(_mode(account))
    except FileExistsError:
        pass
    except OSError:
        return False
    status = path.lstat()
    return stat.S_ISDIR(status.st_mode) and status.st_uid == os.geteuid() and not status.st_mode & 0o066
