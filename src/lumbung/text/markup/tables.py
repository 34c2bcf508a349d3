"""Tells tables of data from tables of layout, and reads the former row by row."""

from __future__ import annotations

from dataclasses import dataclass

from turbohtml import Element, Text

from lumbung.text.markup.invisible import one_line

_LAYOUT = frozenset(["table", "h1", "h2", "h3", "form", "article", "section"])
_BREAKING = frozenset(["br", "p", "div", "li", "tr", "ul", "ol"])
_LONGEST_LABEL = 60
_LONGEST_CELL = 1_500
_MOST_ROWS = 2_000


@dataclass(frozen=True, slots=True)
class Cell:
    text: str
    is_header: bool
    linked: int


@dataclass(frozen=True, slots=True)
class Row:
    cells: list[Cell]
    headers: list[str]
    """The header of each column; empty where the table has none."""


def read_table(table: Element) -> list[Row] | None:
    """The rows of a table of data; None for a table that only lays out."""
    if table.select_one(", ".join(_LAYOUT)) is not None or table.attr("role") == "presentation":
        return None
    rows = [_cells(row) for row in table.select("tr")[:_MOST_ROWS]]
    rows = [cells for cells in rows if any(cell.text for cell in cells)]
    if not rows or any(len(cell.text) > _LONGEST_CELL for cells in rows for cell in cells):
        return None
    headers = _headers(rows)
    if headers:
        return [_under(headers, cells) for cells in rows[1:]]
    rows = [[cell for cell in cells if cell.text] for cells in rows]
    if max(len(cells) for cells in rows) == 1:
        return None
    if any(len(cells[0].text) > _LONGEST_LABEL for cells in rows if len(cells) == 2):
        return None
    return [Row(cells, []) for cells in rows]


def _headers(rows: list[list[Cell]]) -> list[str]:
    """A first row of header cells above rows of equal width names the columns."""
    first = rows[0]
    if len(first) < 2 or len(rows) < 2 or not all(cell.is_header for cell in first):
        return []
    if sum(len(cells) == len(first) for cells in rows[1:]) * 2 < len(rows) - 1:
        return []
    return [cell.text.replace("\n", " ") for cell in first]


def _under(headers: list[str], cells: list[Cell]) -> Row:
    """The cells that hold something, each with the header of its column."""
    told = [place for place, cell in enumerate(cells) if cell.text]
    names = [headers[place] for place in told] if len(cells) == len(headers) else headers
    return Row([cells[place] for place in told], names)


def _cells(row: Element) -> list[Cell]:
    """The cells of a row; one that holds only a colon is punctuation between label and value."""
    cells = []
    for cell in row.children:
        if isinstance(cell, Element) and cell.tag in {"td", "th"}:
            text, linked = _text(cell)
            if text != ":":
                cells.append(Cell(text.removeprefix(":").strip(), cell.tag == "th", linked))
    return cells


def _text(cell: Element) -> tuple[str, int]:
    lines: list[list[str]] = [[]]
    linked = 0
    for node in cell.descendants:
        if isinstance(node, Text):
            lines[-1].append(node.data)
            parent = node.parent
            if isinstance(parent, Element) and parent.tag == "a" and parent.attr("href") is not None:
                linked += len(node.data)
        elif isinstance(node, Element) and node.tag in _BREAKING:
            lines.append([])
    return "\n".join(text for pieces in lines if (text := one_line("".join(pieces)))), linked
