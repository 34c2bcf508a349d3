"""One cap, sixteen processes that are killed and frozen while every clock jumps by an hour, the database's and their own.

What must hold: never above the cap at any position of the window, by the kernel's steady clock and by the ledger's own;
at least 95 % of it used under steady demand, on a machine with nothing else to do; never frozen.
Run: python -m tests.long.budget [--seconds 100] [--window 20] [--least-used 0.95]
"""

from __future__ import annotations

import argparse
import shutil
import tempfile
from bisect import bisect_right
from itertools import accumulate
from pathlib import Path
from statistics import fmean
from typing import Any

import psycopg

from tests.integration.providers.ledger.test_clock_jumps import (
    CAP,
    JUMPS,
    LIBRARY,
    most_in_a_window,
    prepared,
    server,
    spend_while_clocks_jump,
)

QUERY = (
    "select extract(epoch from spent_at)::float8, spent_micros from spend where spent_at is not null order by spent_at"
)


def held_at(booked: list[tuple[float, int]], width: float, places: list[float]) -> list[float]:
    """What the window that ends at each place held, as a share of the cap."""
    times = [at for at, _ in booked]
    sums = [0, *accumulate(micros for _, micros in booked)]
    return [(sums[bisect_right(times, at)] - sums[bisect_right(times, at - width)]) / CAP for at in places]


def while_steady(booked: list[tuple[float, int]], width: float) -> list[float]:
    """Positions of the window, evenly in time; first it has to fill."""
    first, last = booked[0][0] + 1.5 * width, booked[-1][0]
    return [first + (last - first) * step / 2000 for step in range(2001)]


def longest_pause(rows: list[tuple[Any, ...]]) -> float:
    """Seconds without any spend, by the steady clock."""
    return max(later[0] - earlier[0] for earlier, later in zip(rows, rows[1:], strict=False))


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--seconds", type=float, default=100.0)
    asked.add_argument("--window", type=float, default=20.0)
    asked.add_argument("--least-used", type=float, default=0.95)
    given = asked.parse_args()
    if LIBRARY is None:
        asked.error("libfaketime is not installed")
    folder = Path(tempfile.mkdtemp(prefix="lumbung-budget-"))
    try:
        with server(folder) as (clock, url):
            prepared(folder, url, given.window)
            rows = spend_while_clocks_jump(folder, clock, url, given.seconds / len(JUMPS))
            with psycopg.connect(url("owner")) as owner:
                booked = owner.execute(QUERY).fetchall()
                [alarms] = owner.execute("select count(*) from alarm").fetchone() or [None]
    finally:
        shutil.rmtree(folder)
    slowest = max(row[0] - row[1] for row in rows)
    steady = most_in_a_window(rows, max(0.0, given.window - slowest)) / CAP
    held = held_at(booked, given.window, [at for at, _ in booked])
    used, pause = fmean(held_at(booked, given.window, while_steady(booked, given.window))), longest_pause(rows)
    print(
        f"{len(booked)} spends; at most {max(held):.4f} of the cap by the ledger's clock, {steady:.4f} by the kernel's;"
    )
    print(
        f"{used:.3f} used on average; the longest pause {pause:.1f} s of a window of {given.window:.0f} s; {alarms} alarms"
    )
    assert max(held) <= 1
    assert steady <= 1
    assert used >= given.least_used, f"only {used:.3f} of the cap was used"
    assert pause < 2 * given.window, "frozen"
    assert alarms == 0


if __name__ == "__main__":
    main()
