"""How often the agents had to be asked, and how much was decided without any."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from lumbung.store import items
from lumbung.store.database import Transaction

NEWEST_DECISIONS = 100_000


@dataclass(frozen=True, slots=True)
class AgentShare:
    """Over the newest decisions; calls are per thousand subjects."""

    subjects: int
    scope: float
    same_item: float
    validation: float
    without_any: float | None

    def as_json(self) -> dict[str, Any]:
        return asdict(self)

    def line(self) -> str:
        if self.without_any is None:
            return "nothing decided yet"
        calls = f"scope {self.scope:.1f}, same-item {self.same_item:.1f}, validation {self.validation:.1f}"
        return f"{self.without_any:.1%} decided without any; calls per thousand: {calls}"


async def agent_share(tx: Transaction) -> AgentShare:
    counted = await items.asked_agents(tx, NEWEST_DECISIONS)
    subjects = counted["subjects"]
    scope, same_item, validation = (
        1000 * counted[name] / max(1, subjects) for name in ("scope", "same_item", "validation")
    )
    without = 1 - counted["asked_subjects"] / subjects if subjects else None
    return AgentShare(subjects, scope, same_item, validation, without)
