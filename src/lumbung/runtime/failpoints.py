"""Named points at every boundary of a side effect, where a test can make the process die.

`LUMBUNG_FAILPOINTS="worker.committed=3,relay.published=1"` ends the process, without any cleaning up, at the third
and the first passage. In ordinary operation the variable is unset and a passage costs one dictionary look-up.
"""

from __future__ import annotations

import os

NAMES = (
    "crawl.leased",
    "crawl.fetched",
    "crawl.committed",
    "worker.received",
    "worker.prepared",
    "worker.performed",
    "worker.committed",
    "relay.published",
    "relay.marked",
    "archive.announced",
    "archive.written",
    "archive.recorded",
    "archive.rewritten",
    "archive.moved",
    "ledger.reserved",
    "ledger.begun",
    "ledger.answered",
    "ledger.settled",
    "library.sent",
    "mail.taken",
    "mail.sent",
    "pictures.taken",
    "pictures.kept",
    "pictures.recorded",
)
EXIT_CODE = 86


def parse(setting: str) -> dict[str, int]:
    pairs = (piece.partition("=") for piece in setting.split(",") if piece)
    return {name: int(count or 1) for name, _, count in pairs}


_remaining = parse(os.environ.get("LUMBUNG_FAILPOINTS", ""))


def passage(name: str) -> None:
    if name not in _remaining:
        return
    _remaining[name] -= 1
    if _remaining[name] == 0:
        os._exit(EXIT_CODE)
