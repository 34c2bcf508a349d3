"""Entries as everybody may have them: short quotes, nothing of what people hid or a label withholds, no unseen character."""

from __future__ import annotations

from typing import Any, cast

from lumbung.library.plain_text import inert
from lumbung.library.protocols import BLUR_MEDIA, asks_for

LONGEST_QUOTE = 300
QUOTED_SHARE = 10
"""At most a tenth of the page is quoted in public."""

Row = dict[str, Any]


def short_quote(quote: str, page_length: int) -> str:
    limit = max(20, min(LONGEST_QUOTE, page_length // QUOTED_SHARE))
    return quote if len(quote) <= limit else quote[: limit - 1].rstrip() + "…"


def flag_of(fact: Row) -> str | None:
    return "review" if fact["state"] == "waiting" else "low-confidence" if fact["flagged"] else None


def is_blurred(row: Row) -> bool:
    """Pictures of sensitive items, and where a label asks for it, are shown only to who asks to see them."""
    return bool(row["sensitive"]) or asks_for(row["labels"], BLUR_MEDIA)


def public_media(row: Row) -> list[Row]:
    """Pictures by reference, and our copies of those whose licence allows it, with their attribution."""
    if row["hidden"]:
        return []
    shown = {place_of(each): each for each in map(file_told, row["media"])}
    pictured = {*shown}
    for file in row["files"]:
        told = file_told(file)
        place = place_of(told)
        shown[place] = shown.get(place, {}) | (told | ours_of(file) if place in pictured else told)
    return [each | {"blurred": is_blurred(row)} for each in shown.values()]


def place_of(told: Row) -> str:
    return str(told.get("url") or told.get("name", ""))


OURS = ("digest", "content_type", "width", "height", "licence_url", "page")
"""What only the library itself says of a copy that it made of a picture."""


def ours_of(file: Any) -> Row:
    return {name: file[name] for name in OURS if name in file} if isinstance(file, dict) else {}


def file_told(file: Any) -> Row:
    """A file of people's is a name, a web address, or an object that says more of it; of our copies none of them can speak."""
    said = file if isinstance(file, dict) else {"url": file}
    address = said.get("url") or said.get("name", "")
    plain = {name: value for name, value in said.items() if isinstance(value, str | int | float)}
    beside = {name: value for name, value in plain.items() if name not in (*OURS, "url", "name")}
    return {"url" if is_web_address(address) else "name": address} | beside


def is_web_address(address: str) -> bool:
    return address.lower().startswith(("http://", "https://"))


def public_record(row: Row) -> Row:
    """The JSON twin: what a page shows, with short quotes and no more than it."""
    facts = [] if row["hidden"] else row["facts"]
    record = {
        "identity": row["identity"],
        "title": row["title"],
        "aliases": row["aliases"],
        "category": row["category"],
        "regions": row["regions"],
        "owner": row["owner"],
        "status": row["status"],
        "revision": row["revision"],
        "licence": row["licence"] or row["granted"],
        "contributor": row["contributor"],
        "labels": row["labels"],
        "sensitive": row["sensitive"],
        "hidden": row["hidden"],
        "text": "" if row["hidden"] else row["body"],
        "media": public_media(row),
        "supplement_of": row["supplement_of"],
        "supplements": row["supplements"],
        "updated_at": row["updated_at"].isoformat(),
        "facts": [
            {
                "attribute": fact["attribute"],
                "value": fact["value"],
                "confidence": round(fact["probability"], 6),
                "flag": flag_of(fact),
                "sources": [
                    {"url": source["url"], "quote": short_quote(source["quote"], source.get("page_length") or 0)}
                    for source in fact["sources"] or []
                ],
            }
            for fact in facts
        ],
    }
    return cast("Row", inert(record))
