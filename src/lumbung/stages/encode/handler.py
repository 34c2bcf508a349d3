"""Stage 3: candidates and human records become vectors in the index, by category and province."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from zlib import crc32

from lumbung.errors import StaleRead, TransientError
from lumbung.model.item import is_human
from lumbung.model.job import Job, NewJob
from lumbung.model.profile import Profile
from lumbung.ports.stage import Outcome
from lumbung.store import candidates, feature_versions, features, items, namesakes
from lumbung.store import jobs as job_store
from lumbung.store.database import Transaction
from lumbung.store.features import Feature
from lumbung.text.features import ENCODERS, FEATURES_VERSION
from lumbung.text.kinship import landmark_sketch
from lumbung.text.namesakes import NameReader
from lumbung.text.region import Gazetteer

UNKNOWN_PROVINCE = "-"
NO_CATEGORY = ""
CHECKED_ONE_IN = 50
VERSION = int(FEATURES_VERSION)
WHOLE_INDEX = "index"
"""What a decision waits for while neighbours can be found only among those that are re-encoded already."""


@dataclass(frozen=True, slots=True)
class Prepared:
    nodes: Mapping[str, dict[str, Any]]
    versions: frozenset[int]
    """Those that the nodes are encoded in."""


@dataclass(frozen=True, slots=True)
class Encoded:
    category: str
    provinces: Sequence[str]
    contents: Mapping[int, Sequence[float]]
    """By version."""
    words: Mapping[str, int]
    landmarks: Mapping[int, Sequence[int]]
    """By document, for pages that were not read for them before: decide knows translations by these."""


class EncodeHandler:
    stage = "encode"
    batch_size = 100

    def __init__(self, profile: Profile, gazetteer: Gazetteer) -> None:
        self._profile = profile
        self._gazetteer = gazetteer
        self._names = NameReader(profile)

    async def prepare(self, tx: Transaction, jobs: Sequence[Job]) -> Prepared:
        versions = written_versions(await feature_versions.in_force(tx))
        nodes = [job.payload["node"] for job in jobs]
        digests = [node for node in nodes if not is_human(node)]
        pages = {row["document"]: row["text"] for row in await candidates.without_landmarks(tx, digests)}
        found = {
            row["digest"]: described(row, row["name"], row["claims"])
            | {"document": row["document"], "page": pages.get(row["document"])}
            for row in await candidates.load(tx, digests)
            if row["state"] == "live"
        }
        for row in await items.humans(tx, [node for node in nodes if is_human(node)]):
            facts = [[0, attribute, "", key] for attribute, key in row["facts"]]
            found["h:" + row["identity"]] = described(row, row["title"], facts)
        return Prepared(found, versions)

    async def perform(self, prepared: Prepared, jobs: Sequence[Job]) -> Outcome:
        return {job.id: self._encoded(prepared.nodes.get(job.payload["node"]), prepared.versions) for job in jobs}

    def _encoded(self, node: dict[str, Any] | None, versions: frozenset[int]) -> Encoded | None:
        if node is None:
            return None
        provinces = sorted({p for code in node["regions"] for p in self._gazetteer.provinces_of(code)})
        content = (node["name"], node["aliases"], node["regions"], node["facts"], node["category"])
        page = node.get("page")
        return Encoded(
            node["category"] or NO_CATEGORY,
            provinces or [UNKNOWN_PROVINCE],
            {version: ENCODERS[version](*content) for version in sorted(versions)},
            self._names.held((node["name"], *node["aliases"]), node["category"]),
            {node["document"]: landmark_sketch(page)} if page is not None else {},
        )

    async def commit(self, tx: Transaction, jobs: Sequence[Job], outcome: Outcome) -> Iterable[NewJob]:
        in_force = await feature_versions.hold(tx, VERSION)
        versions = written_versions(in_force)
        nodes = [job.payload["node"] for job in jobs]
        encoded = {job.payload["node"]: outcome[job.id] for job in jobs if outcome[job.id] is not None}
        if any(not versions <= each.contents.keys() for each in encoded.values()):
            raise StaleRead("Another version of the features is in force than when the nodes were read.")
        rows = [feature_of(node, each, version) for node, each in encoded.items() for version in sorted(versions)]
        await features.keep(tx, nodes, rows, () if in_force in versions else (in_force,))
        await namesakes.keep(tx, (word for each in encoded.values() for word in each.words))
        await candidates.keep_landmarks(tx, {d: m for each in encoded.values() for d, m in each.landmarks.items()})
        new = {job.payload["node"]: job for job in jobs if not job.payload.get("again")}
        decisions = [NewJob("decide", job.key, {"node": node}, job.trace) for node, job in new.items()]
        checks = [self._check(node, each) for node, each in encoded.items() if node in new and is_checked(node)]
        graphs = [
            graph_job(block) for version in sorted(versions) for block in await features.grown_blocks(tx, version)
        ]
        if in_force in versions:
            return [*decisions, *checks, *graphs]
        await job_store.add_parked(tx, [*decisions, *checks], WHOLE_INDEX, "The index is being re-encoded.")
        return graphs

    def _check(self, node: str, encoded: Encoded) -> NewJob:
        """Whether the blocks of Eq. (12) hide something from this node is looked at in the background."""
        known = self._profile.categories.get(encoded.category)
        categories = [encoded.category, *(known.confusable if known else ()), NO_CATEGORY]
        provinces = None if list(encoded.provinces) == [UNKNOWN_PROVINCE] else [*encoded.provinces, UNKNOWN_PROVINCE]
        block = {"categories": categories, "provinces": provinces}
        return NewJob("steward", f"blocking:{node}", {"verb": "blocking", "node": node, **block})


def written_versions(in_force: int | None) -> frozenset[int]:
    """A node is encoded in this program's version, and in the one in force as long as the program knows that."""
    if in_force is not None and in_force > VERSION:
        raise TransientError(
            f"The index has moved on to features {in_force}: a newer program than this one must encode."
        )
    return frozenset(version for version in ENCODERS if version in {VERSION, in_force})


def feature_of(node: str, encoded: Encoded, version: int) -> Feature:
    content = encoded.contents[version]
    return Feature(node, is_human(node), version, encoded.category, encoded.provinces, content, encoded.words)


def is_checked(node: str) -> bool:
    """A fixed share of the candidates, the same ones on every machine."""
    return not is_human(node) and crc32(node.encode()) % CHECKED_ONE_IN == 0


def graph_job(block: dict[str, Any]) -> NewJob:
    key = f"graph:{block['version']}:{block['category']}:{block['province']}:{block['round']}"
    return NewJob("steward", key, {"verb": "graph", **block})


def described(row: dict[str, Any], name: str, claims: Iterable[Sequence[Any]]) -> dict[str, Any]:
    return {
        "name": name,
        "aliases": row["aliases"],
        "category": row["category"],
        "regions": row["regions"],
        "facts": [(claim[1], claim[3]) for claim in claims],
    }
