"""Samples with their inclusion probabilities, labels, releases, the human corpus's digest, and notices."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

from lumbung.store.database import Row, Transaction, json, named_queries

SQL = named_queries("audits")


@dataclass(frozen=True, slots=True)
class NewSample:
    kind: str
    stage: str
    subject: str
    attribute: str
    value_key: str
    category: str
    stratum: str
    inclusion: float
    confidence: float | None
    sensitive: bool
    flagged: bool
    second_reading: bool
    place: float
    shown: Mapping[str, Any]
    gold: str | None = None


@dataclass(frozen=True, slots=True)
class NewLabel:
    sample: int
    person: int
    reading: int
    verdict: str
    novelty: str | None
    error_kind: str | None
    note: str
    changed: bool
    action: int


async def salt(tx: Transaction) -> str:
    """A number of this installation's own, by which samples are drawn."""
    return str(await tx.value(SQL["salt"]) or "")


async def unconsidered(tx: Transaction, limit: int) -> list[Row]:
    return await tx.rows(SQL["unconsidered"], {"limit": limit})


async def consider(tx: Transaction, ids: Sequence[int]) -> None:
    await tx.run(SQL["consider"], {"ids": list(ids)})


async def unconsidered_refusals(tx: Transaction, limit: int) -> list[Row]:
    return await tx.rows(SQL["unconsidered_refusals"], {"limit": limit})


async def consider_refusals(tx: Transaction, ids: Sequence[int], inclusion: float) -> None:
    await tx.run(SQL["consider_refusals"], {"ids": list(ids), "inclusion": inclusion})


async def unconsidered_skips(tx: Transaction, limit: int) -> list[Row]:
    return await tx.rows(SQL["unconsidered_skips"], {"limit": limit})


async def consider_skips(tx: Transaction, ids: Sequence[int], inclusion: float) -> None:
    await tx.run(SQL["consider_skips"], {"ids": list(ids), "inclusion": inclusion})


async def add(tx: Transaction, sample: NewSample) -> int | None:
    """None when this decision was sampled before."""
    made = await tx.value(SQL["add"], asdict(sample) | {"shown": json(dict(sample.shown))})
    return None if made is None else int(made)


async def get(tx: Transaction, sample: int) -> Row | None:
    return await tx.row(SQL["get"], {"id": sample})


async def seal_of(tx: Transaction, sample: int) -> str:
    return str(await tx.value(SQL["seal"], {"id": sample}))


async def labels_of(tx: Transaction, sample: int) -> list[Row]:
    return await tx.rows(SQL["labels_of"], {"sample": sample})


async def add_label(tx: Transaction, label: NewLabel) -> int:
    return int(await tx.value(SQL["label"], asdict(label)))


async def withdraw_label(tx: Transaction, label: int, action: int) -> None:
    await tx.run(SQL["withdraw_label"], {"label": label, "action": action})


async def last_label(tx: Transaction, person: int, seconds: float, sample: int | None = None) -> Row | None:
    """The newest label that this person could still take back."""
    return await tx.row(SQL["last_label"], {"person": person, "seconds": seconds, "sample": sample})


async def waiting_for(tx: Transaction, person: int, category: str | None = None) -> list[Row]:
    return await tx.rows(SQL["waiting"], {"person": person, "category": category})


async def disputed(tx: Transaction) -> list[Row]:
    """Samples whose two readings differ, with the readings but not the readers."""
    return await tx.rows(SQL["disputed"])


async def samples(
    tx: Transaction,
    kinds: Sequence[str] = ("publication",),
    stage: str | None = None,
    category: str | None = None,
    after: int | None = None,
) -> list[Row]:
    """Samples with their verdicts, in the order in which these came; unlabelled ones last.

    `after` leaves out what was labelled before that line of the log: lines, unlike clocks, have one order.
    """
    return await tx.rows(SQL["samples"], {"kinds": list(kinds), "stage": stage, "category": category, "after": after})


async def source_urls(tx: Transaction, samples: Sequence[int]) -> dict[int, tuple[str, ...]]:
    """The pages that sampled facts rested on when they were drawn."""
    rows = await tx.rows(SQL["source_urls"], {"samples": list(samples)})
    return {row["id"]: tuple(row["urls"]) for row in rows}


async def source_engines(tx: Transaction, samples: Sequence[int]) -> dict[int, tuple[str, ...]]:
    """The engines that read what sampled facts rest on."""
    rows = await tx.rows(SQL["source_engines"], {"samples": list(samples)})
    return {row["id"]: tuple(row["engines"]) for row in rows}


async def calibrated_at(tx: Transaction) -> datetime | None:
    """When the calibration in force came; None while there is none."""
    return await tx.value(SQL["calibrated_at"])  # type: ignore[no-any-return]


async def gold_wanted(tx: Transaction, share: float) -> int:
    """How many hidden gold items the unread queue lacks."""
    return max(0, int(await tx.value(SQL["gold_wanted"], {"share": share}) or 0))


async def settled(tx: Transaction, limit: int) -> list[Row]:
    """Samples on whose verdict two people agree, or one adjudicated, and which are not gold yet."""
    return await tx.rows(SQL["settled"], {"limit": limit})


async def readings(tx: Transaction) -> list[Row]:
    return await tx.rows(SQL["readings"])


async def gold_results(tx: Transaction) -> list[Row]:
    return await tx.rows(SQL["gold_results"])


async def label_authors(tx: Transaction, category: str, after: int) -> set[int]:
    return {row["person"] for row in await tx.rows(SQL["label_authors"], {"category": category, "after": after})}


async def line_of(tx: Transaction, name: str) -> int:
    return int(await tx.value(SQL["line_of"], {"name": name}))


async def silence_seconds(tx: Transaction, category: str) -> float:
    """How long samples of publications have waited with nobody reading any."""
    return float(await tx.value(SQL["silence"], {"category": category}) or 0.0)


async def loop_closure(tx: Transaction) -> Row:
    return await tx.row(SQL["loop"]) or {}


async def published_facts_below(tx: Transaction, threshold: float, sensitive: bool) -> int:
    return int(await tx.value(SQL["facts_below"], {"threshold": threshold, "sensitive": sensitive}))


async def lock_trickle(tx: Transaction) -> None:
    await tx.row(SQL["lock_trickle"])


async def released_in_a_day(tx: Transaction) -> int:
    return int(await tx.value(SQL["released"]))


async def draw_held(tx: Transaction, categories: Sequence[str], limit: int) -> list[Row]:
    return await tx.rows(SQL["draw_held"], {"categories": list(categories), "limit": limit})


async def release(tx: Transaction, identity: str, category: str) -> int | None:
    """The entry's new revision; None when it is no longer held."""
    revision = await tx.value(SQL["release"], {"identity": identity})
    if revision is None:
        return None
    await tx.run(SQL["note_release"], {"entry": identity, "category": category})
    return int(revision)


async def changed_humans(tx: Transaction, limit: int = 20) -> list[Row]:
    """Human records that were changed or deleted past the actions."""
    changed = await tx.rows(SQL["changed_humans"], {"limit": limit})
    return changed + await tx.rows(SQL["lost_humans"], {"limit": limit})


async def digest_human_corpus(tx: Transaction, settled_seconds: float) -> Row | None:
    return await tx.row(SQL["digest_now"], {"settled_seconds": settled_seconds})


async def digest_due(tx: Transaction) -> bool:
    return bool(await tx.value(SQL["digest_due"]))


async def digests(tx: Transaction, limit: int = 30) -> list[Row]:
    return await tx.rows(SQL["digests"], {"limit": limit})


async def differing_digests(tx: Transaction, limit: int = 30) -> list[Row]:
    return await tx.rows(SQL["differing_digests"], {"limit": limit})


async def add_notice(
    tx: Transaction, kind: str, subject: str, detail: Mapping[str, Any], key: str | None = None
) -> bool:
    """False when the same notice is open already."""
    made = await tx.value(SQL["notify"], {"kind": kind, "subject": subject, "detail": json(dict(detail)), "key": key})
    return made is not None


async def notices(tx: Transaction, open_only: bool | None = True, limit: int = 100) -> list[Row]:
    return await tx.rows(SQL["notices"], {"open": open_only, "limit": limit})


async def take_unmailed(tx: Transaction, seconds: float, limit: int = 50) -> list[Row]:
    """Open notices that nobody was mailed about; they are this sender's for so long."""
    rows = await tx.rows(SQL["take_unmailed"], {"seconds": seconds, "limit": limit})
    return sorted(rows, key=lambda row: int(row["id"]))


async def give_back(tx: Transaction, ids: Sequence[int]) -> None:
    await tx.run(SQL["give_back"], {"ids": list(ids)})


async def mark_mailed(tx: Transaction, ids: Sequence[int]) -> None:
    await tx.run(SQL["mailed"], {"ids": list(ids)})


async def close_notice(tx: Transaction, notice: int, by: int | None) -> bool:
    return await tx.run(SQL["close_notice"], {"id": notice, "by": by}) > 0


async def stage_passed(tx: Transaction) -> dict[str, float]:
    return {row["stage"]: row["passed"] for row in await tx.rows(SQL["stage_passed"])}


async def last_digest(tx: Transaction) -> int:
    return int(await tx.value(SQL["last_digest"]))


async def notice_is_open(tx: Transaction, key: str) -> bool:
    return bool(await tx.value(SQL["open_notice"], {"key": key}))


async def close_notice_key(tx: Transaction, key: str, by: int | None) -> None:
    await tx.run(SQL["close_key"], {"key": key, "by": by})
