"""What the commands of the whole system share: settings, an open system, talk on stderr."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import threading
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any, TypeVar

from lumbung.runtime.ending import end_all

if TYPE_CHECKING:
    from lumbung.bootstrap import LocalNames, System
    from lumbung.config import Settings


Result = TypeVar("Result")
ENDING_SIGNALS = (signal.SIGTERM, signal.SIGINT)
INTERRUPTED = 130
WIND_DOWN_SECONDS = 30.0
"""What is in hand has ended or was returned by then; if not, the cancellation was lost, and is given again."""
LONGEST_END_SECONDS = 75.0
"""A thread that waits for somebody outside is not waited for any longer: what it did not finish is done again."""


def talk(sentence: str) -> None:
    print(sentence, file=sys.stderr, flush=True)


def settings_now() -> Settings:
    from lumbung.config import load_settings
    from lumbung.telemetry import set_up_logs, set_up_traces

    settings, _ = load_settings()
    set_up_logs(settings.log_level, settings.log_json)
    set_up_traces(settings.traces_url)
    return settings


@asynccontextmanager
async def system(names: LocalNames | None = None) -> AsyncIterator[System]:
    from lumbung.bootstrap import open_system

    async with open_system(settings_now(), talk, names) as opened:
        yield opened


async def require_broker(opened: System) -> None:
    """That the queue answers, and lets us in, is known before anything is added or started."""
    from lumbung.queues.jetstream import JetStreamQueue

    queue = await JetStreamQueue.connect(opened.addresses.nats, opened.settings.nats_replicas)
    await queue.close()


def run(work: Coroutine[Any, Any, Result]) -> Result:
    """Run to the end on a quick loop; SIGTERM and Ctrl-C both cancel, so that everything winds down and can be resumed."""
    import uvloop

    async def interruptible() -> Result:
        task = asyncio.ensure_future(work)
        loop = asyncio.get_running_loop()

        def end() -> None:
            task.cancel()
            loop.call_later(WIND_DOWN_SECONDS, end)
            last_resort.start_once()

        for number in ENDING_SIGNALS:
            loop.add_signal_handler(number, end)
        try:
            return await task
        finally:
            # A second interrupt cuts the winding down short; what it left behind may lose the one cancellation that
            # the end of the loop gives it, and then nothing would ever end.
            await end_all(asyncio.all_tasks() - {asyncio.current_task()})

    last_resort = LastResort()
    handlers = [(number, signal.getsignal(number)) for number in ENDING_SIGNALS]
    try:
        with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
            return runner.run(interruptible())
    except asyncio.CancelledError:
        raise SystemExit(INTERRUPTED) from None
    finally:
        last_resort.cancel()
        # The loop leaves Python's own behind, by which an interrupt at the very end would show its trace.
        for number, handler in handlers:
            signal.signal(number, handler)


class LastResort(threading.Timer):
    """Ends the process as a kill would, which loses nothing, when an interrupt has not ended it."""

    def __init__(self) -> None:
        super().__init__(LONGEST_END_SECONDS, os._exit, (INTERRUPTED,))
        self.daemon = True

    def start_once(self) -> None:
        if self.ident is None:
            self.start()
