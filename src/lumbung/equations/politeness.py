"""Eq. (6): the least delay between two requests to one host."""

from __future__ import annotations

import math

from lumbung.errors import ContractError


def next_slot(previous_end: float, delay_seconds: float) -> float:
    """When the host may be asked again: its delay counts from the *end* of the previous request."""
    if delay_seconds < 0:
        raise ContractError(f"A delay is not negative: {delay_seconds}.")
    return previous_end + delay_seconds


def host_delay(own_delay: float, crawl_delay: float | None, minimum: float) -> float:
    """The longest of what we promise, what we learned and what the host asks for."""
    return max(minimum, own_delay, crawl_delay or 0.0)


def host_rate_bound(delay_seconds: float) -> float:
    """Eq. (6), left: lambda_h <= 1 / delta requests a second."""
    return math.inf if delay_seconds == 0 else 1 / delay_seconds


def global_rate_bound(active_hosts: int, delay_seconds: float) -> float:
    """Eq. (6), right: Lambda <= |H_active| / delta; no host, no request, whatever the delay."""
    return 0.0 if active_hosts == 0 else active_hosts * host_rate_bound(delay_seconds)
