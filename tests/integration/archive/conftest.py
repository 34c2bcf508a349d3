from __future__ import annotations

import pytest
from tests.integration.archive.shelf import Shelf, shelf_of
from tests.integration.archive.storage import ObjectServer

from lumbung.store.database import Database


@pytest.fixture(scope="session")
def object_server(tmp_path_factory):
    server = ObjectServer(tmp_path_factory.mktemp("objects"))
    server.start()
    yield server
    server.stop()


@pytest.fixture(params=["folder", "objects"])
def shelf(request, tmp_path):
    """An empty archive of each kind."""
    if request.param == "objects":
        return shelf_of(request.getfixturevalue("object_server").bucket())
    (tmp_path / "archive").mkdir()
    return Shelf({"LUMBUNG_ARCHIVE_DIR": str(tmp_path / "archive")})


@pytest.fixture
async def database(logins):
    opened = Database(logins.machine, size=3)
    await opened.open()
    yield opened
    await opened.close()
