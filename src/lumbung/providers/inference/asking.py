"""One provider's turn at one question: reserve, ask, settle, check; re-ask an answer that does not fit, a bounded number of times."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from pydantic import BaseModel, ValidationError
from pydantic_core import from_json, to_json

from lumbung.errors import ContractError, TransientError
from lumbung.ports.inference import Answer, Prompt
from lumbung.ports.ledger import Ledger, Purpose
from lumbung.providers.inference.prices import Prices
from lumbung.providers.inference.tokens import token_bound
from lumbung.providers.inference.wire import CallFailed, Exchange, RejectedForm, Reply, Wire

T = TypeVar("T", bound=BaseModel)
ASKS = 3
"""The first request and two more."""
RESERVATIONS = 3
LEASE_MARGIN_SECONDS = 30.0
LONGEST_ECHO = 4000
THOUGHTS = re.compile(r"^.*</think(?:ing)?>", re.DOTALL)
UNSTORABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff]")


class UnfitAnswer(Exception):
    """Says what is wrong, in words that hold nothing of the answer."""


@dataclass
class Asking(Generic[T]):
    wire: Wire
    ledger: Ledger
    prices: Prices
    purpose: Purpose
    prompt: Prompt
    schema: type[T]
    spent_micros: int = 0
    requests: int = 0

    async def run(self) -> Answer[T]:
        before: list[Exchange] = []
        while True:
            reply = await self._request(before)
            try:
                value = checked(reply, self.schema)
            except UnfitAnswer as unfit:
                if len(before) + 1 >= ASKS:
                    raise ContractError(
                        f"{self.purpose.provider} gave no answer that fits, asked {ASKS} times: {unfit}."
                    ) from None
                before.append(Exchange(reply.text[:LONGEST_ECHO], complaint(unfit)))
                continue
            return Answer(
                value,
                self.purpose.provider,
                self.purpose.model,
                self.prompt.label,
                micros=self.spent_micros,
                asked=self.requests,
            )

    async def _request(self, before: list[Exchange]) -> Reply:
        try:
            return await self._paid(before)
        except RejectedForm:
            self.wire.use_plain_form()
            return await self._paid(before)

    async def _paid(self, before: list[Exchange]) -> Reply:
        most = self._micros(self._bound(before), self.prompt.max_output_tokens)
        reservation = await self._reservation(most)
        self.requests += 1
        try:
            reply = await self.wire.ask(self.purpose.model, self.prompt, self.schema, before)
        except CallFailed as failed:
            if failed.may_be_billed:
                self.spent_micros += most
                await self.ledger.settle(reservation, most)
            else:
                await self.ledger.release(reservation)
            raise failed.error from None
        cost = self._micros(reply.input_tokens, reply.output_tokens)
        if not reply.input_tokens and not reply.output_tokens:
            cost = most  # an endpoint that counts nothing is taken at the bound
        self.spent_micros += cost
        await self.ledger.settle(reservation, cost, reply.input_tokens, reply.output_tokens)
        if reply.declined is not None:
            raise reply.declined
        return reply

    def _micros(self, input_tokens: int, output_tokens: int) -> int:
        return self.prices.micros(self.wire.endpoint, self.purpose.model, input_tokens, output_tokens)

    def _bound(self, before: list[Exchange]) -> int:
        sent = [self.prompt.instructions, self.prompt.content, to_json(self.schema.model_json_schema()).decode()]
        return token_bound(sent + [text for each in before for text in (each.reply, each.complaint)])

    async def _reservation(self, micros: int) -> int:
        """One whose call may begin now; a process that was frozen since it reserved has to reserve again."""
        for _ in range(RESERVATIONS):
            lease_seconds = self.wire.endpoint.timeout_seconds + LEASE_MARGIN_SECONDS
            reservation = await self.ledger.reserve(self.purpose, micros, lease_seconds)
            if await self.ledger.begin(reservation):
                return reservation
        raise TransientError("Reservations expire before their calls can begin; the machine is overloaded.")


def complaint(unfit: UnfitAnswer) -> str:
    return f"That answer cannot be used: {unfit}. Answer again, with JSON of the given schema and nothing else."


def checked(reply: Reply, schema: type[T]) -> T:
    if not reply.complete:
        raise UnfitAnswer("it was cut off at the limit of length; be shorter")
    data = json_in(reply.text)
    try:
        return schema.model_validate_json(to_json(storable(data)))
    except ValidationError as error:
        faults = [f"{'.'.join(map(str, fault['loc'])) or 'answer'}: {fault['type']}" for fault in error.errors()[:5]]
        raise UnfitAnswer("; ".join(faults)) from None


def json_in(text: str) -> Any:
    """Small models think aloud first, write a sentence before the answer, or fence it."""
    said = THOUGHTS.sub("", text)
    for answer in (said, said[said.find("{") : said.rfind("}") + 1]):
        try:
            return from_json(answer)
        except ValueError:
            continue
    raise UnfitAnswer("it is not valid JSON")


def storable(data: Any) -> Any:
    """Control characters and broken surrogates go before anything else sees them."""
    if isinstance(data, str):
        return UNSTORABLE.sub("", data)
    if isinstance(data, list):
        return [storable(each) for each in data]
    if isinstance(data, dict):
        return {storable(key): storable(each) for key, each in data.items()}
    return data
