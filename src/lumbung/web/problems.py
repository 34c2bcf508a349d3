"""Errors that programs read, in the form of RFC 9457."""

from __future__ import annotations

from http import HTTPStatus

from starlette.requests import Request
from starlette.responses import JSONResponse


def wants_json(request: Request) -> bool:
    return request.url.path.startswith("/api/") or request.url.path.endswith((".json", ".jsonld"))


def problem(status: int, detail: str) -> JSONResponse:
    content = {"type": "about:blank", "title": HTTPStatus(status).phrase, "status": status, "detail": detail}
    return JSONResponse(content, status, media_type="application/problem+json")
