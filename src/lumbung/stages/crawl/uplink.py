"""Whether anybody at all answers: while our own line is down, no URL pays for it."""

from __future__ import annotations

from collections.abc import Callable

from lumbung.ports.fetch import Fetched

HOSTS_IN_A_ROW = 5
LONGEST_OUTAGE_SECONDS = 24 * 3600.0
"""After a day the silent hosts are to blame, and their URLs are given up like others."""
SILENCES = ("name-timeout", "connect-timeout", "connect: Network is unreachable", "connect: No route to host")


class NobodyAnswers(Exception):
    """The answer is silence, as those of other hosts before it."""


class Uplink:
    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._silent: set[str] = set()
        self._since = 0.0

    def hear(self, host: str, answer: Fetched) -> None:
        """NobodyAnswers when so many hosts were silent, and none answered between."""
        if answer.verdict == "refused":
            return
        why = answer.explanation or ""
        if answer.verdict == "fetched" or not why.startswith((*SILENCES, "no-such-name")):
            self._silent.clear()
        elif why.startswith(SILENCES):
            self._since = self._since if self._silent else self._clock()
            self._silent.add(host)
            if len(self._silent) >= HOSTS_IN_A_ROW and self._clock() - self._since < LONGEST_OUTAGE_SECONDS:
                raise NobodyAnswers
