"""Tasks that are told to end do, even one that did not hear it the first time."""

from __future__ import annotations

import asyncio

from lumbung.runtime.ending import end_all, end_if_cancelled


async def deaf_once() -> None:
    """As a wait that ends in the moment of its cancellation: the cancellation is lost."""
    try:
        await asyncio.Event().wait()
    except asyncio.CancelledError:
        pass
    await asyncio.Event().wait()


async def done() -> str:
    return "done"


async def failing() -> None:
    try:
        await asyncio.Event().wait()
    finally:
        raise ValueError("on the way out")


async def test_a_task_that_loses_its_first_cancellation_ends_all_the_same():
    tasks = [asyncio.create_task(each) for each in (deaf_once(), done(), failing())]
    await asyncio.sleep(0)
    await asyncio.wait_for(end_all(tasks), 60)
    assert tasks[0].cancelled()
    assert tasks[1].result() == "done"
    assert isinstance(tasks[2].exception(), ValueError)


async def test_a_loop_that_lost_its_cancellation_ends_at_its_next_turn():
    async def turning() -> None:
        while True:
            end_if_cancelled()
            try:
                await asyncio.sleep(0)
            except asyncio.CancelledError:
                pass

    task = asyncio.create_task(turning())
    await asyncio.sleep(0)
    task.cancel()
    await asyncio.wait({task}, timeout=60)
    assert task.cancelled()
