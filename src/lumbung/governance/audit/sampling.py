"""Which decisions are read by people, and with what probability: drawn by a number that is theirs once and for all."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from hashlib import sha256
from typing import Any

from lumbung.governance.constants import number
from lumbung.store.audits import NewSample

Row = Mapping[str, Any]
PHASES = {"shadow": "shadow", "published": "publish"}
"""Statuses whose entries are audited, and the name of the sample's stage."""
ENTRY_ITSELF = ""


def drawn_number(*parts: str) -> float:
    """Uniform on [0, 1) and always the same for the same parts: being written twice gives no second chance."""
    digest = sha256("\x1f".join(parts).encode("utf-8", "surrogatepass")).digest()
    return int.from_bytes(digest[:7], "big") / 2**56


def band(confidence: float) -> str:
    return "below .90" if confidence < 0.9 else "below .97" if confidence < 0.97 else "from .97"


def inclusion_of(rules: Mapping[str, Any], sensitive: bool, flagged: bool, released: bool) -> tuple[str, float]:
    """The sort of decision and its rate: everything sensitive and everything released in trickle is surely read."""
    if released:
        return "released", 1.0
    if sensitive:
        return "sensitive", float(rules["audit.rate_sensitive"])
    if flagged:
        return "flagged", float(rules["audit.rate_flagged"])
    return "plain", float(rules["audit.rate"])


def samples_of_entry(
    entry: Row, probability: float, rules: Mapping[str, Any], salt: str, released: bool
) -> Iterator[NewSample]:
    """The entry itself and each published fact, every one drawn on its own."""
    phase = PHASES[entry["status"]]
    units: list[tuple[str, str, float, bool, Row]] = [(ENTRY_ITSELF, "", probability, False, {})]
    units += [
        (fact["attribute"], fact["value_key"], fact["probability"], fact["flagged"], fact)
        for fact in entry["facts"]
        if fact["state"] == "published"
    ]
    for attribute, value_key, confidence, flagged, fact in units:
        sort, inclusion = inclusion_of(rules, entry["sensitive"], flagged, released)
        unit = (salt, phase, entry["identity"], attribute, value_key)
        if drawn_number(*unit) >= inclusion:
            continue
        yield NewSample(
            kind="publication",
            stage=phase,
            subject=entry["identity"],
            attribute=attribute,
            value_key=value_key,
            category=entry["category"],
            stratum=f"{entry['category']}|{sort}|{band(confidence)}",
            inclusion=inclusion,
            confidence=confidence,
            sensitive=entry["sensitive"],
            flagged=flagged,
            second_reading=is_read_twice(rules, *unit),
            place=drawn_number("place", *unit),
            shown=shown(entry, attribute, fact),
        )


def is_read_twice(rules: Mapping[str, Any], *unit: str) -> bool:
    return drawn_number("second reading", *unit) < number(rules, "audit.second_reading_share")


def shown(entry: Row, attribute: str, fact: Row) -> dict[str, Any]:
    """What the auditor sees: the statement beside its quotes, as it was when it was drawn."""
    content = {
        "title": entry["title"],
        "category": entry["category"],
        "regions": list(entry["regions"]),
        "revision": entry["revision"],
        "attribute": attribute,
        "value": fact.get("value", entry["title"]),
        "sources": fact.get("sources") or [],
    }
    if attribute == ENTRY_ITSELF:
        content["text"] = entry["body"]
        content["sources"] = [source for each in entry["facts"] for source in (each["sources"] or [])][:10]
    return content


def sample_of_refusal(row: Row, rules: Mapping[str, Any], salt: str) -> NewSample | None:
    inclusion = float(rules["audit.rate_rejected"])
    unit = (salt, "rejection", row["stage"], str(row["id"]))
    if drawn_number(*unit) >= inclusion:
        return None
    content = {"subject": row["subject"], "reason": row["reason"], "detail": row["detail"]}
    return _negative("rejection", row["stage"], str(row["id"]), "", row["reason"], inclusion, rules, unit, content)


def sample_of_skip(row: Row, rules: Mapping[str, Any], salt: str) -> NewSample | None:
    inclusion = float(rules["audit.rate_rejected"])
    unit = (salt, "skip", str(row["id"]))
    if drawn_number(*unit) >= inclusion:
        return None
    content = {"title": row["name"], "url": row["url"], "evidence": row["evidence"], "subject": row["subject"]}
    return _negative("skip", "decide", str(row["id"]), row["category"] or "", "skip", inclusion, rules, unit, content)


def _negative(
    kind: str,
    stage: str,
    subject: str,
    category: str,
    sort: str,
    inclusion: float,
    rules: Mapping[str, Any],
    unit: tuple[str, ...],
    content: Mapping[str, Any],
) -> NewSample:
    return NewSample(
        kind=kind,
        stage=stage,
        subject=subject,
        attribute="",
        value_key="",
        category=category,
        stratum=f"{stage}|{sort}",
        inclusion=inclusion,
        confidence=None,
        sensitive=False,
        flagged=False,
        second_reading=is_read_twice(rules, *unit),
        place=drawn_number("place", *unit),
        shown=content,
    )


def gold_copy(row: Row, verdict: str) -> NewSample:
    """The same statement, with its answer known, at a place of its own in the queue."""
    own = {"kind", "gold", "second_reading", "place"}
    copied = {name: row[name] for name in NewSample.__slots__ if name not in own}
    place = (row["place"] * 7919) % 1.0
    return NewSample(**(copied | {"kind": "gold", "gold": verdict, "second_reading": False, "place": place}))
