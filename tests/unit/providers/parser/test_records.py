from __future__ import annotations

import io

from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

from lumbung.providers.parser.records import archived_pages

PAGE = b"<h1>Tari Gambyong</h1>"


def archive() -> io.BytesIO:
    """A recorder that unpacked its bodies and kept the headers of the wire, then other kinds of records."""
    stream = io.BytesIO()
    writer = WARCWriter(stream, gzip=False)
    for name, header in (("a", "Transfer-Encoding: chunked"), ("b", "Content-Encoding: gzip"), ("c", "Server: x")):
        headers = [("Content-Type", "text/html"), (header.split(": ")[0], header.split(": ")[1])]
        http = StatusAndHeaders("200 OK", headers, protocol="HTTP/1.1")
        writer.write_record(
            writer.create_warc_record(f"http://x.example/{name}", "response", io.BytesIO(PAGE), http_headers=http)
        )
    for name, kind, content_type in (
        ("d", "resource", "text/html"),
        ("e", "conversion", "text/plain"),
        ("f", "resource", "text/dns"),
        ("g", "metadata", "text/plain"),
    ):
        writer.write_record(
            writer.create_warc_record(
                f"http://x.example/{name}", kind, io.BytesIO(PAGE), warc_content_type=content_type
            )
        )
    stream.seek(0)
    return stream


def test_pages_are_read_as_they_are_whatever_their_headers_say() -> None:
    assert [(page.url[-1], page.body) for page in archived_pages(archive())] == [(name, PAGE) for name in "abcde"]
