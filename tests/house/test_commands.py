"""Every command tells an example and answers programs; help and the single stages start without the engines' libraries: each command imports them where it works."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import typer

from lumbung import cli
from lumbung.cli.app import COMMANDS, app

HEAVY = ("lumbung.bootstrap", "lumbung.config", "lumbung.telemetry", "aiohttp", "nats", "psycopg", "pydantic_ai")
SINGLE_STAGES = {
    "url",
    "robots",
    "fetch",
    "gate",
    "language",
    "canonical",
    "region",
    "licence",
    "extract",
    "match",
    "fuse",
}
IMPORT_EACH = """
import importlib, sys
for name in sys.argv[1].split(","):
    importlib.import_module("lumbung.cli." + name)
    found = [heavy for heavy in sys.argv[2].split(",") if heavy in sys.modules]
    if found:
        sys.exit(f"{name} imports {found} at its head")
"""


def test_no_command_imports_the_engines_before_it_is_carried_out() -> None:
    names = sorted(file.stem for file in Path(cli.__path__[0]).glob("*.py") if file.stem != "__init__")
    assert len(names) > 40
    ended = subprocess.run(
        [sys.executable, "-c", IMPORT_EACH, ",".join(names), ",".join(HEAVY)],
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert ended.returncode == 0, ended.stderr


def every_command() -> Iterator[tuple[str, Any]]:
    root = typer.main.get_command(app)
    waiting = [(name, root.get_command(None, name)) for name in COMMANDS]
    while waiting:
        name, command = waiting.pop()
        yield name, command
        waiting += [(f"{name} {below}", each) for below, each in getattr(command, "commands", {}).items()]


def test_every_command_and_group_shows_an_example() -> None:
    assert [name for name, command in every_command() if "Example: " not in (command.help or "")] == []


def test_every_command_of_the_whole_system_answers_in_json_too() -> None:
    data_already = {"export", "mode samples", "demo", "up"}
    silent = [
        name
        for name, command in every_command()
        if not hasattr(command, "commands")
        and name.split()[0] not in SINGLE_STAGES
        and not any("--json" in parameter.opts for parameter in command.params)
    ]
    assert set(silent) == data_already
