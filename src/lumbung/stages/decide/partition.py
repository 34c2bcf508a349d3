"""The item rule: which candidates and human records are one item. A pure function of the nodes and their verdicts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from lumbung.model.item import PairVerdict, is_human, pair

Verdicts = Mapping[tuple[str, str], PairVerdict]
APART = frozenset({"different", "variant"})


@dataclass(frozen=True, slots=True)
class Partition:
    groups: tuple[frozenset[str], ...]
    bridges: frozenset[str]
    """Candidates that link groups which are not the same: they go to review and witness for neither."""
    unsure: frozenset[tuple[str, str]]
    """Pairs of nodes in different groups about which a person has to decide."""


def partition(nodes: frozenset[str], verdicts: Verdicts) -> Partition:
    """Join along links in falling score, ties by digest, never across a *different* verdict; set bridges aside."""
    links = ordered_links(nodes, verdicts)
    bridges: set[str] = set()
    while True:
        kept_links = [link for link in links if bridges.isdisjoint(link)]
        groups = joined(nodes - bridges, kept_links, verdicts)
        found = bridging(groups, kept_links)
        if not found:
            break
        bridges.add(min(found, key=lambda node: (attachment(node, groups, kept_links, verdicts), node)))
    home = {node: group for group in groups for node in group}
    unsure = frozenset(
        key
        for key, each in verdicts.items()
        if each.verdict == "unsure" and key[0] in home and key[1] in home and home[key[0]] is not home[key[1]]
    )
    return Partition(tuple(sorted(groups, key=min)), frozenset(bridges), unsure)


def ordered_links(nodes: frozenset[str], verdicts: Verdicts) -> list[tuple[str, str]]:
    links = [(-each.score, key) for key, each in verdicts.items() if each.verdict == "same" and nodes.issuperset(key)]
    return [key for _, key in sorted(links)]


def joined(nodes: frozenset[str] | set[str], links: list[tuple[str, str]], verdicts: Verdicts) -> list[frozenset[str]]:
    home = {node: frozenset({node}) for node in nodes}
    for a, b in links:
        mine, other = home[a], home[b]
        if mine is other or any_apart(mine, other, verdicts):
            continue
        whole = mine | other
        for node in whole:
            home[node] = whole
    return list({id(group): group for group in home.values()}.values())


def any_apart(mine: frozenset[str], other: frozenset[str], verdicts: Verdicts) -> bool:
    return any((found := verdicts.get(pair(a, b))) is not None and found.verdict in APART for a in mine for b in other)


def attachment(node: str, groups: list[frozenset[str]], links: list[tuple[str, str]], verdicts: Verdicts) -> float:
    """The strongest link of a node within its own group: of several bridges the weakest attached is set aside first."""
    own = next(group for group in groups if node in group)
    return max((verdicts[link].score for link in links if node in link and own.issuperset(link)), default=0.0)


def bridging(groups: list[frozenset[str]], links: list[tuple[str, str]]) -> set[str]:
    """Candidates whose links lead into two groups: their own and another, or two others."""
    home = {node: group for group in groups for node in group}
    reached: dict[str, set[int]] = {}
    for a, b in links:
        reached.setdefault(a, set()).add(id(home[b]))
        reached.setdefault(b, set()).add(id(home[a]))
    return {node for node, ends in reached.items() if len(ends) > 1 and not is_human(node)}
