"""A model's endpoint as the settings name it. Its key is shown to nobody."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal
from urllib.parse import urlsplit

from pydantic import SecretStr


@dataclass(frozen=True, slots=True)
class Endpoint:
    base_url: str
    model: str
    protocol: Literal["openai", "anthropic"] = "openai"
    api_key: SecretStr | None = field(default=None, repr=False)
    stronger_model: str | None = None
    hosted: bool = False
    input_micros_per_million: int | None = None
    output_micros_per_million: int | None = None
    stronger_input_micros_per_million: int | None = None
    stronger_output_micros_per_million: int | None = None
    timeout_seconds: float = 120.0

    def price_of(self, model: str) -> tuple[int, int] | None:
        """What the operator says that a million tokens of a model cost, in and out; None leaves it to the price list."""
        own = (self.input_micros_per_million, self.output_micros_per_million)
        if model != self.model:
            own = (self.stronger_input_micros_per_million, self.stronger_output_micros_per_million)
        return None if own[0] is None or own[1] is None else (own[0], own[1])

    @property
    def name(self) -> str:
        """Host and model: what breakers, the ledger and the log call it. Never a password of the address.

        Two services behind one host differ by their path; the usual `/v1` is left out.
        """
        address = urlsplit(self.base_url)
        place = address.hostname or "endpoint"
        port = f":{address.port}" if address.port else ""
        return f"{place}{port}{address.path.rstrip('/').removesuffix('/v1')}/{self.model}"
