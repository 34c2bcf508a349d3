"""Plain text as a page: paragraphs by blank lines, short lines without a full stop as headings."""

from __future__ import annotations

import re

from lumbung.model.candidate import PageKind, PageText
from lumbung.text.charset import decode
from lumbung.text.language import identify
from lumbung.text.markup.blocks import Container, RawBlock
from lumbung.text.markup.composition import compose
from lumbung.text.markup.invisible import tidy, visible
from lumbung.text.markup.refusal import Unreadable, refused

MOST_CHARACTERS = 8_000_000
_BULLET = re.compile(r"^\s*(?:[-*•·–]|\d{1,2}[.)])\s+")
_MARKED_HEADING = re.compile(r"^\s*(#{1,6})\s+(.+?)\s*#*$")
_NUMBERED_HEADING = re.compile(r"^\s*\d{1,3}[.)]\s+([A-Z][^.:;,!?]{1,70})$")
_APPENDIX = re.compile(
    r"(?:lihat (?:pula|juga)|referensi|rujukan|daftar pustaka|pustaka|pranala luar|pautan luar|catatan kaki|catatan|sumber|"
    r"see also|references|external links|further reading|notes|sources|zie ook|bronnen|literatuur|externe links|noten):?",
    re.IGNORECASE,
)
"""What stands after an article on a line of its own."""
_LONGEST_HEADING = 80
_LONGEST_HEADING_WORDS = 7
_LONG_LINE = 60
_IDENTIFIED_CHARACTERS = 1_000


def read_text(body: bytes | str, content_type: str = "text/plain") -> PageText:
    """The text with its paragraphs and lists; hard line breaks inside a paragraph are undone."""
    text = visible(body if isinstance(body, str) else decode(body, content_type).text)
    text = text.replace("\r\n", "\n").replace("\r", "\n").replace("\f", "\n\n")
    if not text.strip():
        raise refused(Unreadable.EMPTY)
    if len(text) > MOST_CHARACTERS:
        raise refused(Unreadable.TOO_LARGE)
    return page_of(plain_blocks(text))


def page_of(blocks: list[RawBlock]) -> PageText:
    """A page without markup: its first heading is its title."""
    text, spans = compose(blocks)
    title = _title(blocks)
    language = identify(text[:_IDENTIFIED_CHARACTERS])
    kind = PageKind.ITEM if len(text) >= 40 else PageKind.NOISE
    return PageText(title, text, language.language, language.script, kind, spans)


def _title(blocks: list[RawBlock]) -> str:
    """The first heading, unless text stands before it: then it is that of a part."""
    for block in blocks:
        if block.kind == "heading":
            return block.text
        if len(block.text) >= _LONG_LINE:
            break
    return ""


def plain_blocks(text: str) -> list[RawBlock]:
    root = Container("#text")
    blocks: list[RawBlock] = []
    for part in re.split(r"\n[^\S\n]*\n+", text):
        lines = [line for line in part.split("\n") if line.strip()]
        if lines:
            blocks.extend(_paragraph(lines, root))
    if blocks and blocks[0].kind == "paragraph" and _may_be_title(blocks):
        blocks[0].kind, blocks[0].level = "heading", 1
    return blocks


def _paragraph(lines: list[str], root: Container) -> list[RawBlock]:
    blocks: list[RawBlock] = []
    for place, line in enumerate(lines):
        words = tidy(_BULLET.sub("", line))
        if not words:
            continue
        heading = _MARKED_HEADING.match(line)
        numbered = _NUMBERED_HEADING.match(line) if len(lines) == 1 or _is_over_text(lines, place) else None
        if heading:
            blocks.append(RawBlock("heading", tidy(heading[2]), root, len(heading[1])))
        elif numbered:
            blocks.append(RawBlock("heading", tidy(numbered[1]), root, 2))
        elif _is_free(blocks) and (_APPENDIX.fullmatch(words) or _is_airless_heading(lines, place, words)):
            blocks.append(RawBlock("heading", words, root, 2))
        elif _BULLET.match(line):
            blocks.append(RawBlock("list-item", words, root))
        elif blocks and blocks[-1].kind != "heading" and _continues(blocks[-1].text, words):
            blocks[-1].text += " " + words
        else:
            blocks.append(RawBlock("paragraph", words, root))
    if len(blocks) == 1 and blocks[0].kind == "paragraph" and _is_heading(blocks[0].text):
        blocks[0].kind, blocks[0].level = "heading", 2
    return blocks


def _is_airless_heading(lines: list[str], place: int, words: str) -> bool:
    return not _BULLET.match(lines[place]) and _is_over_text(lines, place) and _is_heading(words)


def _is_over_text(lines: list[str], place: int) -> bool:
    """Whether a short line stands over a long one that begins a sentence: a heading without air around it."""
    line, after = lines[place].strip(), lines[place + 1].strip() if place + 1 < len(lines) else ""
    begins = after[:1].isupper() and not _BULLET.match(after) and len(after) >= _LONG_LINE
    return begins and len(line.split()) <= _LONGEST_HEADING_WORDS and _ends_as_name(line)


def _ends_as_name(line: str) -> bool:
    return (line[-1:].isalnum() or line[-1:] in "”\")'’") and "," not in line


def _is_free(blocks: list[RawBlock]) -> bool:
    """Whether a new heading may stand here: what is before it has come to its end."""
    return not blocks or blocks[-1].kind == "heading" or blocks[-1].text.endswith((".", "!", "?", ":", "”", '"'))


def _continues(before: str, line: str) -> bool:
    """A hard-wrapped line goes on; a line like `Label: value` or after a full stop on a short line does not."""
    if re.match(r"[A-Z][\w /()-]{1,40}:\s", line):
        return False
    last = before.rsplit("\n", 1)[-1]
    return len(last) > 40 and not (last.endswith((".", ":", "!", "?")) and len(last) < 50)


def _is_heading(text: str) -> bool:
    return len(text) <= _LONGEST_HEADING and text[-1] not in ".:;,!?" and ": " not in text and not text[:1].islower()


def _may_be_title(blocks: list[RawBlock]) -> bool:
    return _is_heading(blocks[0].text) and len(blocks) > 1 and len(blocks[1].text) > len(blocks[0].text)
