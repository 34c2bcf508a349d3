"""What an answer means for the URL and for its host, before anybody reads the page."""

from __future__ import annotations

import time
from dataclasses import dataclass

from lumbung.ports.fetch import Fetched
from lumbung.text.outline import Outline
from lumbung.text.refusals import block_reason, retry_after_seconds
from lumbung.text.traps import soft_404

TRIES = 3
BLOCK_SECONDS = 3600.0
LEAST_BLOCK_SECONDS = 60.0
LONGEST_BLOCK_SECONDS = 7 * 24 * 3600.0
REDIRECTS = frozenset({301, 302, 303, 307, 308})
LITTLE_TEXT = 2_000
"""A challenge has next to no text of its own: longer pages are not searched for the marks of one."""
PASSING_BLOCKS = frozenset({"too-many-requests", "challenge", "unavailable"})
"""The host says: not now. The others say: not this."""
PASSING_FAILURES = frozenset(
    {"name-timeout", "connect", "connect-timeout", "disconnected", "response-timeout", "incomplete", "unexpected"}
)
"""What may be different the next time; a bomb or a tarpit will not."""


@dataclass(frozen=True, slots=True)
class Ending:
    outcome: str
    reason: str | None = None
    wait_seconds: float = 0.0
    cooldown_seconds: float = 0.0
    notice: tuple[str, str] | None = None
    """Kind and text of what the curator should know."""


def ending_of(answer: Fetched, attempts: int) -> Ending | None:
    """How the visit ends if the answer is no page; None when it is one, or a redirect."""
    if answer.verdict != "fetched" or answer.status is None:
        return unanswered(answer, attempts)
    status = answer.status
    if 200 <= status < 300 or (status in REDIRECTS and answer.location):
        return None
    reason = block_reason(status, answer.text_headers(), answer.content)
    if reason is None and status == 503 and answer.header("retry-after"):
        reason = "unavailable"
    if reason is not None:
        return blocked(answer, reason)
    if status >= 500 and attempts < TRIES:
        return Ending("later", f"status {status}")
    return Ending("failed", f"status {status}")


def unanswered(answer: Fetched, attempts: int) -> Ending:
    """Refusals are for good; a failure is tried again, a few times."""
    if answer.verdict == "refused":
        return Ending("refused", answer.explanation or "refused")
    why = answer.explanation or "no answer"
    passing = why.partition(":")[0] in PASSING_FAILURES
    return Ending("later" if passing and attempts < TRIES else "failed", why)


def not_admitted(answer: Fetched, attempts: int) -> Ending:
    """Nobody was asked. Without a contact address the host waits until there is one; the rest is the URL's own fault."""
    why = answer.explanation or "refused"
    if why.startswith("no-contact"):
        return Ending("blocked", why, cooldown_seconds=BLOCK_SECONDS)
    return unanswered(answer, attempts)


def blocked(answer: Fetched, reason: str) -> Ending:
    """A block is policy: recorded, rested upon, told to the curator, never circumvented."""
    why = f"blocked: {reason}"
    notice = ("blocked", f"status {answer.status}, {reason}")
    if reason not in PASSING_BLOCKS:
        return Ending("refused", why, notice=notice)
    asked = retry_after_seconds(answer.header("retry-after"), time.time())
    seconds = min(max(asked or BLOCK_SECONDS, LEAST_BLOCK_SECONDS), LONGEST_BLOCK_SECONDS)
    return Ending("blocked", why, cooldown_seconds=seconds, notice=notice)


def ending_of_page(answer: Fetched, outline: Outline) -> Ending | None:
    """A page that is none: a challenge with a good status, or one that says it is not there."""
    if outline.characters < LITTLE_TEXT:
        reason = block_reason(answer.status or 200, answer.text_headers(), answer.content)
        if reason is not None:
            return blocked(answer, reason)
    if soft_404(outline.title, outline.text) is not None:
        return Ending("refused", "trap: soft-404")
    return None
