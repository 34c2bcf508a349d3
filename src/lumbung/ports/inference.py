"""Asking a model: a prompt in, an answer of a closed schema out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

from pydantic import BaseModel

T = TypeVar("T", bound=BaseModel)
Answered_co = TypeVar("Answered_co", bound=BaseModel, covariant=True)


@dataclass(frozen=True, slots=True)
class Prompt:
    """What is asked. `content` holds the data, delimited; `instructions` are ours alone."""

    name: str
    version: str
    instructions: str
    content: str
    max_output_tokens: int = 2048
    subject: str = ""
    """What the answer is about, so that an erasure finds it."""
    sensitive: bool = False
    """Goes to a hosted model only if the guardian allows it."""

    @property
    def label(self) -> str:
        return f"{self.name}/{self.version}"


@dataclass(frozen=True, slots=True)
class Answer(Generic[Answered_co]):
    value: Answered_co
    provider: str
    model: str
    prompt: str
    """Name and version."""
    cached: bool = False
    micros: int = 0
    asked: int = 1
    """How many requests it took, re-asking included."""


class Inference(Protocol):
    @property
    def has_stronger(self) -> bool:
        """Whether a second, stronger model is there for what the first one fails at."""
        ...

    async def answer(
        self, prompt: Prompt, schema: type[T], stage: str, job: str, *, stronger: bool = False
    ) -> Answer[T]:
        """The answer, from memory if the same was asked before.

        Otherwise RateLimited, TransientError, BudgetExhausted, ProviderDown, CapabilityMissing, PolicyRefused
        (moderation), or ContractError when no answer fits the schema, however often it is asked.
        """
        ...


class RememberedAnswers(Protocol):
    async def find(self, key: str) -> Any | None: ...

    async def keep(self, key: str, model: str, prompt: str, subject: str, answer: Any) -> None: ...
