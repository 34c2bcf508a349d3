"""Commands of the whole system end, whatever they leave behind."""

from __future__ import annotations

import asyncio
import signal

from tests.unit.runtime.test_ending import deaf_once

from lumbung.cli.session import ENDING_SIGNALS, run


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
