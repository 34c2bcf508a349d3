"""NATS JetStream behind the queue port: one stream and one durable pull consumer per stage, explicit acks."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Sequence
from typing import Any, TypeVar

import nats
import nats.errors
import nats.js.errors
from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.js import JetStreamContext
from nats.js.api import AckPolicy, ConsumerConfig, RetentionPolicy, StorageType, StreamConfig
from pydantic_core import from_json, to_json

from lumbung.errors import EngineUnavailable
from lumbung.model.job import MESSAGE_VERSION, STAGES

BROKER_ERRORS = (nats.errors.Error, OSError, asyncio.TimeoutError)
ACK_WAIT_SECONDS = 5
"""How soon the work of a worker that died is given to another; the living say earlier that they still work."""
PING_SECONDS = 5
CONNECT_SECONDS = 15
DEFAULT_MAX_UNACKNOWLEDGED = 64
Result = TypeVar("Result")


class Line:
    """Whether the connection stands. A question asked before it broke is never answered, so nobody waits for that."""

    def __init__(self) -> None:
        self._broken = asyncio.Event()
        self.made_again = asyncio.Event()
        self.times_made = 1

    async def breaks(self) -> None:
        self._broken.set()

    async def stands_again(self) -> None:
        self.times_made += 1
        self._broken = asyncio.Event()
        self.made_again.set()

    async def answer(self, question: Coroutine[Any, Any, Result]) -> Result:
        """The answer, or EngineUnavailable as soon as the connection breaks."""
        asking = asyncio.ensure_future(question)
        breaking = asyncio.ensure_future(self._broken.wait())
        try:
            await asyncio.wait({asking, breaking}, return_when=asyncio.FIRST_COMPLETED)
            if not asking.done():
                raise EngineUnavailable("The connection to NATS broke; it is being made again.")
            return asking.result()
        finally:
            asking.cancel()
            breaking.cancel()


class JetStreamDelivery:
    def __init__(self, message: Msg) -> None:
        content = from_json(message.data)
        self._message = message
        self.jobs: Sequence[int] = [int(job) for job in content["jobs"]]

    async def done(self) -> None:
        await self._quietly(self._message.ack())

    async def again(self, delay_seconds: float = 0) -> None:
        await self._quietly(self._message.nak(delay=delay_seconds or None))

    async def still_working(self) -> None:
        await self._quietly(self._message.in_progress())

    async def _quietly(self, acknowledgement: object) -> None:
        """A lost acknowledgement only means that the message comes again, and is then found done."""
        try:
            await acknowledgement  # type: ignore[misc]
        except BROKER_ERRORS:
            return


class JetStreamQueue:
    def __init__(self, client: Client, line: Line, replicas: int, max_unacknowledged: int) -> None:
        self._client = client
        self._line = line
        self._context: JetStreamContext = client.jetstream(timeout=10)
        self._replicas = replicas
        self._max_unacknowledged = max_unacknowledged
        self._subscriptions: dict[str, tuple[int, JetStreamContext.PullSubscription]] = {}

    @classmethod
    async def connect(
        cls, url: str, replicas: int = 1, max_unacknowledged: int = DEFAULT_MAX_UNACKNOWLEDGED
    ) -> JetStreamQueue:
        line = Line()
        try:
            # The client itself would try the first connection for ever.
            async with asyncio.timeout(CONNECT_SECONDS):
                client = await nats.connect(
                    servers=url.split(","),
                    connect_timeout=10,
                    max_reconnect_attempts=-1,
                    reconnect_time_wait=0.1,
                    allow_reconnect=True,
                    ping_interval=PING_SECONDS,
                    error_cb=ignore_background_error,
                    disconnected_cb=line.breaks,
                    reconnected_cb=line.stands_again,
                )
        except TimeoutError as error:
            raise EngineUnavailable(
                f"NATS does not answer within {CONNECT_SECONDS} seconds; start it, or correct LUMBUNG_NATS_URL."
            ) from error
        except BROKER_ERRORS as error:
            raise EngineUnavailable(f"NATS does not answer: {error}") from error
        queue = cls(client, line, replicas, max_unacknowledged)
        for stage in STAGES:
            await queue.ensure(stage)
        return queue

    async def ensure(self, stage: str) -> None:
        """Make the stream and its consumer if they are not there: the store is disposable."""
        try:
            await self._line.answer(self._make(stage))
        except BROKER_ERRORS as error:
            raise EngineUnavailable(f"NATS does not take the stream of {stage}: {error}") from error

    async def _make(self, stage: str) -> None:
        await self._context.add_stream(
            StreamConfig(
                name=stream_of(stage),
                subjects=[subject_of(stage)],
                retention=RetentionPolicy.WORK_QUEUE,
                storage=StorageType.FILE,
                num_replicas=self._replicas,
            )
        )
        await self._context.add_consumer(
            stream_of(stage),
            ConsumerConfig(
                durable_name=stage,
                ack_policy=AckPolicy.EXPLICIT,
                ack_wait=ACK_WAIT_SECONDS,
                max_ack_pending=self._max_unacknowledged,
            ),
        )

    async def send(self, stage: str, jobs: Sequence[int]) -> None:
        content = to_json({"v": MESSAGE_VERSION, "jobs": list(jobs)})
        try:
            await self._line.answer(self._context.publish(subject_of(stage), content, timeout=10))
        except nats.js.errors.NoStreamResponseError:
            await self.ensure(stage)
            raise EngineUnavailable(f"The stream of {stage} was lost and has been made anew.") from None
        except BROKER_ERRORS as error:
            raise EngineUnavailable(f"NATS did not acknowledge: {error}") from error

    async def receive(self, stage: str, wait_seconds: float) -> JetStreamDelivery | None:
        try:
            subscription = await self._subscription(stage)
            messages = await self._line.answer(subscription.fetch(1, timeout=wait_seconds))
        except (TimeoutError, nats.errors.TimeoutError):
            return None
        except BROKER_ERRORS as error:
            self._subscriptions.pop(stage, None)
            raise EngineUnavailable(f"NATS lost the consumer of {stage}: {error}") from error
        return JetStreamDelivery(messages[0]) if messages else None

    async def _subscription(self, stage: str) -> JetStreamContext.PullSubscription:
        """A server that came back may have come back empty, and does not say so to who asks for messages."""
        made, subscription = self._subscriptions.get(stage, (0, None))
        if subscription is None or made != self._line.times_made:
            now = self._line.times_made
            await self.ensure(stage)
            subscription = await self._context.pull_subscribe_bind(consumer=stage, stream=stream_of(stage))
            self._subscriptions[stage] = (now, subscription)
        return subscription

    async def drained(self, stage: str) -> bool:
        return await self.waiting(stage) == 0

    async def waiting(self, stage: str) -> int:
        try:
            info = await self._line.answer(self._context.consumer_info(stream_of(stage), stage))
        except nats.js.errors.NotFoundError:
            await self.ensure(stage)
            return 0
        except BROKER_ERRORS as error:
            raise EngineUnavailable(f"NATS does not answer: {error}") from error
        return int(info.num_pending or 0) + int(info.num_ack_pending or 0)

    async def came_back(self) -> None:
        """Returns when the broker has been away since the last call."""
        await self._line.made_again.wait()
        self._line.made_again.clear()

    async def close(self) -> None:
        try:
            await self._client.close()
        except BROKER_ERRORS:
            return


async def ignore_background_error(error: Exception) -> None:
    """Reconnecting is the client's work; what fails in a call of ours is told there."""
    del error


def stream_of(stage: str) -> str:
    return f"lumbung_{stage}"


def subject_of(stage: str) -> str:
    return f"lumbung.{stage}"
