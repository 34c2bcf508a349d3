"""What the console's pages read: short, capped and paged by key; and the few rows that only its actions change."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from typing import Any

from lumbung.store.database import Row, Transaction, named_queries

SQL = named_queries("console")
COUNT_CAP = 1001
"""Counts stop here: a page says "more than a thousand"."""
AROUND_A_QUOTE = 400
LONGEST_EVIDENCE = 200
FIRST_SAMPLE = {"plain": False, "place": -1.0, "id": 0}


@dataclass(frozen=True, slots=True)
class ReviewPlace:
    """Where one stands in the review queue."""

    plain: bool = False
    updated_at: datetime = datetime(1, 1, 1, tzinfo=UTC)
    identity: str = ""


async def frame(tx: Transaction, person: int) -> Row:
    return await tx.row(SQL["frame"], {"person": person}) or {"name": "", "modes": {}}


async def waiting(tx: Transaction) -> dict[str, int]:
    return {name: int(number) for name, number in (await tx.row(SQL["waiting"], {"cap": COUNT_CAP}) or {}).items()}


async def review_queue(tx: Transaction, after: ReviewPlace, category: str | None = None, limit: int = 50) -> list[Row]:
    return await tx.rows(SQL["review_queue"], asdict(after) | {"category": category, "limit": limit})


async def review_before(tx: Transaction, place: ReviewPlace) -> str | None:
    found = await tx.value(SQL["review_before"], asdict(place))
    return None if found is None else str(found)


async def judgements(tx: Transaction, identity: str) -> list[Row]:
    return await tx.rows(SQL["judgements"], {"identity": identity})


async def passages(tx: Transaction, identity: str) -> list[Row]:
    values = {"identity": identity, "around": AROUND_A_QUOTE, "limit": LONGEST_EVIDENCE}
    return await tx.rows(SQL["passages"], values)


async def page_of_claim(tx: Transaction, claim: int) -> Row | None:
    return await tx.row(SQL["page_of_claim"], {"claim": claim})


async def next_sample(tx: Transaction, person: int, after: Row | None = None) -> int | None:
    """The sample that this person may read next, after the one given."""
    place = {"plain": not after["sensitive"], "place": after["place"], "id": after["id"]} if after else FIRST_SAMPLE
    found = await tx.value(SQL["next_samples"], place | {"person": person, "limit": 1})
    return None if found is None else int(found)


async def context(tx: Transaction, source: dict[str, Any]) -> Row | None:
    """The text around a quote, if its page is still kept."""
    if not all(name in source for name in ("url", "digest", "start", "end")):
        return None
    values = {"url": source["url"], "digest": source["digest"], "start": source["start"], "stop": source["end"]}
    return await tx.row(SQL["context"], values | {"around": AROUND_A_QUOTE})


async def by_status(tx: Transaction, status: str, after: tuple[str, str, str], limit: int = 50) -> list[Row]:
    category, title, identity = after
    values = {"status": status, "category": category, "title": title, "identity": identity, "limit": limit}
    return await tx.rows(SQL["by_status"], values)


async def batches(tx: Transaction, before: int = 2**62, limit: int = 50) -> list[Row]:
    return await tx.rows(SQL["batches"], {"before": before, "limit": limit})


async def hide(tx: Transaction, identity: str, hidden: bool) -> str | None:
    """The entry's title; None when there is no such entry or it is so already."""
    title = await tx.value(SQL["hide"], {"identity": identity, "hidden": hidden})
    return None if title is None else str(title)


async def hidden_entries(tx: Transaction, limit: int = 200) -> list[Row]:
    return await tx.rows(SQL["hidden"], {"limit": limit})


async def spent(tx: Transaction, seconds: float) -> Row:
    return await tx.row(SQL["spent"], {"seconds": seconds}) or {"micros": 0, "facts": 0, "new_facts": 0}


async def know_host(tx: Transaction, name: str, domain: str) -> None:
    await tx.run(SQL["know_host"], {"name": name, "domain": domain})


async def host(tx: Transaction, name: str) -> Row | None:
    return await tx.row(SQL["host"], {"name": name})


async def waiting_facts(tx: Transaction, category: str | None = None, limit: int = 20) -> list[Row]:
    return await tx.rows(SQL["waiting_facts"], {"category": category, "limit": limit})


async def restating_facts(tx: Transaction, category: str | None = None, limit: int = 20) -> list[Row]:
    return await tx.rows(SQL["restating_facts"], {"category": category, "limit": limit})


async def unsure_pairs(tx: Transaction, limit: int = 50) -> list[Row]:
    return await tx.rows(SQL["unsure_pairs"], {"limit": limit})


async def machine_entries(tx: Transaction, limit: int) -> list[Row]:
    return await tx.rows(SQL["machine_entries"], {"limit": limit})
