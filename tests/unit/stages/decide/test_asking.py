"""Questions to the agents wait for their answers side by side, and a failed one fails alone."""

from __future__ import annotations

import asyncio

from lumbung.errors import ProviderDown
from lumbung.model.job import Job
from lumbung.profiles.loader import load_profile
from lumbung.stages.decide.agents import AgentVerdict
from lumbung.stages.decide.asking import Question, QuestionDesk


class Together:
    """Answers only when two are asked at the same time."""

    def __init__(self) -> None:
        self._both = asyncio.Barrier(2)

    async def scope(self, node, item, scope, *, sensitive):
        await self._both.wait()
        if node == "b":
            raise ProviderDown("local does not answer.", "inference")
        return AgentVerdict(node, "in", {})


async def test_the_questions_of_a_batch_are_asked_at_once():
    desk = QuestionDesk(load_profile("pdbi"), Together())
    jobs = [Job(number, "decide", str(number), {}, 0) for number in (1, 2, 3)]
    asked = {1: Question(("a",), ({},), sensitive=False), 2: Question(("b",), ({},), sensitive=False)}
    answers = await asyncio.wait_for(desk.perform(asked, jobs), 20)
    assert answers[1][1].verdict == "in"
    assert isinstance(answers[2], ProviderDown)
    assert answers[3] is None
