"""A region with what only the gazetteer needs to know about its names."""

from __future__ import annotations

from dataclasses import dataclass

from lumbung.model.profile import Region

LEVELS = ("province", "regency", "city", "people", "cultural")


@dataclass(frozen=True, slots=True)
class Place(Region):
    official: str = ""
    """The state's own code where it differs from `code`."""
    bare: str = ""
    """The name without the word for its level: `Bandung` of `Kota Bandung`."""
    former: tuple[str, ...] = ()
    """Those of the aliases that are no longer in use."""
    source: str = ""
    """Where the row was taken from."""
