"""Harvest rate on synthetic webs: breadth-first, static weights, learned weights, an oracle.

python evaluation/focus/harvest.py [PAGES] [SEED ...]
"""

from __future__ import annotations

import heapq
import json
import sys
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import replace
from math import sqrt
from statistics import fmean, stdev

from synthetic_web import Page, Shape, make_web

from lumbung.model.candidate import Link, PageKind
from lumbung.profiles.loader import load_profile
from lumbung.stages.crawl.links import LinkRanker, PageOfLinks, Ranking, weights_from
from lumbung.stages.crawl.sightings import Sightings
from lumbung.stages.crawl.upkeep import after_pages, belief_of, ranking_weights
from lumbung.store.frontier import Lease
from lumbung.text.outline import EMPTY

FIRST_SHARE = 0.2
LAG_PAGES = 100
SEEDS = 10
SHAPES = (
    Shape("usual"),
    Shape("rare topic", relevant=0.1),
    Shape("weak words", signal=0.25),
    Shape("noisy words", noise=0.15),
    Shape("listings", listings=0.3, links=20),
    Shape("even hosts", even_hosts=True),
    Shape("many small hosts", hosts=400),
)
SWEEP = [
    Shape(f"locality {locality}, signal {signal}", locality=locality, signal=signal, even_hosts=True)
    for locality in (0.0, 0.3, 0.6)
    for signal in (0.03, 0.3, 0.8)
]
PROFILE = load_profile("pdbi")
RANKER = LinkRanker(PROFILE)
STATIC = weights_from(PROFILE.constants)
EXPLORATION = float(PROFILE.constants["crawl.priority.exploration"])


def seeds_of(web: list[Page]) -> list[int]:
    """Pages on the topic, as a curator would name them."""
    return [number for number, page in enumerate(web) if page.relevant][:SEEDS]


def breadth_first(web: list[Page]) -> list[int]:
    known = dict.fromkeys(seeds_of(web))
    queue = deque(known)
    order = []
    while queue:
        number = queue.popleft()
        order.append(number)
        for target, _ in web[number].links:
            if target not in known:
                known[target] = None
                queue.append(target)
    return order


def oracle(web: list[Page]) -> list[int]:
    crawl = Crawl(web, teach=False, score=lambda target: 2.0 * web[target].relevant + web[target].listing)
    return crawl.order()


def ours(web: list[Page], *, teach: bool) -> list[int]:
    return Crawl(web, teach=teach).order()


class Crawl:
    """The best address first: what pages say of it, and what its host gave so far, Eq. (5)."""

    def __init__(self, web: list[Page], *, teach: bool, score: Callable[[int], float] | None = None) -> None:
        self._web = web
        self._number = {page.url: number for number, page in enumerate(web)}
        self._teach = teach
        self._score = score
        self._weights: Mapping[str, float] = STATIC
        self._belief = belief_of(None, STATIC)
        self._yields: dict[str, tuple[float, int]] = {}
        self._sightings = Sightings(len(web))
        self._features: dict[int, Mapping[str, float]] = {}
        self._priority: dict[int, float] = {}
        self._waiting: dict[str, list[tuple[float, int]]] = {}
        self._depth = dict.fromkeys(seeds_of(web), 0)
        for place, number in enumerate(self._depth):
            self._stand(number, 100.0 - place)

    def order(self) -> list[int]:
        order: list[int] = []
        while (number := self._next()) is not None:
            order.append(number)
            self._sightings.forget(self._web[number].url)
            if len(order) > LAG_PAGES:
                self._learn(order[-LAG_PAGES - 1])
            self._read(number)
        return order

    def _stand(self, number: int, value: float) -> None:
        self._priority[number] = value
        heapq.heappush(self._waiting.setdefault(self._web[number].host, []), (-value, number))

    def _next(self) -> int | None:
        """Of the host that stands highest with its best address, as the lease has it."""
        best: tuple[float, str] | None = None
        for host, heap in list(self._waiting.items()):
            while heap and self._priority.get(heap[0][1]) != -heap[0][0]:
                heapq.heappop(heap)
            if not heap:
                del self._waiting[host]
            elif best is None or self._standing(host) - heap[0][0] > best[0]:
                best = self._standing(host) - heap[0][0], host
        if best is None:
            return None
        number = heapq.heappop(self._waiting[best[1]])[1]
        del self._priority[number]
        return number

    def _gave(self, host: str) -> float:
        total, pages = self._yields.get(host, (0.0, 0))
        return total / (pages + 3)

    def _standing(self, host: str) -> float:
        return 0.0 if self._score else self._weights["host_yield"] * self._gave(host)

    def _read(self, number: int) -> None:
        page = self._web[number]
        kind = PageKind.INDEX if page.listing else PageKind.ITEM
        lease = replace(Lease.archived(page.url, page.host), depth=self._depth[number])
        ranking = Ranking(ranking_weights(self._weights, STATIC), EXPLORATION)
        links = PageOfLinks(
            replace(EMPTY, kind=kind), lease, "ind", float(page.passes), RANKER, ranking, self._sightings
        )
        for target, anchor in page.links:
            url = self._web[target].url
            sighting = self._sightings.of(url)
            if target not in self._depth:
                self._depth[target] = lease.depth + 1
                found = links.first(Link(url, anchor, anchor, ""), self._web[target].host, "")
                self._features[target] = links.sightings.of(url).features
                self._stand(target, self._score(target) if self._score else found.priority)
            elif sighting is not None and not self._score:
                raised = links.again(url, anchor, sighting)
                if raised is not None:
                    self._stand(target, raised.priority)
                    self._features[target] = sighting.features

    def _learn(self, number: int) -> None:
        page = self._web[number]
        value = 0.3 if page.listing else 0.8 if page.relevant else 0.0
        if number in self._features and self._teach:
            features = {**self._features[number], "host_yield": self._gave(page.host)}
            self._belief = after_pages(self._belief, [features], [value])
            self._weights = self._belief.weights
        total, pages = self._yields.get(page.host, (0.0, 0))
        self._yields[page.host] = total + value, pages + 1


def harvest(web: list[Page], order: list[int]) -> float:
    first = order[: int(FIRST_SHARE * len(web))]
    return sum(web[number].relevant for number in first) / max(1, len(first))


def compared(shape: Shape, size: int, seed: int) -> dict[str, float]:
    web = make_web(shape, size, seed)
    rates = {
        "breadth_first": harvest(web, breadth_first(web)),
        "static": harvest(web, ours(web, teach=False)),
        "learned": harvest(web, ours(web, teach=True)),
        "oracle": harvest(web, oracle(web)),
    }
    told = {name: round(rate, 3) for name, rate in rates.items()}
    ratios = {
        "to_breadth_first": round(rates["learned"] / max(rates["breadth_first"], 1e-9), 3),
        "to_static": round(rates["learned"] / max(rates["static"], 1e-9), 3),
    }
    print(json.dumps({"web": shape.name, "pages": size, "seed": seed, **told, **ratios}), flush=True)
    return ratios


def summed_up(found: list[dict[str, float]]) -> dict[str, list[float]]:
    """Of each ratio the mean over the seeds, its standard error, and the least: one web alone is mostly chance."""
    together: dict[str, list[float]] = {}
    for name in found[0]:
        values = [ratios[name] for ratios in found]
        error = stdev(values) / sqrt(len(values)) if len(values) > 1 else 0.0
        together[name] = [round(fmean(values), 3), round(error, 3), min(values)]
    return together


def main(size: int = 4_000, *seeds: int) -> None:
    for shape in (*SHAPES, *SWEEP):
        found = [compared(shape, size, seed) for seed in seeds or (1,)]
        print(json.dumps({"web": shape.name, "pages": size, "mean_error_least": summed_up(found)}), flush=True)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
