"""Link sources: sitemaps and their indexes, RSS and Atom feeds, OAI-PMH lists, plain lists of URLs.

Elements are known by their local names, because half of the sitemaps of the world get the namespace wrong.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import Literal
from urllib.parse import quote

from lxml import etree

from lumbung.errors import InputRefused, RefusedError
from lumbung.text import url as urls
from lumbung.text.packing import Bounds, Flaw, unpack

MAX_BYTES = 50 * 1024 * 1024
MAX_LINKS = 50_000
"""Both limits are the sitemap protocol's own."""
MAX_ENTRIES = 2 * MAX_LINKS
"""Entries without a URL of use count here, lest somebody send millions of them."""

SourceKind = Literal["sitemap", "index", "feed", "oai", "list"]

_ROOTS: dict[str, SourceKind] = {
    "urlset": "sitemap",
    "sitemapindex": "index",
    "rss": "feed",
    "RDF": "feed",
    "feed": "feed",
    "OAI-PMH": "oai",
}

_AMPERSAND = re.compile(rb"<!\[CDATA\[(?:.*?\]\]>|.*)|&(?!(?:amp|lt|gt|quot|apos|#[0-9]+|#x[0-9A-Fa-f]+);)", re.DOTALL)

_WIDE_DECLARATION = re.compile(rb"^\s*<\?xml[^>]*encoding\s*=\s*[\"'](?:utf|ucs)-?(?:16|32|2|4)[^>]*\?>", re.IGNORECASE)
"""What follows is in single bytes, or it would have been read as UTF-16 before."""
_MARKUP = re.compile(rb"<(?:\?xml\b|urlset\b|sitemapindex\b|rss\b|feed\b|rdf:RDF\b|OAI-PMH\b)")
_MOST_WARNINGS = 16 * 1024


@dataclass(frozen=True, slots=True)
class SourceLink:
    url: str
    title: str = ""
    modified: str = ""
    """As the source writes it, mostly a W3C date."""


@dataclass(slots=True)
class LinkSource:
    kind: SourceKind
    links: list[SourceLink] = field(default_factory=list)
    sources: list[str] = field(default_factory=list)
    """Further link sources: the parts of an index, the next page of a list."""
    refused: int = 0
    """Entries whose URL could not be used."""

    def add_link(self, reference: str, base: str, title: str = "", modified: str = "") -> None:
        if len(self.links) >= MAX_LINKS:
            self.refused += 1
            return
        try:
            identity = urls.normalize(reference.strip(), base)
        except RefusedError:
            self.refused += 1
        else:
            self.links.append(SourceLink(identity, title.strip()[:500], modified.strip()))

    def add_source(self, reference: str, base: str) -> None:
        try:
            self.sources.append(urls.parse(reference.strip(), base).request_url)
        except RefusedError:
            self.refused += 1


def read_link_source(body: bytes, url: str) -> LinkSource:
    """`url` is where the body came from; references are read relative to it."""
    content = _from_its_markup(_in_utf8(_unzipped(body)))
    start = content.lstrip(b"\xef\xbb\xbf \t\r\n")[:64]
    if not start.startswith(b"<") and b"\x00" not in start:
        return _plain_list(content, url)
    root = _root_of(content)
    kind = _ROOTS.get(_local_name(root))
    if kind is None:
        raise InputRefused("not-a-link-source: neither a sitemap, a feed nor an OAI-PMH list", "not-a-link-source")
    source = LinkSource(kind)
    if kind in {"sitemap", "index"}:
        _read_sitemap(root, url, source)
    elif kind == "oai":
        _read_oai(root, url, source)
    else:
        _read_feed(root, url, source)
    source.links = list({link.url: link for link in reversed(source.links)}.values())[::-1]
    return source


def _unzipped(body: bytes) -> bytes:
    """Servers that pack everything pack what was packed already."""
    unpacked = unpack(body, "gzip, gzip", Bounds(MAX_BYTES))
    if unpacked.flaw is Flaw.UNREADABLE:
        raise InputRefused("bad-gzip: the file is not valid gzip", "bad-gzip")
    if unpacked.flaw is Flaw.CUT:
        raise InputRefused(f"too-long: over {MAX_BYTES} bytes when unpacked", "too-long")
    return unpacked.content[:MAX_BYTES]


def _in_utf8(content: bytes) -> bytes:
    """UTF-16 becomes UTF-8, whatever the declaration says: what follows looks at single bytes."""
    for mark, codec in (
        (b"\xff\xfe", "utf-16"),
        (b"\xfe\xff", "utf-16"),
        (b"<\x00", "utf-16-le"),
        (b"\x00<", "utf-16-be"),
    ):
        if content.startswith(mark):
            text = content.decode(codec, "replace")
            return re.sub(r"^\s*<\?xml[^>]*\?>", "", text, count=1).encode()
    return _WIDE_DECLARATION.sub(b"", content, count=1)


def _from_its_markup(content: bytes) -> bytes:
    """Without the warnings that some servers print before a file."""
    found = _MARKUP.search(content, 0, _MOST_WARNINGS)
    return content[found.start() :] if found else content


def _without_entities(content: bytes) -> bytes:
    """Every ampersand that begins no predefined entity is itself: `?a=1&b=2` is the commonest fault of sitemaps,
    and what remains of entities declared in the file is text, whatever they would expand to.
    """
    return _AMPERSAND.sub(lambda found: found.group() if len(found.group()) > 1 else b"&amp;", content)


def _root_of(content: bytes) -> etree._Element:
    # recover: a bad entity or a cut-off end costs that entry, not the file; huge_tree stays off on purpose.
    parser = etree.XMLParser(
        resolve_entities=False, no_network=True, load_dtd=False, dtd_validation=False, recover=True, huge_tree=False
    )
    # What stands behind the last tag is no element's whole text: of a file that breaks off, half a URL.
    whole = content[: content.rfind(b">") + 1]
    try:
        root = etree.fromstring(_without_entities(whole), parser)
    except (etree.XMLSyntaxError, ValueError) as error:
        raise InputRefused("bad-xml: the file cannot be read as XML", "bad-xml") from error
    if root is None:
        raise InputRefused("bad-xml: the file holds no element", "bad-xml")
    return root


def _local_name(element: etree._Element) -> str:
    tag = element.tag
    return tag.rpartition("}")[2] if isinstance(tag, str) else ""


def _parent_name(element: etree._Element) -> str:
    parent = element.getparent()
    return _local_name(parent) if parent is not None else ""


def _children(element: etree._Element, name: str) -> Iterator[etree._Element]:
    return (child for child in element if _local_name(child) == name)


def _child_text(element: etree._Element, name: str) -> str:
    child = next(_children(element, name), None)
    return "".join(child.itertext("*")).strip() if child is not None else ""


def _read_sitemap(root: etree._Element, base: str, source: LinkSource) -> None:
    for entry in islice(root.iter("{*}url", "{*}sitemap"), MAX_ENTRIES):
        location = _location(entry)
        if not location:
            continue
        if _local_name(entry) == "sitemap":
            source.add_source(location, base)
        else:
            source.add_link(location, base, modified=_child_text(entry, "lastmod"))


def _own_text(element: etree._Element) -> str:
    return ((element.text or "") + "".join(child.tail or "" for child in element)).strip()


def _location(entry: etree._Element) -> str:
    """The first that is not empty, in the namespace of its entry if there is one: pictures have locations too."""
    texts = [(child.tag, _own_text(child)) for child in _children(entry, "loc")]
    own = str(entry.tag).rpartition("}")[0]
    named = [text for tag, text in texts if text and str(tag).rpartition("}")[0] == own]
    return next(iter(named or (text for _, text in texts if text)), "")


def _read_feed(root: etree._Element, base: str, source: LinkSource) -> None:
    for entry in root.iter("{*}item", "{*}entry"):
        modified = next((text for name in ("updated", "pubDate", "date") if (text := _child_text(entry, name))), "")
        location = _child_text(entry, "link") or _atom_link(entry, "alternate") or _permanent_guid(entry)
        if location:
            source.add_link(location, base, _child_text(entry, "title"), modified)
    for holder in (root, *_children(root, "channel")):
        following = _atom_link(holder, "next")
        if following:
            source.add_source(following, base)


def _atom_link(entry: etree._Element, relation: str) -> str:
    for link in _children(entry, "link"):
        if link.get("rel", "alternate") == relation and link.get("href"):
            return _in_its_place(link, str(link.get("href")))
    return ""


def _in_its_place(element: etree._Element, reference: str) -> str:
    """Relative to `xml:base` where one is given."""
    try:
        return urls.href_of(reference, element.base) if element.base else reference
    except RefusedError:
        return reference


def _permanent_guid(entry: etree._Element) -> str:
    guid = next(_children(entry, "guid"), None)
    if guid is None or guid.get("isPermaLink", "true").lower() == "false":
        return ""
    return (guid.text or "").strip()


def _read_oai(root: etree._Element, base: str, source: LinkSource) -> None:
    """Links of ListRecords are the http identifiers of Dublin Core; headers alone name no page."""
    for record in root.iter("{*}record"):
        header = next(_children(record, "header"), None)
        if header is not None and header.get("status") == "deleted":
            continue
        modified = _child_text(header, "datestamp") if header is not None else ""
        title = next((element.text or "" for element in record.iter("{http://purl.org/dc/elements/1.1/}title")), "")
        for element in record.iter("{http://purl.org/dc/elements/1.1/}identifier"):
            if re.match(r"\s*https?://", element.text or "", re.IGNORECASE):
                source.add_link(element.text or "", base, title, modified)
    for header in root.iter("{*}header"):
        identifier = _child_text(header, "identifier")
        if _parent_name(header) == "ListIdentifiers" and identifier and header.get("status") != "deleted":
            source.add_source(
                _endpoint(base) + "?verb=GetRecord&metadataPrefix=oai_dc&identifier=" + quote(identifier, safe=""), base
            )
    _follow_resumption(root, base, source)


def _follow_resumption(root: etree._Element, base: str, source: LinkSource) -> None:
    for token in root.iter("{*}resumptionToken"):
        verb = _parent_name(token)
        text = (token.text or "").strip()
        if text and verb in {"ListRecords", "ListIdentifiers"}:
            source.add_source(f"{_endpoint(base)}?verb={verb}&resumptionToken={quote(text, safe='')}", base)


def _endpoint(url: str) -> str:
    return url.partition("#")[0].partition("?")[0]


def _plain_list(content: bytes, base: str) -> LinkSource:
    source = LinkSource("list")
    for line in content.decode("utf-8-sig", "replace").splitlines():
        text = line.strip()
        if re.match(r"https?://\S+$", text, re.IGNORECASE):
            source.add_link(text, base)
        elif text and not text.startswith("#"):
            source.refused += 1
    if not source.links:
        raise InputRefused("not-a-link-source: no line is a URL", "not-a-link-source")
    return source
