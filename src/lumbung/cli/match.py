"""`lumbung match`: records about the same thing, in one file or between two."""

from __future__ import annotations

import csv
import json
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

import typer

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

    tables = [read_table(path, leaves_out=True) for path in (left, right) if path is not None]
    roles = Roles(identifier, tuple(name or ()), category, region, tuple(attribute or ()), tuple(alias or ()))
    table = match_table(tables, roles, profile)
    asked = _asked(table, read_table(pairs, leaves_out=True)) if pairs else None
    known = _labelled(table, read_table(labels, leaves_out=True)) if labels else None
    _write(table, asked, known, threshold, 0.0 if everything else FLOOR)


Asked = list[tuple[str, str, tuple[int, int] | None]]
"""Both ids as they are written, and the records; None where one of them is no record's."""


def _asked(table: MatchTable, listed: Table) -> Asked:
    sides = zip(listed.column("left_id"), listed.column("right_id"), strict=True)
    return [(a, b, _pair(table, a, b)) for a, b in sides]


def _pair(table: MatchTable, a: str, b: str) -> tuple[int, int] | None:
    there = a in table.left_rows and b in table.right_rows
    return (table.left_rows[a], table.right_rows[b]) if there else None


def _labelled(table: MatchTable, listed: Table) -> list[tuple[int, int, bool]]:
    from lumbung.cli.csv_input import tell_left_out

    words = {"1": True, "true": True, "yes": True, "y": True, "ya": True, "match": True, "1.0": True}
    words |= {"0": False, "false": False, "no": False, "n": False, "tidak": False, "non-match": False, "0.0": False}
    labels: list[tuple[int, int, bool]] = []
    faults: dict[int, str] = {}
    for row, ((a, b, pair), said) in enumerate(zip(_asked(table, listed), listed.column("match"), strict=True)):
        if pair is None:
            faults[row] = f'there is no record with the id "{a}" or "{b}"'
        elif said.casefold() not in words:
            faults[row] = f'match is 1 or 0, not "{said}"'
        else:
            labels.append((*pair, words[said.casefold()]))
    if faults:
        tell_left_out(listed.source, faults)
    return labels


def _write(
    table: MatchTable,
    asked: Asked | None,
    known: list[tuple[int, int, bool]] | None,
    threshold: float | None,
    floor: float,
) -> None:
    from lumbung.cli.match_table import scored

    result = scored(table, None if asked is None else [pair for _, _, pair in asked if pair is not None], known)
    limit = result.threshold if threshold is None else threshold
    found = result.rows(floor=None if asked is not None else min(floor, limit))
    out = csv.writer(sys.stdout, lineterminator="\n")
    out.writerow(["left_id", "right_id", "score", "match", "evidence"])
    matches = 0
    for left_id, right_id, answer in _answers(table, asked, found):
        if answer is None:
            unknown = left_id if left_id not in table.left_rows else right_id
            error = json.dumps({"error": f'there is no record with the id "{unknown}"'}, ensure_ascii=False)
            out.writerow([left_id, right_id, "", "", error])
            continue
        score, evidence = answer
        matches += score >= limit
        out.writerow([left_id, right_id, f"{score:.6f}", int(score >= limit), evidence])
    sys.stdout.flush()
    print(f"{result.compared} pairs compared, {matches} matches at threshold {limit:.3f}.", file=sys.stderr)


def _answers(
    table: MatchTable, asked: Asked | None, found: Iterator[tuple[int, int, float, str]]
) -> Iterator[tuple[str, str, tuple[float, str] | None]]:
    """What was found, or for asked pairs one answer each, in the order in which they were asked."""
    if asked is None:
        for a, b, score, evidence in found:
            yield table.ids[a], table.ids[b], (score, evidence)
        return
    for left_id, right_id, pair in asked:
        yield left_id, right_id, None if pair is None else next(found)[2:]
