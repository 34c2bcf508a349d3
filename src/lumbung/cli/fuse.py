"""`lumbung fuse`: what several sources claim, weighed, with copies counted once."""

from __future__ import annotations

import csv
import sys
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from lumbung.errors import UsageError

if TYPE_CHECKING:
    from lumbung.cli.csv_input import Table
    from lumbung.equations.fusion import FusedValue
    from lumbung.text.claims import SourceClaim

RATIOS = {"academic": 19.0, "official": 9.0, "community": 4.0, "unknown": 2.0, "encyclopaedia": 0.0, "library": 0.0}
COLUMNS = ("source", "object", "attribute", "value")
LONGEST_VALUE = 100_000


class Kinship(StrEnum):
    ON = "on"
    OFF = "off"


def command(
    claims: Annotated[str, typer.Argument(metavar="CLAIMS.csv", help="The claims; - for standard input.")],
    kinship: Annotated[Kinship, typer.Option(help="Whether copies of one another count as one witness.")] = Kinship.ON,
    single_valued: Annotated[
        list[str] | None,
        typer.Option(metavar="ATTRIBUTE", help="Its values compete; repeatable. Else read off the claims."),
    ] = None,
) -> None:
    """Weigh the claims of several sources; copies of one another count once.

    Reads CSV with the columns source, object, attribute, value and, if there, source_type (academic, official,
    community, unknown, encyclopaedia) and text (the page around the claim, by which copies are known). Writes CSV:
    object,attribute,value,probability,sources,independent_sources,winner. Without a type, a source's accuracy is
    learned from the claims, never from the votes of its own copies.

    Example: lumbung fuse claims.csv --single-valued tahun
    """
    from lumbung.cli.csv_input import read_table
    from lumbung.text.claims import fuse

    table = _usable(read_table(claims, leaves_out=True))
    read, shown = _claims(table)
    single = _single(table, single_valued or [], read)
    fused = fuse(read, single, kinship is Kinship.ON)
    _write(fused, {each.question: (each.about, each.domain) for each in read}, shown)


def _usable(table: Table) -> Table:
    """Claims with all their parts and a source type that is one."""
    rows = zip(*(table.column(name) for name in COLUMNS), strict=True)
    faults = {
        row: f"{next(name for name, value in zip(COLUMNS, values, strict=True) if not value)} is empty"
        for row, values in enumerate(rows)
        if not all(values)
    }
    for row, value in enumerate(table.column("value")):
        if len(value) > LONGEST_VALUE:
            faults.setdefault(row, f"a value of {len(value)} characters is no value")
    for row, word in enumerate(table.columns.get("source_type", ())):
        if word and word.casefold() not in RATIOS:
            faults.setdefault(row, f'"{word}" is no source type; the types are {", ".join(RATIOS)}')
    return table.without(dict(sorted(faults.items())))


def _owner(source: str) -> str:
    """The registrable domain of a source that is a URL: one owner is one witness."""
    if "://" not in source:
        return ""
    from lumbung.errors import RefusedError
    from lumbung.text.url import host_of, registrable_domain

    try:
        return registrable_domain(host_of(source))
    except RefusedError:
        return ""


def _claims(table: Table) -> tuple[list[SourceClaim], dict[tuple[str, str], str]]:
    """The claims under their value keys, and for each key the way it is written most often."""
    from collections import Counter

    from lumbung.text.claims import SourceClaim, value_keys

    sources, objects, attributes, values = (table.column(name) for name in COLUMNS)
    blank = [""] * table.size
    types, texts = (table.columns.get(name, blank) for name in ("source_type", "text"))
    keys = value_keys(attributes, values)
    written: dict[tuple[str, str], Counter[str]] = {}
    claims = []
    for line in range(table.size):
        question = f"{objects[line]}\x1f{attributes[line]}"
        written.setdefault((question, keys[line]), Counter())[values[line]] += 1
        ratio = RATIOS[types[line].casefold()] if types[line] else None
        claims.append(
            SourceClaim(
                sources[line],
                question,
                keys[line],
                ratio,
                texts[line],
                _owner(sources[line]),
                objects[line],
                attributes[line],
            )
        )
    shown = {place: min(count, key=lambda text: (-count[text], text)) for place, count in written.items()}
    return claims, shown


def _single(table: Table, named: list[str], claims: list[SourceClaim]) -> frozenset[str]:
    """The questions whose values compete: those of the named attributes, else where no source gives two values."""
    there = set(table.column("attribute"))
    for attribute in named:
        if there and attribute not in there:
            raise UsageError(f'{table.source} has no claim on the attribute "{attribute}".')
    if named:
        return frozenset(claim.question for claim in claims if claim.domain in named)
    first: dict[tuple[str, str], str] = {}
    several = {c.domain for c in claims if first.setdefault((c.source, c.question), c.value) != c.value}
    return frozenset(claim.question for claim in claims if claim.domain not in several)


def _write(fused: list[FusedValue], asked: dict[str, tuple[str, str]], shown: dict[tuple[str, str], str]) -> None:
    place = {question: order for order, question in enumerate(asked)}
    fused.sort(key=lambda each: (place[each.question], -each.probability, each.value))
    out = csv.writer(sys.stdout, lineterminator="\n")
    out.writerow(["object", "attribute", "value", "probability", "sources", "independent_sources", "winner"])
    for each in fused:
        thing, attribute = asked[each.question]
        row = [thing, attribute, shown[each.question, each.value], f"{each.probability:.6f}"]
        out.writerow([*row, len(each.sources), each.independent_sources, int(each.winner)])
