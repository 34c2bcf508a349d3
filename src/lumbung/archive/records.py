"""WARC/1.1 records as bytes: one gzip member each, with digests; pure, and cheaper than a general writer."""

from __future__ import annotations

from base64 import b32encode
from datetime import UTC, datetime
from hashlib import sha1, sha256
from http import HTTPStatus
from os import urandom
from urllib.parse import urlsplit

from isal import igzip_lib

from lumbung.ports.archive import ArchivedResponse, Headers

GZIP_LEVEL = 1
"""Of ISA-L: the next ones cost half as much time again, and twice as much, for a hundredth of the space each."""
SMALL_LEVEL = 0
"""A request is too short to gain by a table of its own."""
REVISIT_PROFILE = "http://netpreserve.org/warc/1.1/revisit/identical-payload-digest"
_TRUNCATIONS = {"incomplete": "disconnect", "stalled": "time", "total-timeout": "time", "too-slow": "time"}


def block_digest(*pieces: bytes) -> str:
    digest = sha1(usedforsecurity=False)
    for piece in pieces:
        digest.update(piece)
    return f"sha1:{digest.hexdigest()}"


def payload_digest(payload: bytes) -> str:
    return labelled(sha256(payload).hexdigest())


def labelled(sha256_hex: str) -> str:
    return f"sha256:{sha256_hex}"


def is_digest_of(payload: bytes, digest: str) -> bool:
    """Archives of earlier versions name their payloads by SHA-1."""
    if digest.startswith("sha1:"):
        return digest == f"sha1:{b32encode(sha1(payload, usedforsecurity=False).digest()).decode()}"
    return digest == payload_digest(payload)


def member(fields: Headers, *block: bytes, level: int = GZIP_LEVEL) -> bytes:
    """One record, whose block comes in pieces, in one gzip member of its own."""
    start = f"WARC/1.1\r\n{field_lines(fields)}Content-Length: {sum(map(len, block))}\r\n\r\n".encode()
    return igzip_lib.compress(b"".join((start, *block, b"\r\n\r\n")), level, igzip_lib.COMP_GZIP)


def field_lines(fields: Headers) -> str:
    return "".join([f"{one_line(name)}: {one_line(value)}\r\n" for name, value in fields])


def one_line(value: str) -> str:
    if value.isprintable():
        return value
    return value.replace("\r", " ").replace("\n", " ").replace("\x00", "")


def record_id() -> str:
    """A random UUID, made without the object that stands for one."""
    drawn = urandom(16).hex()
    variant = "89ab"[int(drawn[16], 16) & 3]
    return f"<urn:uuid:{drawn[:8]}-{drawn[8:12]}-4{drawn[13:16]}-{variant}{drawn[17:20]}-{drawn[20:]}>"


def warc_date(moment: datetime) -> str:
    return moment.astimezone(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")


def info_record(name: str, fields: Headers, now: datetime) -> bytes:
    block = field_lines(fields).encode()
    return member(
        [
            ("WARC-Type", "warcinfo"),
            ("WARC-Record-ID", record_id()),
            ("WARC-Date", warc_date(now)),
            ("WARC-Filename", name),
            ("Content-Type", "application/warc-fields"),
            ("WARC-Block-Digest", block_digest(block)),
        ],
        block,
    )


def response_record(response: ArchivedResponse, date: str, identity: str, digest: str) -> bytes:
    """A response, or a revisit where the same payload is archived already."""
    head = http_head(response)
    block = (head,) if response.original else (head, response.body)
    fields = [
        ("WARC-Type", "revisit" if response.original else "response"),
        ("WARC-Record-ID", identity),
        ("WARC-Date", date),
        ("WARC-Target-URI", response.url),
        ("Content-Type", "application/http; msgtype=response"),
        ("WARC-Payload-Digest", digest),
        ("WARC-Block-Digest", block_digest(*block)),
    ]
    if response.address:
        fields.append(("WARC-IP-Address", response.address))
    if response.truncated:
        fields.append(("WARC-Truncated", _TRUNCATIONS.get(response.truncated, "length")))
    if response.original:
        fields += [
            ("WARC-Profile", REVISIT_PROFILE),
            ("WARC-Refers-To-Target-URI", response.original.url),
            ("WARC-Refers-To-Date", warc_date(response.original.fetched_at)),
        ]
    return member(fields, *block)


def request_record(response: ArchivedResponse, date: str, concurrent_to: str) -> bytes:
    parts = urlsplit(response.url)
    target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    headers = response.request_headers
    if not any(name.lower() == "host" for name, _ in headers):
        headers = [("Host", parts.netloc), *headers]
    block = http_lines(f"GET {target} HTTP/1.1", headers)
    return member(
        [
            ("WARC-Type", "request"),
            ("WARC-Record-ID", record_id()),
            ("WARC-Date", date),
            ("WARC-Target-URI", response.url),
            ("WARC-Concurrent-To", concurrent_to),
            ("Content-Type", "application/http; msgtype=request"),
            ("WARC-Block-Digest", block_digest(block)),
        ],
        block,
        level=SMALL_LEVEL,
    )


def http_head(response: ArchivedResponse) -> bytes:
    """The headers as they came. What no longer holds of the kept body goes under another name: its chunks, and its
    content encoding where only the decoded body is there.
    """
    gone = {"transfer-encoding"} if response.encoded else {"transfer-encoding", "content-encoding"}
    headers = [(f"X-Archive-Orig-{name}" if name.lower() in gone else name, value) for name, value in response.headers]
    return http_lines(response.status_line or f"HTTP/1.1 {response.status} {phrase(response.status)}", headers)


def http_lines(first: str, headers: Headers) -> bytes:
    text = f"{one_line(first)}\r\n{field_lines(headers)}\r\n"
    try:
        # Headers are kept with a character for each byte.
        return text.encode("latin-1")
    except UnicodeEncodeError:
        return text.encode("utf-8", "replace")


def phrase(status: int) -> str:
    try:
        return HTTPStatus(status).phrase
    except ValueError:
        return "Unknown"
