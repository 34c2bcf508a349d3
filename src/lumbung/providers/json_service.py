"""A JSON service over HTTP that the operator configured: bounded in time and size, its errors turned into ours."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

import aiohttp
from pydantic import SecretStr
from pydantic_core import from_json

from lumbung.errors import TransientError
from lumbung.providers.guard import Status
from lumbung.text.refusals import retry_after_seconds

LARGEST_ANSWER_BYTES = 4_000_000


@dataclass(frozen=True, slots=True)
class JsonService:
    base_url: str
    timeout_seconds: float = 60.0
    bearer: SecretStr | None = field(default=None, repr=False)

    @property
    def name(self) -> str:
        """Host and port, never a password of the address."""
        address = urlsplit(self.base_url)
        return f"{address.hostname or 'service'}:{address.port}" if address.port else address.hostname or "service"

    async def ask(
        self, method: str, path: str, *, body: Mapping[str, Any] | None = None, query: Mapping[str, str] | None = None
    ) -> Any:
        """The answer as JSON. What the service says in its errors stays outside: it may echo a key."""
        timeout = aiohttp.ClientTimeout(total=self.timeout_seconds)
        headers = {"Accept": "application/json", "Accept-Encoding": "identity"}
        if self.bearer:
            headers["Authorization"] = f"Bearer {self.bearer.get_secret_value()}"
        try:
            async with (
                aiohttp.ClientSession(timeout=timeout, auto_decompress=False, headers=headers) as session,
                session.request(
                    method, self.base_url.rstrip("/") + path, json=body, params=query, allow_redirects=False
                ) as response,
            ):
                if response.status != 200:
                    raise Status(response.status, rest_asked_for(response.headers)).error(self.name)
                return from_json(await self._read(response))
        except (TimeoutError, aiohttp.ClientError, OSError):
            raise TransientError(f"{self.name} cannot be reached or broke off.") from None
        except ValueError:
            raise TransientError(f"{self.name} does not answer with JSON.") from None

    async def _read(self, response: aiohttp.ClientResponse) -> bytes:
        read = b""
        async for chunk in response.content.iter_chunked(65536):
            read += chunk
            if len(read) > LARGEST_ANSWER_BYTES:
                raise TransientError(f"{self.name} answers with more than any answer may be.")
        return read


def rest_asked_for(headers: Mapping[str, str]) -> float | None:
    """How long the service asks to be left alone, by a number of seconds or by a date; None where it names none."""
    return retry_after_seconds(headers.get("Retry-After"), time.time())
