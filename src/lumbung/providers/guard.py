"""One guard around every outside capability: breaker, failover in order, and the four reactions to errors."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar

from lumbung.errors import (
    CapabilityMissing,
    ContractError,
    EngineUnavailable,
    LumbungError,
    PolicyRefused,
    ProviderDown,
    RateLimited,
    RefusedError,
    StaleRead,
    TransientError,
)
from lumbung.ports.breaker import Barred, Breaker, Permit

DEFAULT_REST_SECONDS = 5.0
LONGEST_REST_SECONDS = 3600.0


class Named(Protocol):
    @property
    def name(self) -> str: ...


P = TypeVar("P", bound=Named)
R = TypeVar("R")


@dataclass(frozen=True, slots=True)
class Status:
    """What an HTTP answer says about its sender, in our words; never the sender's own, which may echo a key."""

    code: int
    retry_after_seconds: float | None = None
    moderated: bool = False

    def error(self, provider: str) -> LumbungError:
        """The one place where a foreign status becomes an error of ours."""
        if self.moderated:
            return PolicyRefused(f"{provider} declined this request.", "moderation")
        if self.code == 429:
            return RateLimited(f"{provider} asks to wait.", self.retry_after_seconds)
        if self.code in {401, 403}:
            return Unusable(f"{provider} refuses the key (status {self.code}); check the setting.")
        if self.code == 402:
            return Unusable(f"{provider} says that its quota is used up.")
        if self.code == 404:
            return Unusable(f"{provider} does not know the address or the model (status 404); check the settings.")
        if self.code in {408, 409, 425} or self.code >= 500:
            return TransientError(f"{provider} failed with status {self.code}.")
        return ContractError(f"{provider} rejects the request with status {self.code}.")


class Unusable(TransientError):
    """The provider answers, but not us: its breaker opens at once, and the work waits for the operator."""


class Guard:
    def __init__(self, capability: str, breaker: Breaker) -> None:
        self._capability = capability
        self._breaker = breaker

    async def call(self, providers: Sequence[P], attempt: Callable[[P], Awaitable[R]]) -> R:
        """The first provider's answer that comes, in the order given; refusals and empty budgets end the call."""
        if not providers:
            raise CapabilityMissing(f"No provider of {self._capability} is configured.", self._capability)
        failures: list[LumbungError] = []
        for provider in providers:
            permit = await self._breaker.ask(self._capability, provider.name)
            if isinstance(permit, Barred):
                failures.append(self._barred(provider.name, permit))
                continue
            try:
                answer = await attempt(provider)
            except BaseException as error:  # noqa: BLE001 - even a cancelled call gives its probe back
                failures.append(await self._react(permit, error))
                continue
            await self._breaker.succeeded(permit)
            return answer
        raise self._summary(failures)

    def _barred(self, provider: str, barred: Barred) -> LumbungError:
        if barred.rate_limited:
            return RateLimited(f"{provider} asked to wait.", barred.seconds)
        return self._down()

    def _down(self) -> ProviderDown:
        return ProviderDown(f"No provider of {self._capability} answers; the work is kept.", self._capability)

    async def _react(self, permit: Permit, error: BaseException) -> LumbungError:
        """Only a provider's own failures count against it; what is not the provider's ends the call at once."""
        if isinstance(error, RateLimited):
            wait = DEFAULT_REST_SECONDS if error.retry_after_seconds is None else error.retry_after_seconds
            await self._breaker.limited(permit, min(max(wait, 0.0), LONGEST_REST_SECONDS))
            return error
        if isinstance(error, TransientError) and not isinstance(error, (EngineUnavailable, StaleRead)):
            opened = await self._breaker.failed(permit, str(error), at_once=isinstance(error, Unusable))
            return self._down() if opened else error
        if isinstance(error, (RefusedError, ContractError)):
            await self._breaker.succeeded(permit)
        else:
            await self._breaker.unused(permit)
        raise error

    def _summary(self, failures: Sequence[LumbungError]) -> LumbungError:
        """What the runtime should do: wait as long as the first that will answer asks, try again, or keep the work."""
        limits = [each for each in failures if isinstance(each, RateLimited)]
        if limits:
            return min(limits, key=lambda each: each.retry_after_seconds or 0.0)
        passing = [each for each in failures if isinstance(each, TransientError)]
        return passing[-1] if passing else self._down()
