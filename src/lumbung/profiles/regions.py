"""The profile's regions: `regions.csv` (the state's own division) and `peoples.csv` (peoples and cultural regions)."""

from __future__ import annotations

import re
from importlib.resources.abc import Traversable

from lumbung.model.profile import Region
from lumbung.profiles.tables import Row, read_table
from lumbung.text.place import Place

ISO_3166_2 = re.compile(r"[A-Z]{2}-[A-Z0-9]{1,3}")
OWN_CODE = re.compile(r"x-[a-z0-9-]+")
LEVELS = frozenset({"province", "regency", "city"})
PEOPLE_LEVELS = frozenset({"people", "cultural"})


def read_regions(folder: Traversable) -> dict[str, Region]:
    regions: dict[str, Region] = {}
    columns = ("code", "official", "name", "short", "level", "province", "aliases", "former")
    for row in read_table(folder, "regions.csv", columns):
        _add(regions, row, _administrative(row, regions))
    columns = ("code", "name", "level", "home", "provinces", "aliases", "former", "source")
    for row in read_table(folder, "peoples.csv", columns):
        _add(regions, row, _cultural(row, regions))
    return regions


def _add(regions: dict[str, Region], row: Row, place: Place) -> None:
    if place.code in regions:
        row.refuse(f"code {place.code!r} was used before; every region needs its own.")
    regions[place.code] = place


def _administrative(row: Row, regions: dict[str, Region]) -> Place:
    code, level = row.required("code"), row.choice("level", LEVELS)
    if level == "province":
        if not ISO_3166_2.fullmatch(code):
            row.refuse(f"code {code!r} of a province must be its ISO 3166-2 code, such as ID-BA.")
        province = code
    else:
        province = row.required("province")
        known = {region.code for region in regions.values() if region.level == "province"}
        row.known("province", province, known, "regions.csv above this line")
    name, short = row.required("name"), row.text("short")
    former = row.several("former")
    return Place(
        code=code,
        name=name,
        level=level,
        province=province,
        provinces=(province,),
        aliases=_other_names(name, (short, *row.several("aliases"), *former)),
        official=row.text("official"),
        bare=short or name,
        former=former,
    )


def _cultural(row: Row, regions: dict[str, Region]) -> Place:
    code = row.required("code")
    if not OWN_CODE.fullmatch(code):
        row.refuse(f"code {code!r} must begin with x- and hold only small letters, digits and hyphens.")
    provinces = row.several("provinces")
    known = {region.code for region in regions.values() if region.level == "province"}
    for province in provinces:
        row.known("provinces", province, known, "regions.csv")
    home = row.text("home") or (provinces[0] if len(provinces) == 1 else "")
    if home:
        row.known("home", home, provinces, "the column provinces")
    name, former = row.required("name"), row.several("former")
    return Place(
        code=code,
        name=name,
        level=row.choice("level", PEOPLE_LEVELS),
        province=home or None,
        provinces=provinces,
        aliases=_other_names(name, (*row.several("aliases"), *former)),
        bare=name,
        former=former,
        source=row.required("source"),
    )


def _other_names(name: str, others: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(other for other in others if other and other != name))
