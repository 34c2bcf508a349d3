"""CPU seconds of whole process trees: a queue that makes the engines work has not saved anything."""

from __future__ import annotations

import os
from pathlib import Path

TICKS = os.sysconf("SC_CLK_TCK")


def tree(pid: int) -> list[int]:
    children = Path(f"/proc/{pid}/task/{pid}/children")
    try:
        return [pid, *(each for child in children.read_text().split() for each in tree(int(child)))]
    except OSError:
        return []


def seconds_of(pid: int) -> float:
    """Of the process and of its children that have ended."""
    try:
        figures = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return sum(map(int, figures[11:15])) / TICKS


def cpu_seconds(*roots: int) -> float:
    return sum(seconds_of(pid) for root in roots for pid in tree(root))
