"""The library that entries are published into: look, write with the revision that was seen, withdraw.

Every adapter keeps three promises: an identity names one entry, a write over another revision than the one seen is
refused (StaleRead), and an entry that people own or removed is refused (HumanOwned). A write whose answer was lost
raises OutcomeUnknown: it may or may not have happened, and only looking again tells.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from hashlib import sha256
from typing import Any, Protocol

from pydantic_core import to_json

from lumbung.errors import PolicyRefused, TransientError


class HumanOwned(PolicyRefused):
    """People own this entry, or removed it: the machine leaves it as it is."""


class OutcomeUnknown(TransientError):
    """The answer to a write was lost; look before writing again."""


@dataclass(frozen=True, slots=True)
class LibrarySource:
    url: str
    quote: str
    digest: str
    """Of the archived payload."""


@dataclass(frozen=True, slots=True)
class LibraryFact:
    attribute: str
    value: str
    confidence: float
    flag: str | None
    sources: tuple[LibrarySource, ...]


@dataclass(frozen=True, slots=True)
class LibraryEntry:
    """What the machine wants a library to hold."""

    identity: str
    title: str
    aliases: tuple[str, ...]
    category: str
    regions: tuple[str, ...]
    primary_region: str
    text: str
    facts: tuple[LibraryFact, ...] = ()
    media: tuple[dict[str, Any], ...] = ()
    supplement_of: str | None = None
    """The library's own id of the human entry that this one adds to."""

    @property
    def digest(self) -> str:
        return sha256(to_json(asdict(self))).hexdigest()

    def stands_as(self, seen: SeenEntry) -> bool:
        """Whether the library holds this content already, by our digest or, where it keeps none, by its own words."""
        return not seen.removed and seen.digest in (self.digest, words_digest(self.title, self.text))


@dataclass(frozen=True, slots=True)
class SeenEntry:
    """What the library holds now."""

    remote_id: str
    owner: str
    """human or machine."""
    removed: bool
    """Withdrawn, or taken down by people."""
    revision: str
    digest: str
    title: str


def words_digest(title: str, text: str) -> str:
    return "words:" + sha256(to_json([title, text])).hexdigest()


class Library(Protocol):
    name: str
    read_only: bool

    async def look(self, identity: str, remote_id: str | None = None) -> SeenEntry | None: ...

    async def write(self, entry: LibraryEntry, seen: SeenEntry | None) -> SeenEntry: ...

    async def withdraw(self, identity: str, seen: SeenEntry, reason: str) -> None: ...
