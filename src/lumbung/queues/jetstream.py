"""NATS JetStream behind the queue port: one stream and one durable pull consumer per stage, explicit acks."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Coroutine, Sequence
from contextlib import suppress
from typing import Any, TypeVar

import nats
import nats.errors
import nats.js.errors
from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.js import JetStreamContext
from nats.js.api import AckPolicy, ConsumerConfig, RetentionPolicy, StorageType, StreamConfig
from pydantic_core import from_json, to_json

from lumbung.errors import EngineUnavailable, SettingsError
from lumbung.model.job import MESSAGE_VERSION, STAGES
from lumbung.ports.queue import Message
from lumbung.queues.pulling import Puller

BROKER_ERRORS = (nats.errors.Error, OSError, asyncio.TimeoutError)
ACK_WAIT_SECONDS = 5
"""How soon the work of a worker that died is given to another; the living say earlier that they still work."""
KEEP_SECONDS = 0.8 * ACK_WAIT_SECONDS
SEND_SECONDS = 10
NEXT_OF = "$JS.API.CONSUMER.MSG.NEXT.{stream}.{stage}"
PING_SECONDS = 5
CONNECT_SECONDS = 15
ANSWER_SECONDS = 10
LEADER_SECONDS = 40
"""A cluster that is choosing its leader answers nobody: who starts meanwhile asks again for so long."""
ASK_AGAIN_SECONDS = 0.5
LEADERLESS = (nats.errors.TimeoutError, nats.js.errors.ServiceUnavailableError)
DEFAULT_MAX_UNACKNOWLEDGED = 64
STREAM_DIFFERS = 10058
"""The server's number for a stream of that name with other settings."""
TURNED_AWAY = "Authorization Violation"
"""As the server words it."""
Result = TypeVar("Result")


class Line:
    """Whether the connection stands. A question asked before it broke is never answered, so nobody waits for that."""

    def __init__(self) -> None:
        self._broken: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.made_again = asyncio.Event()
        self.times_made = 1
        self.stands = False
        """A login that is turned away before is a wrong one; later the client goes on trying, as after any trouble."""

    async def complains(self, error: Exception) -> None:
        """Reconnecting is the client's work; what fails in a call of ours is told there."""
        if TURNED_AWAY in str(error) and not self.stands:
            raise SettingsError("NATS turns this login away; correct LUMBUNG_NATS_URL.")

    async def breaks(self) -> None:
        if not self._broken.done():
            self._broken.set_result(None)

    async def stands_again(self) -> None:
        self.times_made += 1
        self._broken = asyncio.get_running_loop().create_future()
        self.made_again.set()

    async def answer(self, question: Coroutine[Any, Any, Result]) -> Result:
        """The answer, or EngineUnavailable as soon as the connection breaks."""
        asking: asyncio.Future[Result] = asyncio.ensure_future(question)
        either: set[asyncio.Future[Any]] = {asking, self._broken}
        try:
            await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
            if not asking.done():
                raise EngineUnavailable("The connection to NATS broke; it is being made again.")
            return asking.result()
        finally:
            asking.cancel()


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
        self._context: JetStreamContext = client.jetstream(timeout=ANSWER_SECONDS)
        self._replicas = replicas
        self._max_unacknowledged = max_unacknowledged
        self._pullers: dict[str, tuple[int, Puller]] = {}
        self._making = asyncio.Lock()

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
                    error_cb=line.complains,
                    disconnected_cb=line.breaks,
                    reconnected_cb=line.stands_again,
                )
        except TimeoutError as error:
            raise EngineUnavailable(
                f"NATS does not answer within {CONNECT_SECONDS} seconds; start it, or correct LUMBUNG_NATS_URL."
            ) from error
        except BROKER_ERRORS as error:
            raise EngineUnavailable(f"NATS does not answer: {error}") from error
        line.stands = True
        queue = cls(client, line, replicas, max_unacknowledged)
        for stage in STAGES:
            await queue.ensure_at_first(stage)
        return queue

    @property
    def has_jetstream(self) -> bool:
        """As the server that we are connected to said when it let us in."""
        return bool(self._client._server_info.get("jetstream"))  # noqa: SLF001 - the client shows it in no other way

    async def ensure_at_first(self, stage: str) -> None:
        given_up = time.monotonic() + LEADER_SECONDS
        while True:
            try:
                return await self.ensure(stage)
            except EngineUnavailable as error:
                if isinstance(error.__cause__, LEADERLESS) and not self.has_jetstream:
                    raise SettingsError("The NATS server runs without JetStream; start it with --jetstream.") from error
                if not isinstance(error.__cause__, LEADERLESS) or time.monotonic() > given_up:
                    raise
            await asyncio.sleep(ASK_AGAIN_SECONDS)

    async def ensure(self, stage: str) -> None:
        """Make the stream and its consumer if they are not there: the store is disposable."""
        try:
            await self._line.answer(self._make(stage))
        except BROKER_ERRORS as error:
            raise EngineUnavailable(f"NATS does not take the stream of {stage}: {error}") from error

    async def _make(self, stage: str) -> None:
        stream = StreamConfig(
            name=stream_of(stage),
            subjects=[subject_of(stage)],
            retention=RetentionPolicy.WORK_QUEUE,
            storage=StorageType.FILE,
            num_replicas=self._replicas,
        )
        try:
            await self._context.add_stream(stream)
        except nats.js.errors.BadRequestError as error:
            if error.err_code != STREAM_DIFFERS:
                raise
            await self._give_more_copies(stream)
        await self._context.add_consumer(
            stream_of(stage),
            ConsumerConfig(
                durable_name=stage,
                ack_policy=AckPolicy.EXPLICIT,
                ack_wait=ACK_WAIT_SECONDS,
                max_ack_pending=self._max_unacknowledged,
            ),
        )

    async def _give_more_copies(self, stream: StreamConfig) -> None:
        """A stream that was made with fewer gets them; a machine that asks for fewer was not told, and takes none away."""
        assert stream.name is not None
        known = (await self._context.stream_info(stream.name)).config.num_replicas or 1
        if known < self._replicas:
            await self._context.update_stream(stream)

    async def send(self, messages: Sequence[Message]) -> None:
        try:
            await self._line.answer(self._publish(messages))
        except nats.js.errors.NoStreamResponseError:
            for stage in sorted({stage for stage, _ in messages}):
                await self.ensure(stage)
            raise EngineUnavailable("A stream was lost and has been made anew.") from None
        except BROKER_ERRORS as error:
            raise EngineUnavailable(f"NATS did not acknowledge: {error}") from error

    async def _publish(self, messages: Sequence[Message]) -> None:
        acknowledgements = []
        try:
            for stage, jobs in messages:
                content = to_json({"v": MESSAGE_VERSION, "jobs": list(jobs)})
                acknowledgements.append(await self._context.publish_async(subject_of(stage), content))
            async with asyncio.timeout(SEND_SECONDS):
                await asyncio.gather(*acknowledgements)
        finally:
            for each in acknowledgements:
                each.cancel()

    async def receive(self, stage: str, wait_seconds: float) -> JetStreamDelivery | None:
        puller: Puller | None = None
        try:
            puller = await self._puller(stage)
            message = await self._line.answer(puller.next(wait_seconds))
        except BROKER_ERRORS as error:
            await self._leave(stage, puller)
            raise EngineUnavailable(f"NATS lost the consumer of {stage}: {error}") from error
        return JetStreamDelivery(message) if message else None

    async def _puller(self, stage: str) -> Puller:
        """One for all waiters. A server that came back may have come back empty, and does not say so to who asks for messages."""
        async with self._making:
            made, puller = self._pullers.get(stage, (0, None))
            if puller is None or made != self._line.times_made:
                now = self._line.times_made
                await self._leave(stage, puller)
                await self.ensure(stage)
                puller = Puller(self._client, NEXT_OF.format(stream=stream_of(stage), stage=stage), KEEP_SECONDS)
                await puller.open()
                self._pullers[stage] = (now, puller)
        return puller

    async def _leave(self, stage: str, puller: Puller | None) -> None:
        """Unless somebody else has left it already; the next one may be at work."""
        if puller is not None and self._pullers.get(stage, (0, None))[1] is puller:
            del self._pullers[stage]
            with suppress(*BROKER_ERRORS):
                await puller.close()

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
        for stage, (_, puller) in list(self._pullers.items()):
            await self._leave(stage, puller)
        with suppress(*BROKER_ERRORS):
            await self._client.close()


def stream_of(stage: str) -> str:
    return f"lumbung_{stage}"


def subject_of(stage: str) -> str:
    return f"lumbung.{stage}"
