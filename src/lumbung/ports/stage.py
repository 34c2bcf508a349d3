"""The one shape of a handler, so that no transaction ever waits for a model or a network."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Protocol

from lumbung.model.job import Job, NewJob

Outcome = dict[int, Any]
"""What `perform` made of each job, by its id; a LumbungError is that job's alone."""


class Handler(Protocol):
    stage: str
    batch_size: int
    """How many jobs one transaction takes; cheap stages work set-wise."""

    async def prepare(self, tx: Any, jobs: Sequence[Job]) -> Any:
        """A short read."""
        ...

    async def perform(self, prepared: Any, jobs: Sequence[Job]) -> Outcome:
        """Outside calls, no transaction."""
        ...

    async def commit(self, tx: Any, jobs: Sequence[Job], outcome: Outcome) -> Iterable[NewJob]:
        """Artefact and follow-on jobs in one transaction, for the jobs that succeeded and are still to be done."""
        ...
