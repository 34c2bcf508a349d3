"""From the bytes of an HTML page to its visible main text, structure and declarations."""

from __future__ import annotations

from turbohtml import parse

from lumbung.model.candidate import PageKind, PageText
from lumbung.text.charset import decode
from lumbung.text.language import identify
from lumbung.text.markup.blocks import RawBlock, raw_blocks
from lumbung.text.markup.composition import compose, data_blocks
from lumbung.text.markup.head import read_head
from lumbung.text.markup.headings import with_headings
from lumbung.text.markup.hidden import strip_hidden
from lumbung.text.markup.kind import page_kind, read_signs
from lumbung.text.markup.linkeddata import read_linked_data
from lumbung.text.markup.links import read_links
from lumbung.text.markup.media import read_media
from lumbung.text.markup.prescan import refuse_hostile
from lumbung.text.markup.provenance import origins_of
from lumbung.text.markup.selection import main_blocks

_IDENTIFIED_CHARACTERS = 1_000


def read_html(html: bytes | str, url: str, content_type: str = "text/html") -> PageText:
    """Everything stage 1 and 2 need of a page, from one parse."""
    markup = html if isinstance(html, str) else decode(html, content_type).text
    refuse_hostile(markup)
    document = parse(markup)
    items = read_linked_data(document)
    head = read_head(document, url, items)
    strip_hidden(document)
    blocks = raw_blocks(document)
    links = read_links(document, url)
    media = read_media(document, url, items, head.licence_hint)
    signs = read_signs(document, url, head)
    main = main_blocks(blocks, document)
    kind = page_kind(signs, head, blocks, main)
    text, spans = compose(with_headings(main))
    identified = identify(text[:_IDENTIFIED_CHARACTERS])
    return PageText(
        title=_title(main, head.title),
        text=text,
        language=identified.language if identified.language != "und" else head.language,
        script=identified.script,
        kind=kind,
        blocks=spans + data_blocks(text, items) if items else spans,
        links=links,
        media=media if kind is not PageKind.NOISE else (),
        canonical_url=head.canonical_url,
        licence=head.licence_hint or None,
        published=head.published,
        publisher=head.publisher,
        origins=origins_of(url, head.originals, text),
        directives=head.directives,
    )


def _title(main: list[RawBlock], declared: str) -> str:
    """The one heading of the first level; with none or several, what the head declares; then the first heading."""
    highest = [block.text for block in main if block.kind == "heading" and block.level == 1]
    if len(highest) == 1:
        return highest[0]
    return declared or next((block.text for block in main if block.kind == "heading"), "")
