"""What a command holds while it uses the engines."""

from __future__ import annotations

import os
import threading
from contextlib import suppress
from typing import TYPE_CHECKING, Self

from lumbung.errors import EngineUnavailable, LumbungError, UsageError
from lumbung.runtime.engines.cluster import DATABASE, SUPERUSER, login_name
from lumbung.runtime.engines.connection import StartOptions, SupervisorConnection, attach_to_supervisor
from lumbung.runtime.engines.layout import LOGINS, EngineFolder, EngineSecrets
from lumbung.runtime.engines.nats import DEFAULT_SYNC_INTERVAL, NatsAddress
from lumbung.runtime.engines.postgres import PostgresAddress
from lumbung.runtime.engines.sockets import POSTGRES_FOLDER, recorded_socket_folder

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path
    from types import TracebackType

RETRY_SECONDS = 1.0
FAREWELL_SECONDS = 90.0


class RunningEngines:
    """Both engines run at least until this is closed, or its process ends in any way.

    If the supervisor itself is killed, a new one is started; the addresses stay the same. `stopped` is set when
    somebody stopped the engines on purpose. Processes forked from this one keep the engines up as well, until
    this one closes.
    """

    def __init__(self, folder: EngineFolder, options: StartOptions, connection: SupervisorConnection) -> None:
        self._folder = folder
        self._options = options
        self._connection = connection
        self._process = os.getpid()
        self._secrets = EngineSecrets.load(folder.secrets)
        sockets = recorded_socket_folder(folder)
        if sockets is None:
            raise EngineUnavailable(f"The engines of {folder.data_dir} left while we were attaching: try again.")
        self._postgres = PostgresAddress(sockets / POSTGRES_FOLDER)
        self._nats = NatsAddress(int((folder.nats / "port").read_text()), self._secrets.nats)
        self.stopped = threading.Event()
        self._closing = threading.Event()
        self._guard = threading.Thread(target=self._stay_attached, name="lumbung-engines", daemon=True)
        self._guard.start()

    @property
    def data_dir(self) -> Path:
        return self._folder.data_dir

    def postgres_url(self, role: str = "owner", database: str = DATABASE) -> str:
        if role == "superuser":
            return self._postgres.url(SUPERUSER, self._secrets.superuser, database)
        if role not in LOGINS:
            raise UsageError(f"There is no login {role!r}: take one of {', '.join(LOGINS)}.")
        return self._postgres.url(login_name(role), getattr(self._secrets, role), database)

    @property
    def nats_url(self) -> str:
        return self._nats.url

    def close(self) -> None:
        """Let go; the last one to leave waits until both engines have shut down cleanly."""
        if self._process != os.getpid():
            self._connection.drop()
            return
        if self._closing.is_set():
            return
        self._closing.set()
        self._connection.leave()
        self._guard.join(FAREWELL_SECONDS)
        self._connection.drop()

    def _stay_attached(self) -> None:
        while not self._closing.is_set() and not self.stopped.is_set():
            if self._connection.wait_for_end():
                self.stopped.set()
                return
            if self._closing.is_set():
                return
            self._attach_again()

    def _attach_again(self) -> None:
        self._connection.drop()
        while not self._closing.is_set():
            if not self._folder.secrets.exists():
                # Somebody deleted the data folder: that is a purpose too.
                self.stopped.set()
                return
            with suppress(LumbungError):
                self._connection = attach_to_supervisor(self._folder, self._options, lambda _text: None)
                if self._closing.is_set():
                    self._connection.leave()
                return
            self._closing.wait(RETRY_SECONDS)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class Engines:
    @staticmethod
    def attach(
        data_dir: Path,
        progress: Callable[[str], None] | None = None,
        *,
        fsync: bool = True,
        sync_interval: str = DEFAULT_SYNC_INTERVAL,
    ) -> RunningEngines:
        """Share the engines of the data folder, starting them if nobody has.

        `fsync` and `sync_interval` count for the one who starts them.
        """
        folder = EngineFolder(data_dir.absolute())
        options = StartOptions(fsync=fsync, sync_interval=sync_interval)
        connection = attach_to_supervisor(folder, options, progress or (lambda _text: None))
        return RunningEngines(folder, options, connection)
