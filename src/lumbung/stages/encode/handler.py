"""Stage 3: candidates and human records become vectors in the index, by category and province."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from zlib import crc32

from lumbung.model.item import is_human
from lumbung.model.job import Job, NewJob
from lumbung.model.profile import Profile
from lumbung.ports.stage import Outcome
from lumbung.store import candidates, features, items
from lumbung.store.database import Transaction
from lumbung.store.features import Feature
from lumbung.text.features import FEATURES_VERSION, content_vector, word_keys
from lumbung.text.kinship import landmark_sketch
from lumbung.text.region import Gazetteer

UNKNOWN_PROVINCE = "-"
NO_CATEGORY = ""
CHECKED_ONE_IN = 50


@dataclass(frozen=True, slots=True)
class Encoded:
    category: str
    provinces: Sequence[str]
    content: Sequence[float]
    words: Sequence[str]
    landmarks: Mapping[int, Sequence[int]]
    """By document, for pages that were not read for them before: decide knows translations by these."""


class EncodeHandler:
    stage = "encode"
    batch_size = 100

    def __init__(self, profile: Profile, gazetteer: Gazetteer) -> None:
        self._profile = profile
        self._gazetteer = gazetteer

    async def prepare(self, tx: Transaction, jobs: Sequence[Job]) -> dict[str, dict[str, Any]]:
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
        return found

    async def perform(self, prepared: dict[str, dict[str, Any]], jobs: Sequence[Job]) -> Outcome:
        return {job.id: self._encoded(prepared.get(job.payload["node"])) for job in jobs}

    def _encoded(self, node: dict[str, Any] | None) -> Encoded | None:
        if node is None:
            return None
        provinces = sorted({p for code in node["regions"] for p in self._gazetteer.provinces_of(code)})
        vector = content_vector(node["name"], node["aliases"], node["regions"], node["facts"], node["category"])
        page = node.get("page")
        return Encoded(
            node["category"] or NO_CATEGORY,
            provinces or [UNKNOWN_PROVINCE],
            vector,
            sorted({key for name in (node["name"], *node["aliases"]) for key in word_keys(name)}),
            {node["document"]: landmark_sketch(page)} if page is not None else {},
        )

    async def commit(self, tx: Transaction, jobs: Sequence[Job], outcome: Outcome) -> Iterable[NewJob]:
        nodes = [job.payload["node"] for job in jobs]
        encoded = {job.payload["node"]: outcome[job.id] for job in jobs if outcome[job.id] is not None}
        version = int(FEATURES_VERSION)
        await features.keep(
            tx,
            nodes,
            [Feature(n, is_human(n), version, e.category, e.provinces, e.content, e.words) for n, e in encoded.items()],
        )
        await candidates.keep_landmarks(tx, {d: m for each in encoded.values() for d, m in each.landmarks.items()})
        follow_on = [NewJob("decide", job.key, {"node": job.payload["node"]}, job.trace) for job in jobs]
        follow_on += [graph_job(block) for block in await features.grown_blocks(tx, version)]
        return follow_on + [self._check(node, each) for node, each in encoded.items() if is_checked(node)]

    def _check(self, node: str, encoded: Encoded) -> NewJob:
        """Whether the blocks of Eq. (12) hide something from this node is looked at in the background."""
        known = self._profile.categories.get(encoded.category)
        categories = [encoded.category, *(known.confusable if known else ()), NO_CATEGORY]
        provinces = None if list(encoded.provinces) == [UNKNOWN_PROVINCE] else [*encoded.provinces, UNKNOWN_PROVINCE]
        block = {"categories": categories, "provinces": provinces}
        return NewJob("steward", f"blocking:{node}", {"verb": "blocking", "node": node, **block})


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
