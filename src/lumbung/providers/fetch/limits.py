"""What a fetch may cost, and the closed list of ways in which it ends."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from lumbung.text.packing import Bounds


@dataclass(frozen=True, slots=True)
class FetchLimits:
    name_seconds: float = 8.0
    connect_seconds: float = 10.0
    response_seconds: float = 20.0
    """From the request to the last byte of the headers, the connection included."""
    total_seconds: float = 60.0
    stall_seconds: float = 10.0
    """The longest wait for the next piece of a body."""
    grace_seconds: float = 5.0
    min_bytes_per_second: int = 1024
    """Mean speed of the body that is demanded after the grace period."""
    header_field_bytes: int = 16_384
    header_fields: int = 256
    body_bytes: int = 8 * 1024 * 1024
    frame_bytes: int = 2 * 1024 * 1024
    """Headers, sizes of chunks, and whatever else comes with a body without being part of it."""
    decoded_bytes: int = 16 * 1024 * 1024
    max_ratio: int = 200
    """Decoded to sent: text packs 3 to 20 fold, repetitive markup up to about 100; a bomb 1000 and more."""
    ratio_free_bytes: int = 1024 * 1024
    """Below this size no ratio is a danger."""
    redirects: int = 5

    @property
    def unpacking(self) -> Bounds:
        return Bounds(self.decoded_bytes, self.max_ratio, self.ratio_free_bytes)


class Verdict(StrEnum):
    FETCHED = "fetched"
    REFUSED = "refused"
    UNRESOLVED = "unresolved"
    FAILED = "failed"


class Reason(StrEnum):
    """Why a fetch is not simply fetched; where it still is, the body was cut."""

    BAD_URL = "bad-url"
    PORT = "port"
    ADDRESS = "address"
    NO_CONTACT = "no-contact"
    ROBOTS = "robots"
    ROBOTS_UNREACHABLE = "robots-unreachable"
    OPT_OUT = "opt-out"
    DELAY = "delay"
    REDIRECT_REFUSED = "redirect-refused"
    NO_SUCH_NAME = "no-such-name"
    NAME_TIMEOUT = "name-timeout"
    CONNECT = "connect"
    CONNECT_TIMEOUT = "connect-timeout"
    TLS = "tls"
    DISCONNECTED = "disconnected"
    BAD_RESPONSE = "bad-response"
    HEADERS_TOO_LONG = "headers-too-long"
    RESPONSE_TIMEOUT = "response-timeout"
    TOTAL_TIMEOUT = "total-timeout"
    STALLED = "stalled"
    TOO_SLOW = "too-slow"
    INCOMPLETE = "incomplete"
    BOMB = "decompression-bomb"
    BAD_ENCODING = "bad-content-encoding"
    BAD_REDIRECT = "bad-redirect"
    REDIRECT_LOOP = "redirect-loop"
    TOO_MANY_REDIRECTS = "too-many-redirects"
    BODY_CUT = "body-cut"
    CONTENT_CUT = "content-cut"
    UNEXPECTED = "unexpected"
