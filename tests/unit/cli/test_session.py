"""Commands of the whole system end, whatever they leave behind."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys

import pytest
from tests.unit.runtime.test_ending import deaf_once

from lumbung.cli import session
from lumbung.cli.session import ENDING_SIGNALS, INTERRUPTED, run

STUCK = """
import asyncio, os, signal, threading
from lumbung.cli import session
session.LONGEST_END_SECONDS = 0.5
async def work():
    os.kill(os.getpid(), signal.SIGINT)
    await asyncio.to_thread(threading.Event().wait)
session.run(work())
"""


def test_a_command_ends_though_something_it_started_loses_a_cancellation():
    async def work() -> str:
        left_behind.append(asyncio.create_task(deaf_once()))
        await asyncio.sleep(0)
        return "done"

    left_behind: list[asyncio.Task[None]] = []
    assert run(work()) == "done"
    assert left_behind[0].cancelled()


def test_after_a_command_signals_are_handled_as_before_it():
    def quietly(_number, _frame):
        return

    async def work():
        return "done"

    before = [signal.signal(number, quietly) for number in ENDING_SIGNALS]
    try:
        assert run(work()) == "done"
        assert [signal.getsignal(number) for number in ENDING_SIGNALS] == [quietly, quietly]
    finally:
        for number, handler in zip(ENDING_SIGNALS, before, strict=True):
            signal.signal(number, handler)


def test_an_interrupt_ends_a_command_that_lost_it_the_first_time(monkeypatch):
    async def work():
        os.kill(os.getpid(), signal.SIGINT)
        await deaf_once()

    monkeypatch.setattr(session, "WIND_DOWN_SECONDS", 0.05)
    with pytest.raises(SystemExit) as ended:
        run(work())
    assert ended.value.code == INTERRUPTED


def test_an_interrupt_ends_a_command_though_a_thread_of_it_waits_for_ever():
    assert subprocess.run([sys.executable, "-c", STUCK], check=False, timeout=60).returncode == INTERRUPTED
