"""Time-based one-time codes (RFC 6238), for people who want a second factor."""

from __future__ import annotations

import base64
import hmac
import secrets
from urllib.parse import quote

STEP_SECONDS = 30
DIGITS = 6


def new_secret() -> str:
    return base64.b32encode(secrets.token_bytes(20)).decode()


def code_at(secret: str, unix_seconds: float) -> str:
    return code_of(secret, int(unix_seconds // STEP_SECONDS))


def code_of(secret: str, step: int) -> str:
    digest = hmac.digest(base64.b32decode(secret), step.to_bytes(8, "big"), "sha1")
    start = digest[-1] & 0x0F
    number = int.from_bytes(digest[start : start + 4], "big") & 0x7FFFFFFF
    return f"{number % 10**DIGITS:0{DIGITS}d}"


def step_of_code(secret: str, code: str, unix_seconds: float) -> int | None:
    """The step that the code is of: the present one, or one before or after it for clocks that differ."""
    typed, now = code.strip().encode(), int(unix_seconds // STEP_SECONDS)
    fitting = [step for step in (now - 1, now, now + 1) if hmac.compare_digest(code_of(secret, step).encode(), typed)]
    return fitting[-1] if fitting else None


def enrolment_address(secret: str, login: str, library: str) -> str:
    return f"otpauth://totp/{quote(library)}:{quote(login)}?secret={secret}&issuer={quote(library)}"
