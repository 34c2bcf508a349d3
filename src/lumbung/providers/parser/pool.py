"""A pool of parser children, each killed at its limit and replaced."""

from __future__ import annotations

import asyncio
import os
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import Self

from lumbung.errors import InputRefused
from lumbung.model.candidate import Candidate, PageText
from lumbung.providers.parser.nursery import Nursery
from lumbung.providers.parser.recognition import SECONDS_A_PAGE, Recognition
from lumbung.providers.parser.wire import (
    ANSWER,
    LENGTH,
    MOST_ANSWER_BYTES,
    QUESTION,
    Answer,
    Question,
)
from lumbung.text.lexicon import SHIPPED, Words
from lumbung.text.markup.refusal import Unreadable, refused

SECONDS = 10.0
MEMORY_BYTES = 1_000_000_000
MOST_BODY_BYTES = 32_000_000
_PAGES_A_CHILD = 2_000
_PATIENCE = 6
"""By the clock, a page may take so many times its processor time."""
_TICKS = os.sysconf("SC_CLK_TCK")
# After these a child may be in any state.
_SPENT = frozenset({Unreadable.MEMORY_LIMIT.value, Unreadable.PARSER_CRASHED.value})


class _Child:
    def __init__(
        self, nursery: Nursery, number: int, answers: asyncio.StreamReader, questions: asyncio.StreamWriter
    ) -> None:
        self.number = number
        self._nursery = nursery
        self._answers = answers
        self._questions = questions
        self.answered = 0

    @classmethod
    async def born(cls, nursery: Nursery) -> _Child:
        number, wire = await nursery.bear()
        return cls(nursery, number, *await asyncio.open_connection(sock=wire, limit=MOST_ANSWER_BYTES))

    async def ask(self, question: Question, body: bytes) -> Answer:
        """Raises EOFError when the child died over it."""
        words = QUESTION.dump_json(question)
        self._questions.write(LENGTH.pack(len(words), len(body)) + words)
        self._questions.write(body)
        await self._questions.drain()
        size, _ = LENGTH.unpack(await self._answers.readexactly(LENGTH.size))
        if size > MOST_ANSWER_BYTES:
            raise EOFError
        answer = ANSWER.validate_json(await self._answers.readexactly(size))
        self.answered += 1
        return answer

    def processor_seconds(self) -> float:
        """Used so far by it and by programs that ended under it."""
        try:
            figures = Path(f"/proc/{self.number}/stat").read_text().rpartition(")")[2].split()
        except OSError:
            return 0.0  # it is gone, which its answer will tell
        return sum(map(int, figures[11:15])) / _TICKS

    def is_there(self) -> bool:
        return not self._answers.at_eof()

    def knows(self, words: Words) -> bool:
        return self._nursery.words == words

    async def kill(self) -> None:
        self._questions.close()
        await self._nursery.kill(self.number)


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
        self._nursery: Nursery | None = None
        self._founding = asyncio.Lock()
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
        (idle, self._idle), (nursery, self._nursery) = (self._idle, []), (self._nursery, None)
        for child in idle:
            await child.kill()
        if nursery:
            await nursery.retire()

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

    async def _free_child(self) -> _Child:
        while self._idle:
            child = self._idle.pop()
            if child.is_there():
                return child
            await child.kill()
        return await self._born()

    async def _born(self) -> _Child:
        nursery = await self._known()
        try:
            return await _Child.born(nursery)
        except ConnectionError:
            # Somebody killed the process that bears them.
            return await _Child.born(await self._known(instead_of=nursery))

    async def _known(self, instead_of: Nursery | None = None) -> Nursery:
        """Whoever knows the words in force."""
        async with self._founding:
            old = self._nursery
            if old is None or old is instead_of or old.words != self._words:
                self._nursery = None
                if old:
                    await old.retire()
                self._nursery = await Nursery.start(self._memory_bytes, self._profile, self._words)
                return self._nursery
            return old

    async def _answer(self, body: bytes, question: Question) -> Answer:
        child = await self._free_child()
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
