"""What the crawl learned from its own pages: weights of the priority, yields of hosts, figures of the gate."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from lumbung.store.database import Row, Transaction, json, named_queries

SQL = named_queries("learning")
LOCK = 7231010


async def is_mine(tx: Transaction) -> bool:
    """Whether this transaction may learn: one process at a time does."""
    return bool(await tx.value(SQL["lock"], {"lock": LOCK}))


async def to_learn(tx: Transaction, limit: int) -> list[Row]:
    return await tx.rows(SQL["to_learn"], {"limit": limit})


async def keep_yields(tx: Transaction, yields: Sequence[tuple[int, str, float]], weight: float) -> None:
    """Frontier row, host and yield of each page; `weight` is that of what a host gave so far."""
    if yields:
        values = [value for _, _, value in yields]
        await tx.run(SQL["learned"], {"ids": [number for number, _, _ in yields], "yields": values})
        hosts = [host for _, host, _ in yields]
        await tx.run(SQL["add_yields"], {"hosts": hosts, "yields": values, "weight": weight})


async def settle(tx: Transaction, weight: float) -> None:
    await tx.run(SQL["settle"], {"weight": weight})


async def model(tx: Transaction) -> Row | None:
    """The learned weights, how firmly they are believed, how many pages taught them and how far off they were lately."""
    return await tx.row(SQL["model"])


async def keep_model(
    tx: Transaction,
    weights: Mapping[str, float],
    firmness: Mapping[str, Mapping[str, float]],
    updates: int,
    error: float,
) -> None:
    parameters = {"weights": json(dict(weights)), "firmness": json(dict(firmness)), "updates": updates, "error": error}
    await tx.run(SQL["keep_model"], parameters)


async def reset_model(tx: Transaction) -> None:
    await tx.run(SQL["reset_model"])


async def gate_figures(tx: Transaction) -> tuple[list[Row], list[Row]]:
    """Costs and pass rates by filter, and the verdicts of the random-order sample."""
    return await tx.rows(SQL["gate_figures"]), await tx.rows(SQL["gate_patterns"])


async def add_gate_figures(
    tx: Transaction,
    figures: Sequence[tuple[str, int, float, int, int]],
    patterns: Mapping[tuple[tuple[str, bool], ...], int],
) -> None:
    """Filter, runs, seconds, trials and passes; and how often each pattern of verdicts was seen."""
    if figures:
        names = ("filters", "runs", "seconds", "trials", "passes")
        await tx.run(SQL["add_gate_figures"], dict(zip(names, map(list, zip(*figures, strict=True)), strict=True)))
    if patterns:
        verdicts = [json(dict(each)) for each in patterns]
        await tx.run(SQL["add_gate_patterns"], {"verdicts": verdicts, "pages": list(patterns.values())})


async def newest_document(tx: Transaction) -> int:
    return int(await tx.value(SQL["newest_document"]))
