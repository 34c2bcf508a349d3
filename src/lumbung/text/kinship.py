"""Which texts come from one another: containment of word shingles, kept as bottom-k sketches.

A sketch holds the smallest hashes of a text's shingles. Up to SKETCH_SIZE shingles it is the whole set and the
containment is exact; beyond, both sketches are cut at the hash up to which each is complete, which makes the
comparison an unbiased sample however different the lengths are. Jaccard would not see a text pasted into a long page.
"""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import blake2b

SKETCH_SIZE = 512
SHINGLE_WORDS = 4
AKIN_CONTAINMENT = 0.5
MINIMUM_SHARED = 6
"""Fewer shared shingles than this are a title or a formula, not a copy."""
LANDMARK_RUN = 3
RARE_HOLDERS = 3
RARE_SHARED = 2
CROWD, CHAIN = 60, 5

_WORD = re.compile(r"[^\W_]+")
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")


def _hash(text: str) -> int:
    """63 bits, so that a database keeps it as a plain big integer."""
    return int.from_bytes(blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "big") >> 1


def words(text: str) -> list[str]:
    return _WORD.findall(unicodedata.normalize("NFKC", text).casefold())


def shingles(text: str) -> frozenset[int]:
    """Hashes of every run of four words; a shorter text is one shingle, an empty one none."""
    found = words(text)
    if not found:
        return frozenset()
    last = max(1, len(found) - SHINGLE_WORDS + 1)
    return frozenset(_hash(" ".join(found[start : start + SHINGLE_WORDS])) for start in range(last))


def landmarks(text: str) -> list[str]:
    """Names and numbers in their order: what a translation carries over unchanged."""
    marks: list[str] = []
    for sentence in re.split(r"(?<=[.!?:;])\s+|\n+", unicodedata.normalize("NFKC", text)):
        for position, match in enumerate(re.finditer(r"[^\W_][\w.,'’-]*", sentence)):
            token = match.group().rstrip(".,'’-")
            if _NUMBER.fullmatch(token):
                marks.append(re.sub(r"\D", "", token))
            elif position > 0 and token[:1].isupper():
                marks.append(token.casefold())
    return marks


def landmark_shingles(text: str) -> frozenset[int]:
    """Runs of three landmarks. Two writers of one subject share landmarks, only a copyist shares their order."""
    marks = landmarks(text)
    runs = (marks[start : start + LANDMARK_RUN] for start in range(len(marks) - LANDMARK_RUN + 1))
    return frozenset(_hash("\x1f".join(run)) for run in runs)


def bottom(hashes: Iterable[int], size: int = SKETCH_SIZE) -> tuple[int, ...]:
    return tuple(sorted(set(hashes))[:size])


def sketch(text: str) -> tuple[int, ...]:
    """The bottom-k sketch of a text's shingles."""
    return bottom(shingles(text))


def landmark_sketch(text: str) -> tuple[int, ...]:
    """The same of its landmarks, for copies in another language."""
    return bottom(landmark_shingles(text))


def _complete_to(sketch: Sequence[int]) -> int:
    return sketch[-1] if len(sketch) >= SKETCH_SIZE else 1 << 63


def _shared(a_sketch: Sequence[int], b_sketch: Sequence[int]) -> tuple[int, int, int]:
    """Shared hashes, and the size of each side, below the hash up to which both sketches are complete."""
    limit = min(_complete_to(a_sketch), _complete_to(b_sketch)) if a_sketch and b_sketch else 0
    a_part = {x for x in a_sketch if x <= limit}
    b_part = {x for x in b_sketch if x <= limit}
    return len(a_part & b_part), len(a_part), len(b_part)


def containment(a_sketch: Sequence[int], b_sketch: Sequence[int]) -> float:
    """The share of the first text that stands in the second; an empty text tells nothing and has 0."""
    shared, a_size, _ = _shared(a_sketch, b_sketch)
    return shared / a_size if a_size else 0.0


def akin(a_sketch: Sequence[int], b_sketch: Sequence[int], threshold: float = AKIN_CONTAINMENT) -> bool:
    """Whether one text stands, as good as whole, within the other."""
    shared, a_size, b_size = _shared(a_sketch, b_sketch)
    smaller = min(a_size, b_size)
    if smaller == 0:
        return False
    return shared >= min(MINIMUM_SHARED, smaller) and shared / smaller >= threshold


@dataclass(frozen=True, slots=True)
class Prints:
    """All shingles and landmark runs of a text, for the exact check."""

    shingles: frozenset[int]
    landmarks: frozenset[int]

    def without(self, boilerplate: frozenset[int]) -> Prints:
        return Prints(self.shingles - boilerplate, self.landmarks - boilerplate)


def prints(text: str) -> Prints:
    return Prints(shingles(text), landmark_shingles(text))


def akin_prints(a: Prints, b: Prints, threshold: float = AKIN_CONTAINMENT) -> bool:
    """Whether one text stands within the other word for word, or across languages by its names and numbers."""
    return _within(a.shingles, b.shingles, 1, threshold) or _within(a.landmarks, b.landmarks, MINIMUM_SHARED, threshold)


def _within(mine: frozenset[int], other: frozenset[int], at_least: int, threshold: float) -> bool:
    smaller, shared = min(len(mine), len(other)), len(mine & other)
    enough = max(at_least, min(MINIMUM_SHARED, smaller))
    return shared >= enough and shared / smaller >= threshold


@dataclass(frozen=True, slots=True)
class Document:
    """What kinship looks at; `values` are (object and attribute, value key) pairs the document claims."""

    id: str
    domain: str = ""
    publisher: str = ""
    sketch: tuple[int, ...] = ()
    values: frozenset[tuple[str, str]] = frozenset()
    landmarks: tuple[int, ...] = ()
    origins: frozenset[str] = frozenset()
    """Domains that it declares to be where it comes from."""


class Groups:
    """Union-find over ids; the smallest id names its group, so the order of joining does not matter."""

    def __init__(self, ids: Iterable[str]) -> None:
        self._parent = {each: each for each in ids}

    def find(self, each: str) -> str:
        root = each
        while self._parent[root] != root:
            root = self._parent[root]
        while self._parent[each] != root:
            self._parent[each], each = root, self._parent[each]
        return root

    def join(self, a: str, b: str) -> None:
        first, second = sorted((self.find(a), self.find(b)))
        self._parent[second] = first

    def members(self) -> list[str]:
        return list(self._parent)

    def sets(self) -> list[frozenset[str]]:
        members: dict[str, set[str]] = defaultdict(set)
        for each in self._parent:
            members[self.find(each)].add(each)
        return [frozenset(members[root]) for root in sorted(members)]


def _sharing(keys_of: dict[str, Iterable[int]], minimum: int) -> set[tuple[str, str]]:
    """Pairs of ids that share at least `minimum` keys, found through an inverted index.

    A key that very many share pairs each with its next few alone: copies of one text are still linked in a chain.
    """
    holders: dict[int, list[str]] = defaultdict(list)
    for each in sorted(keys_of):
        for key in keys_of[each]:
            holders[key].append(each)
    counts: dict[tuple[str, str], int] = defaultdict(int)
    for ids in holders.values():
        reach = len(ids) if len(ids) <= CROWD else CHAIN
        for i, a in enumerate(ids):
            for b in ids[i + 1 : i + 1 + reach]:
                counts[a, b] += 1
    return {pair for pair, count in counts.items() if count >= minimum}


def rare_value_pairs(documents: Sequence[Document]) -> set[tuple[str, str]]:
    """Pairs that share at least two values which almost nobody else claims while others claim something else.

    Agreeing on what everybody says is no sign of copying; agreeing twice on what the rest contradicts is.
    """
    claimants: dict[tuple[str, str], set[str]] = defaultdict(set)
    values_of: dict[str, set[str]] = defaultdict(set)
    for document in documents:
        for question, value in document.values:
            claimants[question, value].add(document.id)
            values_of[question].add(value)
    rare: dict[tuple[str, str], int] = defaultdict(int)
    for (question, value), ids in claimants.items():
        others = {i for v in values_of[question] - {value} for i in claimants[question, v]}
        if 2 <= len(ids) <= RARE_HOLDERS and len(others) >= len(ids):
            ordered = sorted(ids)
            for i, a in enumerate(ordered):
                for b in ordered[i + 1 :]:
                    rare[a, b] += 1
    return {pair for pair, count in rare.items() if count >= RARE_SHARED}


def _marks(document: Document) -> Iterator[tuple[str, str]]:
    """A document and one that declares its domain as its origin bear the same mark."""
    for domain in (document.domain, *sorted(document.origins)):
        if domain.strip():
            yield "domain", domain.strip().casefold()
    if document.publisher.strip():
        yield "publisher", document.publisher.strip().casefold()


def copy_clusters(documents: Sequence[Document]) -> list[frozenset[str]]:
    """Groups of documents that count as one witness: same domain, origin or publisher, akin texts, shared rare values.

    The result depends on the set of documents alone, not on their order.
    """
    by_id = {document.id: document for document in documents}
    groups = Groups(sorted(by_id))
    first_of: dict[tuple[str, str], str] = {}
    for each in sorted(by_id):
        for mark in _marks(by_id[each]):
            groups.join(first_of.setdefault(mark, each), each)
    for a, b in sorted(_sharing({i: d.sketch for i, d in by_id.items()}, 1)):
        if akin(by_id[a].sketch, by_id[b].sketch):
            groups.join(a, b)
    for a, b in sorted(_sharing({i: d.landmarks for i, d in by_id.items()}, MINIMUM_SHARED)):
        if akin(by_id[a].landmarks, by_id[b].landmarks):
            groups.join(a, b)
    for a, b in sorted(rare_value_pairs(documents)):
        groups.join(a, b)
    return groups.sets()
