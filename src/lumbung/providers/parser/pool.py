"""A pool of parser children, each killed at its limit and replaced."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sys
from asyncio.subprocess import PIPE, Process
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import Self

from lumbung.errors import ContractError, InputRefused
from lumbung.model.candidate import Candidate, PageText
from lumbung.providers.parser.recognition import SECONDS_A_PAGE, Recognition
from lumbung.providers.parser.wire import (
    ANSWER,
    LENGTH,
    MOST_ANSWER_BYTES,
    QUESTION,
    READY,
    WORDS,
    Answer,
    Question,
)
from lumbung.text.lexicon import SHIPPED, Words
from lumbung.text.markup.refusal import Unreadable, refused

SECONDS = 10.0
MEMORY_BYTES = 1_000_000_000
MOST_BODY_BYTES = 32_000_000
_PAGES_A_CHILD = 2_000
_STARTING_SECONDS = 60.0
_PATIENCE = 6
"""By the clock, a page may take so many times its processor time."""
_TICKS = os.sysconf("SC_CLK_TCK")
# After these a child may be in any state.
_SPENT = frozenset({Unreadable.MEMORY_LIMIT.value, Unreadable.PARSER_CRASHED.value})


class _Child:
    def __init__(self, process: Process, words: Words) -> None:
        self._process = process
        self._words = words
        self.answered = 0

    @classmethod
    async def start(cls, memory_bytes: int, profile: str, words: Words) -> _Child:
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "lumbung.providers.parser.child", str(memory_bytes), profile,
            stdin=PIPE, stdout=PIPE, start_new_session=True, limit=MOST_ANSWER_BYTES,
        )  # fmt: skip
        child = cls(process, words)
        try:
            await asyncio.wait_for(child.ready(), _STARTING_SECONDS)
        except (TimeoutError, asyncio.IncompleteReadError, ConnectionError) as error:
            await child.kill()
            message = "The parser's process did not start; run `lumbung doctor`."
            raise ContractError(message) from error
        return child

    async def ready(self) -> None:
        """Its words and libraries are loaded; from here on time is the page's."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        words = WORDS.dump_json(self._words)
        self._process.stdin.write(LENGTH.pack(len(words), 0) + words)
        await self._process.stdin.drain()
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

    def processor_seconds(self) -> float:
        """Used so far by it and by programs that ended under it."""
        try:
            figures = Path(f"/proc/{self._process.pid}/stat").read_text().rpartition(")")[2].split()
        except OSError:
            return 0.0  # it is gone, which its answer will tell
        return sum(map(int, figures[11:15])) / _TICKS

    def knows(self, words: Words) -> bool:
        return self._words == words

    async def kill(self) -> None:
        with contextlib.suppress(ProcessLookupError):
            # Its session: a program that reads letters for it goes too.
            os.killpg(self._process.pid, signal.SIGKILL)
        await self._process.wait()


class ParserPool:
    """Reads pages in at most `size` children; `async with` it, or `close()` it."""

    def __init__(
        self,
        size: int = 2,
        profile: str = "pdbi",
        *,
        seconds: float = SECONDS,
        memory_bytes: int = MEMORY_BYTES,
        recognition: Recognition | None = None,
        words: Words = SHIPPED,
    ) -> None:
        self._slots = asyncio.Semaphore(size)
        self._idle: list[_Child] = []
        self._profile = profile
        self._seconds = seconds
        self._memory_bytes = memory_bytes
        self._recognition = recognition
        self._words = words

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def follow(self, words: Words) -> None:
        """Children that know other words are replaced before the next page."""
        self._words = words
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
        """The text, of scans too where they can be read, and the candidates of the lexical extractor."""
        return await self._ask_for_letters(body, Question(url, content_type, extract=True))

    async def read_letters(self, body: bytes, url: str, content_type: str) -> PageText:
        """As `read`, of scans too."""
        page, _ = await self._ask_for_letters(body, Question(url, content_type, extract=False))
        return page

    async def _ask_for_letters(self, body: bytes, question: Question) -> tuple[PageText, list[Candidate]]:
        try:
            return await self._ask(body, question)
        except InputRefused as refusal:
            if refusal.reason != Unreadable.NO_TEXT_LAYER or self._recognition is None:
                raise
        return await self._ask(body, replace(question, recognition=self._recognition))

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

    async def _in_time(self, child: _Child, question: Question, body: bytes) -> Answer:
        """Its time is the processor's: on a busy machine the clock runs on while a page waits for its turn."""
        reading = 0.0 if question.recognition is None else question.recognition.most_pages * SECONDS_A_PAGE
        limit, before = self._seconds + reading, child.processor_seconds()
        asking = asyncio.ensure_future(child.ask(question, body))
        try:
            async with asyncio.timeout(self._seconds * _PATIENCE + reading):
                left = limit
                while not (await asyncio.wait([asking], timeout=left))[0]:
                    left = limit - (child.processor_seconds() - before)
                    if left <= 0:
                        raise TimeoutError
                return asking.result()
        finally:
            asking.cancel()

    async def _start(self) -> _Child:
        return await _Child.start(self._memory_bytes, self._profile, self._words)

    async def _answer(self, body: bytes, question: Question) -> Answer:
        child = self._idle.pop() if self._idle else await self._start()
        try:
            answer = await self._in_time(child, question, body)
        except TimeoutError:
            await child.kill()
            return Answer(refused=Unreadable.TIME_LIMIT.value)
        except (EOFError, asyncio.IncompleteReadError, ConnectionError, ValueError):
            await child.kill()
            return Answer(refused=Unreadable.PARSER_CRASHED.value)
        except BaseException:
            await child.kill()
            raise
        if answer.refused in _SPENT or child.answered >= _PAGES_A_CHILD or not child.knows(self._words):
            await child.kill()
        else:
            self._idle.append(child)
        return answer
