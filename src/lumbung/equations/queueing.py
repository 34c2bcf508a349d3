"""Little's law, by which the number of jobs that a stage works on at a time is chosen."""

from __future__ import annotations


def in_service(arrivals_a_second: float, service_seconds: float) -> float:
    """L = lambda W: as many are in service as arrive while one is being served."""
    return arrivals_a_second * service_seconds
