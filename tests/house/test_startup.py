"""Help and the single stages start without the engines' libraries: each command imports them where it works."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from lumbung import cli

HEAVY = ("lumbung.bootstrap", "lumbung.config", "lumbung.telemetry", "aiohttp", "nats", "psycopg", "pydantic_ai")
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
