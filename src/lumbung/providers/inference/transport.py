"""The HTTP client under the models' libraries: an answer is read up to a cap, and no redirect takes the key elsewhere."""

from __future__ import annotations

from collections.abc import AsyncIterator

import httpx2

from lumbung.errors import TransientError

LARGEST_ANSWER_BYTES = 4_000_000


class EnormousAnswer(TransientError):
    pass


class CappedStream(httpx2.AsyncByteStream):
    def __init__(self, inner: httpx2.AsyncByteStream, limit: int) -> None:
        self._inner = inner
        self._left = limit

    async def __aiter__(self) -> AsyncIterator[bytes]:
        async for chunk in self._inner:
            self._left -= len(chunk)
            if self._left < 0:
                raise EnormousAnswer("The model's answer is larger than any answer may be.")
            yield chunk

    async def aclose(self) -> None:
        await self._inner.aclose()


class CappedTransport(httpx2.AsyncBaseTransport):
    def __init__(self, inner: httpx2.AsyncBaseTransport, limit: int = LARGEST_ANSWER_BYTES) -> None:
        self._inner = inner
        self._limit = limit

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        response = await self._inner.handle_async_request(request)
        packed = response.headers.get("content-encoding", "identity").strip().lower()
        if packed not in {"", "identity"}:
            await response.aclose()
            raise EnormousAnswer("The model's answer is packed although that was not asked for.")
        assert isinstance(response.stream, httpx2.AsyncByteStream)
        response.stream = CappedStream(response.stream, self._limit)
        return response

    async def aclose(self) -> None:
        await self._inner.aclose()


def http_client(timeout_seconds: float) -> httpx2.AsyncClient:
    return httpx2.AsyncClient(
        transport=CappedTransport(httpx2.AsyncHTTPTransport()),
        timeout=timeout_seconds,
        follow_redirects=False,
        headers={"accept-encoding": "identity"},
    )
