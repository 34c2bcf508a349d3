"""The `lumbung` program.

An interrupt while its parts are still being imported ends it like any other: quietly, with 130.
"""

from __future__ import annotations

import signal
import sys
from types import FrameType


def end_interrupted(_number: int, _frame: FrameType | None) -> None:
    sys.exit(130)


if sys.argv[0].endswith("lumbung"):
    signal.signal(signal.SIGINT, end_interrupted)
