"""What a model may say about a piece of a page: a closed schema, made from the profile's vocabulary."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, create_model

from lumbung.model.profile import Profile

MOST_ITEMS = 12
MOST_FACTS = 60


_UNSENT = ("title", "default", "maxLength", "minLength", "maxItems")
"""What code checks anyway: every model pays for each word of the schema."""


def shortened(schema: dict[str, Any]) -> None:
    """The schema as it is sent: names, types and the closed vocabulary."""
    schema.pop("title", None)
    for inner in schema.get("properties", {}).values():
        for word in _UNSENT:
            inner.pop(word, None)


class Closed(BaseModel):
    model_config = ConfigDict(extra="forbid", json_schema_extra=shortened)


class SaidFact(Closed):
    attribute: str = Field(max_length=300)
    value: str = Field(min_length=1, max_length=2000)
    quote: str = Field(min_length=1, max_length=1000)
    confidence: float = Field(ge=0, le=1)


class SaidItem(Closed):
    name: str = Field(min_length=1, max_length=300)
    aliases: list[str] = Field(default_factory=list, max_length=20)
    category: str | None
    facts: list[SaidFact] = Field(default_factory=list, max_length=MOST_FACTS)
    pictures: list[int] = Field(default_factory=list, max_length=50)


class SaidItems(Closed):
    items: list[SaidItem] = Field(default_factory=list, max_length=MOST_ITEMS)


def schema_for(profile: Profile) -> type[SaidItems]:
    """The same shape with categories that are the profile's, and no others.

    Attributes are checked by code: listing them here as well as in the instructions would double what each page costs,
    and a model that names one too many would lose its whole answer.
    """
    category: Any = Literal[tuple(sorted(profile.categories))]
    item = create_model("Item", __base__=SaidItem, category=(category | None, None))
    return create_model(
        "Items",
        __base__=SaidItems,
        items=(list[item], Field(default_factory=list, max_length=MOST_ITEMS)),  # type: ignore[valid-type]
    )


class SupportOf(Closed):
    number: int
    verdict: Literal["supported", "contradicted", "unsupported"]


class SupportAnswers(Closed):
    verdicts: list[SupportOf] = Field(default_factory=list, max_length=MOST_ITEMS * MOST_FACTS)
