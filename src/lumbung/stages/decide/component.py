"""The component of sameness around the subjects of a batch: everything that a decision about them depends on."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import combinations

from lumbung.model.item import HumanRecord, LiveCandidate, PairVerdict, human_node, is_human, pair
from lumbung.model.profile import Profile
from lumbung.stages.decide.nodes import Comparables, human_record, live_candidate
from lumbung.stages.decide.pairs import compare_pairs
from lumbung.stages.decide.rules import Rules
from lumbung.store import candidates as candidate_store
from lumbung.store import feature_versions, features, items, namesakes
from lumbung.store.database import Transaction
from lumbung.text.features import FEATURES_VERSION, content_vector
from lumbung.text.names import name_key
from lumbung.text.namesakes import NameReader
from lumbung.text.region import Gazetteer

NEIGHBOURS = 50


@dataclass
class Component:
    """All nodes that links reach from the subjects of a batch, with the verdicts about their pairs."""

    candidates: dict[str, LiveCandidate] = field(default_factory=dict)
    humans: dict[str, HumanRecord] = field(default_factory=dict)
    verdicts: dict[tuple[str, str], PairVerdict] = field(default_factory=dict)

    def only(self, nodes: set[str]) -> Component:
        return Component(
            {node: each for node, each in self.candidates.items() if node in nodes},
            {node: each for node, each in self.humans.items() if node in nodes},
            self.verdicts,
        )


class ComponentReader:
    def __init__(self, profile: Profile, gazetteer: Gazetteer) -> None:
        self._profile = profile
        self._gazetteer = gazetteer
        self._comparables = Comparables(profile)
        self._names = NameReader(profile)

    async def lock(self, tx: Transaction, subjects: set[str]) -> None:
        """The categories of the subjects, and those people confuse with them, in fixed order."""
        await items.lock(tx, self._confusable(await self._categories(tx, subjects)))

    async def _categories(self, tx: Transaction, subjects: set[str]) -> set[str]:
        rows = await candidate_store.load(tx, [node for node in subjects if not is_human(node)])
        found = {row["category"] for row in rows if row["category"]}
        for row in await items.humans(tx, [node for node in subjects if is_human(node)]):
            found |= {row["category"]} if row["category"] else set(self._profile.categories)
        return found

    def _confusable(self, categories: set[str]) -> list[str]:
        """A category and those people confuse with it, together and in fixed order."""
        confusable = {other for code in categories for other in self._profile.categories[code].confusable}
        return sorted(categories | confusable)

    async def around(self, tx: Transaction, subjects: set[str], rules: Rules) -> Component:
        """Grow from the subjects until no neighbour adds a node.

        A subject is compared with its own neighbours, and within what sameness reaches everything with everything.
        """
        component = Component()
        near = {subject: await self._neighbours(tx, subject) for subject in sorted(subjects)}
        nodes = subjects.union(*near.values())
        wanted = {pair(subject, node) for subject, found in near.items() for node in found}
        compared: set[tuple[str, str]] = set()
        connected = await items.components(tx, sorted(subjects))
        complete = False
        while not complete:
            nodes = nodes.union(*connected)
            wanted |= pairs_within(connected)
            await self._load(tx, component, nodes)
            component.verdicts = await items.verdicts(tx, sorted(nodes))
            await self._compare(tx, component, wanted - compared - component.verdicts.keys(), rules)
            compared |= wanted
            connected = await items.components(tx, sorted(subjects))
            complete = pairs_within(connected) <= wanted
        reached = subjects.union(*connected)
        await self._settle_open(tx, component, reached, rules)
        return component.only(reached)

    async def _settle_open(self, tx: Transaction, component: Component, nodes: set[str], rules: Rules) -> None:
        """By the learned matcher in force. Nothing of it is stored with the pair, so that another version leaves no trace."""
        if rules.matcher is None:
            return
        for key, evidence in (await items.open_pairs(tx, sorted(nodes))).items():
            held = component.verdicts.get(key)
            if held is not None and held.verdict == "unsure":
                component.verdicts[key] = PairVerdict(held.score, rules.matcher.settled(evidence))

    async def _neighbours(self, tx: Transaction, subject: str) -> set[str]:
        """The block of Eq. (12) around a subject: nearest vectors, and whoever bears one of its names in any spelling.

        Who is nearest depends on who else is there; whom the subject may be linked with is found by the names alone.
        """
        names, category, regions, facts = await self._described(tx, subject)
        if not names:
            return set()
        categories = self._confusable({category}) if category else sorted(self._profile.categories)
        known = sorted({p for code in regions for p in self._gazetteer.provinces_of(code)})
        provinces = [*known, "-"] if known else None
        content = content_vector(names[0], names[1:], regions, facts, category)
        version = int(FEATURES_VERSION)
        found = await features.neighbours(tx, subject, version, [*categories, ""], provinces, content, NEIGHBOURS)
        alike = await namesakes.namesakes(tx, self._names, subject, names, category, version, provinces)
        named = await items.same_names(tx, categories, [key for name in names if (key := name_key(name))])
        return {each.node for each in found} | alike | (named - {subject})

    async def _described(
        self, tx: Transaction, subject: str
    ) -> tuple[list[str], str | None, tuple[str, ...], tuple[tuple[str, str], ...]]:
        if is_human(subject):
            for row in await items.humans(tx, [subject]):
                human = human_record(row, self._profile.synonyms)
                return [human.title, *human.aliases], human.category, human.regions, tuple(sorted(human.facts))
        for row in await candidate_store.load(tx, [subject]):
            each = live_candidate(row)
            facts = tuple((claim.attribute, claim.value_key) for claim in each.claims)
            return [each.name, *each.aliases], each.category, each.regions, facts
        return [], None, (), ()

    async def _load(self, tx: Transaction, component: Component, nodes: set[str]) -> None:
        wanted = nodes - component.candidates.keys() - component.humans.keys()
        for row in await candidate_store.load(tx, [node for node in wanted if not is_human(node)]):
            if row["state"] == "live" and row["category"] and row["scope"] != "out":
                component.candidates[row["digest"]] = live_candidate(row)
        for row in await items.humans(tx, [node for node in wanted if is_human(node)]):
            component.humans[human_node(row["identity"])] = human_record(row, self._profile.synonyms)

    async def _compare(self, tx: Transaction, component: Component, wanted: set[tuple[str, str]], rules: Rules) -> None:
        compared = compare_pairs(
            component.candidates, component.humans, wanted, self._comparables, self._gazetteer.related, rules
        )
        if not compared:
            return
        searched = await feature_versions.in_force(tx)
        versions = {"rules": dict(rules.versions), "features": FEATURES_VERSION if searched is None else str(searched)}
        for each in compared:
            component.verdicts[each.nodes] = each.verdict
            if each.verdict.verdict != "unrelated":
                await items.keep_verdict(tx, each.nodes, each.verdict, "rule", each.evidence, versions)


def pairs_within(connected: Iterable[set[str]]) -> set[tuple[str, str]]:
    """Never across: whether two nodes are compared may not depend on what else a batch brings."""
    return {pair(*each) for piece in connected for each in combinations(sorted(piece), 2)}
