"""Eight processes that spend as fast as they may under a shifted clock; now and then one is killed and replaced, one frozen.

What each spent is written down by the kernel's steady clock, which nobody shifts: when it was asked for, when it was
settled, and how much. Run with LD_PRELOAD by `test_clock_jumps.py`: python -m ... URL SEED FILE
"""

from __future__ import annotations

import asyncio
import os
import random
import signal
import sys
import time
from select import select

import psycopg

from lumbung.errors import BudgetExhausted, TransientError
from lumbung.ports.ledger import Purpose
from lumbung.runtime.heartbeat import boot_identity, uptime_seconds
from lumbung.store.database import Database
from lumbung.store.ledger import SharedLedger

PROCESSES = 8
LARGEST = 1000
BEAT_SECONDS = 0.2
BEATS_BETWEEN_KILLS = 4


async def keep_spending(url: str, seed: int, notebook: int) -> None:
    rng = random.Random(seed)
    database = Database(url, size=1)
    await database.open()
    book = SharedLedger(database)
    purpose = Purpose("extract", "local", "model", f"job-{seed}")
    while True:
        most, asked = rng.randint(LARGEST // 2, LARGEST), time.monotonic()
        try:
            reservation = await book.reserve(purpose, most, 60)
            if await book.begin(reservation):
                spent = rng.randint(most * 8 // 10, most)
                await book.settle(reservation, spent)
                os.write(notebook, f"{asked} {time.monotonic()} {spent} {time.time()}\n".encode())
        except (BudgetExhausted, TransientError):
            await asyncio.sleep(0.03)


def born(url: str, seed: int, notebook: int) -> int:
    child = os.fork()
    if child == 0:
        asyncio.run(keep_spending(url, seed, notebook))
    return child


def main(url: str, seed: int, notes: str) -> None:
    rng = random.Random(seed)
    notebook = os.open(notes, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    seeds = iter(range(seed * 1000, seed * 1000 + 1000))
    children = [born(url, next(seeds), notebook) for _ in range(PROCESSES)]
    beats, frozen = 0, None
    with psycopg.connect(url, autocommit=True) as connection:
        while True:
            connection.execute("select lumbung_beat(%s, %s)", (boot_identity(), uptime_seconds()))
            beats += 1
            if beats % BEATS_BETWEEN_KILLS == 0:
                if frozen is not None:
                    os.kill(frozen, signal.SIGCONT)
                place, other = rng.sample(range(PROCESSES), 2)
                os.kill(children[place], signal.SIGKILL)
                os.waitpid(children[place], 0)
                children[place] = born(url, next(seeds), notebook)
                frozen = children[other]
                os.kill(frozen, signal.SIGSTOP)
            select(
                [], [], [], BEAT_SECONDS
            )  # `time.sleep` waits for a moment of a clock, and fails when clocks are shifted


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), sys.argv[3])
