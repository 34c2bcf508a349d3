"""The light markup in which the demo's pages are written, turned into well-formed HTML."""

from __future__ import annotations

import re
from html import escape

LINK = re.compile(r"\[([^\]]+)\]\(([^)\s]+)\)")
BOLD = re.compile(r"\*\*([^*]+)\*\*")
ITALIC = re.compile(r"(?<!\w)_([^_]+)_(?!\w)")
NUMBERED = re.compile(r"^\d+\.\s+")
RULE = "---"


def inline(text: str) -> str:
    """Links, bold and italics of one line; everything else is escaped."""
    html = escape(text, quote=False)
    html = LINK.sub(lambda match: f'<a href="{match.group(2)}">{match.group(1)}</a>', html)
    html = BOLD.sub(r"<strong>\1</strong>", html)
    return ITALIC.sub(r"<em>\1</em>", html)


def _list(lines: list[str], tag: str, strip: re.Pattern[str]) -> str:
    items = "".join(f"<li>{inline(strip.sub('', line))}</li>" for line in lines)
    return f"<{tag}>{items}</{tag}>"


def _table(lines: list[str]) -> str:
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    head = "".join(f"<th>{inline(cell)}</th>" for cell in rows[0])
    body = "".join("<tr>" + "".join(f"<td>{inline(cell)}</td>" for cell in row) + "</tr>" for row in rows[1:])
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def block_html(block: str) -> str:
    """One block (paragraph, heading, list, table, quotation) as HTML."""
    lines = block.strip().splitlines()
    first = lines[0]
    if first.startswith("### "):
        return f"<h3>{inline(first[4:])}</h3>" + (block_html("\n".join(lines[1:])) if lines[1:] else "")
    if first.startswith("## "):
        return f"<h2>{inline(first[3:])}</h2>" + (block_html("\n".join(lines[1:])) if lines[1:] else "")
    if first.startswith("- "):
        return _list(lines, "ul", re.compile(r"^- "))
    if NUMBERED.match(first):
        return _list(lines, "ol", NUMBERED)
    if first.startswith("|"):
        return _table(lines)
    if first.startswith("> "):
        return "<blockquote><p>" + inline(" ".join(line.removeprefix("> ") for line in lines)) + "</p></blockquote>"
    return f"<p>{inline(' '.join(lines))}</p>"


def blocks(body: str) -> list[str]:
    return [block for block in re.split(r"\n\s*\n", body.strip()) if block.strip()]


def prose_html(body: str) -> str:
    return "\n".join(block_html(block) for block in blocks(body) if block.strip() != RULE)


def plain(body: str) -> str:
    """The words of a body without markup, blocks parted by empty lines."""
    text = LINK.sub(r"\1", body)
    text = BOLD.sub(r"\1", ITALIC.sub(r"\1", text))
    lines = [re.sub(r"^(#+ |- |> )", "", line) for line in text.splitlines()]
    return "\n".join(line for line in lines if line.strip() != RULE).strip()
