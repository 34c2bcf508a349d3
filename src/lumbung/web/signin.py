"""Signing in and out, and the first account by its one-time link."""

from __future__ import annotations

import asyncio
import hmac
import re
from math import ceil
from typing import Annotated, Any
from urllib.parse import quote

from fastapi import APIRouter, FastAPI, Form, Request
from starlette.exceptions import HTTPException
from starlette.responses import HTMLResponse, RedirectResponse, Response

from lumbung.errors import PermissionRefused, UsageError
from lumbung.governance.actions.people import create_first_account
from lumbung.governance.sign_in import sign_in
from lumbung.store import people
from lumbung.store.people import SESSION_SECONDS, OpenSession
from lumbung.store.rates import Rates
from lumbung.web.console.access import COOKIE, HOME
from lumbung.web.error_words import told_in
from lumbung.web.language import Words, chosen_language
from lumbung.web.rendering import address_of, form_holds, form_page, page, system_of

router = APIRouter(include_in_schema=False)
SAFE_NEXT = re.compile(r"/(?:ruang-kerja|tulis|entri)(?:[/?][A-Za-z0-9_\-./?=&%~+:]*)?")
LONGEST_LINK = 100
ATTEMPTS_PER_MINUTE = 20
HASHES_AT_ONCE = 2
"""A good hash takes much memory; a flood of sign-ins waits in line instead of filling it."""


async def attempt_wait(request: Request) -> float:
    """So many attempts of one address within a minute; beside the slowing down of each account in the database."""
    rates: Rates = request.app.state.rates
    return await rates.wait_seconds(f"sign-in {address_of(request)}", ATTEMPTS_PER_MINUTE)


def safe_next(wanted: str) -> str:
    """Only pages for whoever is signed in; everything else leads to the front page of the console."""
    return wanted if SAFE_NEXT.fullmatch(wanted) and ".." not in wanted and "//" not in wanted else HOME


def sign_in_fields(words: Words, login: str = "") -> list[dict[str, Any]]:
    return [
        {"name": "login", "label": words("login"), "value": login, "autocomplete": "username"},
        {"name": "password", "label": words("password"), "type": "password", "autocomplete": "current-password"},
        {"name": "code", "label": words("code"), "required": False, "autocomplete": "one-time-code"},
    ]


async def sign_in_page(request: Request, words: Words, fields: list[dict[str, Any]], problem: str = "") -> HTMLResponse:
    heading = words("sign_in")
    return await form_page(request, heading, fields, problem, lines=[words("sign_in_help")], button=heading)


@router.get("/masuk", response_class=HTMLResponse)
async def sign_in_form(request: Request) -> Response:
    words = Words(chosen_language(request))
    return await sign_in_page(request, words, sign_in_fields(words))


@router.post("/masuk", response_class=HTMLResponse)
async def enter(
    request: Request,
    token: Annotated[str, Form(max_length=1000)] = "",
    login: Annotated[str, Form(max_length=200)] = "",
    password: Annotated[str, Form(max_length=2000)] = "",
    code: Annotated[str, Form(max_length=20)] = "",
    lanjut: str = "",
) -> Response:
    words = Words(chosen_language(request))
    fields = sign_in_fields(words, login)
    wait = await attempt_wait(request)
    if wait > 0:
        answer = await sign_in_page(request, words, fields, words("sign_in_too_often"))
        answer.status_code = 429
        answer.headers["Retry-After"] = str(ceil(wait))
        return answer
    if not await form_holds(request, token):
        return await sign_in_page(request, words, fields, words("form_expired"))
    try:
        async with hashing(request):
            opened = await sign_in(system_of(request).people, login.strip().lower(), password, code)
    except PermissionRefused:
        return await sign_in_page(request, words, fields, words("sign_in_refused"))
    await end_session(request)
    return welcomed(request, opened, safe_next(lanjut))


def welcomed(request: Request, opened: OpenSession, address: str) -> Response:
    """A new token at every sign-in: one that was planted before is worth nothing."""
    response = RedirectResponse(address, 303)
    public = system_of(request).settings.web.public_url or ""
    response.set_cookie(
        COOKIE,
        opened.token,
        max_age=int(SESSION_SECONDS),
        httponly=True,
        samesite="lax",
        secure=request.url.scheme == "https" or public.startswith("https:"),
    )
    return response


async def end_session(request: Request) -> None:
    token = request.cookies.get(COOKIE)
    if token:
        async with system_of(request).people.transaction() as tx:
            await people.close_session(tx, token)


@router.post("/keluar", response_class=HTMLResponse)
async def leave(request: Request, csrf: Annotated[str, Form(max_length=200)] = "") -> Response:
    token = request.cookies.get(COOKIE, "")
    async with system_of(request).people.transaction() as tx:
        session = await people.actor_of_session(tx, token) if token else None
        if session is not None:
            if not hmac.compare_digest(csrf.encode(), session.csrf.encode()):
                raise PermissionRefused(Words(chosen_language(request))("form_expired"))
            await people.close_session(tx, token)
    response = RedirectResponse("/", 303)
    response.delete_cookie(COOKIE)
    return response


def first_account_fields(words: Words, login: str = "", name: str = "") -> list[dict[str, Any]]:
    return [
        {"name": "login", "label": words("login_new"), "value": login, "autocomplete": "username"},
        {"name": "name", "label": words("name"), "value": name, "autocomplete": "name"},
        {"name": "password", "label": words("password_new"), "type": "password", "autocomplete": "new-password"},
    ]


@router.get("/mulai/{link}", response_class=HTMLResponse)
async def first_account_form(request: Request, link: str) -> Response:
    """Looking at the page uses nothing up: only sending the form tries the link."""
    if len(link) > LONGEST_LINK:
        raise HTTPException(404)
    words = Words(chosen_language(request))
    async with system_of(request).people.transaction() as tx:
        taken = await people.accounts(tx)
    if taken:
        doors = [("/masuk", words("sign_in"))]
        return page(
            request, "message.html", heading=words("first_account"), lines=[words("first_account_made")], doors=doors
        )
    return await form_page(
        request, words("first_account"), first_account_fields(words), lines=[words("first_account_help")]
    )


@router.post("/mulai/{link}", response_class=HTMLResponse)
async def make_first_account(
    request: Request,
    link: str,
    token: Annotated[str, Form(max_length=1000)] = "",
    login: Annotated[str, Form(max_length=200)] = "",
    name: Annotated[str, Form(max_length=400)] = "",
    password: Annotated[str, Form(max_length=2000)] = "",
) -> Response:
    words = Words(chosen_language(request))
    fields = first_account_fields(words, login, name)
    if await attempt_wait(request) > 0 or not await form_holds(request, token):
        return await form_page(request, words("first_account"), fields, words("form_expired"))
    try:
        async with hashing(request), system_of(request).people.transaction() as tx:
            person = await create_first_account(tx, link, login.strip().lower(), name, password)
            opened = await people.open_session(tx, person)
    except (UsageError, PermissionRefused) as error:
        return await form_page(request, words("first_account"), fields, told_in(words.language, str(error)))
    return welcomed(request, opened, HOME)


def prepare(app: FastAPI) -> None:
    app.state.hashing = asyncio.Semaphore(HASHES_AT_ONCE)


def hashing(request: Request) -> asyncio.Semaphore:
    return request.app.state.hashing  # type: ignore[no-any-return]


async def to_sign_in(request: Request, _: Exception) -> Response:
    """Whoever is not signed in is asked to; a page that was asked for is opened afterwards."""
    wanted = request.url.path + (f"?{request.url.query}" if request.url.query else "")
    onward = f"?lanjut={quote(wanted)}" if request.method == "GET" and safe_next(wanted) == wanted else ""
    return RedirectResponse(f"/masuk{onward}", 303)
