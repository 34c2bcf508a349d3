"""What tokens cost, in micro-units: from the settings, else from the price list, else the model is refused."""

from __future__ import annotations

from decimal import ROUND_CEILING, Decimal

from lumbung.errors import SettingsError
from lumbung.providers.inference.endpoint import Endpoint

MILLION = 1_000_000


class Prices:
    """The price list travels with the program; nothing is downloaded."""

    def micros(self, endpoint: Endpoint, model: str, input_tokens: int, output_tokens: int) -> int:
        """Rounded up, so that a sum of calls is never under what they cost; zero is a price like any other."""
        own = endpoint.price_of(model)
        if own is not None:
            return -(-(input_tokens * own[0] + output_tokens * own[1]) // MILLION)
        return self._listed(endpoint, model, input_tokens, output_tokens)

    def require(self, endpoint: Endpoint) -> None:
        """SettingsError for a model without a price: said at the start rather than job by job."""
        for model in {endpoint.model, endpoint.stronger_model or endpoint.model}:
            self.micros(endpoint, model, 1, 1)

    def _listed(self, endpoint: Endpoint, model: str, input_tokens: int, output_tokens: int) -> int:
        """By the endpoint's address if the list knows it, else by the model's name alone."""
        from genai_prices import Usage, calc_price

        usage = Usage(input_tokens=input_tokens, output_tokens=output_tokens)
        for address in (endpoint.base_url, None):
            try:
                price = calc_price(usage, model, provider_api_url=address).total_price
            except LookupError:
                continue
            return int((Decimal(price) * MILLION).to_integral_value(ROUND_CEILING))
        which = "" if model == endpoint.model else "stronger_"
        raise SettingsError(
            f"The price of {model} is not known; set llm.{which}input_micros_per_million and "
            f"llm.{which}output_micros_per_million (0 for a model of your own)."
        )
