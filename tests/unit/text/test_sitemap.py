from __future__ import annotations

import gzip
import time

import pytest

from lumbung.errors import InputRefused
from lumbung.text.sitemap import MAX_BYTES, MAX_ENTRIES, read_link_source

BASE = "http://situs.id/sitemap.xml"


def urls(body: bytes, base: str = BASE) -> list[str]:
    return [link.url for link in read_link_source(body, base).links]


def test_a_sitemap_gives_identities_with_their_dates() -> None:
    source = read_link_source(
        b'<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">'
        b"<url><loc> http://situs.id/a?utm_source=x&amp;b=2 </loc><lastmod>2024-01-01</lastmod></url>"
        b"<url><loc><![CDATA[/rel?x=1&y=2]]></loc></url><url><loc>mailto:x</loc></url><url></url>"
        b"<url><loc>/rel?y=2&amp;x=1</loc></url></urlset>",
        BASE,
    )
    assert source.kind == "sitemap"
    assert [(link.url, link.modified) for link in source.links] == [
        ("http://situs.id/a?b=2", "2024-01-01"),
        ("http://situs.id/rel?x=1&y=2", ""),
    ]
    assert source.refused == 1


def test_an_index_names_further_sources_even_packed_and_without_a_namespace() -> None:
    body = gzip.compress(b"<sitemapindex><sitemap><loc>/1.xml.gz</loc></sitemap></sitemapindex>")
    assert read_link_source(body, BASE).sources == ["http://situs.id/1.xml.gz"]
    assert read_link_source(gzip.compress(body), BASE).sources == ["http://situs.id/1.xml.gz"]


def test_feeds_of_three_kinds() -> None:
    rss = (
        b"<rss><channel><link>http://situs.id/</link><item><title>T</title><link>/p1</link></item>"
        b"<item><guid>http://situs.id/p2</guid></item><item><guid isPermaLink='false'>x:1</guid></item></channel></rss>"
    )
    assert urls(rss) == ["http://situs.id/p1", "http://situs.id/p2"]
    atom = (
        b'<feed xmlns="http://www.w3.org/2005/Atom"><link rel="next" href="/f?p=2"/><entry><title>T</title>'
        b'<link rel="self" href="/self"/><link href="/p1"/><updated>2024</updated></entry></feed>'
    )
    read = read_link_source(atom, BASE)
    assert [(link.url, link.title, link.modified) for link in read.links] == [("http://situs.id/p1", "T", "2024")]
    assert read.sources == ["http://situs.id/f?p=2"]
    rdf = (
        b'<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/">'
        b"<item><link>/p3</link></item></rdf:RDF>"
    )
    assert urls(rdf) == ["http://situs.id/p3"]


OAI = (
    b'<OAI-PMH xmlns="http://www.openarchives.org/OAI/2.0/"><ListRecords>'
    b"<record><header><identifier>oai:j:1</identifier><datestamp>2020-01-01</datestamp></header><metadata>"
    b'<oai_dc:dc xmlns:oai_dc="http://www.openarchives.org/OAI/2.0/oai_dc/" xmlns:dc="http://purl.org/dc/elements/1.1/">'
    b"<dc:title>Wayang</dc:title><dc:identifier>https://jurnal.id/1</dc:identifier>"
    b"<dc:identifier>10.1/x</dc:identifier></oai_dc:dc></metadata></record>"
    b'<record><header status="deleted"><identifier>oai:j:2</identifier></header></record>'
    b"<resumptionToken>a b/c</resumptionToken></ListRecords></OAI-PMH>"
)


def test_oai_records_give_their_pages_and_the_next_list() -> None:
    source = read_link_source(OAI, "https://jurnal.id/oai?verb=ListRecords&metadataPrefix=oai_dc")
    assert [(link.url, link.title, link.modified) for link in source.links] == [
        ("https://jurnal.id/1", "Wayang", "2020-01-01")
    ]
    assert source.sources == ["https://jurnal.id/oai?verb=ListRecords&resumptionToken=a%20b%2Fc"]


def test_oai_identifiers_are_asked_for_one_by_one() -> None:
    body = (
        b'<OAI-PMH xmlns="http://www.openarchives.org/OAI/2.0/"><ListIdentifiers><header><identifier>oai:j:1'
        b'</identifier></header><header status="deleted"><identifier>oai:j:2</identifier></header></ListIdentifiers></OAI-PMH>'
    )
    assert read_link_source(body, "https://jurnal.id/oai").sources == [
        "https://jurnal.id/oai?verb=GetRecord&metadataPrefix=oai_dc&identifier=oai%3Aj%3A1"
    ]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "iso-8859-1"])
def test_a_sitemap_is_read_in_any_charset(encoding: str) -> None:
    name = {"utf-8-sig": "utf-8", "utf-16-le": "utf-16", "utf-16-be": "utf-16"}.get(encoding, encoding)
    text = f'<?xml version="1.0" encoding="{name}"?><urlset><url><loc>http://a.id/x?a=1&amp;b=2</loc></url></urlset>'
    source = read_link_source(text.encode(encoding), "http://a.id/sitemap.xml")
    assert [link.url for link in source.links] == ["http://a.id/x?a=1&b=2"]


def test_a_packed_sitemap_may_have_several_members_and_padding() -> None:
    text = b"<urlset><url><loc>http://a.id/1</loc></url><url><loc>http://a.id/2</loc></url></urlset>"
    packed = gzip.compress(text[:30]) + gzip.compress(text[30:]) + b"\x00" * 20
    source = read_link_source(packed, "http://a.id/sitemap.xml.gz")
    assert [link.url for link in source.links] == ["http://a.id/1", "http://a.id/2"]


def test_a_plain_list_of_urls() -> None:
    assert urls(b"\xef\xbb\xbfhttp://situs.id/a\r\n# note\r\nfoo\r\nhttps://situs.id/b\r\n") == [
        "http://situs.id/a",
        "https://situs.id/b",
    ]


def test_unescaped_ampersands_and_a_missing_end_cost_nothing() -> None:
    assert urls(b"<urlset><url><loc>http://situs.id/?a=1&b=2</loc></url><url><loc>http://situs.id/c</loc>") == [
        "http://situs.id/?a=1&b=2",
        "http://situs.id/c",
    ]


def test_entities_are_never_expanded(tmp_path: object) -> None:
    levels = b"".join(b'<!ENTITY %c "%s">' % (98 + n, (b"&%c;" % (97 + n)) * 10) for n in range(12))
    bomb = (
        b'<!DOCTYPE l [<!ENTITY a "'
        + b"A" * 1000
        + b'">'
        + levels
        + b"]><urlset><url><loc>http://situs.id/&m;</loc></url></urlset>"
    )
    start = time.process_time()
    assert urls(bomb) == ["http://situs.id/&m;"]
    assert time.process_time() - start < 1.0
    outside = b'<!DOCTYPE l [<!ENTITY x SYSTEM "file:///etc/hostname">]><urlset><url><loc>http://situs.id/&x;</loc></url></urlset>'
    assert urls(outside) == ["http://situs.id/&x;"]


def test_a_packed_bomb_is_refused_before_it_unfolds() -> None:
    with pytest.raises(InputRefused) as refused:
        read_link_source(gzip.compress(b" " * (MAX_BYTES + 1), 1), BASE)
    assert refused.value.reason == "too-long"


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"<html><body></body></html>",
        b"\x1f\x8bxxxx",
        b"<" * 1000,
        b"\x00\x01",
        b"<a>" * 100_000,
        b"<![CDATA[" * 50_000,
    ],
)
def test_what_is_no_link_source_is_refused(body: bytes) -> None:
    start = time.process_time()
    with pytest.raises(InputRefused):
        read_link_source(body, BASE)
    assert time.process_time() - start < 2.0


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (b"<urlset><url><loc>http://a.example/1</loc></url><url><loc>http://a.exa", ["http://a.example/1"]),
        (b"<urlset><url><loc>http://a.example/1</loc></url><url><loc><![CDATA[http://a.exa", ["http://a.example/1"]),
        (
            b"<urlset><url><loc>http://a.example/1</url><url><loc>http://a.example/2</loc></url></urlset>",
            ["http://a.example/1", "http://a.example/2"],
        ),
        (
            b"Warning: x in y.php\n<?xml version='1.0'?><urlset><url><loc>http://a.example/1</loc></url></urlset>",
            ["http://a.example/1"],
        ),
        (
            b'<?xml version="1.0" encoding="UTF-16"?><urlset><url><loc>http://a.example/1</loc></url></urlset>',
            ["http://a.example/1"],
        ),
        (b"<urlset><url><loc/><loc>http://a.example/2</loc></url></urlset>", ["http://a.example/2"]),
        (
            b"<urlset xmlns='u' xmlns:i='i'><url><i:loc>http://a.example/p.jpg</i:loc><loc>http://a.example/1</loc></url></urlset>",
            ["http://a.example/1"],
        ),
    ],
)
def test_a_faulty_sitemap_gives_its_whole_locations_and_no_others(body, expected):
    assert urls(body) == expected


def test_links_of_a_feed_are_relative_to_its_own_base():
    body = b"<feed xmlns='http://www.w3.org/2005/Atom' xml:base='http://b.example/x/'><entry><link href='1'/></entry></feed>"
    assert urls(body) == ["http://b.example/x/1"]


def test_entries_that_lead_nowhere_are_not_gone_through_without_end() -> None:
    body = b"<urlset>" + b"<url/>" * (MAX_ENTRIES + 1) + b"<url><loc>http://a.id/x</loc></url></urlset>"
    assert read_link_source(body, "http://a.id/sitemap.xml").links == []
