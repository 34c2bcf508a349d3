"""One FastAPI application: the public library, its interfaces for programs, and the console."""

from __future__ import annotations

import asyncio
from importlib.resources import files
from math import ceil
from pathlib import Path

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import PlainTextResponse, Response
from starlette.staticfiles import StaticFiles

from lumbung.bootstrap import System
from lumbung.errors import (
    LumbungError,
    PermissionRefused,
    PolicyRefused,
    RateLimited,
    RefusedError,
    StaleRead,
    UsageError,
)
from lumbung.store import stages
from lumbung.store.rates import Rates
from lumbung.web import (
    api,
    api_bulk,
    api_discussion,
    api_history,
    api_machine,
    discussion,
    feeds,
    history,
    metrics,
    notices,
    public,
)
from lumbung.web.console.access import problem_sheet
from lumbung.web.console.routes import include_console
from lumbung.web.error_words import told_in
from lumbung.web.hardening import HEADERS, HeadAsGet, harden
from lumbung.web.language import Words, chosen_language
from lumbung.web.problems import problem, wants_json
from lumbung.web.rendering import page, serves

STATUS_OF_ERROR: tuple[tuple[type[LumbungError], int], ...] = (
    (PermissionRefused, 403),
    (StaleRead, 409),
    (UsageError, 422),
    (RefusedError, 422),
)
RETRY_AFTER_SECONDS = 5
READY_SECONDS = 2.0
METHODS = ("DELETE", "GET", "PATCH", "POST", "PUT")
KIND_OF_STATUS = {403: "problem_permission", 404: "problem_missing", 409: "problem_stale", 422: "problem_usage"}


def create_app(system: System) -> FastAPI:
    app = FastAPI(title="Lumbung", version="0.1.0", docs_url=None, redoc_url=None, openapi_url="/api/openapi.json")
    app.state.system = system
    app.state.rates = Rates(system.people)
    app.middleware("http")(harden)
    app.add_middleware(HeadAsGet)
    app.add_exception_handler(LumbungError, failed)
    app.add_exception_handler(HTTPException, not_served)
    app.add_exception_handler(RequestValidationError, badly_asked)
    app.add_exception_handler(Exception, broken)
    app.mount("/static", StaticFiles(directory=Path(str(files("lumbung.web").joinpath("static")))), name="static")
    app.include_router(api.router)
    app.include_router(api_bulk.router)
    app.include_router(api_history.router)
    app.include_router(api_discussion.router)
    app.include_router(api_machine.router)
    app.include_router(notices.router)
    app.include_router(feeds.router, include_in_schema=False)
    app.include_router(public.router, include_in_schema=False)
    app.include_router(history.router, include_in_schema=False)
    app.include_router(discussion.router, include_in_schema=False)
    app.include_router(metrics.router)
    include_console(app, system)
    app.add_api_route("/healthz", healthy, include_in_schema=False)
    app.add_api_route("/readyz", ready, include_in_schema=False)
    return app


async def healthy() -> Response:
    return PlainTextResponse("ok")


async def ready(request: Request) -> Response:
    """Ready when the database answers; whoever asks is told in time where it would be waited for."""
    try:
        async with asyncio.timeout(READY_SECONDS), request.app.state.system.people.transaction() as tx:
            await stages.now(tx)
    except TimeoutError:
        return PlainTextResponse("PostgreSQL does not answer.", 503)
    except LumbungError as error:
        return PlainTextResponse(str(error), 503, wait_of(error))
    return PlainTextResponse("ready")


def wait_of(error: Exception) -> dict[str, str]:
    """When it is worth asking again."""
    named = error.retry_after_seconds if isinstance(error, RateLimited) else None
    return {"Retry-After": str(ceil(named or RETRY_AFTER_SECONDS))}


async def failed(request: Request, error: Exception) -> Response:
    status = next((code for kind, code in STATUS_OF_ERROR if isinstance(error, kind)), 500)
    if isinstance(error, LumbungError) and status == 500:
        status = 503
    if wants_json(request):
        answer = problem(status, str(error))
        answer.headers.update(wait_of(error) if status == 503 else {})
        return answer
    kind = "problem_policy" if isinstance(error, PolicyRefused) else KIND_OF_STATUS.get(status, "problem_other")
    words = Words(chosen_language(request))
    sentence = told_in(words.language, str(error))
    told = problem_sheet(request, status, kind, sentence, error)
    if told is not None:
        return told
    return page(request, "message.html", status, heading=words("error_title"), lines=[sentence])


async def not_served(request: Request, error: Exception) -> Response:
    status = error.status_code if isinstance(error, HTTPException) else 500
    detail = str(error.detail) if isinstance(error, HTTPException) else ""
    headers = dict(getattr(error, "headers", None) or {})
    if status == 405 and (served := methods_at(request)):
        headers["Allow"] = ", ".join(sorted(served))
    answer = problem(status, detail) if wants_json(request) else told_to_readers(request, status)
    answer.headers.update(headers)
    return answer


def methods_at(request: Request) -> set[str]:
    """Of all routes at the path: the one that was met first knows its own method only."""
    served = {method for method in METHODS if serves(request, method, request.scope["path"])}
    is_page = not request.url.path.startswith("/api/")
    return served | {"HEAD"} if "GET" in served and is_page else served


def told_to_readers(request: Request, status: int) -> Response:
    told = problem_sheet(request, status, KIND_OF_STATUS.get(status, "problem_other"), "")
    if told is not None:
        return told
    words = Words(chosen_language(request))
    return page(request, "message.html", status, heading=words("not_found"), lines=[words("not_found_help")], lost=True)


async def broken(request: Request, _: Exception) -> Response:
    """What nobody foresaw: the server's log has it, and whoever asked gets a page like any other."""
    words = Words(chosen_language(request))
    told = [words("broken_help")]
    answer = (
        problem(500, words("broken"))
        if wants_json(request)
        else page(request, "message.html", 500, heading=words("broken"), lines=told)
    )
    answer.headers.update(HEADERS)
    return answer


async def badly_asked(request: Request, error: Exception) -> Response:
    """The first thing that is wrong, and where."""
    told = "The request is incomplete."
    if isinstance(error, RequestValidationError) and error.errors():
        first = error.errors()[0]
        told = f"{'.'.join(str(piece) for piece in first['loc'])}: {first['msg']}"
    if wants_json(request):
        return problem(422, told)
    words = Words(chosen_language(request))
    return page(request, "message.html", 422, heading=words("error_title"), lines=[told])
