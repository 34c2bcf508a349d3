"""Which declarations hide text, inline or by a rule of the page's own style sheets."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from typing import NamedTuple

from turbohtml.cssom import StyleDeclaration, StyleSheet

from lumbung.text.markup.colours import colour_in

Style = dict[str, str]


class Rule(NamedTuple):
    selectors: str
    style: Style
    important: frozenset[str]


_LENGTH = re.compile(r"(-?\d*\.?\d+)\s*(px|em|rem|ex|ch|pt|pc|in|cm|mm|vw|vh|%)?")
_PIXELS = {"em": 16.0, "rem": 16.0, "ex": 8.0, "ch": 8.0, "pt": 1.33, "pc": 16.0, "in": 96.0, "cm": 37.8, "mm": 3.78}
_OFFSETS = ("left", "top", "right", "bottom", "inset", "margin-left", "margin-top", "margin-right", "text-indent")
_FAR_PIXELS = -300.0
_FAR_ASIDE_PIXELS = 1_000.0
MASKS = ("mask", "mask-image", "-webkit-mask", "-webkit-mask-image")
_SUSPECT = re.compile(
    r"none|hid|collapse|opacity|transparent|-\d{2}|clip|font|color|background|(?:width|height|zoom)\s*:\s*0?\.?[01]"
    r"|\\|calc|scale|translate|rotate|rgba|\d{3}(?:vw|%)|z-index\s*:\s*-|content-visibility|mask|blur|line-height|letter-spacing",
    re.IGNORECASE,
)
_SCREEN_MEDIA = re.compile(r"^\s*(?:only\s+)?(?:all|screen)?\s*$|not\s+print|min-width\s*:\s*\d{1,3}px", re.IGNORECASE)
_AT_RULE = re.compile(r"@(media|supports|layer|container|scope)\b([^{};]*)\{", re.IGNORECASE)
_COMMENT = re.compile(r"/\*.*?\*/|<!--|-->", re.DOTALL)
"""Old pages hide their sheets from older browsers by the marks of a comment in markup."""
_ESCAPE = re.compile(r"\\(?:([0-9a-fA-F]{1,6})[ \t\r\n\f]?|([^0-9a-fA-F\r\n\f]))")
_NESTED = re.compile(r"(?:^|[{};])\s*[^@{};\s][^{};]*\{[^{}]*\{")
_PIECE = re.compile(r"[{};]|(?:\"(?:\\.|[^\"\\])*\"|'(?:\\.|[^'\\])*'|[^{};\"']|[\"'])+", re.DOTALL)
_COMMA = re.compile(r",(?![^(]*\))")
_VARIABLE = re.compile(r"var\(\s*(--[\w-]+)\s*(?:,([^()]*))?\)")
_PRODUCT = re.compile(
    r"calc\(\s*(-?[\d.]+)\s*\*\s*(-?[\d.]+)([a-z%]+)\s*\)|calc\(\s*(-?[\d.]+)([a-z%]+)\s*\*\s*(-?[\d.]+)\s*\)"
)
_TIGHTEST_PIXELS = -6.0
_NOUGHT = re.compile(r"calc\([^()]*\*\s*0?\.?0+\s*\)|calc\(\s*0?\.?0+\s*\*[^()]*\)")


def declarations(text: str, *, whole: bool = False) -> Style:
    """Inline style as a mapping; empty, without parsing, when no word in it could hide anything and not all is asked."""
    if not whole and not _SUSPECT.search(text):
        return {}
    return _as_mapping(StyleDeclaration.parse(text))


def rules(sheet: str) -> Iterator[Rule]:
    """Every rule that holds on a screen, in order."""
    sheet = _COMMENT.sub("", sheet)
    if _NESTED.search(sheet):
        sheet = unnested(sheet)
    for part in (sheet, *_conditional(sheet)):
        for rule in StyleSheet(part).rules:
            style = _as_mapping(rule.style)
            important = frozenset(name for name in style if rule.style.important(name))
            yield Rule(rule.selector_text, style, important)


def unnested(sheet: str) -> str:
    """Rules inside rules, each written out with the selectors around it; at-rules keep their braces."""
    written: list[str] = []
    around: list[str] = [""]
    pending = ""
    for piece in _PIECE.findall(sheet):
        if piece == "{":
            prelude, pending = pending.strip(), ""
            if prelude.startswith("@"):
                written.append(f"{prelude}{{")
                around.append(around[-1] or "@")
            else:
                around.append(_inside("" if around[-1] == "@" else around[-1], prelude))
        elif piece in ";}":
            if around[-1] not in {"", "@"} and pending.strip():
                written.append(f"{around[-1]}{{{pending}}}")
            pending = ""
            if piece == "}" and len(around) > 1:
                closed = around.pop()
                written.append("}" * (closed in {"@", around[-1]}))
        else:
            pending += piece
    return "".join(written)


def _inside(outer: str, inner: str) -> str:
    if not outer:
        return inner
    return ",".join(
        each.replace("&", parent) if "&" in each else f"{parent} {each}"
        for parent in selectors_of(outer)
        for each in selectors_of(inner)
    )


def selectors_of(text: str) -> list[str]:
    """One by one; a comma inside brackets parts nothing."""
    return [each.strip() for each in _COMMA.split(text)]


def resolved(style: Style, variables: Style) -> Style:
    """Custom properties put in, and products worked out."""
    return {
        name: _worked_out(_VARIABLE.sub(lambda found: variables.get(found[1], found[2] or "").strip(), value))
        for name, value in style.items()
    }


def _worked_out(value: str) -> str:
    return _PRODUCT.sub(_product, _NOUGHT.sub("0px", value)) if "calc" in value else value


def _product(found: re.Match[str]) -> str:
    first, second = (found[1], found[2]) if found[1] else (found[4], found[6])
    try:
        return f"{float(first) * float(second):f}{found[3] or found[5]}"
    except ValueError:
        return found.group()


def hides(style: Style) -> bool:
    """Whether an element so styled shows no text; colour against ground is judged apart."""
    return (
        style.get("display", "").startswith("none")
        or style.get("visibility", "") in {"hidden", "collapse"}
        or style.get("content-visibility") == "hidden"
        or _is_faint(style)
        or _is_tiny(style)
        or _is_far_away(style)
        or _is_cut_away(style)
        or _is_masked(style)
        or _has_no_room(style)
    )


def _as_mapping(style: StyleDeclaration) -> Style:
    return {_unescaped(name).lower(): _unescaped(style.get(name) or "").strip().lower() for name in style}


def _unescaped(text: str) -> str:
    """Letters written by their numbers: `n\\6f ne` is *none*."""
    return _ESCAPE.sub(_letter, text) if "\\" in text else text


def _letter(found: re.Match[str]) -> str:
    number = int(found[1], 16) if found[1] else 0
    return found[2] or (chr(number) if 0 < number < sys.maxunicode and not 0xD800 <= number <= 0xDFFF else "\ufffd")


def _conditional(sheet: str) -> Iterator[str]:
    """The bodies of conditional rules that hold on a screen of ordinary width."""
    for found in _AT_RULE.finditer(sheet):
        if found[1].lower() == "media" and not _SCREEN_MEDIA.search(found[2]):
            continue
        depth, at = 1, found.end()
        while at < len(sheet) and depth:
            depth += {"{": 1, "}": -1}.get(sheet[at], 0)
            at += 1
        yield sheet[found.end() : at - 1]


def _pixels(value: str) -> float | None:
    found = _LENGTH.match(value)
    if not found:
        return None
    return float(found[1]) * _PIXELS.get(found[2] or "", 10.0 if found[2] in {"%", "vw", "vh"} else 1.0)


def _is_faint(style: Style) -> bool:
    opacity = _pixels(style.get("opacity", ""))
    if opacity is not None and opacity * (0.1 if "%" in style["opacity"] else 1) < 0.1:
        return True
    if re.search(r"opacity\(\s*(?:0?\.0\d*|0%?)\s*\)", style.get("filter", "")):
        return True
    for name in ("color", "-webkit-text-fill-color"):
        colour = colour_in(style.get(name, ""))
        if colour is not None and colour[3] < 0.1 and not style.get("text-shadow"):
            return True
    return False


def _is_tiny(style: Style) -> bool:
    size = style.get("font-size", "")
    if not size and (font := re.search(r"(?:^|\s)(\d*\.?\d+)(px|pt|em|rem|%)?(?=/|\s)", style.get("font", ""))):
        size = font[0].strip()
    pixels = _pixels(size)
    if pixels is not None:
        return pixels * (0.16 if "%" in size else 1) < 2.5
    spacing = _pixels(style.get("letter-spacing", ""))
    if spacing is not None and spacing <= _TIGHTEST_PIXELS:
        return True
    return _pixels(style.get("zoom", "")) == 0 or _pixels(style.get("line-height", "")) == 0


def _is_far_away(style: Style) -> bool:
    for name in _OFFSETS:
        for value in style.get(name, "").split():
            pixels = _pixels(value)
            if pixels is not None and pixels <= _FAR_PIXELS:
                return True
    if style.get("position", "") in {"absolute", "fixed"} and any(
        value.endswith(("vw", "%")) and (_pixels(value) or 0.0) >= _FAR_ASIDE_PIXELS
        for value in (style.get("left", ""), style.get("right", ""))
    ):
        return True
    transform = f"{style.get('transform', '')} translate({style.get('translate', '')})"
    moved = re.search(r"translate[xy3d]*\(\s*(-?[\d.]+(?:px|em|rem|%|vw|vh)?)[\s,]*(-?[\d.]+\w*)?", transform)
    if moved:
        distances = [_pixels(part) for part in moved.groups() if part]
        return any(distance is not None and distance <= _FAR_PIXELS * 2 for distance in distances)
    flattened = re.search(r"scale[xy3d]*\(\s*0?\.?0*[\s,)]|rotate[xy]\(\s*-?90deg", transform)
    behind = style.get("z-index", "").startswith("-") and style.get("position", "") in {"absolute", "fixed"}
    return bool(flattened) or behind or style.get("scale") == "0"


def _is_masked(style: Style) -> bool:
    masks = " ".join(style.get(name, "") for name in MASKS)
    return "gradient" in masks and "transparent" in masks and not re.search(r"#|rgb|black|white|hsl", masks)


def _is_cut_away(style: Style) -> bool:
    clip = style.get("clip", "").replace(" ", "").replace(",", "")
    if re.fullmatch(r"rect\((?:[01](?:px)?|auto){4}\)", clip) and "auto" not in clip:
        return True
    path = style.get("clip-path", "")
    return bool(
        re.search(r"inset\(\s*(?:[5-9]\d|100)%", path)
        or re.search(r"(?:circle|ellipse)\(\s*0", path)
        or re.search(r"polygon\(\s*(?:0\w*\s+0\w*\s*,?\s*)+\)", path),
    )


def _has_no_room(style: Style) -> bool:
    closed = any(
        style.get(name, "").startswith(("hidden", "clip")) for name in ("overflow", "overflow-x", "overflow-y")
    )
    if not closed:
        return False
    rooms = [_pixels(style.get(name, "")) for name in ("width", "height", "max-height", "max-width")]
    return any(room is not None and 0 <= room <= 1 for room in rooms)
