"""What a model may say about a piece of a page: a closed schema, made from the profile's vocabulary."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, create_model

MOST_ITEMS = 12
MOST_FACTS = 60


_UNSENT = frozenset(
    {"title", "default", "maxLength", "minLength", "maxItems", "minimum", "maximum", "additionalProperties", "$defs"}
)
"""What code checks anyway: every model pays for each word of the schema."""


def shortened(form: Any, definitions: dict[str, Any]) -> Any:
    """The schema as it is sent: names, types and the closed vocabulary, in one piece."""
    if isinstance(form, list):
        return [shortened(each, definitions) for each in form]
    if not isinstance(form, dict):
        return form
    if "$ref" in form:
        return shortened(definitions[form["$ref"].rpartition("/")[2]], definitions)
    if "anyOf" in form:  # a value or null: what is not said is left out
        return shortened(form["anyOf"][0], definitions)
    return {
        word: {name: shortened(each, definitions) for name, each in inner.items()}
        if word == "properties"
        else shortened(inner, definitions)
        for word, inner in form.items()
        if word not in _UNSENT
    }


class Closed(BaseModel):
    model_config = ConfigDict(extra="forbid")

    @classmethod
    def model_json_schema(cls, *_: Any, **__: Any) -> dict[str, Any]:
        whole = super().model_json_schema()
        sent: dict[str, Any] = shortened(whole, whole.get("$defs", {}))
        return sent


class SaidFact(Closed):
    attribute: str = Field(max_length=300)
    value: str = Field(min_length=1, max_length=2000)
    quote: str = Field(min_length=1, max_length=1000)
    confidence: float = Field(ge=0, le=1)
    denied: bool = False


class SaidItem(Closed):
    name: str = Field(min_length=1, max_length=300)
    aliases: list[str] = Field(default_factory=list, max_length=20)
    category: str | None = None
    facts: list[SaidFact] = Field(default_factory=list, max_length=MOST_FACTS)
    pictures: list[int] = Field(default_factory=list, max_length=50)


class SaidItems(Closed):
    items: list[SaidItem] = Field(default_factory=list, max_length=MOST_ITEMS)


class UnpicturedItems(SaidItems):
    """What is asked where there are no pictures to choose from."""

    @classmethod
    def model_json_schema(cls, *_: Any, **__: Any) -> dict[str, Any]:
        sent = super().model_json_schema()
        del sent["properties"]["items"]["items"]["properties"]["pictures"]
        return sent


def schema_for(categories: Iterable[str], *, pictured: bool = True) -> type[SaidItems]:
    """The same shape with these categories and no others.

    Attributes are checked by code: listing them here as well as in the instructions would double what each page costs,
    and a model that names one too many would lose its whole answer.
    """
    category: Any = Literal[tuple(sorted(categories))]
    item = create_model("Item", __base__=SaidItem, category=(category | None, None))
    return create_model(
        "Items",
        __base__=SaidItems if pictured else UnpicturedItems,
        items=(list[item], Field(default_factory=list, max_length=MOST_ITEMS)),  # type: ignore[valid-type]
    )


class SupportOf(Closed):
    number: int
    verdict: Literal["supported", "contradicted", "unsupported"]


class SupportAnswers(Closed):
    verdicts: list[SupportOf] = Field(default_factory=list, max_length=MOST_ITEMS * MOST_FACTS)
