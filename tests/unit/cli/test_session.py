from __future__ import annotations

import signal

from lumbung.cli.session import ENDING_SIGNALS, run


async def work() -> str:
    return "done"


def test_after_a_run_signals_are_handled_as_before_it() -> None:
    def quietly(_number: int, _frame: object) -> None:
        return

    before = [signal.signal(number, quietly) for number in ENDING_SIGNALS]
    try:
        assert run(work()) == "done"
        assert [signal.getsignal(number) for number in ENDING_SIGNALS] == [quietly, quietly]
    finally:
        for number, handler in zip(ENDING_SIGNALS, before, strict=True):
            signal.signal(number, handler)
