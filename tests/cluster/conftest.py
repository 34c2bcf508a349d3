from __future__ import annotations

from uuid import uuid4

import psycopg
import pytest
from tests.conftest import Logins
from tests.integration.archive.conftest import object_server

__all__ = ["object_server"]


@pytest.fixture
def other_logins(engines, template):
    """A second database of the test's own."""
    name = f"test_{uuid4().hex[:12]}"
    admin = engines.postgres_url("superuser", "postgres")
    with psycopg.connect(admin, autocommit=True) as connection:
        connection.execute(f"create database {name} template {template} owner lumbung_owner")
    yield Logins(engines, name)
    with psycopg.connect(admin, autocommit=True) as connection:
        connection.execute(f"drop database if exists {name} with (force)")
