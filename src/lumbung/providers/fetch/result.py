"""What a fetch brings home."""

from __future__ import annotations

from dataclasses import dataclass, replace

from lumbung.providers.fetch.limits import Reason, Verdict

RawHeaders = tuple[tuple[bytes, bytes], ...]


@dataclass(slots=True)
class FetchResult:
    """Not frozen, because the fetcher fills it hop by hop and a copy costs more than the parse of the URL."""

    url: str
    verdict: Verdict
    reason: Reason | None = None
    detail: str = ""
    final_url: str = ""
    status: int | None = None
    status_phrase: str = ""
    http_version: str = "1.1"
    headers: RawHeaders = ()
    request_headers: RawHeaders = ()
    body: bytes = b""
    """As sent, content encoding and all; capped."""
    content: bytes = b""
    """Decoded, capped; the same object as the body where nothing was encoded."""
    content_type: str | None = None
    location: str | None = None
    """Where a redirect that was not followed points."""
    redirects: tuple[tuple[int, str], ...] = ()
    """Status of each hop and the URL that it led to."""
    remote_address: str | None = None
    started: float = 0.0
    """Monotonic seconds; the end of the last request starts the host's delay."""
    ended: float = 0.0

    @property
    def fetched(self) -> bool:
        return self.verdict is Verdict.FETCHED

    @property
    def truncated(self) -> Reason | None:
        return self.reason if self.verdict is Verdict.FETCHED else None

    @property
    def explanation(self) -> str | None:
        if self.reason is None:
            return None
        return f"{self.reason}: {self.detail}" if self.detail else str(self.reason)

    def header(self, name: str) -> str | None:
        wanted = name.lower().encode()
        for key, value in self.headers:
            if key.lower() == wanted:
                return header_text(value)
        return None

    @property
    def status_line(self) -> str | None:
        """A character for each byte, like the headers."""
        return None if self.status is None else f"HTTP/{self.http_version} {self.status:03d} {self.status_phrase}"

    def text_headers(self) -> list[tuple[str, str]]:
        return [(key.decode("latin-1"), value.decode("latin-1")) for key, value in self.headers]

    def ending(self, verdict: Verdict, reason: Reason, detail: str = "") -> FetchResult:
        """The same fetch with another end."""
        return replace(self, verdict=verdict, reason=reason, detail=detail)


def header_text(value: bytes) -> str:
    try:
        return value.decode()
    except UnicodeDecodeError:
        return value.decode("latin-1")
