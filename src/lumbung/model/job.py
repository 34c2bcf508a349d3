"""Jobs: the unit of work that is done once, whatever is delivered twice."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

STAGES = ("extract", "encode", "decide", "publish", "steward")
MESSAGE_VERSION = 1


@dataclass(frozen=True, slots=True)
class Job:
    id: int
    stage: str
    key: str
    payload: dict[str, Any]
    attempts: int
    trace: str | None = None


@dataclass(frozen=True, slots=True)
class NewJob:
    """A job to be queued; one with the same stage and key is queued only once."""

    stage: str
    key: str
    payload: dict[str, Any] = field(default_factory=dict)
    trace: str | None = None
    """The step that led to it, where traces are on."""
