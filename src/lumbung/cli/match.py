"""`lumbung match`: records about the same thing, in one file or between two."""

from __future__ import annotations

import csv
import sys
from typing import TYPE_CHECKING, Annotated

import typer

from lumbung.errors import UsageError

if TYPE_CHECKING:
    from lumbung.cli.csv_input import Table
    from lumbung.cli.match_table import MatchTable

FLOOR = 0.001


def command(
    left: Annotated[str, typer.Argument(metavar="LEFT.csv", help="The records; - for standard input.")],
    right: Annotated[str | None, typer.Argument(metavar="[RIGHT.csv]", help="Link to these; else deduplicate.")] = None,
    identifier: Annotated[str | None, typer.Option("--id", metavar="COL", help="Column of the record's id.")] = None,
    name: Annotated[
        list[str] | None, typer.Option(metavar="COL", help="Column of the name; several are joined.")
    ] = None,
    category: Annotated[str | None, typer.Option(metavar="COL", help="Column of the category.")] = None,
    region: Annotated[str | None, typer.Option(metavar="COL", help="Column of the region.")] = None,
    attribute: Annotated[list[str] | None, typer.Option(metavar="COL", help="A further column; repeatable.")] = None,
    alias: Annotated[list[str] | None, typer.Option(metavar="COL", help="Column of other names; repeatable.")] = None,
    pairs: Annotated[str | None, typer.Option(metavar="PAIRS.csv", help="Score just these left_id,right_id.")] = None,
    labels: Annotated[str | None, typer.Option(metavar="LABELS.csv", help="Learn from left_id,right_id,match.")] = None,
    threshold: Annotated[float | None, typer.Option(min=0, max=1, help="Score from which a pair matches.")] = None,
    everything: Annotated[bool, typer.Option("--all", help="Write every compared pair, however unlikely.")] = False,
    profile: Annotated[str, typer.Option(help="Whose generic words and regions to know.")] = "pdbi",
) -> None:
    """Find records about the same thing, without labels, or better with some.

    Writes CSV: left_id,right_id,score,match,evidence. The score is a probability; the evidence, as JSON, says of
    every column how far the two agree and what that weighs (natural log-odds). What each column holds (date, code,
    number, text, prose ...) is read off its values.

    Example: lumbung match entries.csv --id id --name title --category element --region province --attribute origin
    """
    from lumbung.cli.csv_input import read_table
    from lumbung.cli.match_table import Roles, match_table

    tables = [read_table(path) for path in (left, right) if path is not None]
    roles = Roles(identifier, tuple(name or ()), category, region, tuple(attribute or ()), tuple(alias or ()))
    table = match_table(tables, roles, profile)
    asked = _rows_of(table, read_table(pairs)) if pairs else None
    known = _labelled(table, read_table(labels)) if labels else None
    _write(table, asked, known, threshold, 0.0 if everything else FLOOR)


def _rows_of(table: MatchTable, listed: Table) -> list[tuple[int, int]]:
    """The pairs of a file as record numbers."""
    found = []
    for line, (a, b) in enumerate(zip(listed.column("left_id"), listed.column("right_id"), strict=True), start=1):
        for each, rows in ((a, table.left_rows), (b, table.right_rows)):
            if each not in rows:
                raise UsageError(f'{listed.source}, pair {line}: there is no record with the id "{each}".')
        found.append((table.left_rows[a], table.right_rows[b]))
    return found


def _labelled(table: MatchTable, listed: Table) -> list[tuple[int, int, bool]]:
    words = {"1": True, "true": True, "yes": True, "y": True, "ya": True, "match": True, "1.0": True}
    words |= {"0": False, "false": False, "no": False, "n": False, "tidak": False, "non-match": False, "0.0": False}
    labels = []
    for line, said in enumerate(listed.column("match"), start=1):
        if said.casefold() not in words:
            raise UsageError(f'{listed.source}, pair {line}: match is 1 or 0, not "{said}".')
        labels.append(words[said.casefold()])
    return [(a, b, said) for (a, b), said in zip(_rows_of(table, listed), labels, strict=True)]


def _write(
    table: MatchTable,
    asked: list[tuple[int, int]] | None,
    known: list[tuple[int, int, bool]] | None,
    threshold: float | None,
    floor: float,
) -> None:
    from lumbung.cli.match_table import scored

    result = scored(table, asked, known)
    limit = result.threshold if threshold is None else threshold
    out = csv.writer(sys.stdout, lineterminator="\n")
    out.writerow(["left_id", "right_id", "score", "match", "evidence"])
    matches = 0
    for a, b, score, evidence in result.rows(floor=None if asked is not None else min(floor, limit)):
        matches += score >= limit
        out.writerow([table.ids[a], table.ids[b], f"{score:.6f}", int(score >= limit), evidence])
    sys.stdout.flush()
    print(f"{result.compared} pairs compared, {matches} matches at threshold {limit:.3f}.", file=sys.stderr)
