"""Removes from a parsed page what a reader does not see, before anything reads it."""

from __future__ import annotations

import re
from collections import defaultdict

from turbohtml import Comment, Document, Element, ProcessingInstruction, SelectorSyntaxError

from lumbung.text.markup.colours import WHITE, Colour, alike, colour_in
from lumbung.text.markup.stylesheet import MASKS, Rule, Style, declarations, hides, resolved, rules, selectors_of

_NEVER_SHOWN = (
    "template, noscript, noframes, noembed, iframe, object, embed, canvas, svg, datalist, select, textarea, "
    "script, style, audio, video, applet, map, [hidden], [popover], [aria-hidden=true], dialog:not([open]), "
    ".sr-only, .visually-hidden, .visuallyhidden, .screen-reader-text, .element-invisible"
)
"""The last are what sheets that are not at hand call words for readers who listen."""
_MOST_RULES = 4_000
_MOST_STYLED = 20_000
_LIVE_STATE = re.compile(r":(?:hover|focus|active|target|checked|visited|before|after)|::", re.IGNORECASE)
_IDENTITY, _CLASS = re.compile(r"#[\w-]+"), re.compile(r"\.[\w-]+|\[[^\]]*\]|:[\w-]+")
_TYPE = re.compile(r"(?:^|[\s>+~])[a-zA-Z]")

Weight = tuple[int, int, int, int]


def strip_hidden(document: Document) -> None:
    """Takes every element out that shows no text: by its nature, its attributes or its style."""
    styles = _styles(document)
    ground = _Ground(styles)
    doomed = [element for element, style in styles.items() if hides(style) or ground.swallows(element, style)]
    for element in doomed:
        if element.tag not in {"html", "body"}:
            element.decompose()
    document.remove(_NEVER_SHOWN)
    for node in [node for node in document.descendants if isinstance(node, (Comment, ProcessingInstruction))]:
        node.extract()


def _styles(document: Document) -> dict[Element, Style]:
    """The declarations that matter, of the elements that have any, by the order of the cascade."""
    weighed: dict[Element, dict[str, tuple[Weight, str]]] = defaultdict(dict)
    variables: Style = {}
    order = 0
    for sheet in document.select("style"):
        for rule in rules(sheet.text):
            order += 1
            if order > _MOST_RULES:
                break
            variables |= _variables(rule.style)
            if not _MATTERING.isdisjoint(rule.style):
                _apply(document, rule, order, weighed)
    for element in document.select("[style], [color], [bgcolor], [text]"):
        own = _own_style(element, is_styled=element in weighed)
        variables |= _variables(own)
        for name, value in own.items():
            mine = weighed[element]
            if name not in mine or mine[name][0][0] <= 1:
                mine[name] = ((1, 0, 0, order), value)
    return {
        element: resolved({name: value for name, (_, value) in style.items()}, variables)
        for element, style in weighed.items()
    }


def _variables(style: Style) -> Style:
    return {name: value for name, value in style.items() if name.startswith("--")}


_MATTERING = frozenset(
    [
        "display",
        "visibility",
        "content-visibility",
        "opacity",
        "filter",
        "color",
        "-webkit-text-fill-color",
        "font-size",
        "font",
        "zoom",
        "line-height",
        "left",
        "top",
        "right",
        "bottom",
        "inset",
        "margin-left",
        "margin-top",
        "margin-right",
        "text-indent",
        "transform",
        "translate",
        "letter-spacing",
        "scale",
        "z-index",
        "position",
        "clip",
        "clip-path",
        "overflow",
        "overflow-x",
        "overflow-y",
        "width",
        "height",
        "max-height",
        "max-width",
        "background",
        "background-color",
        "background-image",
        *MASKS,
    ],
)


def _apply(document: Document, rule: Rule, order: int, weighed: dict[Element, dict[str, tuple[Weight, str]]]) -> None:
    kept = {name: value for name, value in rule.style.items() if name in _MATTERING}
    for selector in selectors_of(rule.selectors):
        if _LIVE_STATE.search(selector) or len(weighed) > _MOST_STYLED:
            continue
        try:
            elements = document.select(selector)
        except (SelectorSyntaxError, ValueError):
            continue
        weight = (0, len(_IDENTITY.findall(selector)) * 100 + len(_CLASS.findall(selector)), _types(selector), order)
        for element in elements:
            mine = weighed[element]
            for name, value in kept.items():
                rank = (2, *weight[1:]) if name in rule.important else weight
                if name not in mine or mine[name][0] <= rank:
                    mine[name] = (rank, value)


def _types(selector: str) -> int:
    return len(_TYPE.findall(selector))


def _own_style(element: Element, *, is_styled: bool) -> Style:
    """Of one that a sheet speaks of, all of it: what the sheet hides may be shown again here."""
    style = declarations(element.attr("style") or "", whole=is_styled)
    for attribute, name in (("color", "color"), ("text", "color"), ("bgcolor", "background-color")):
        value = element.attr(attribute)
        if value and name not in style:
            style[name] = value.lower()
    return style


class _Ground:
    """What colour lies behind an element, as far as the page itself says."""

    def __init__(self, styles: dict[Element, Style]) -> None:
        self._styles = styles

    def swallows(self, element: Element, style: Style) -> bool:
        """Whether the text has the colour of its ground; a picture behind it makes that unknowable."""
        colour = colour_in(style.get("color", ""))
        if colour is None or element.tag in {"html", "body"}:
            return False
        ground = self._behind(element)
        return ground is not None and alike(colour, ground)

    def _behind(self, element: Element) -> Colour | None:
        for place in (element, *element.ancestors):
            style = self._styles.get(place) if isinstance(place, Element) else None
            if not style:
                continue
            value = style.get("background-color") or style.get("background", "")
            if "url(" in value or "gradient" in value or style.get("background-image", "none") != "none":
                return None
            colour = colour_in(value)
            if colour is not None and colour[3] > 0.5:
                return colour
        return WHITE
