"""The map of the provinces: a tile each, in a wide arrangement and in a narrow one that is readable on a phone."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil

from lumbung.bootstrap import System

TILE = 50
SHADES = 4
"""How many steps, above none, the tiles have."""
MAPS = ("wide", "narrow")
"""The names of the profile's two places for a tile."""


@dataclass(frozen=True, slots=True)
class Tile:
    code: str
    name: str
    short: str
    entries: int
    x: int
    y: int
    shade: int


@dataclass(frozen=True, slots=True)
class ProvinceMap:
    name: str
    tiles: tuple[Tile, ...]

    @property
    def width(self) -> int:
        return max(tile.x for tile in self.tiles) + TILE

    @property
    def height(self) -> int:
        return max(tile.y for tile in self.tiles) + TILE


def province_counts(system: System, counts: dict[str, int]) -> dict[str, int]:
    """A regency's entries count for its province."""
    by_province: dict[str, int] = {}
    for code, number in counts.items():
        for province in system.gazetteer.provinces_of(code) if code in system.profile.regions else ():
            by_province[province] = by_province.get(province, 0) + number
    return by_province


def province_map(system: System, by_province: dict[str, int], name: str) -> ProvinceMap:
    most = max(by_province.values(), default=1)
    tiles = []
    for place in system.profile.tiles:
        row, column = getattr(place, name)
        number = by_province.get(place.region, 0)
        tiles.append(
            Tile(
                code=place.region,
                name=system.profile.regions[place.region].name,
                short=place.short,
                entries=number,
                x=(column - 1) * TILE,
                y=(row - 1) * TILE,
                shade=ceil(SHADES * (number / most) ** 0.5),
            )
        )
    return ProvinceMap(name, tuple(tiles))
