"""Walks the visible tree once and cuts it into blocks: headings, paragraphs, list items, rows, captions."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from turbohtml import Element, Node, Text

from lumbung.text.markup.invisible import one_line, tidy
from lumbung.text.markup.tables import Cell, read_table

HEADINGS = {"h1": 1, "h2": 2, "h3": 3, "h4": 4, "h5": 5, "h6": 6}
_BLOCK = frozenset(
    [
        "address",
        "article",
        "aside",
        "blockquote",
        "body",
        "center",
        "dd",
        "details",
        "dialog",
        "div",
        "dl",
        "dt",
        "fieldset",
        "figcaption",
        "figure",
        "footer",
        "form",
        "h1",
        "h2",
        "h3",
        "h4",
        "h5",
        "h6",
        "header",
        "hgroup",
        "hr",
        "html",
        "li",
        "main",
        "menu",
        "nav",
        "ol",
        "p",
        "pre",
        "section",
        "summary",
        "table",
        "tbody",
        "td",
        "tfoot",
        "th",
        "thead",
        "tr",
        "ul",
        "caption",
        "option",
        "optgroup",
        "legend",
    ],
)
_SKIPPED = frozenset(
    ["head", "script", "style", "template", "noscript", "button", "nav-menu", "title", "link", "meta", "rp", "rt"]
)
_BOLD = frozenset(["b", "strong"])
_BREAK = "\v"
_LARGE_FORM = 600
_PASSED = frozenset(["nav", "footer", "menu"])
_APART = frozenset(["nav", "footer", "aside", "form", "menu"])
_APART_NAMES = re.compile(
    r"(?:^|[\s_-])(?:nav|navbar|navigation|menu|footer|sidebar|side-bar|widget|breadcrumbs?|pagination|pager|related|"
    r"share|sharing|social|cookie|consent|banner|advert|ads|iklan|komentar|comments?|comment-list|respond|newsletter|"
    r"subscribe|popup|modal|tags?-?list|tagcloud|toc|skip-link|terkait|populer|popular|recent-posts|mw-editsection|"
    r"reference|navbox|catlinks|printfooter|metadata)(?:$|[\s_-])",
    re.IGNORECASE,
)
_INFOBOX_NAMES = re.compile(r"infobox|info-box|taxobox|factbox|fact-box|infokotak|data-table|detail", re.IGNORECASE)


@dataclass(slots=True, eq=False)
class Container:
    """An open block element: what it is, and whether it stands apart from the main text."""

    tag: str
    parent: Container | None = None
    apart: bool = False
    infobox: bool = False
    depth: int = 0


@dataclass(slots=True, eq=False)
class RawBlock:
    kind: str
    text: str
    container: Container
    level: int = 0
    label: str = ""
    linked: int = 0
    """How many of its characters are link text."""
    cells: list[tuple[str, str]] = field(default_factory=list)
    """Of a row with several columns: header and text of each cell."""
    bold: int = 0
    """How many of its characters are set in bold."""


@dataclass(slots=True)
class _Leave:
    container: Container


class _LeaveBold:
    """The end of words in bold."""


class _Walk:
    def __init__(self, root: Node) -> None:
        self.blocks: list[RawBlock] = []
        self._pieces: list[str] = []
        self._linked = 0
        self._in_link = 0
        self._bold = 0
        self._in_bold = 0
        self._label = ""
        self._container = Container("#root")
        self._stack: list[Node | _Leave | _LeaveBold | None] = [root]

    def run(self) -> list[RawBlock]:
        while self._stack:
            node = self._stack.pop()
            if node is None:
                self._in_link -= 1
            elif isinstance(node, _LeaveBold):
                self._in_bold -= 1
            elif isinstance(node, _Leave):
                self._flush()
                self._container = node.container.parent or node.container
            elif isinstance(node, Text):
                self._take(node.data)
            elif isinstance(node, Element):
                self._enter(node)
            else:
                self._stack.extend(reversed(node.children))
        self._flush()
        return self.blocks

    def _take(self, text: str) -> None:
        self._pieces.append(text)
        if self._in_link:
            self._linked += len(text)
        if self._in_bold:
            self._bold += len(text)

    def _enter(self, element: Element) -> None:
        tag = element.tag
        if tag in _SKIPPED:
            return
        if tag == "br":
            self._pieces.append(_BREAK)
        elif tag in _PASSED:
            self._flush()
            self._pass(element)
        elif tag == "table" and self._table(element):
            return
        elif tag in _BLOCK:
            self._flush()
            self._open(element, tag)
            if self._container.apart and not self._container.infobox and _is_links(element):
                self._pass(element)
            else:
                self._stack.extend(reversed(element.children))
        else:
            if tag == "a" and element.attr("href") is not None:  # without one it names a place in the text
                self._in_link += 1
                self._stack.append(None)
            elif tag in _BOLD:
                self._in_bold += 1
                self._stack.append(_LeaveBold())
            self._stack.extend(reversed(element.children))

    def _open(self, element: Element, tag: str) -> None:
        parent = self._container
        names = f"{element.attr('class') or ''} {element.attr('id') or ''} {element.attr('role') or ''}"
        named = len(names) > 2 and tag not in {"body", "html", "article", "main"}
        self._container = Container(
            tag,
            parent,
            parent.apart or _stands_apart(element, tag) or (named and bool(_APART_NAMES.search(names))),
            parent.infobox or (named and bool(_INFOBOX_NAMES.search(names))),
            parent.depth + 1,
        )
        self._stack.append(_Leave(self._container))

    def _flush(self) -> None:
        if not self._pieces:
            return
        tag = self._container.tag
        text = self._text("".join(self._pieces))
        linked, self._linked = self._linked, 0
        bold, self._bold = self._bold, 0
        self._pieces.clear()
        if not text:
            return
        if tag == "dt":
            self._label = text.rstrip(" :")
        elif tag == "dd" and self._label:
            self._emit("row", text, linked, label=self._label)
        elif tag in HEADINGS:
            self._emit("heading", text.replace("\n", " "), linked, level=HEADINGS[tag])
        else:
            self._emit(self._kind(), text, linked)
            self.blocks[-1].bold = min(bold, len(text))

    def _text(self, raw: str) -> str:
        if self._container.tag == "pre":
            return tidy(raw.replace(_BREAK, "\n"))
        if _BREAK not in raw:
            return one_line(raw)
        return "\n".join(line for part in raw.split(_BREAK) if (line := one_line(part)))

    def _pass(self, element: Element) -> None:
        """Navigation is not walked; how much of it there is counts for the kind of the page."""
        size = len(one_line(element.text))
        if size:
            self.blocks.append(
                RawBlock("navigation", "", Container(element.tag, self._container, apart=True), linked=size)
            )

    def _kind(self) -> str:
        place: Container | None = self._container
        for _ in range(3):
            if place is None:
                break
            if place.tag == "li":
                return "list-item"
            if place.tag in {"figcaption", "caption"}:
                return "caption"
            place = place.parent
        return "paragraph"

    def _emit(self, kind: str, text: str, linked: int, *, level: int = 0, label: str = "") -> None:
        self.blocks.append(RawBlock(kind, text, self._container, level, label, min(linked, len(text))))

    def _table(self, element: Element) -> bool:
        """Reads a table of data as rows; a table that only lays the page out is walked like any block."""
        rows = read_table(element)
        if rows is None:
            return False
        self._flush()
        self._open(element, "table")
        self._stack.pop()
        for row in rows:
            self._row(row.cells, row.headers)
        self._container = self._container.parent or self._container
        return True

    def _row(self, cells: list[Cell], headers: list[str]) -> None:
        if len(cells) == 1:
            kind = "caption" if cells[0].is_header else "paragraph"
            self._emit(kind, cells[0].text, cells[0].linked)
        elif not headers and len(cells) == 2:
            label = cells[0].text.rstrip(" :").replace("\n", " ")
            self._emit("row", cells[1].text, cells[1].linked, label=label)
        else:
            text = " | ".join(cell.text.replace("\n", ", ") for cell in cells)
            self._emit("row", text, sum(cell.linked for cell in cells))
            names = headers if len(headers) == len(cells) else [""] * len(cells)
            self.blocks[-1].cells = [
                (name, cell.text.replace("\n", ", ")) for name, cell in zip(names, cells, strict=True)
            ]


def _stands_apart(element: Element, tag: str) -> bool:
    """By its tag; a form that holds a whole page, as some servers write it, does not."""
    return tag in _APART and not (tag == "form" and len(element.text) > _LARGE_FORM)


def _is_links(element: Element) -> bool:
    """Whether most of its words are links, and no table or list of values stands in it."""
    if element.select_one("table, dl, [class*=infobox]") is not None:
        return False
    return sum(len(link.text) for link in element.select("a[href]")) * 2 > len(one_line(element.text))


def raw_blocks(root: Node) -> list[RawBlock]:
    return _Walk(root).run()
