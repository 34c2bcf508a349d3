"""Pages from templates: autoescaped, in the reader's language, with the headers that keep them inert."""

from __future__ import annotations

import secrets
from functools import cache, partial
from typing import Any
from urllib.parse import urlencode

from fastapi import Request
from itsdangerous import BadSignature, URLSafeTimedSerializer
from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape
from starlette.responses import HTMLResponse
from starlette.routing import Match, Mount

from lumbung.bootstrap import System
from lumbung.library.plain_text import inert
from lumbung.store import signing
from lumbung.web.language import COOKIE, LANGUAGES, Words, chosen_language
from lumbung.web.moments import moment_in

FORM_SECONDS = 4 * 3600
FORM_COOKIE = "formulir"
FORM = "lumbung-form"


@cache
def environment() -> Environment:
    return Environment(
        loader=PackageLoader("lumbung.web"),
        autoescape=select_autoescape(default=True, default_for_string=True),
        finalize=inert,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def system_of(request: Request) -> System:
    return request.app.state.system  # type: ignore[no-any-return]


def address_of(request: Request) -> str:
    """Of whoever asks."""
    return request.client.host if request.client else ""


def base_url(request: Request) -> str:
    """The address readers use, or the one this request came to."""
    return (system_of(request).settings.web.public_url or str(request.base_url)).rstrip("/")


def serves(request: Request, method: str, path: str) -> bool:
    """Whether any route of ours answers there; what is mounted tells its own."""
    asked = {**request.scope, "method": method, "path": path}
    routes = (route for route in request.app.routes if not isinstance(route, Mount))
    return any(route.matches(asked)[0] == Match.FULL for route in routes)


def address_to_read(request: Request) -> str:
    """Of this page, or of the nearest above it where a form that was sent is answered; on this site, however it was written."""
    path = "/" + request.url.path.lstrip("/\\")
    while request.method == "POST" and path != "/" and not serves(request, "GET", path):
        path = path.rpartition("/")[0] or "/"
    return path


def page(request: Request, template: str, status: int = 200, **values: Any) -> HTMLResponse:
    language = chosen_language(request)
    other = LANGUAGES[1 - LANGUAGES.index(language)]
    query = {**request.query_params, "bahasa": other}
    about = {
        "visitor": getattr(request.state, "visitor", None),
        "alone": getattr(request.state, "single_handed", False),
    }
    html = (
        environment()
        .get_template(template)
        .render(
            words=Words(language),
            library_title=system_of(request).profile.library_title,
            currency=system_of(request).settings.budget.currency,
            moment_told=partial(moment_in, system_of(request).profile.timezone),
            other_language=other,
            switch_address=f"{address_to_read(request)}?{urlencode(query)}",
            **(about | values),
        )
    )
    response = HTMLResponse(html, status)
    response.headers["Content-Language"] = language
    if request.query_params.get("bahasa") in LANGUAGES:
        response.set_cookie(COOKIE, language, max_age=365 * 86400, samesite="lax")
    return response


async def signer(request: Request, purpose: str) -> URLSafeTimedSerializer:
    """Signs for every process of the installation, also for those that start later."""
    async with system_of(request).people.transaction() as tx:
        return URLSafeTimedSerializer(await signing.keys(tx), purpose)


async def form_token(request: Request) -> tuple[str, str]:
    """The token for the form, and the browser's own mark for its cookie."""
    browser = request.cookies.get(FORM_COOKIE) or secrets.token_urlsafe(16)
    return str((await signer(request, FORM)).dumps([browser, request.url.path])), browser


async def form_holds(request: Request, token: str) -> bool:
    """A form is answered only by the browser it was shown to, within some hours."""
    try:
        browser, path = (await signer(request, FORM)).loads(token, max_age=FORM_SECONDS)
    except (BadSignature, ValueError):
        return False
    return bool(browser) and browser == request.cookies.get(FORM_COOKIE) and path == request.url.path


async def form_page(
    request: Request,
    heading: str,
    fields: list[dict[str, Any]],
    problem: str = "",
    template: str = "form.html",
    **values: Any,
) -> HTMLResponse:
    token, browser = await form_token(request)
    defaults = {"long": False, "required": True, "value": "", "type": "text", "autocomplete": "off"}
    shown = [defaults | field for field in fields]
    response = page(
        request,
        template,
        422 if problem else 200,
        heading=heading,
        fields=shown,
        problem=problem,
        token=token,
        **({"lines": []} | values),
    )
    response.set_cookie(FORM_COOKIE, browser, httponly=True, samesite="strict")
    return response
