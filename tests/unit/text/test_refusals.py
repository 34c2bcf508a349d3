from __future__ import annotations

import pytest

from lumbung.text.refusals import LONGEST_RETRY_SECONDS, block_reason, retry_after_seconds

CHALLENGE = b"<html><head><title>x</title><script src='/cdn-cgi/challenge-platform/h/b/o.js'></script></head><body></body></html>"


@pytest.mark.parametrize(
    ("status", "headers", "content", "reason"),
    [
        (200, [], b"<html><title>Tari Kecak</title></html>", None),
        (404, [], b"not here", None),
        (401, [], b"", "login-required"),
        (403, [], b"", "forbidden"),
        (429, [], b"", "too-many-requests"),
        (451, [], b"", "legal-reasons"),
        (503, [], b"<title>Just a moment...</title>", "challenge"),
        (200, [("CF-Mitigated", "challenge")], b"", "challenge"),
        (503, [], b"maintenance", None),
        (200, [], CHALLENGE, "challenge"),
        (200, [], CHALLENGE.replace(b"<body>", b"<body>" + b"Tari Kecak berasal dari Bali. " * 60), None),
    ],
)
def test_a_block_is_told_from_a_page(
    status: int, headers: list[tuple[str, str]], content: bytes, reason: str | None
) -> None:
    assert block_reason(status, headers, content) == reason


@pytest.mark.parametrize(
    ("value", "seconds"),
    [("120", 120.0), (" 0 ", 0.0), ("Thu, 01 Jan 1970 00:02:00 GMT", 20.0), ("Thu, 01 Jan 1970 00:00:00 GMT", 0.0)]
    + [("30.5", 30.5), (".5", 0.5), ("1234567890", LONGEST_RETRY_SECONDS), ("9" * 5_000, LONGEST_RETRY_SECONDS)]
    + [("soon", None), ("-5", None), ("", None), (None, None), (".", None), ("1.2.3", None), ("1e9", None)],
)
def test_retry_after_is_seconds_or_a_date(value: str | None, seconds: float | None) -> None:
    assert retry_after_seconds(value, 100.0) == seconds
