"""A pool of parser children, each killed at its limit and replaced."""

from __future__ import annotations

import asyncio
import contextlib
import sys
from asyncio.subprocess import PIPE, Process
from types import TracebackType
from typing import Self

from lumbung.errors import ContractError
from lumbung.model.candidate import Candidate, PageText
from lumbung.providers.parser.wire import ANSWER, LENGTH, MOST_ANSWER_BYTES, QUESTION, READY, Answer, Question
from lumbung.text.markup.refusal import Unreadable, refused

SECONDS = 10.0
MEMORY_BYTES = 1_000_000_000
MOST_BODY_BYTES = 32_000_000
_PAGES_A_CHILD = 2_000
_STARTING_SECONDS = 60.0
# After these a child may be in any state.
_SPENT = frozenset({Unreadable.MEMORY_LIMIT.value, Unreadable.PARSER_CRASHED.value})


class _Child:
    def __init__(self, process: Process) -> None:
        self._process = process
        self.answered = 0

    @classmethod
    async def start(cls, memory_bytes: int, profile: str) -> _Child:
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "lumbung.providers.parser.child", str(memory_bytes), profile,
            stdin=PIPE, stdout=PIPE, start_new_session=True, limit=MOST_ANSWER_BYTES,
        )  # fmt: skip
        child = cls(process)
        try:
            await asyncio.wait_for(child.ready(), _STARTING_SECONDS)
        except (TimeoutError, asyncio.IncompleteReadError) as error:
            await child.kill()
            message = "The parser's process did not start; run `lumbung doctor`."
            raise ContractError(message) from error
        return child

    async def ready(self) -> None:
        """Its libraries are loaded; from here on time is the page's."""
        assert self._process.stdout is not None
        await self._process.stdout.readexactly(len(READY))

    async def ask(self, question: Question, body: bytes) -> Answer:
        """Raises EOFError when the child died over it."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        words = QUESTION.dump_json(question)
        self._process.stdin.write(LENGTH.pack(len(words), len(body)) + words)
        self._process.stdin.write(body)
        await self._process.stdin.drain()
        size, _ = LENGTH.unpack(await self._process.stdout.readexactly(LENGTH.size))
        if size > MOST_ANSWER_BYTES:
            raise EOFError
        answer = ANSWER.validate_json(await self._process.stdout.readexactly(size))
        self.answered += 1
        return answer

    async def kill(self) -> None:
        with contextlib.suppress(ProcessLookupError):
            self._process.kill()
        await self._process.wait()


class ParserPool:
    """Reads pages in at most `size` children; `async with` it, or `close()` it."""

    def __init__(
        self, size: int = 2, profile: str = "pdbi", *, seconds: float = SECONDS, memory_bytes: int = MEMORY_BYTES
    ) -> None:
        self._slots = asyncio.Semaphore(size)
        self._idle: list[_Child] = []
        self._profile = profile
        self._seconds = seconds
        self._memory_bytes = memory_bytes

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        idle, self._idle = self._idle, []
        for child in idle:
            await child.kill()

    async def read(self, body: bytes, url: str, content_type: str) -> PageText:
        """The page's visible text and structure; InputRefused with a reason of the closed list otherwise."""
        page, _ = await self._ask(body, Question(url, content_type, extract=False))
        return page

    async def extract(self, body: bytes, url: str, content_type: str) -> tuple[PageText, list[Candidate]]:
        """The same, and the candidates of the lexical extractor, in one round trip."""
        return await self._ask(body, Question(url, content_type, extract=True))

    async def _ask(self, body: bytes, question: Question) -> tuple[PageText, list[Candidate]]:
        if len(body) > MOST_BODY_BYTES:
            raise refused(Unreadable.TOO_LARGE)
        async with self._slots:
            answer = await self._answer(body, question)
            if answer.refused == Unreadable.PARSER_CRASHED:
                # Somebody may have killed the child; only a page that kills two is to blame.
                answer = await self._answer(body, question)
        if answer.page is None:
            raise refused(Unreadable(answer.refused or Unreadable.PARSER_CRASHED))
        return answer.page, list(answer.candidates)

    async def _answer(self, body: bytes, question: Question) -> Answer:
        child = self._idle.pop() if self._idle else await _Child.start(self._memory_bytes, self._profile)
        try:
            answer = await asyncio.wait_for(child.ask(question, body), self._seconds)
        except TimeoutError:
            await child.kill()
            return Answer(refused=Unreadable.TIME_LIMIT.value)
        except (EOFError, asyncio.IncompleteReadError, ConnectionError, ValueError):
            await child.kill()
            return Answer(refused=Unreadable.PARSER_CRASHED.value)
        except BaseException:
            await child.kill()
            raise
        if answer.refused in _SPENT or child.answered >= _PAGES_A_CHILD:
            await child.kill()
        else:
            self._idle.append(child)
        return answer
