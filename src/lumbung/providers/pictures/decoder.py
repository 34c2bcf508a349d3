"""One child a picture: it has its seconds and its memory, and is killed at the limit."""

from __future__ import annotations

import asyncio
import contextlib
import sys
from asyncio.subprocess import DEVNULL, PIPE

from pydantic import ValidationError

from lumbung.errors import InputRefused
from lumbung.ports.pictures import Attribution, CleanPicture, SeenPicture
from lumbung.providers.pictures.wire import ORDER, REPORT, Order, Report
from lumbung.text.sniffing import sniff

SECONDS = 15.0
MEMORY_BYTES = 1_000_000_000
MOST_BODY_BYTES = 16 * 1024 * 1024
MOST_COPY_BYTES = 16 * 1024 * 1024


class PictureDecoder:
    def __init__(self, seconds: float = SECONDS, memory_bytes: int = MEMORY_BYTES) -> None:
        self._seconds = seconds
        self._memory_bytes = memory_bytes

    async def look(self, body: bytes) -> SeenPicture:
        report, _ = await self._ask(Order(), body)
        if report.seen is None:
            raise refused("a damaged picture")
        return report.seen

    async def clean(self, body: bytes, attribution: Attribution) -> CleanPicture:
        report, content = await self._ask(Order(attribution), body)
        if not content or len(content) > MOST_COPY_BYTES:
            raise refused("no copy of a fitting size came of it")
        return CleanPicture(content, report.content_type, report.width, report.height)

    async def _ask(self, order: Order, body: bytes) -> tuple[Report, bytes]:
        if len(body) > MOST_BODY_BYTES:
            raise refused("too many bytes")
        if sniff(None, body[:1024]) != "image":
            raise refused("not a picture")
        child = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "lumbung.providers.pictures.child", str(self._memory_bytes),
            stdin=PIPE, stdout=PIPE, stderr=DEVNULL, start_new_session=True,
        )  # fmt: skip
        try:
            told, _ = await asyncio.wait_for(child.communicate(ORDER.dump_json(order) + b"\n" + body), self._seconds)
        except TimeoutError as error:
            raise refused("it takes too long to read") from error
        finally:
            with contextlib.suppress(ProcessLookupError):
                child.kill()
            await child.wait()
        head, _, content = told.partition(b"\n")
        try:
            report = REPORT.validate_json(head)
        except ValidationError as error:
            raise refused("it ends its reader") from error
        if report.refused:
            raise refused(report.refused)
        return report, content


def refused(reason: str) -> InputRefused:
    return InputRefused(f"The picture is not copied: {reason}.", reason)
