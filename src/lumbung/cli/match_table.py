"""From CSV tables and column roles to scored pairs: what `lumbung match` does between reading and writing."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from lumbung.cli.csv_input import Table, first_present, identified
from lumbung.equations.matcher import best_threshold, logistic
from lumbung.errors import UsageError
from lumbung.text.matching.columns import ColumnKind, column
from lumbung.text.matching.engine import Fitted, Search, search
from lumbung.text.matching.learned import Learned, Model, Told, labelled_matches, told, unlabelled
from lumbung.text.matching.levels import Indices, Levels, compare_pairs
from lumbung.text.matching.records import Records, records_of
from lumbung.text.matching.triads import Judged, completed

if TYPE_CHECKING:
    from lumbung.text.matching.regions import RegionReader

_ID_HEADINGS = ("id", "rec_id", "record_id", "uid", "identifier", "kode")
_NAME_HEADINGS = ("name", "nama", "title", "judul", "label")
_WORTH_TELLING = 0.005
_ALIAS_HEADINGS = ("alias", "aliases", "other_names", "nama_lain", "alternative_names")


@dataclass(frozen=True)
class Roles:
    identifier: str | None
    names: tuple[str, ...]
    category: str | None
    region: str | None
    attributes: tuple[str, ...]
    aliases: tuple[str, ...]


@dataclass(frozen=True)
class MatchTable:
    ids: list[str]
    left_rows: dict[str, int]
    right_rows: dict[str, int]
    records: Records


def _complete(roles: Roles, table: Table) -> Roles:
    """Columns that were not named: found by their usual headings; without any role, every column is an attribute."""
    identifier = roles.identifier or first_present(table, _ID_HEADINGS)
    if identifier is None:
        raise UsageError(f"{table.source}: name the id column with --id; its columns are: {', '.join(table.columns)}.")
    named = roles.names or tuple(filter(None, [first_present(table, _NAME_HEADINGS)]))
    told = {identifier, *named, *roles.aliases, roles.category, roles.region}
    attributes = roles.attributes
    if not (attributes or roles.names or roles.category or roles.region):
        attributes = tuple(heading for heading in table.columns if heading not in told)
    by_heading = tuple(each for each in attributes if each.casefold() in _ALIAS_HEADINGS) if named else ()
    aliases = (*roles.aliases, *by_heading)
    attributes = tuple(each for each in attributes if each not in aliases)
    if not (named or attributes or roles.category or roles.region):
        raise UsageError(f"{table.source}: name at least one column to compare, with --name or --attribute.")
    return Roles(identifier, named, roles.category, roles.region, attributes, aliases)


def _joined(tables: Sequence[Table], headings: Sequence[str], separator: str) -> list[str]:
    """The values of one role over all files, several columns joined."""
    texts: list[str] = []
    for table in tables:
        columns = [table.column(heading) for heading in headings]
        texts += [separator.join(filter(None, values)) for values in zip(*columns, strict=True)]
    return texts


def match_table(tables: Sequence[Table], given: Roles, profile: str) -> MatchTable:
    roles = _complete(given, tables[0])
    tables = [identified(table, roles.identifier or "") for table in tables]
    rows = [{each: row for row, each in enumerate(table.column(roles.identifier or ""))} for table in tables]
    ids = [each for found in rows for each in found]
    boundary = tables[0].size if len(tables) > 1 else None
    right = {each: tables[0].size + row for each, row in rows[1].items()} if len(tables) > 1 else rows[0]
    columns = (
        [column(roles.category, _joined(tables, [roles.category], " "), ColumnKind.CATEGORY)] if roles.category else []
    )
    written = _joined(tables, [roles.region], " ") if roles.region else []
    generic, regions = _known_of_culture(profile, written, bool(roles.category))
    if roles.region:
        columns.append(column(roles.region, written, ColumnKind.REGION, regions.key if regions else str))
    columns += [column(label, _joined(tables, [label], " ")) for label in dict.fromkeys(roles.attributes)]
    generic += tuple(dict.fromkeys(value.casefold() for value in written if value))
    names = _joined(tables, roles.names, " ") if roles.names else []
    aliases = _joined(tables, roles.aliases, ";") if roles.aliases and names else []
    records = records_of(names, aliases, columns, boundary, generic, regions.related if regions else None)
    if records.size and not (records.book.names or records.columns):
        raise UsageError(f"{tables[0].source}: the columns to compare hold no values.")
    return MatchTable(ids, rows[0], right, records)


def _known_of_culture(
    profile: str, regions: Sequence[str], categories: bool
) -> tuple[tuple[str, ...], RegionReader | None]:
    """The profile's generic words and regions, loaded only for tables that have a use for them."""
    written = any(len(value) > 3 for value in regions)
    if not written and not categories:
        return (), None
    from lumbung.profiles.loader import load_profile
    from lumbung.text.matching.regions import RegionReader
    from lumbung.text.region import Gazetteer

    loaded = load_profile(profile)
    generic = {word for each in loaded.categories.values() for word in each.generic_words if " " not in word}
    return tuple(sorted(generic)), RegionReader(Gazetteer(loaded)) if written else None


@dataclass(frozen=True)
class Scored:
    table: MatchTable
    model: Model
    judged: Judged
    threshold: float
    compared: int

    @property
    def fitted(self) -> Fitted:
        return self.model.fitted

    def rows(self, floor: float | None) -> Iterator[tuple[int, int, float, str]]:
        """Pairs with their score and evidence: as asked for, otherwise the likeliest first."""
        fields = range(self.judged.levels.shape[1])
        told = [[self._told(field, kin) for field in fields] for kin in range(len(self.fitted.mixture.others))]
        order = np.arange(len(self.judged.beliefs)) if floor is None else self._ranked(floor)
        beyond = self._beyond_levels(order)
        for place, row in enumerate(order.tolist()):
            levels = self.judged.levels[row].tolist()
            words = told[self.fitted.kin_of(levels[0])]
            parts = [words[field][level] for field, level in enumerate(levels)]
            if abs(beyond[place]) >= _WORTH_TELLING:
                parts.append(f'"{self.model.adds}":{{"weight":{beyond[place]:.2f}}}')
            if (between := int(self.judged.through[row])) >= 0:
                parts.append(f'"through":{json.dumps(self.table.ids[between], ensure_ascii=False)}')
            score = float(self.judged.beliefs[row])
            yield int(self.judged.left[row]), int(self.judged.right[row]), score, "{" + ",".join(parts) + "}"

    def _beyond_levels(self, rows: NDArray[np.intp]) -> NDArray[np.float64]:
        """What the model adds to the evidence of the columns: by labels, or by better partners of the two records."""
        if self.model.adds is None:
            return np.zeros(len(rows))
        left, right, levels = self.judged.left[rows], self.judged.right[rows], self.judged.levels[rows]
        return np.asarray(self.model.log_odds(left, right, levels) - self.fitted.log_odds(levels))

    def _ranked(self, floor: float) -> NDArray[np.intp]:
        found = self.judged
        kept = np.flatnonzero(found.beliefs >= floor)
        return kept[np.lexsort((found.right[kept], found.left[kept], -found.beliefs[kept]))]

    def _told(self, field: int, kin: int) -> list[str]:
        """Each level of a field as JSON; the last stands for a missing value, whose level is -1."""
        records = self.table.records
        label = json.dumps(records.fields[field], ensure_ascii=False)
        weights = self.fitted.weights(field, kin)
        words = [*records.words[field], "missing"]
        return [
            f"{label}:{json.dumps({'agreement': word, 'weight': round(float(weight), 2)})}"
            for word, weight in zip(words, weights, strict=True)
        ]


def _judged(records: Records, found: Search, model: Model | Learned) -> Judged:
    def judge(left: Indices, right: Indices, levels: Levels) -> NDArray[np.float64]:
        return logistic(model.log_odds(left, right, levels))

    beliefs = judge(found.left, found.right, found.levels)
    return completed(records, found.left, found.right, found.levels, beliefs, judge)


def scored(
    table: MatchTable, asked: Sequence[tuple[int, int]] | None, known: Sequence[tuple[int, int, bool]] | None
) -> Scored:
    """Fit on all candidate pairs, correct by the labels if there are any, and score what was asked for."""
    records = table.records
    found = search(records, matches=labelled_matches(records, known or ()))
    model: Model = told(records, found, known) if known else unlabelled(records, found)

    judged = _judged(records, found, model)
    # What labels say of their own pairs makes these sure, and others neither more likely nor less.
    untold = _judged(records, found, model.model) if isinstance(model, Told) else judged
    threshold = best_threshold(untold.beliefs)
    if asked is not None:
        judged = _answers(records, model, judged, asked)
    return Scored(table, model, judged, threshold, len(judged.beliefs))


def _indices(pairs: Sequence[tuple[int, int]]) -> tuple[Indices, Indices]:
    return np.array([a for a, _ in pairs], dtype=np.int32), np.array([b for _, b in pairs], dtype=np.int32)


def _answers(records: Records, model: Model, judged: Judged, asked: Sequence[tuple[int, int]]) -> Judged:
    """The asked pairs in their order, each with the belief the whole table gives it."""
    left, right = _indices(asked)
    levels = compare_pairs(records, left, right)
    beliefs = logistic(model.log_odds(left, right, levels))
    through = np.full(len(asked), -1, dtype=np.int32)
    sides = zip(judged.left.tolist(), judged.right.tolist(), strict=True)
    raised = {side: row for row, side in enumerate(sides) if judged.through[row] >= 0}
    for place, (a, b) in enumerate(asked):
        row = raised.get((min(a, b), max(a, b)))
        if row is not None and judged.beliefs[row] > beliefs[place]:
            beliefs[place], through[place] = judged.beliefs[row], judged.through[row]
    return Judged(left, right, levels, beliefs, through)
