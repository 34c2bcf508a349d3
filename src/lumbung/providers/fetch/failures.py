"""Errors of the HTTP client, the resolver and the sockets, as ends of a fetch: the one place that knows them."""

from __future__ import annotations

import ssl

import aiohttp
from aiohttp.http import HttpProcessingError

from lumbung.providers.fetch.limits import Reason, Verdict
from lumbung.providers.fetch.transport import AddressRefusedError, DroppedError

_BY_TYPE: tuple[tuple[type[BaseException], Reason], ...] = (
    (aiohttp.ConnectionTimeoutError, Reason.CONNECT_TIMEOUT),
    (aiohttp.SocketTimeoutError, Reason.STALLED),
    (aiohttp.ServerTimeoutError, Reason.RESPONSE_TIMEOUT),
    (aiohttp.ClientSSLError, Reason.TLS),
    (aiohttp.ServerFingerprintMismatch, Reason.TLS),
    (ssl.SSLError, Reason.TLS),
    (aiohttp.ClientConnectorError, Reason.CONNECT),
    (DroppedError, Reason.DISCONNECTED),
    (aiohttp.ServerDisconnectedError, Reason.DISCONNECTED),
    (aiohttp.ClientOSError, Reason.DISCONNECTED),
    (aiohttp.ClientConnectionError, Reason.DISCONNECTED),
    (aiohttp.ClientPayloadError, Reason.INCOMPLETE),
    (aiohttp.RedirectClientError, Reason.BAD_REDIRECT),
    (aiohttp.NonHttpUrlClientError, Reason.BAD_URL),
    (aiohttp.InvalidURL, Reason.BAD_URL),
    (aiohttp.ClientResponseError, Reason.BAD_RESPONSE),
    (HttpProcessingError, Reason.BAD_RESPONSE),
    (ConnectionError, Reason.DISCONNECTED),
    (TimeoutError, Reason.RESPONSE_TIMEOUT),
    (OSError, Reason.CONNECT),
)


def failure_of(error: BaseException) -> tuple[Verdict, Reason, str]:
    """Verdict, reason and a short detail without addresses of ours."""
    refused = _refused_address(error)
    if refused is not None:
        return Verdict.REFUSED, Reason.ADDRESS, str(refused.strerror)
    if isinstance(error, HttpProcessingError) and _is_too_long(error):
        return Verdict.FAILED, Reason.HEADERS_TOO_LONG, ""
    for kind, reason in _BY_TYPE:
        if isinstance(error, kind):
            return Verdict.FAILED, reason, _detail(error)
    return Verdict.FAILED, Reason.UNEXPECTED, type(error).__name__


def _refused_address(error: BaseException) -> AddressRefusedError | None:
    step: BaseException | None = error
    while step is not None:
        if isinstance(step, AddressRefusedError):
            return step
        step = step.__cause__ or (step.__context__ if not step.__suppress_context__ else None)
    return None


def _is_too_long(error: HttpProcessingError) -> bool:
    message = str(error.message)
    return "more than" in message or "Too many" in message


def _detail(error: BaseException) -> str:
    beneath = getattr(error, "os_error", None)
    return (beneath.strerror or type(beneath).__name__) if isinstance(beneath, OSError) else ""
