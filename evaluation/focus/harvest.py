"""Harvest rate on synthetic webs: breadth-first, static weights, learned weights, an oracle.

python evaluation/focus/harvest.py [PAGES] [SEED]
"""

from __future__ import annotations

import heapq
import json
import sys
from collections import deque
from collections.abc import Callable

from synthetic_web import Page, Shape, make_web

from lumbung.equations.priority import priority
from lumbung.model.candidate import Link, PageKind
from lumbung.profiles.loader import load_profile
from lumbung.stages.crawl.links import LinkRanker, explored_priority, weights_from
from lumbung.stages.crawl.upkeep import after_page, ranking_weights

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
    return best_first(web, lambda target: 2.0 * web[target].relevant + web[target].listing, teach=False)


def ours(web: list[Page], *, teach: bool) -> list[int]:
    return best_first(web, None, teach=teach)


def best_first(web: list[Page], score: Callable[[int], float] | None, *, teach: bool) -> list[int]:
    weights = dict(STATIC)
    yields: dict[str, list[float]] = {}
    depth = dict.fromkeys(seeds_of(web), 0)
    features_of: dict[int, dict[str, float]] = {}
    queue = [(-100.0, place, number) for place, number in enumerate(depth)]
    heapq.heapify(queue)
    order: list[int] = []
    while queue:
        _, _, number = heapq.heappop(queue)
        order.append(number)
        if len(order) > LAG_PAGES:
            moved = after(weights, web, order[-LAG_PAGES - 1], features_of, yields)
            weights = moved if teach else weights
        page = web[number]
        for target, anchor in page.links:
            if target in depth:
                continue
            depth[target] = depth[number] + 1
            features = features_of[target] = ranked(page, web[target], anchor, depth[target], yields)
            if score is not None:
                value = score(target)
            else:
                explored = explored_priority(web[target].url, EXPLORATION)
                value = priority(ranking_weights(weights), features) if explored is None else explored
            heapq.heappush(queue, (-value, len(depth), target))
    return order


def ranked(page: Page, target: Page, anchor: str, depth: int, yields: dict[str, list[float]]) -> dict[str, float]:
    kind = PageKind.INDEX if page.listing else PageKind.ITEM
    gave = yields.get(target.host, [])
    host_yield = sum(gave) / (len(gave) + 3)
    return RANKER.features(Link(target.url, anchor, anchor, ""), kind, "ind", depth, host_yield, float(page.passes))


def after(
    weights: dict[str, float],
    web: list[Page],
    number: int,
    features_of: dict[int, dict[str, float]],
    yields: dict[str, list[float]],
) -> dict[str, float]:
    page = web[number]
    value = 0.3 if page.listing else 0.8 if page.relevant else 0.0
    yields.setdefault(page.host, []).append(value)
    if number not in features_of:
        return weights
    return after_page(weights, features_of[number], value)


def harvest(web: list[Page], order: list[int]) -> float:
    first = order[: int(FIRST_SHARE * len(web))]
    return sum(web[number].relevant for number in first) / max(1, len(first))


def main(size: int = 4_000, seed: int = 1) -> None:
    for shape in (*SHAPES, *SWEEP):
        web = make_web(shape, size, seed)
        rates = {
            "breadth_first": harvest(web, breadth_first(web)),
            "static": harvest(web, ours(web, teach=False)),
            "learned": harvest(web, ours(web, teach=True)),
            "oracle": harvest(web, oracle(web)),
        }
        told = {name: round(rate, 3) for name, rate in rates.items()}
        ratios = {
            "to_breadth_first": round(rates["learned"] / max(rates["breadth_first"], 1e-9), 2),
            "to_static": round(rates["learned"] / max(rates["static"], 1e-9), 2),
        }
        print(json.dumps({"web": shape.name, "pages": size, "seed": seed, **told, **ratios}))


if __name__ == "__main__":
    main(*map(int, sys.argv[1:3]))
