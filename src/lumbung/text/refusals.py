"""Answers by which a site turns a crawler away: recorded as policy, never circumvented."""

from __future__ import annotations

import re
from collections.abc import Iterable

_CHALLENGE_HEADERS = {"cf-mitigated": "challenge", "x-sucuri-block": "", "x-amzn-waf-action": "", "x-datadome": ""}
_CHALLENGE_MARKUP = re.compile(
    rb"challenges\.cloudflare\.com|/cdn-cgi/challenge-platform/|cf-browser-verification|cf_chl_opt|"
    rb"_Incapsula_Resource|captcha-delivery\.com|px-captcha|perimeterx|awsWafCookieDomainList|"
    rb"ddos-guard|sucuri_cloudproxy_js|/_sec/cp_challenge/|anubis_challenge",
    re.IGNORECASE,
)
_WORDED_CHALLENGE = re.compile(
    rb"<title[^>]*>\s*(?:just a moment|attention required|access denied|are you (?:a )?(?:human|robot)|"
    rb"checking your browser|ddos protection|verify(?:ing)? you are human|bot verification|captcha)",
    re.IGNORECASE,
)
_SCANNED_BYTES = 65_536
_SECONDS = re.compile(r"[0-9]+(?:\.[0-9]*)?|\.[0-9]+", re.ASCII)
LONGEST_RETRY_SECONDS = 999_999_999.0


def block_reason(status: int, headers: Iterable[tuple[str, str]], content: bytes) -> str | None:
    """Why this answer is a block and not a page: a status, a challenge header, or the markup of a challenge."""
    if status in {401, 407}:
        return "login-required"
    if status == 403:
        return "forbidden"
    if status == 429:
        return "too-many-requests"
    if status == 451:
        return "legal-reasons"
    for name, value in headers:
        expected = _CHALLENGE_HEADERS.get(name.lower())
        if expected is not None and expected in value.lower() and (status >= 400 or expected):
            return "challenge"
    head = content[:_SCANNED_BYTES]
    if _WORDED_CHALLENGE.search(head):
        return "challenge"
    if len(content) < _SCANNED_BYTES and status in {200, 202, 405, 503} and _CHALLENGE_MARKUP.search(head):
        # Ordinary pages load such scripts too; a challenge has next to no text of its own.
        visible = re.sub(rb"(?s)<(script|style)\b.*?</\1\s*>|<[^>]*>", b" ", head)
        if len(b" ".join(visible.split())) < 600:
            return "challenge"
    return None


def retry_after_seconds(value: str | None, now_epoch_seconds: float) -> float | None:
    """Retry-After as seconds from now: a number or an HTTP date; None when it is neither.

    Decimals are none of the standard's, but plainly meant; a number however long means a long time.
    """
    if value is None:
        return None
    text = value.strip()
    if _SECONDS.fullmatch(text):
        return min(float(text), LONGEST_RETRY_SECONDS)
    from email.utils import parsedate_to_datetime

    try:
        moment = parsedate_to_datetime(text)
    except (ValueError, TypeError, IndexError):
        return None
    return max(0.0, moment.timestamp() - now_epoch_seconds)
