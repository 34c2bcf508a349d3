"""The ledger of money: reserved before a call, settled after it, in integer micro-units."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Purpose:
    """What a spend is itemised by."""

    stage: str
    provider: str
    model: str
    job: str


class Ledger(Protocol):
    async def reserve(self, purpose: Purpose, micros: int, lease_seconds: float) -> int:
        """A reservation within every window's cap; BudgetExhausted when there is no room now."""
        ...

    async def begin(self, reservation: int) -> bool:
        """The call goes out now; False when the reservation has expired: reserve again."""
        ...

    async def settle(self, reservation: int, micros: int, input_tokens: int = 0, output_tokens: int = 0) -> None:
        """What it cost. More than was reserved is recorded, raises an alarm and pauses the stage."""
        ...

    async def release(self, reservation: int) -> None:
        """Nothing was spent."""
        ...
