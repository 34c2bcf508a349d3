"""The environment of the peers, which `make bench` sets up beside ours."""

from __future__ import annotations

import os
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]


def peers_python() -> str:
    """The Python that has them."""
    python = Path(os.environ.get("BENCH_PEERS_PYTHON", ROOT / ".venv-peers" / "bin" / "python"))
    if not python.exists():
        sys.exit(f"{python} is missing: `make bench` installs the peers there, or name one in BENCH_PEERS_PYTHON.")
    return str(python)
