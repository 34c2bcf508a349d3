"""Places of a crawler, by how promptly hosts answer: whoever lets us wait takes none from the others.

Each lane has places of its own. A request that is out for longer than a prompt host takes costs a socket and next to
nothing else, so that its place is given to another host of the lane, until the lane has as many as it may in all.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from lumbung.store.hosts import PROMPT_SECONDS, Lane, Room, Rooms

CROWDS = {Lane.PROMPT: 3, Lane.UNMET: 10, Lane.SLOW: 3}
"""So many times its places are the hosts that a lane may have in hand, those that let us wait included; most among the
hosts not yet met, where good ones stand behind whatever else was found.
"""
AHEAD_SECONDS = 1.0
"""Hosts are leased this long before their turn, so that one look at the database serves all turns of that time."""


class Lanes:
    def __init__(self, places: int, prompt_seconds: float = PROMPT_SECONDS) -> None:
        self._places = places
        self.prompt_seconds = prompt_seconds
        self._lanes: dict[str, Lane] = {}

    def enter(self, host: str, lane: Lane) -> None:
        self._lanes[host] = lane

    def leave(self, host: str) -> None:
        self._lanes.pop(host, None)

    def rooms(self, asked_since: Mapping[str, float], now: float) -> Rooms:
        """How many hosts more each lane may take, given since when a request to whom is out."""
        in_hand = Counter(self._lanes.values())
        waiting = Counter(
            self._lanes[host]
            for host, since in asked_since.items()
            if host in self._lanes and now - since > self.prompt_seconds
        )
        return {lane: self._room(lane, in_hand[lane], waiting[lane]) for lane in Lane}

    def _room(self, lane: Lane, in_hand: int, waiting: int) -> Room:
        """A host that is taken before its turn holds a place for nothing: only where there are plenty."""
        hosts = max(0, min(self._places - in_hand + waiting, CROWDS[lane] * self._places - in_hand))
        return Room(hosts, AHEAD_SECONDS if hosts > self._places // 2 else 0.0)

    def seconds_to_room(self, asked_since: Mapping[str, float], now: float) -> float:
        """Until the next host in hand has let us wait for so long that its place is free."""
        left = (since + self.prompt_seconds - now for since in asked_since.values())
        return min((seconds for seconds in left if seconds > 0), default=self.prompt_seconds)
