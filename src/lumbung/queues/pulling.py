"""Pulls a consumer's messages: as many ahead as are used up in a moment, so that quick jobs do not cost a request each."""

from __future__ import annotations

import asyncio
import time

import nats.errors
from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.aio.subscription import Subscription
from pydantic_core import to_json

MOST_AHEAD = 16
AHEAD_SECONDS = 0.1
"""What is pulled ahead is used up in this time at the present pace; long jobs come one by one."""
PACE_SHARE = 0.2
STATUS = "Status"
LEFT_OVER = "Nats-Pending-Messages"
NOTHING_CAME = frozenset({"404", "408"})


class Puller:
    """One consumer, for any number of waiters of one process; broken with its connection, and then made anew."""

    def __init__(self, client: Client, request_subject: str, keep_seconds: float) -> None:
        self._client = client
        self._request_subject = request_subject
        self._keep_seconds = keep_seconds
        self._inbox = client.new_inbox()
        self._subscription: Subscription | None = None
        self._arrived: asyncio.Queue[tuple[float, Msg | None]] = asyncio.Queue()
        """None tells a waiter that nothing comes any more."""
        self._asked = 0
        self._waiters = 0
        self._seconds_a_message = 1.0
        self._handed_out = time.monotonic()

    async def open(self) -> None:
        self._subscription = await self._client.subscribe(self._inbox, cb=self._take)

    async def next(self, wait_seconds: float) -> Msg | None:
        """The next message, or None if there was none in this time."""
        self._waiters += 1
        try:
            async with asyncio.timeout(wait_seconds):
                return await self._next(wait_seconds)
        except TimeoutError:
            self._asked = 0
            return None
        finally:
            self._waiters -= 1

    async def _next(self, wait_seconds: float) -> Msg:
        while True:
            if self._asked + self._arrived.qsize() < self._waiters:
                await self._ask(wait_seconds)
            arrived_at, message = await self._arrived.get()
            if message is None:
                raise nats.errors.ConnectionClosedError
            status = (message.headers or {}).get(STATUS)
            if status is not None:
                raise nats.errors.Error(f"nats: status {status}")
            if time.monotonic() - arrived_at < self._keep_seconds:
                self._note_pace()
                return message
            # It lay here for so long that it is being given to another.

    async def _ask(self, wait_seconds: float) -> None:
        number = self._waiters - self._asked + self._ahead() - 1
        self._asked += number
        request = {"batch": number, "expires": int(wait_seconds * 1e9)}
        await self._client.publish(self._request_subject, to_json(request), reply=self._inbox)

    def _ahead(self) -> int:
        return max(1, min(MOST_AHEAD, int(AHEAD_SECONDS / self._seconds_a_message)))

    def _note_pace(self) -> None:
        now = time.monotonic()
        self._seconds_a_message += PACE_SHARE * (now - self._handed_out - self._seconds_a_message)
        self._seconds_a_message = max(self._seconds_a_message, 1e-4)
        self._handed_out = now

    async def _take(self, message: Msg) -> None:
        status = (message.headers or {}).get(STATUS)
        if status in NOTHING_CAME:
            left_over = (message.headers or {}).get(LEFT_OVER, "")
            self._asked = max(0, self._asked - int(left_over)) if left_over.isdigit() else 0
            return
        self._asked = max(0, self._asked - 1) if status is None else 0
        for _ in range(1 if status is None else max(1, self._waiters)):  # an error is everybody's
            self._arrived.put_nowait((time.monotonic(), message))

    async def close(self) -> None:
        """Nothing more is wanted; what lies here is given back, and who still waits is told."""
        if self._subscription is not None:
            await self._subscription.unsubscribe()
        while not self._arrived.empty():
            _, message = self._arrived.get_nowait()
            if message is not None and (message.headers or {}).get(STATUS) is None:
                await message.nak()
        for _ in range(self._waiters):
            self._arrived.put_nowait((time.monotonic(), None))
