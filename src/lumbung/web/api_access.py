"""Who may ask the interface, and how often: bearer tokens, problems by RFC 9457, a rate for each caller."""

from __future__ import annotations

import time
from collections.abc import Callable
from math import ceil
from typing import Annotated, Any

from fastapi import Depends, Header, HTTPException, Path, Request
from pydantic import BaseModel

from lumbung.config import WebSettings
from lumbung.model.permission import Actor
from lumbung.store import people
from lumbung.web.rendering import system_of

BURST_SECONDS = 60.0
MOST_CALLERS = 10_000
Identity = Annotated[str, Path(pattern="^[0-9A-Za-z:_-]{1,128}$", description="The entry's stable identifier.")]


class Problem(BaseModel):
    """RFC 9457."""

    type: str = "about:blank"
    title: str
    status: int
    detail: str = ""


WAIT = {"Retry-After": {"description": "Seconds to wait.", "schema": {"type": "integer"}}}
PROBLEMS: dict[int | str, dict[str, Any]] = {
    code: {"model": Problem, "content": {"application/problem+json": {}}}
    | ({"headers": WAIT} if code in (429, 503) else {})
    for code in (400, 401, 403, 404, 409, 410, 412, 422, 428, 429, 503)
}


class Rate:
    """So many requests a minute for each caller, of which a minute's worth may come at once. One number a caller: the
    moment at which all that it asked for would have been due.
    """

    def __init__(self, per_minute: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._step = 60.0 / per_minute if per_minute else 0.0
        self._clock = clock
        self._due: dict[str, float] = {}

    def wait_seconds(self, caller: str) -> float:
        """0 where the request may go on; otherwise how long the caller waits, and nothing is counted."""
        now = self._clock()
        due = max(now, self._due.get(caller, now))
        if due - now > BURST_SECONDS - self._step:
            return due - now - (BURST_SECONDS - self._step)
        self._due[caller] = due + self._step
        if len(self._due) > MOST_CALLERS:
            self._due = {each: at for each, at in self._due.items() if at > now}
        return 0.0


class Rates:
    """Of a process: people and machines by their account, everybody else by address."""

    def __init__(self, settings: WebSettings) -> None:
        self.signed = Rate(settings.api_requests_per_minute)
        self.open = Rate(settings.open_requests_per_minute)


def rates_of(request: Request) -> Rates:
    rates = request.app.state.rates
    assert isinstance(rates, Rates)
    return rates


def count(rate: Rate, caller: str) -> None:
    wait = rate.wait_seconds(caller)
    if wait > 0:
        raise HTTPException(429, "Too many requests; wait a little.", {"Retry-After": str(ceil(wait))})


async def open_to_all(request: Request) -> None:
    """Reading without an account."""
    count(rates_of(request).open, request.client.host if request.client else "")


async def signed(request: Request, authorization: Annotated[str | None, Header()] = None) -> Actor:
    """The person behind the bearer token. A wrong token counts against the address that it comes from."""
    scheme, _, token = (authorization or "").partition(" ")
    if scheme.lower() != "bearer" or not token.strip():
        raise HTTPException(401, "A bearer token is needed.", {"WWW-Authenticate": "Bearer"})
    async with system_of(request).people.transaction() as tx:
        actor = await people.actor_of_token(tx, token.strip())
    if actor is None:
        await open_to_all(request)
        raise HTTPException(401, "This token is not known, expired or revoked.", {"WWW-Authenticate": "Bearer"})
    count(rates_of(request).signed, str(actor.person))
    return actor.within(system_of(request).profile.regions)


Signed = Annotated[Actor, Depends(signed)]
Open = Depends(open_to_all)
