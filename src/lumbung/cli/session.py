"""What the commands of the whole system share: settings, an open system, talk on stderr."""

from __future__ import annotations

import asyncio
import signal
import sys
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any, TypeVar

from lumbung.runtime.ending import end_all

if TYPE_CHECKING:
    from lumbung.bootstrap import LocalNames, System
    from lumbung.config import Settings


Result = TypeVar("Result")
ENDING_SIGNALS = (signal.SIGTERM, signal.SIGINT)


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


def run(work: Coroutine[Any, Any, Result]) -> Result:
    """Run to the end on a quick loop; SIGTERM and Ctrl-C both cancel, so that everything winds down and can be resumed."""
    import uvloop

    async def interruptible() -> Result:
        task = asyncio.ensure_future(work)
        loop = asyncio.get_running_loop()
        for number in ENDING_SIGNALS:
            loop.add_signal_handler(number, task.cancel)
        try:
            return await task
        finally:
            # A second interrupt cuts the winding down short; what it left behind may lose the one cancellation that
            # the end of the loop gives it, and then nothing would ever end.
            await end_all(asyncio.all_tasks() - {asyncio.current_task()})

    handlers = [(number, signal.getsignal(number)) for number in ENDING_SIGNALS]
    try:
        with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
            return runner.run(interruptible())
    except asyncio.CancelledError:
        raise SystemExit(130) from None
    finally:
        # The loop leaves Python's own behind, by which an interrupt at the very end would show its trace.
        for number, handler in handlers:
            signal.signal(number, handler)
