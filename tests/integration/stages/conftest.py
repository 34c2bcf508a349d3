from __future__ import annotations

from contextlib import asynccontextmanager

import pytest

from lumbung.store.database import Database


@pytest.fixture
def bench(logins):
    """All stages after the crawl on a database of their own, under the demo's governance."""
    from tests.integration.stages.test_order import Bench

    @asynccontextmanager
    async def opened():
        machine, people = Database(logins.machine), Database(logins.people)
        await machine.open()
        await people.open()
        try:
            made = Bench(machine, people)
            await made.govern()
            yield made
        finally:
            await machine.close()
            await people.close()

    return opened
