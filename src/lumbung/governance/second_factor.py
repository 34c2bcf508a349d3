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
    counter = int(unix_seconds // STEP_SECONDS).to_bytes(8, "big")
    digest = hmac.digest(base64.b32decode(secret), counter, "sha1")
    start = digest[-1] & 0x0F
    number = int.from_bytes(digest[start : start + 4], "big") & 0x7FFFFFFF
    return f"{number % 10**DIGITS:0{DIGITS}d}"


def code_fits(secret: str, code: str, unix_seconds: float) -> bool:
    """The present step, and one before and after it for clocks that differ."""
    typed = code.strip().encode()
    near = [code_at(secret, unix_seconds + step).encode() for step in (-STEP_SECONDS, 0, STEP_SECONDS)]
    return any(hmac.compare_digest(each, typed) for each in near)


def enrolment_address(secret: str, login: str, library: str) -> str:
    return f"otpauth://totp/{quote(library)}:{quote(login)}?secret={secret}&issuer={quote(library)}"
