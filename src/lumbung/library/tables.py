"""Entries as CSV: one line a fact, so that a spreadsheet can take them."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from typing import Any

from lumbung.library.plain_text import csv_cell

COLUMNS = (
    "identity",
    "title",
    "category",
    "regions",
    "owner",
    "status",
    "labels",
    "attribute",
    "value",
    "confidence",
    "flag",
    "source",
    "quote",
)


def header() -> str:
    return line(COLUMNS)


def lines(record: dict[str, Any]) -> Iterator[str]:
    """An entry without facts has a line with its text as the value, and so has one of people's that keeps facts beside it."""
    head = [
        record["identity"],
        record["title"],
        record["category"] or "",
        " ".join(record["regions"]),
        record["owner"],
        record["status"],
        " ".join(label["url"] for label in record["labels"]),
    ]
    if not record["facts"] or (record["owner"] == "human" and record["text"]):
        yield line([*head, "", record["text"], "", "", "", ""])
    for fact in record["facts"]:
        for source in fact["sources"]:
            yield line(
                [
                    *head,
                    fact["attribute"],
                    fact["value"],
                    f"{fact['confidence']:.6f}",
                    fact["flag"] or "",
                    source["url"],
                    source["quote"],
                ]
            )


def line(cells: Any) -> str:
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerow([csv_cell(str(cell)) for cell in cells])
    return out.getvalue()
