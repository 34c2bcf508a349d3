"""What parent and child say to each other: a JSON line each way, then bytes."""

from __future__ import annotations

from dataclasses import dataclass

from pydantic import TypeAdapter

from lumbung.ports.pictures import Attribution, SeenPicture


@dataclass(frozen=True, slots=True)
class Order:
    """The picture follows; without an attribution it is only looked at."""

    attribution: Attribution | None = None


@dataclass(frozen=True, slots=True)
class Report:
    """The clean picture follows, if one was asked for."""

    seen: SeenPicture | None = None
    content_type: str = ""
    width: int = 0
    height: int = 0
    refused: str | None = None


ORDER = TypeAdapter(Order)
REPORT = TypeAdapter(Report)
