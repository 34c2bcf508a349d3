"""The coverage matrix as it is held, tranches with their seeds, and what tranches really gave."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from lumbung.store.database import Row, Transaction, json, named_queries
from lumbung.store.frontier import url_key

SQL = named_queries("coverage")


@dataclass(frozen=True, slots=True)
class NewSeed:
    url: str
    category: str
    region: str
    cost: float
    note: str
    verified: bool = False


async def held(tx: Transaction) -> list[Row]:
    return await tx.rows(SQL["held"])


async def add_tranche(tx: Transaction, name: str, note: str, seeds: Sequence[NewSeed]) -> bool:
    """False when a tranche of this name was injected already."""
    if await tx.value(SQL["add_tranche"], {"name": name, "note": note}) is None:
        return False
    await tx.run_many(SQL["add_seed"], [asdict(seed) | {"tranche": name} for seed in seeds])
    return True


async def elsewhere(tx: Transaction, tranche: str, urls: Sequence[str]) -> dict[str, str]:
    """Seeds that would bring nothing new, and why."""
    values = {"tranche": tranche, "urls": list(urls), "keys": [url_key(url) for url in urls]}
    return {row["url"]: row["fault"] for row in await tx.rows(SQL["elsewhere"], values)}


async def dead_seeds(tx: Transaction, tranche: str) -> dict[str, str]:
    return {row["url"]: row["fault"] for row in await tx.rows(SQL["dead"], {"tranche": tranche})}


async def tranches(tx: Transaction) -> list[Row]:
    return await tx.rows(SQL["all"])


async def forecasts_and_outcomes(tx: Transaction) -> list[tuple[float, float]]:
    """Entries, of the tranches that have ended."""
    return [(row["expected"], row["found"]) for row in await tx.rows(SQL["forecasts_and_outcomes"])]


async def get(tx: Transaction, name: str) -> Row | None:
    return await tx.row(SQL["get"], {"name": name})


async def seeds(tx: Transaction, tranche: str) -> list[Row]:
    return await tx.rows(SQL["seeds"], {"tranche": tranche})


async def proposed_seeds(tx: Transaction) -> list[Row]:
    return await tx.rows(SQL["all_seeds"])


async def verify_seeds(tx: Transaction, tranche: str, urls: Sequence[str]) -> int:
    return await tx.run(SQL["verify"], {"tranche": tranche, "urls": list(urls)})


async def running(tx: Transaction) -> str | None:
    name = await tx.value(SQL["running"])
    return None if name is None else str(name)


async def mark_injected(tx: Transaction, name: str, forecast: Mapping[str, Any]) -> None:
    await tx.run(SQL["inject"], {"name": name, "forecast": json(dict(forecast))})


async def finish(tx: Transaction, name: str, state: str, reason: str) -> bool:
    return await tx.run(SQL["finish"], {"name": name, "state": state, "reason": reason}) > 0


async def keep_outcome(tx: Transaction, name: str, outcome: Mapping[str, Any]) -> None:
    await tx.run(SQL["keep_outcome"], {"name": name, "outcome": json(dict(outcome))})


async def pages(tx: Transaction, tranche: str) -> Row:
    return await tx.row(SQL["pages"], {"tranche": tranche}) or {"open": 0, "fetched": 0, "lost": 0}


async def yielded(tx: Transaction, tranche: str) -> list[Row]:
    return await tx.rows(SQL["yielded"], {"tranche": tranche})


async def posteriors(tx: Transaction) -> list[Row]:
    return await tx.rows(SQL["posteriors"])


async def keep_posterior(
    tx: Transaction, tranche: str, cell: tuple[str, str], shape: float, rate: float, seeds: float, found: float
) -> None:
    values = {"category": cell[0], "region": cell[1], "shape": shape, "rate": rate, "seeds": seeds, "found": found}
    await tx.run(SQL["keep_posterior"], values | {"tranche": tranche})
