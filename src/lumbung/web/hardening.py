"""Headers on every answer, and the check that a changing request comes from our own pages."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from urllib.parse import urlsplit

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from lumbung.web.problems import problem, wants_json

HEADERS = {
    "Content-Security-Policy": "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self' data:; "
    "font-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Permissions-Policy": "geolocation=(), camera=(), microphone=()",
}
SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})
LARGEST_FORM = 1_000_000
LARGEST_BODY = 16_000_000
"""Of a request to the interface, which is held in memory before anybody asks whose it is."""
STREAMED = "/api/v1/import"


def foreign(request: Request) -> bool:
    """A browser says where a request comes from; a program with a token has no browser."""
    if request.method in SAFE_METHODS or request.headers.get("authorization"):
        return False
    site = request.headers.get("sec-fetch-site")
    if site is not None:
        return site not in {"same-origin", "none"}
    origin = request.headers.get("origin")
    return origin is not None and urlsplit(origin).netloc != request.headers.get("host", "")


def refusal(request: Request) -> tuple[int, str] | None:
    """What is refused before anything reads it: forms of other sites, endless bodies, and addresses with a NUL."""
    if foreign(request):
        return 403, "This form was sent from another site."
    if "\x00" in request.url.path or b"%00" in request.scope.get("query_string", b""):
        return 400, "NUL is no character of an address."
    return None if request.method in SAFE_METHODS or request.url.path == STREAMED else too_long(request)


def too_long(request: Request) -> tuple[int, str] | None:
    is_form = not request.url.path.startswith("/api/")
    has_body = is_form or "transfer-encoding" in request.headers
    length = request.headers.get("content-length", "" if has_body else "0")
    if not (length.isascii() and length.isdigit()):
        return 411, "A request says how long it is."
    if len(length) > 9 or int(length) > (LARGEST_FORM if is_form else LARGEST_BODY):
        return 413, "This request is too long."
    return None


class HeadAsGet:
    """What readers can get they can also ask the head of; the server leaves the body out."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and scope["method"] == "HEAD" and not scope["path"].startswith("/api/"):
            scope = {**scope, "method": "GET"}
        await self.app(scope, receive, send)


def told(request: Request, status: int, detail: str) -> Response:
    return problem(status, detail) if wants_json(request) else PlainTextResponse(detail, status)


async def harden(request: Request, call_next: Callable[[Request], Awaitable[Response]]) -> Response:
    refused = refusal(request)
    response = await call_next(request) if refused is None else told(request, *refused)
    for name, value in HEADERS.items():
        response.headers.setdefault(name, value)
    return response
