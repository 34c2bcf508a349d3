"""The charset that markup names for itself, found as browsers find it before they parse: the standard's prescan."""

from __future__ import annotations

import re
from collections.abc import Iterator

_TAG_NAME = re.compile(rb"</?[A-Za-z][^\t\n\f\r >]*")
_META = re.compile(rb"<meta[\t\n\f\r /]", re.IGNORECASE)
_ATTRIBUTE = re.compile(
    rb"[\t\n\f\r /]*(?P<name>=?[^\t\n\f\r /=>]+)"
    rb"(?:[\t\n\f\r ]*=[\t\n\f\r ]*(?:\"(?P<double>[^\"]*)\"|'(?P<single>[^']*)'|(?P<bare>[^\t\n\f\r >\"'][^\t\n\f\r >]*)))?"
)
_UNENDED_QUOTE = re.compile(rb"[\t\n\f\r ]*=[\t\n\f\r ]*[\"']")
_CONTENT_CHARSET = re.compile(
    rb"charset[\t\n\f\r ]*=[\t\n\f\r ]*(?:\"([^\"]*)\"|'([^']*)'|([^\t\n\f\r ;\"'][^\t\n\f\r ;]*))", re.IGNORECASE
)
_XML_DECLARATION = re.compile(rb"\s*<\?xml[^>]{0,128}?encoding\s*=\s*[\"']([A-Za-z0-9_:.-]{2,40})", re.IGNORECASE)


def declared_charsets(head: bytes) -> Iterator[str]:
    """The labels that meta elements give, in order, then that of the XML declaration."""
    place = head.find(b"<")
    while 0 <= place < len(head):
        place, label = _after_markup(head, place)
        if label:
            yield label
        place = head.find(b"<", place)
    xml = _XML_DECLARATION.match(head)
    if xml:
        yield xml.group(1).decode("ascii")


def _after_markup(head: bytes, place: int) -> tuple[int, str | None]:
    """Where to go on behind the piece of markup that begins here, and the label it gives."""
    if head.startswith(b"<!--", place):
        # The dashes that open a comment may be those that end it.
        end = head.find(b"-->", place + 2)
        return (len(head) if end < 0 else end + 3), None
    if _META.match(head, place):
        attributes, end = _attributes(head, place + len(b"<meta"))
        return end, _label_of(attributes)
    tag = _TAG_NAME.match(head, place)
    if tag:
        return _attributes(head, tag.end())[1], None
    if head[place + 1 : place + 2] in {b"!", b"/", b"?"}:
        end = head.find(b">", place)
        return (len(head) if end < 0 else end + 1), None
    return place + 1, None


def _attributes(head: bytes, place: int) -> tuple[dict[bytes, bytes], int]:
    """The attributes of a tag, the first of each name; a quote that never ends takes all that follows."""
    found: dict[bytes, bytes] = {}
    while (attribute := _ATTRIBUTE.match(head, place)) is not None:
        value = attribute["double"] or attribute["single"] or attribute["bare"] or b""
        found.setdefault(attribute["name"].lower(), value)
        place = attribute.end()
        if _UNENDED_QUOTE.match(head, place):
            return {}, len(head)
    end = head.find(b">", place)
    return (found, end + 1) if end >= 0 else ({}, len(head))


def _label_of(attributes: dict[bytes, bytes]) -> str | None:
    if b"charset" in attributes:
        return attributes[b"charset"].strip().decode("latin-1")
    if attributes.get(b"http-equiv", b"").lower() != b"content-type":
        return None
    named = _CONTENT_CHARSET.search(attributes.get(b"content", b""))
    return (named[1] or named[2] or named[3] or b"").strip().decode("latin-1") if named else None
