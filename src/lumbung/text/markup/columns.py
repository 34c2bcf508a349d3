"""Pieces of text on a sheet, put into reading order by cutting along the white space between them."""

from __future__ import annotations

from dataclasses import dataclass

_SAME_LINE = 0.5
_WORD_GAP = 1.6
_GUTTER = 0.9
_FEWEST_LINES = 3


@dataclass(slots=True)
class Piece:
    text: str
    left: float
    bottom: float
    right: float
    top: float
    size: float


def in_reading_order(pieces: list[Piece]) -> list[Piece]:
    """Lines, column by column, top to bottom."""
    return _cut(_lines(pieces), 0)


def _lines(pieces: list[Piece]) -> list[Piece]:
    """Pieces of one line that stand close are one; a wide gap may be a gutter and stays."""
    lines: list[Piece] = []
    for piece in sorted(pieces, key=lambda each: (-round((each.top + each.bottom) / 2), each.left)):
        home = next((line for line in reversed(lines[-12:]) if _is_beside(line, piece)), None)
        if home is None:
            lines.append(Piece(piece.text, piece.left, piece.bottom, piece.right, piece.top, piece.size))
            continue
        gap = piece.left - home.right
        home.text += (" " if gap > 0.12 * piece.size and not home.text.endswith(" ") else "") + piece.text
        home.right = max(home.right, piece.right)
        home.top, home.bottom = max(home.top, piece.top), min(home.bottom, piece.bottom)
        home.size = max(home.size, piece.size)
    return lines


def _is_beside(line: Piece, piece: Piece) -> bool:
    overlap = min(line.top, piece.top) - max(line.bottom, piece.bottom)
    height = min(line.top - line.bottom, piece.top - piece.bottom)
    gap = piece.left - line.right
    return overlap > _SAME_LINE * height and -piece.size < gap < _WORD_GAP * max(piece.size, 6.0)


def _cut(lines: list[Piece], depth: int) -> list[Piece]:
    if len(lines) < 2 * _FEWEST_LINES or depth > 12:
        return _from_the_top(lines)
    gutter = _gutter(lines)
    if gutter is not None:
        left = [line for line in lines if line.right <= gutter]
        right = [line for line in lines if line.left >= gutter]
        return _cut(left, depth + 1) + _cut(right, depth + 1)
    level = _widest_level(lines)
    if level is not None:
        above = [line for line in lines if line.bottom >= level]
        below = [line for line in lines if line.bottom < level]
        if above and below:
            return _cut(above, depth + 1) + _cut(below, depth + 1)
    return _from_the_top(lines)


def _from_the_top(lines: list[Piece]) -> list[Piece]:
    return sorted(lines, key=lambda line: (-round(line.top), line.left))


def _gutter(lines: list[Piece]) -> float | None:
    """The middle of a white stripe that runs the whole height with several lines on both sides."""
    size = sorted(line.size for line in lines)[len(lines) // 2]
    spans = sorted((line.left, line.right) for line in lines)
    reach, best = spans[0][1], None
    widest = _GUTTER * size
    for left, right in spans[1:]:
        if left - reach > widest:
            middle = (left + reach) / 2
            sides = sum(line.right <= middle for line in lines), sum(line.left >= middle for line in lines)
            if min(sides) >= _FEWEST_LINES:
                best, widest = middle, left - reach
        reach = max(reach, right)
    return best


def _widest_level(lines: list[Piece]) -> float | None:
    """A level at which no line stands, so that what is above and below can be cut apart; the first from the top."""
    ordered = sorted(lines, key=lambda line: -line.top)
    low = ordered[0].bottom
    cuts: list[tuple[float, float]] = []
    for line in ordered[1:]:
        if line.top <= low + 0.5:
            cuts.append((low - line.top, (low + line.top) / 2))
        low = min(low, line.bottom)
    if not cuts:
        return None
    full = [level for _, level in cuts if _columns_change(lines, level)]
    return full[0] if full else None


def _columns_change(lines: list[Piece], level: float) -> bool:
    """Whether a gutter appears below this level that is not above it, or the other way round."""
    above = [line for line in lines if line.bottom >= level]
    below = [line for line in lines if line.bottom < level]
    has = [_gutter(part) is not None if len(part) >= 2 * _FEWEST_LINES else False for part in (above, below)]
    return any(has)
