"""Idempotency keys: a request that is sent again gets the first answer; two at once wait for each other."""

from __future__ import annotations

from hashlib import sha256
from http import HTTPStatus
from typing import Annotated, Any

from fastapi import Header, HTTPException, Request
from pydantic import BaseModel
from starlette.responses import JSONResponse

from lumbung.library.records import holds_nul
from lumbung.model.permission import Actor
from lumbung.store import idempotency
from lumbung.store.database import Transaction

Key = Annotated[
    str | None,
    Header(
        alias="Idempotency-Key",
        min_length=1,
        max_length=200,
        description="Sent again under the same key, the same request gets the first answer and has no second effect.",
    ),
]
IfMatch = Annotated[str | None, Header(max_length=100, description="ETag of the revision that you read.")]


class Once:
    """One request that writes, under its key, within one transaction; without a key nothing is kept."""

    def __init__(self, request: Request, body: BaseModel, actor: Actor, key: str | None) -> None:
        if holds_nul(body.model_dump()):
            raise HTTPException(422, "NUL is no character of a text.")
        asked = (request.method, request.url.path, request.headers.get("if-match", ""), body.model_dump_json())
        self._digest = sha256("\x1f".join(asked).encode()).hexdigest()
        self._person = actor.person
        self._key = key

    async def kept(self, tx: Transaction) -> dict[str, Any] | None:
        """The status and answer of the first time. Waits while the same key is at work; another request is refused."""
        if self._key is None or self._person is None:
            return None
        kept = await idempotency.find(tx, self._person, self._key)
        if kept is not None and kept["digest"] != self._digest:
            raise HTTPException(422, "This Idempotency-Key was used for another request.")
        return kept

    async def replayed(self, tx: Transaction) -> JSONResponse | None:
        kept = await self.kept(tx)
        return None if kept is None else replay(kept)

    async def keep(self, tx: Transaction, answer: dict[str, Any], status: int = 200) -> None:
        if self._key is not None and self._person is not None:
            await idempotency.keep(tx, self._person, self._key, self._digest, status, answer)


def replay(kept: dict[str, Any]) -> JSONResponse:
    answer, headers = kept["answer"], {"Idempotent-Replayed": "true"}
    if "revision" in answer:
        headers["ETag"] = f'"{answer["revision"]}"'
        if kept["status"] == HTTPStatus.CREATED:
            headers["Location"] = f"/api/v1/entries/{answer['identity']}"
    return JSONResponse(answer, kept["status"], headers)


def revisions_named(if_match: str) -> frozenset[str]:
    """Those of the ETags of ours in a list. A weak one names none: what is to be changed is compared strongly."""
    tags = [each.strip() for each in if_match.split(",")]
    return frozenset(tag.strip('"').partition(".")[0] for tag in tags if not tag.startswith("W/"))
