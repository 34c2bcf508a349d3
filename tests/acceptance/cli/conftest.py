"""One installation with running engines, on which the program is called as a person calls it."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from lumbung.cli.app import app, exit_code_of
from lumbung.errors import LumbungError
from lumbung.runtime.engines import Engines

PASSWORD = "empat kata yang panjang"


class Installation:
    def __init__(self, folder: Path, superuser: str) -> None:
        self.folder, self.superuser = folder, superuser

    def run(self, *arguments: str, typed: str = "", code: int = 0) -> str:
        """What the command says on standard output; its exit code must be the expected one.

        Called inside this process, because the program takes longer to start than to do these small things.
        """
        outcome = CliRunner().invoke(app, list(arguments), input=typed, env={"LUMBUNG_DATA_DIR": str(self.folder)})
        error = outcome.exception
        if isinstance(error, LumbungError):
            self.said, found = str(error), exit_code_of(error)
        else:
            self.said, found = outcome.stderr, outcome.exit_code
        assert found == code, (arguments, found, self.said, error)
        return outcome.stdout

    def records(self, *arguments: str, code: int = 0) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.run(*arguments, "--json", code=code).splitlines()]

    def account(self, login: str, *roles: str) -> None:
        granted = [argument for role in roles for argument in ("--role", role)]
        self.run("user", "create", login, *granted, "--password-stdin", typed=PASSWORD)

    def login(self, login: str) -> None:
        self.run("user", "login", login, "--password-stdin", typed=PASSWORD)


@contextmanager
def running_installation() -> Iterator[Installation]:
    folder = Path(tempfile.mkdtemp(prefix="lumbung-cli-")) / "data"
    with Engines.attach(folder, fsync=False) as running:
        yield Installation(folder, running.postgres_url("superuser"))


@pytest.fixture(scope="module")
def installation() -> Iterator[Installation]:
    with running_installation() as running:
        yield running
