"""A model that reads the fixed pages: what it answers is a function of what it is asked, whoever asks and when."""

from __future__ import annotations

from typing import Any

from lumbung.demo.obedience import obey
from lumbung.demo.protocol_server import Asked
from tests.chaos.pages import ITEMS

INPUT_MICROS_PER_MILLION = 1_000_000
OUTPUT_MICROS_PER_MILLION = 2_000_000
CAP_MICROS = 50_000_000
NAME = "chaos-model"


def mind(asked: Asked) -> Any:
    if asked.schema.get("title") != "Items":
        return obey(asked)
    return {"items": [read for item in ITEMS if (read := read_item(asked.user, *item)) is not None]}


def read_item(text: str, name: str, _kind: str, people: str, region: str, material: str) -> dict[str, Any] | None:
    """Origin and people, each with the sentence that says so."""
    sentences = [f"{each}." for each in text.replace("\n", ". ").split(". ") if name in each and region in each]
    if not sentences:
        return None
    quote = sentences[0].removesuffix(".")
    said = [("asal-daerah", region), ("suku", people), ("bahan", material)]
    facts = [
        {"attribute": attribute, "value": value, "quote": quote, "confidence": 0.9}
        for attribute, value in said
        if value in quote
    ]
    return {"name": name, "aliases": [], "category": None, "facts": facts, "pictures": []}


def settings_of(base_url: str) -> dict[str, str]:
    """The environment of a process that asks this model."""
    return {
        "LUMBUNG_LLM__BASE_URL": base_url,
        "LUMBUNG_LLM__MODEL": NAME,
        "LUMBUNG_LLM__INPUT_MICROS_PER_MILLION": str(INPUT_MICROS_PER_MILLION),
        "LUMBUNG_LLM__OUTPUT_MICROS_PER_MILLION": str(OUTPUT_MICROS_PER_MILLION),
        "LUMBUNG_BUDGET__HOUR_MICROS": str(CAP_MICROS),
        "LUMBUNG_BUDGET__DAY_MICROS": str(CAP_MICROS),
        "LUMBUNG_BUDGET__MONTH_MICROS": str(CAP_MICROS),
    }
