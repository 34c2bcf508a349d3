from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
from tests.integration.providers.fetch.local_servers import Serve, local_servers

from lumbung.providers.fetch.addresses import AddressGuard, parse_network


@pytest.fixture
async def serve() -> AsyncIterator[Serve]:
    async with local_servers() as start:
        yield start


@pytest.fixture
def loopback() -> AddressGuard:
    return AddressGuard([parse_network("127.0.0.0/8")])
