"""Little's law, by which is chosen how much a stage works on, or asks a provider, at a time: measured, and within bounds."""

from __future__ import annotations

from math import ceil

DRAIN_SECONDS = 30.0
"""Within this time a backlog should be worked off, as if it had just arrived."""
LEARNING_SHARE = 0.3
SLOWED = 2.0
"""A service that takes so many times longer than it once did has too much in hand already."""
FORGETTING = 1.01


def in_service(arrivals_a_second: float, service_seconds: float) -> float:
    """L = lambda W: as many are in service as arrive while one is being served."""
    return arrivals_a_second * service_seconds


class StageLoad:
    """Arrival rate times service time, by Little's law.

    Backpressure: the upper bound, and a service that slows down, which halves what may be in hand.
    """

    def __init__(self, least: int, most: int) -> None:
        self._least = least
        self.most = max(least, most)
        self.allowed = least
        self._service_seconds: float | None = None
        self._unhindered_seconds: float | None = None
        self._served = 0
        self._waiting = 0

    @property
    def is_fixed(self) -> bool:
        return self._least == self.most

    def add(self, seconds: float) -> None:
        """A delivery that has been served."""
        known = seconds if self._service_seconds is None else self._service_seconds
        self._service_seconds = known + LEARNING_SHARE * (seconds - known)
        self._served += 1

    def settle(self, elapsed_seconds: float, waiting: int) -> int:
        """`waiting` counts what is in the queue and in hand; returns how many may be in hand from now on."""
        arrived = max(0, self._served + waiting - self._waiting)
        self._served, self._waiting = 0, waiting
        service = self._service_seconds
        if service is None or elapsed_seconds <= 0:
            return self.allowed
        self._unhindered_seconds = min(service, FORGETTING * (self._unhindered_seconds or service))
        if service > SLOWED * self._unhindered_seconds:
            wanted = self.allowed // 2
        else:
            rate = arrived / elapsed_seconds + waiting / DRAIN_SECONDS
            wanted = min(2 * self.allowed, ceil(in_service(rate, service)))
        self.allowed = min(self.most, max(self._least, wanted))
        return self.allowed
