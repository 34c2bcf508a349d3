"""Fetching one URL through the guard. Redirects are answers like any other: the frontier decides about their targets."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol


class Fetched(Protocol):
    @property
    def verdict(self) -> str:
        """fetched, refused, unresolved or failed."""
        ...

    @property
    def explanation(self) -> str | None: ...

    @property
    def status(self) -> int | None: ...

    @property
    def body(self) -> bytes:
        """As it came over the wire, up to the cap."""
        ...

    @property
    def content(self) -> bytes:
        """Decoded, up to its own cap."""
        ...

    @property
    def content_type(self) -> str | None: ...

    @property
    def truncated(self) -> str | None: ...

    @property
    def remote_address(self) -> str | None: ...

    @property
    def location(self) -> str | None:
        """Where a redirect points to; None for any other answer."""
        ...

    @property
    def request_headers(self) -> Sequence[tuple[bytes, bytes]]: ...

    def header(self, name: str) -> str | None: ...

    def text_headers(self) -> list[tuple[str, str]]:
        """A character for each byte, so that an archive can write down what came."""
        ...

    @property
    def status_line(self) -> str | None:
        """The first line of the answer as it came, where that is known."""
        ...


class Fetcher(Protocol):
    async def fetch(self, url: str) -> Fetched: ...
