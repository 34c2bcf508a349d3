"""Ending tasks for sure."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from typing import Any

AGAIN_SECONDS = 0.5


async def end_all(tasks: Iterable[asyncio.Task[Any]]) -> None:
    """Cancel until they have ended: Python 3.11 loses a cancellation in a wait that ends at the same moment."""
    pending = {task for task in tasks if not task.done()}
    while pending:
        for task in pending:
            task.cancel()
        _, pending = await asyncio.wait(pending, timeout=AGAIN_SECONDS)


def end_if_cancelled() -> None:
    """For a loop without end: a cancellation that a wait has lost ends it at its next turn."""
    task = asyncio.current_task()
    if task is not None and task.cancelling():
        raise asyncio.CancelledError
