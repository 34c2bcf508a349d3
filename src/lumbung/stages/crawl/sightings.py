"""What further pages say of addresses that wait: a link that words it anew is further evidence for Eq. (5).

The same words again prove nothing: a site's menu stands on all of its pages.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from zlib import crc32

MOST_SIGHTED = 20_000
LEAST_GAIN = 0.5
"""On the scale of priorities: a smaller rise is not worth a write."""
TOPIC_SHARE = 0.5
"""How far one page that speaks of the topic vouches for what it points to."""
_WORDINGS = 64


@dataclass(slots=True)
class Sighting:
    host: str
    domain: str
    features: Mapping[str, float]
    """As the frontier has them."""
    priority: float
    wordings: int
    """A bit for each wording met."""
    is_explored: bool
    """It stands anywhere in the ranking, whatever is said of it."""
    words: float
    """The share of culture in the words of all links together."""
    topic: float
    """How far the pages with these links vouch for it together."""

    def hear(self, words: float, topic: float) -> None:
        """Another link, worded anew."""
        self.words = together(self.words, words)
        self.topic = together(self.topic, TOPIC_SHARE * topic)

    def rise(self, weights: Mapping[str, float]) -> float:
        """What was heard since the frontier was told, on the scale of priorities, Eq. (5)."""
        features = self.features
        more_words, more_topic = self.words - features["link_context"], self.topic - features["page_topic"]
        return weights.get("link_context", 0.0) * more_words + weights.get("page_topic", 0.0) * more_topic

    def settle(self, weights: Mapping[str, float]) -> None:
        self.priority += self.rise(weights)
        self.features = {**self.features, "link_context": self.words, "page_topic": self.topic}


class Sightings:
    """Of the addresses found last; those of before keep the place they have."""

    def __init__(self, most: int = MOST_SIGHTED) -> None:
        self._most = most
        self._by_url: dict[str, Sighting] = {}

    def of(self, url: str) -> Sighting | None:
        return self._by_url.get(url)

    def add(self, url: str, sighting: Sighting) -> None:
        self._by_url[url] = sighting
        if len(self._by_url) > self._most:
            del self._by_url[next(iter(self._by_url))]

    def forget(self, url: str) -> None:
        """It waits no longer."""
        self._by_url.pop(url, None)


def wording(anchor: str) -> int:
    """A bit that stands for these words."""
    return 1 << crc32(anchor.encode("utf-8", "surrogatepass")) % _WORDINGS


def together(one: float, other: float) -> float:
    """Either of two independent witnesses suffices."""
    return 1.0 - (1.0 - one) * (1.0 - other)
