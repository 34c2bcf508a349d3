"""Pictures from strangers: read and written anew in a killable child, and kept by the digest of their bytes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class SeenPicture:
    """What a picture says of itself."""

    format: str
    width: int
    height: int
    statements: tuple[str, ...]
    """What its metadata states about rights, each as it stands."""
    creator: str


@dataclass(frozen=True, slots=True)
class Attribution:
    """All that a copy carries of metadata."""

    creator: str
    licence: str
    licence_url: str
    source_url: str


@dataclass(frozen=True, slots=True)
class CleanPicture:
    content: bytes
    content_type: str
    width: int
    height: int


class PictureReader(Protocol):
    async def look(self, body: bytes) -> SeenPicture:
        """InputRefused with a reason when it is no picture, too large, or breaks its reader."""
        ...

    async def clean(self, body: bytes, attribution: Attribution) -> CleanPicture:
        """Decoded and encoded anew: nothing of the original's bytes is left but the pixels."""
        ...


class PictureShelf(Protocol):
    async def keep(self, digest: str, content: bytes) -> None:
        """Under the digest of the content; keeping it twice is keeping it once."""
        ...

    async def read(self, digest: str) -> bytes | None:
        """None when there is none of this digest."""
        ...
