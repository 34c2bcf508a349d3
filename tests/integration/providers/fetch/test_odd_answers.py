"""Answers at the edge of HTTP: each ends as fetched or with a reason, can be archived and read back, and leaves the next
page of its host alone.
"""

from __future__ import annotations

import asyncio
import gzip
import io
import json
import time
import zlib
from datetime import UTC, datetime

import brotli  # type: ignore[import-untyped]
import pytest
from tests.integration.providers.fetch.local_servers import Serve, answer
from tests.integration.providers.fetch.test_hostile_servers import QUICK
from warcio.archiveiterator import ArchiveIterator

from lumbung.archive.batch import opening, packed
from lumbung.ports.archive import ArchivedResponse
from lumbung.providers.fetch.addresses import AddressGuard
from lumbung.providers.fetch.fetcher import Fetcher
from lumbung.providers.fetch.result import FetchResult

OK = b"HTTP/1.1 200 OK\r\n"
SMUGGLED = answer(b"smuggled")
TWICE = gzip.compress(gzip.compress(b"Tari"))
TAKEN = {
    "HTTP/1.0 without a length": (b"HTTP/1.0 200 OK\r\n\r\nTari", b"Tari"),
    "HTTP/1.1 without a length": (OK + b"\r\nTari", b"Tari"),
    "chunk extensions": (OK + b"Transfer-Encoding: chunked\r\n\r\n4;a=b;c\r\nTari\r\n0\r\n\r\n", b"Tari"),
    "trailers": (OK + b"Transfer-Encoding: chunked\r\n\r\n4\r\nTari\r\n0\r\nX-Sum: 1\r\n\r\n", b"Tari"),
    "hints before the answer": (b"HTTP/1.1 103 Hints\r\nLink: </a>\r\n\r\n" * 20 + answer(b"Tari"), b"Tari"),
    "many cookies": (OK + b"Set-Cookie: a=1\r\n" * 200 + b"Content-Length: 4\r\n\r\nTari", b"Tari"),
    "gzip twice": (answer(TWICE, "200 OK", "Content-Encoding: gzip, gzip"), b"Tari"),
    "gzip and brotli": (
        answer(brotli.compress(gzip.compress(b"Tari")), "200 OK", "Content-Encoding: gzip, br"),
        b"Tari",
    ),
    "raw deflate": (answer(zlib.compress(b"Tari")[2:-4], "200 OK", "Content-Encoding: deflate"), b"Tari"),
    "no reason phrase": (b"HTTP/1.1 200\r\nContent-Length: 4\r\n\r\nTari", b"Tari"),
}
"""What is odd and understood."""
ODD = {
    "folded header": OK + b"X-A: satu\r\n dua\r\nContent-Length: 4\r\n\r\nTari",
    "the same length twice": OK + b"Content-Length: 4\r\nContent-Length: 4\r\n\r\nTari",
    "two lengths": OK + b"Content-Length: 4\r\nContent-Length: 9\r\n\r\nTari" + SMUGGLED,
    "length and chunks": OK + b"Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n" + SMUGGLED,
    "negative length": OK + b"Content-Length: -4\r\n\r\nTari",
    "length with a sign": OK + b"Content-Length: +4\r\n\r\nTari",
    "length beyond numbers": OK + b"Content-Length: " + b"9" * 400 + b"\r\n\r\nTari",
    "gigantic chunk": OK + b"Transfer-Encoding: chunked\r\n\r\nfffffffffffffffff\r\nTari",
    "chunk of no number": OK + b"Transfer-Encoding: chunked\r\n\r\n-4\r\nTari\r\n0\r\n\r\n",
    "endless chunk extension": OK + b"Transfer-Encoding: chunked\r\n\r\n4;" + b"a" * 300_000 + b"\r\nTari\r\n0\r\n\r\n",
    "endless trailers": OK + b"Transfer-Encoding: chunked\r\n\r\n0\r\n" + b"X: 1\r\n" * 100_000,
    "unknown transfer encoding": OK + b"Transfer-Encoding: sandi\r\n\r\nTari",
    "space in a header's name": OK + b"X A: 1\r\nContent-Length: 4\r\n\r\nTari",
    "space before the colon": OK + b"Content-Length : 4\r\n\r\nTari",
    "NUL in a header": OK + b"X-A: a\x00b\r\nContent-Length: 4\r\n\r\nTari",
    "bare carriage return": OK + b"X-A: a\rX-B: b\r\nContent-Length: 4\r\n\r\nTari",
    "bare line feeds": b"HTTP/1.1 200 OK\nContent-Length: 4\n\nTari",
    "header without a name": OK + b": kosong\r\nContent-Length: 4\r\n\r\nTari",
    "line that is no header": OK + b"bukan tajuk\r\nContent-Length: 4\r\n\r\nTari",
    "status of two digits": b"HTTP/1.1 20 OK\r\nContent-Length: 4\r\n\r\nTari",
    "status of four digits": b"HTTP/1.1 2000 OK\r\nContent-Length: 4\r\n\r\nTari",
    "switching protocols": b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: h2c\r\n\r\nTari",
    "preface of HTTP/2": b"HTTP/2 200\r\ncontent-length: 4\r\n\r\nTari",
    "no content with content": b"HTTP/1.1 204 No Content\r\nContent-Length: 4\r\n\r\nTari" + SMUGGLED,
    "control characters in a redirect": b"HTTP/1.1 302 Found\r\nLocation: http://a\x01b\x7f/\tc\r\nContent-Length: 0\r\n\r\n",
    "redirect to nowhere": b"HTTP/1.1 302 Found\r\nLocation: http://[::1\r\nContent-Length: 0\r\n\r\n",
    "redirect to a file": b"HTTP/1.1 302 Found\r\nLocation: file:///etc/passwd\r\nContent-Length: 0\r\n\r\n",
    "two redirects": b"HTTP/1.1 302 Found\r\nLocation: /a\r\nLocation: ftp://b/\r\nContent-Length: 0\r\n\r\n",
    "flood of cookies": OK + b"Set-Cookie: a=1\r\n" * 5_000 + b"Content-Length: 4\r\n\r\nTari",
    "an encoding nobody asked for": answer(b"\x28\xb5\x2f\xfdTari", "200 OK", "Content-Encoding: zstd"),
    "an encoding that is a lie": answer(b"Tari", "200 OK", "Content-Encoding: gzip"),
    "a hundred encodings": answer(b"Tari", "200 OK", "Content-Encoding: " + ", ".join(["gzip"] * 100)),
    "gzip cut short": answer(gzip.compress(b"Tari" * 900)[:-12], "200 OK", "Content-Encoding: gzip"),
    "closed within the headers": OK + b"Content-Len",
    "closed within a chunk": OK + b"Transfer-Encoding: chunked\r\n\r\n40\r\nTari",
}
"""What may be refused: which of them is, rests with the parser; that nothing else happens, does not."""


async def asked(serve: Serve, guard: AddressGuard, content: bytes) -> tuple[FetchResult, FetchResult]:
    """The odd answer, and the one to the next question to the same host."""

    async def odd_first(path: str, writer: asyncio.StreamWriter) -> None:
        writer.write(content if path == "/odd" else answer(b"next"))
        await writer.drain()
        if path == "/odd":
            writer.close()

    server = await serve(odd_first)
    async with Fetcher("Lumbung", guard, QUICK) as fetcher:
        start = time.monotonic()
        odd = await fetcher.fetch(server.url("/odd"), max_redirects=0)
        assert time.monotonic() - start < QUICK.total_seconds + 10.0
        following = await fetcher.fetch(server.url("/next"), max_redirects=0)
        if not following.fetched:  # the connection was closed on the way: that costs one page at most
            following = await fetcher.fetch(server.url("/next"), max_redirects=0)
    return odd, following


def archived_again(result: FetchResult) -> tuple[str, bytes]:
    """The answer as another's reader finds it in our archive, digests compared."""
    json.dumps(result.text_headers()).encode()
    response = ArchivedResponse(
        result.url, result.status or 0, result.text_headers(), [], result.body, result.remote_address,
        result.truncated, datetime.now(UTC), encoded=result.body != result.content, status_line=result.status_line,
    )  # fmt: skip
    content = opening("x", "x") + b"".join(each.content for each in packed("x", 0, [response]))
    _, record, _ = (
        (each.rec_type, each.raw_stream.read()) for each in ArchiveIterator(io.BytesIO(content), check_digests="raise")
    )
    return record


@pytest.mark.parametrize("name", TAKEN)
async def test_what_is_odd_but_understood_is_a_page(serve: Serve, loopback: AddressGuard, name: str) -> None:
    content, text = TAKEN[name]
    odd, following = await asked(serve, loopback, content)
    assert (odd.fetched, odd.content, following.content) == (True, text, b"next")
    assert archived_again(odd) == ("response", odd.body)


@pytest.mark.parametrize("name", ODD)
async def test_what_is_broken_ends_with_a_reason_and_harms_nothing(
    serve: Serve, loopback: AddressGuard, name: str
) -> None:
    odd, following = await asked(serve, loopback, ODD[name])
    assert odd.fetched or odd.reason is not None
    assert b"smuggled" not in odd.content
    assert following.content == b"next"
    if odd.fetched:
        assert archived_again(odd)[0] == "response"
