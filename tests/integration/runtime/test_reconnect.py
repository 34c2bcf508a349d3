"""Engines that go away for a moment: what waits for them goes on as soon as they are back."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from urllib.parse import urlsplit

import psycopg
from psycopg.conninfo import conninfo_to_dict, make_conninfo
from psycopg.rows import dict_row

from lumbung.errors import ContractError, EngineUnavailable
from lumbung.queues.jetstream import JetStreamQueue
from lumbung.store.database import PatientConnection, translated


class Proxy:
    """A door in front of an engine, which a test opens and slams."""

    def __init__(self, connect):
        self._connect = connect
        self._writers = set()
        self._server = None
        self.port = 0

    async def open(self):
        self._server = await asyncio.start_server(self._carry, "127.0.0.1", self.port)
        self.port = self._server.sockets[0].getsockname()[1]

    async def _carry(self, reader, writer):
        with suppress(OSError):
            there_reader, there = await self._connect()
            self._writers |= {writer, there}
            await asyncio.gather(self._pump(reader, there), self._pump(there_reader, writer))

    async def _pump(self, reader, writer):
        with suppress(OSError):
            while chunk := await reader.read(65536):
                writer.write(chunk)
                await writer.drain()
        writer.close()

    async def slam(self):
        self._server.close()
        for writer in self._writers:
            writer.transport.abort()
        self._writers.clear()
        await self._server.wait_closed()


async def test_a_connection_waits_for_a_server_that_is_being_restarted(logins):
    own = conninfo_to_dict(logins.machine)
    door = Proxy(lambda: asyncio.open_unix_connection(f"{own['host']}/.s.PGSQL.{own['port']}"))
    await door.open()
    await door.slam()
    url = make_conninfo(
        "", **own | {"host": "127.0.0.1", "port": door.port, "sslmode": "disable", "gssencmode": "disable"}
    )
    connecting = asyncio.create_task(PatientConnection.connect(url, row_factory=dict_row))
    done, _ = await asyncio.wait({connecting}, timeout=0.3)
    assert not done
    await door.open()
    connection = await asyncio.wait_for(connecting, 60)
    assert (await (await connection.execute("select 1 as one")).fetchone()) == {"one": 1}
    await connection.close()
    await door.slam()


async def test_the_queue_tells_that_the_broker_was_away(engines):
    there = urlsplit(engines.nats_url)
    door = Proxy(lambda: asyncio.open_connection(there.hostname, there.port))
    await door.open()
    queue = await JetStreamQueue.connect(engines.nats_url.replace(f":{there.port}", f":{door.port}"))
    told = asyncio.create_task(queue.came_back())
    await door.slam()
    done, _ = await asyncio.wait({told}, timeout=0.2)
    assert not done
    await door.open()
    await asyncio.wait_for(told, 60)
    assert await queue.waiting("steward") >= 0
    await queue.close()
    await door.slam()


def test_a_session_that_the_server_ended_is_an_engine_that_was_away():
    assert isinstance(translated(psycopg.errors.IdleInTransactionSessionTimeout("too long")), EngineUnavailable)
    assert isinstance(translated(psycopg.errors.DiskFull("no room")), EngineUnavailable)
    for limit in (psycopg.errors.ProgramLimitExceeded, psycopg.errors.StatementTooComplex):
        assert isinstance(translated(limit("index row size 3096 exceeds the maximum")), ContractError)
