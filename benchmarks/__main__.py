"""`python -m benchmarks [NAME ...]`: run the benchmarks; `--list` says which there are.

A benchmark is a package below this one with a `__main__` module; its docstring says what it measures.
"""

from __future__ import annotations

import argparse
import ast
import os
import platform
import subprocess
import sys
import time
from pathlib import Path

FOLDER = Path(__file__).parent


def benchmarks() -> dict[str, str]:
    """Names and first lines of what they say about themselves."""
    found = {}
    for file in sorted(FOLDER.glob("*/__main__.py")):
        told = ast.get_docstring(ast.parse(file.read_text(encoding="utf-8"))) or ""
        found[file.parent.name] = told.partition("\n")[0]
    return found


def machine() -> str:
    load = ", ".join(f"{value:.1f}" for value in os.getloadavg())
    return f"{time.strftime('%Y-%m-%d %H:%M')}, {os.cpu_count()} cores, {platform.system()}, load {load}"


def main() -> None:
    known = benchmarks()
    parser = argparse.ArgumentParser(prog="python -m benchmarks")
    parser.add_argument("names", nargs="*", choices=[[], *known], metavar="NAME")
    parser.add_argument("--list", action="store_true", help="say which there are, run none")
    options = parser.parse_args()
    if options.list:
        print("\n".join(f"{name}: {told}" for name, told in known.items()))
        return
    failed = 0
    for name in options.names or known:
        print(f"# {name} ({machine()})", flush=True)
        failed += (
            subprocess.run([sys.executable, "-m", f"benchmarks.{name}"], cwd=FOLDER.parent, check=False).returncode != 0
        )
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
