"""Who may ask the interface, and how often: bearer tokens, problems by RFC 9457, a rate for each caller."""

from __future__ import annotations

from math import ceil
from typing import Annotated, Any

from fastapi import Depends, Header, HTTPException, Path, Request
from pydantic import BaseModel

from lumbung.model.permission import Actor
from lumbung.store import people
from lumbung.store.rates import Rates
from lumbung.web.rendering import address_of, system_of

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
    for code in (400, 401, 403, 404, 409, 410, 411, 412, 413, 415, 422, 428, 429, 503)
}


async def count(request: Request, caller: str, per_minute: int) -> None:
    rates: Rates = request.app.state.rates
    wait = await rates.wait_seconds(caller, per_minute)
    if wait > 0:
        raise HTTPException(429, "Too many requests; wait a little.", {"Retry-After": str(ceil(wait))})


async def open_to_all(request: Request) -> None:
    """Reading without an account."""
    per_minute = system_of(request).settings.web.open_requests_per_minute
    await count(request, f"address {address_of(request)}", per_minute)


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
    await count(request, f"account {actor.person}", system_of(request).settings.web.api_requests_per_minute)
    return actor.within(system_of(request).profile.regions)


Signed = Annotated[Actor, Depends(signed)]
Open = Depends(open_to_all)
