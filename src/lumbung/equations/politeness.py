"""Eq. (6): the least delay between two requests to one host."""

from __future__ import annotations

import math


def host_rate_bound(delay_seconds: float) -> float:
    """Eq. (6), left: lambda_h <= 1 / delta requests a second."""
    return math.inf if delay_seconds == 0 else 1 / delay_seconds


def global_rate_bound(active_hosts: int, delay_seconds: float) -> float:
    """Eq. (6), right: Lambda <= |H_active| / delta; no host, no request, whatever the delay."""
    return 0.0 if active_hosts == 0 else active_hosts * host_rate_bound(delay_seconds)
