"""Connections and transactions. The rest of the system sees an opaque `Transaction` with named queries."""

from __future__ import annotations

import asyncio
import logging
import re
import select
import time
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial
from importlib import resources
from typing import Any, Self, TypeVar

import psycopg
from psycopg.abc import PQGen
from psycopg.conninfo import conninfo_to_dict, make_conninfo
from psycopg.pq import TransactionStatus
from psycopg.rows import DictRow, dict_row
from psycopg.types.json import Jsonb, set_json_dumps, set_json_loads
from psycopg.waiting import Ready, Wait
from psycopg_pool import AsyncConnectionPool, PoolTimeout
from pydantic_core import from_json, to_json

from lumbung.errors import ContractError, EngineUnavailable, LumbungError, SettingsError, StaleRead

Row = dict[str, Any]
Parameters = Mapping[str, Any]
T = TypeVar("T")

# The pool tells of each connection that an engine's restart cost; what a caller must know is raised to it.
logging.getLogger("psycopg.pool").setLevel(logging.ERROR)

set_json_dumps(to_json)
set_json_loads(from_json)

IDLE_IN_TRANSACTION = "60s"
"""A process that is frozen or lost inside a transaction gives its locks back after this."""
CLIENT_CHECKED_EVERY = "1s"
"""While a statement runs or waits for a lock: one that was killed there takes no lock in its turn, for nobody."""

SILENT_SECONDS, PROBE_SECONDS, PROBES = 5, 2, 3
UNHEARD_SECONDS = 15
"""A peer that is cut off is given up within this, on both sides; the systems' own patience is a quarter of an hour for
what was sent, and hours for an answer that is waited for."""
SERVER_GIVES_UP = (
    f"set tcp_keepalives_idle = {SILENT_SECONDS}; set tcp_keepalives_interval = {PROBE_SECONDS}; "
    f"set tcp_keepalives_count = {PROBES}; set tcp_user_timeout = '{UNHEARD_SECONDS}s'"
)
CLIENT_GIVES_UP: dict[str, Any] = {
    "connect_timeout": 10,
    "keepalives_idle": SILENT_SECONDS,
    "keepalives_interval": PROBE_SECONDS,
    "keepalives_count": PROBES,
    "tcp_user_timeout": 1000 * UNHEARD_SECONDS,
}

ENGINE_AWAY = (
    psycopg.OperationalError,
    psycopg.InterfaceError,
    psycopg.errors.IdleInTransactionSessionTimeout,
    psycopg.errors.ReadOnlySqlTransaction,
)
PROGRAM_LIMIT = "54"
"""The class of what is too long or too deep for the server: it will be so the next time, though psycopg counts it as operational."""
RESTART_SECONDS = 5.0
"""An engine that was killed is back within this: so long a connection is tried again at once, later with pauses."""
AGAIN_SECONDS = 0.05
PIECES_AT_ONCE = 32
"""Of an answer, some 16 kB each, before others have their turn."""

TURNED_AWAY = ("authentication failed", "no pg_hba.conf entry", "does not exist", "is not permitted to log in")
OLDEST_SERVER = 160000

QUERY_HEAD = re.compile(r"^-- ([a-z_]+) --$", re.MULTILINE)


def named_queries(aggregate: str) -> dict[str, str]:
    """The queries of `sql/<aggregate>.sql`, by name."""
    text = resources.files("lumbung.store").joinpath("sql", f"{aggregate}.sql").read_text(encoding="utf-8")
    pieces = QUERY_HEAD.split(text)[1:]
    return {name: body.strip() for name, body in zip(pieces[::2], pieces[1::2], strict=True)}


def is_turned_away(error: psycopg.Error) -> bool:
    """A wrong password, an unknown login or database: waiting does not help. libpq gives no code while it connects."""
    return isinstance(error, psycopg.OperationalError) and any(words in str(error) for words in TURNED_AWAY)


def last_line(error: psycopg.Error) -> str:
    """What the server said; libpq tells of each address and each way of connecting that it tried before, and asks back."""
    lines = [line for line in str(error).strip().splitlines() if not line.endswith("?")]
    return lines[-1].strip() if lines else type(error).__name__


def translated(error: psycopg.Error) -> LumbungError:
    """Foreign errors become ours here and nowhere else."""
    if is_turned_away(error):
        return SettingsError(f"PostgreSQL turns this login away; correct its URL. {last_line(error)}")
    if isinstance(error, (psycopg.errors.SerializationFailure, psycopg.errors.DeadlockDetected)):
        return StaleRead(f"The database asks to try again: {error}")
    if isinstance(error, ENGINE_AWAY) and not (error.sqlstate or "").startswith(PROGRAM_LIMIT):
        return EngineUnavailable(f"PostgreSQL does not answer: {last_line(error)}")
    return ContractError(f"PostgreSQL refused: {str(error).strip()}")


def unmet(error: psycopg.Error) -> LumbungError:
    """As it is told at the start of a command, to somebody who can mend it."""
    told = translated(error)
    away = isinstance(told, EngineUnavailable)
    return EngineUnavailable(f"{told}; start it, or correct its URL.") if away else told


class Transaction:
    """One database transaction; made by `Database.transaction` alone."""

    def __init__(self, connection: psycopg.AsyncConnection[DictRow]) -> None:
        self._connection = connection

    async def rows(self, query: str, parameters: Parameters | None = None, *, in_binary: bool = False) -> list[Row]:
        """`in_binary` spares both sides the hexadecimal form of long bodies."""
        cursor = await self._connection.execute(query, parameters, binary=in_binary)
        return await cursor.fetchall()

    async def row(self, query: str, parameters: Parameters | None = None) -> Row | None:
        cursor = await self._connection.execute(query, parameters)
        return await cursor.fetchone()

    async def value(self, query: str, parameters: Parameters | None = None) -> Any:
        found = await self.row(query, parameters)
        return None if found is None else next(iter(found.values()))

    async def run(self, query: str, parameters: Parameters | None = None) -> int:
        cursor = await self._connection.execute(query, parameters)
        return cursor.rowcount

    async def run_many(self, query: str, parameters: Sequence[Parameters]) -> None:
        if parameters:
            async with self._connection.cursor() as cursor:
                await cursor.executemany(query, parameters)

    async def stream(self, query: str, parameters: Parameters | None = None) -> AsyncIterator[Row]:
        """Rows through a server-side cursor: an export never holds the library in memory.

        Whoever reads them may take long, so this transaction may idle.
        """
        await self._connection.execute("set local idle_in_transaction_session_timeout = 0")
        async with self._connection.cursor(name="lumbung_stream") as cursor:
            await cursor.execute(query, parameters)
            async for found in cursor:
                yield found

    async def notify(self, channel: str) -> None:
        await self._connection.execute("select pg_notify(%(channel)s, '')", {"channel": channel})


async def bounded(connection: psycopg.AsyncConnection[DictRow]) -> None:
    """A session whose process was killed soon gives back what it holds, and its place where it waits for a lock."""
    await connection.execute(
        f"set idle_in_transaction_session_timeout = '{IDLE_IN_TRANSACTION}'; "
        f"set client_connection_check_interval = '{CLIENT_CHECKED_EVERY}'; {SERVER_GIVES_UP}"
    )


def giving_up(url: str) -> str:
    """The same address, with an end to waiting for a server that is not heard from; what the URL itself says holds."""
    options: dict[str, Any] = CLIENT_GIVES_UP | conninfo_to_dict(url)
    return make_conninfo(**options)


def check_version(version: int) -> None:
    if version < OLDEST_SERVER:
        raise SettingsError(f"The database server is PostgreSQL {version // 10000}; Lumbung needs 16 or newer.")


def is_stale(connection: psycopg.AsyncConnection[DictRow]) -> bool:
    """Nobody speaks to an idle connection but a server that ends it."""
    if connection.closed:
        return True
    waiting = select.poll()
    waiting.register(connection.fileno(), select.POLLIN)
    return bool(waiting.poll(0))


def reading_on(answer: PQGen[T], descriptor: int) -> PQGen[T]:
    """The pieces of a long answer that are there already, one after the other: a turn of the event loop costs more than a piece."""
    at_hand = select.poll()
    at_hand.register(descriptor, select.POLLIN)
    try:
        wanted = next(answer)
        while True:
            wanted = answer.send((yield wanted))
            pieces = 0
            while wanted == Wait.R and pieces < PIECES_AT_ONCE and at_hand.poll(0):
                wanted = answer.send(Ready.R)
                pieces += 1
    except StopIteration as end:
        found: T = end.value
        return found


class PatientConnection(psycopg.AsyncConnection[DictRow]):
    """Waits for a server that is being restarted; the pool's own pauses, of seconds, are made for one that is away."""

    async def wait(self, gen: PQGen[T], *limits: Any, **named_limits: Any) -> T:
        return await super().wait(reading_on(gen, self.pgconn.socket), *limits, **named_limits)

    @classmethod
    async def connect(cls, conninfo: str = "", **options: Any) -> Self:
        deadline = time.monotonic() + RESTART_SECONDS
        while True:
            try:
                return await super().connect(conninfo, **options)
            except psycopg.OperationalError as error:
                if time.monotonic() > deadline or is_turned_away(error):
                    raise
                await asyncio.sleep(AGAIN_SECONDS)


class Database:
    """A pool of connections of one login."""

    def __init__(self, url: str, size: int = 4) -> None:
        self._url = giving_up(url)
        self._pool: AsyncConnectionPool[PatientConnection] = AsyncConnectionPool(
            self._url,
            connection_class=PatientConnection,
            min_size=1,
            max_size=size,
            open=False,
            kwargs={"row_factory": dict_row, "autocommit": True, "prepare_threshold": 3},
            configure=bounded,
            timeout=30,
        )

    async def open(self) -> None:
        await self._check()
        try:
            await self._pool.open(wait=True, timeout=30)
        except PoolTimeout as error:
            raise EngineUnavailable(f"PostgreSQL does not answer within 30 seconds: {error}") from error

    async def _check(self) -> None:
        """What waiting would not change is told at once."""
        try:
            async with await PatientConnection.connect(self._url) as connection:
                check_version(connection.info.server_version)
        except psycopg.Error as error:
            raise unmet(error) from error

    async def close(self) -> None:
        await self._pool.close()

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[Transaction]:
        try:
            async with AsyncExitStack() as stack:
                connection = await self._taken(stack)
                await stack.enter_async_context(connection.transaction())
                stack.push(partial(_leave_to_the_server, connection))
                yield Transaction(connection)
        except psycopg.Error as error:
            raise translated(error) from error
        except PoolTimeout as error:
            raise EngineUnavailable(f"PostgreSQL does not answer: {error}") from error

    @asynccontextmanager
    async def reading(self) -> AsyncIterator[Transaction]:
        """Statements that only read, each by itself: there is nothing to begin, to commit or to roll back."""
        try:
            async with AsyncExitStack() as stack:
                yield Transaction(await self._taken(stack))
        except psycopg.Error as error:
            raise translated(error) from error
        except PoolTimeout as error:
            raise EngineUnavailable(f"PostgreSQL does not answer: {error}") from error

    async def _taken(self, stack: AsyncExitStack) -> PatientConnection:
        """A connection of the pool. One that died while it was idle is replaced, and costs only that."""
        while True:
            connection = await self._pool.getconn()
            if not is_stale(connection):
                stack.push_async_callback(self._pool.putconn, connection)
                return connection
            await connection.close()
            await self._pool.putconn(connection)

    async def statement(self, query: str, parameters: Parameters | None = None) -> Row | None:
        """One statement that is its own transaction: a process that is frozen after sending it holds no lock."""
        try:
            async with AsyncExitStack() as stack:
                cursor = await (await self._taken(stack)).execute(query, parameters)
                return await cursor.fetchone() if cursor.description else None
        except psycopg.Error as error:
            raise translated(error) from error
        except PoolTimeout as error:
            raise EngineUnavailable(f"PostgreSQL does not answer: {error}") from error

    async def listen(self, channels: Sequence[str]) -> AsyncIterator[str]:
        """Names of channels as they are notified, on a connection of its own; ends with EngineUnavailable."""
        try:
            async with await psycopg.AsyncConnection.connect(self._url, autocommit=True) as connection:
                for channel in channels:
                    await connection.execute(f"listen {channel}")
                yield ""
                while True:
                    async for notice in connection.notifies(timeout=0):
                        yield notice.channel
                    await _readable(connection.fileno())
        except psycopg.Error as error:
            raise translated(error) from error


def _leave_to_the_server(
    connection: psycopg.AsyncConnection[DictRow], _kind: object, error: object, _trace: object
) -> None:
    """A reader who leaves has the work cancelled again and again, which may break off the end of a query too.

    Nothing can be rolled back on a connection that still answers the last command; the server does it when it is closed.
    """
    if isinstance(error, asyncio.CancelledError) and connection.info.transaction_status is TransactionStatus.ACTIVE:
        connection.pgconn.finish()


async def _readable(descriptor: int) -> None:
    """Wait without waking: `notifies` alone looks ten times a second whether it was interrupted."""
    loop = asyncio.get_running_loop()
    arrived = asyncio.Event()
    loop.add_reader(descriptor, arrived.set)
    try:
        await arrived.wait()
    finally:
        loop.remove_reader(descriptor)


def json(value: Any) -> Jsonb:
    return Jsonb(value)
