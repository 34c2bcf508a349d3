"""Commands of the whole system end, whatever they leave behind."""

from __future__ import annotations

import asyncio

from tests.unit.runtime.test_ending import deaf_once

from lumbung.cli.session import run


def test_a_command_ends_though_something_it_started_loses_a_cancellation():
    async def work() -> str:
        left_behind.append(asyncio.create_task(deaf_once()))
        await asyncio.sleep(0)
        return "done"

    left_behind: list[asyncio.Task[None]] = []
    assert run(work()) == "done"
    assert left_behind[0].cancelled()
