"""Bodies as archives keep them: in chunks and compressed, or only said to be so.

Recorders often keep the headers of the wire beside a body that they have unpacked already. What is not as its headers
say is taken as it is: one such record must not cost the archive.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Callable

import brotli  # type: ignore[import-untyped]

_CHUNK = re.compile(rb"[ \t]*([0-9A-Fa-f]{1,8})[ \t]*(?:;[^\r\n]*)?\r?\n")
_MOST_LAYERS = 2
_STEP = 64 * 1024


def unpacked(body: bytes, transfer_encoding: str, content_encoding: str, most: int) -> bytes:
    """The content, at most so many bytes of it."""
    if "chunked" in transfer_encoding.lower():
        body = _without_chunks(body)
    names = [name.strip().lower() for name in content_encoding.split(",")]
    for name in reversed(names[:_MOST_LAYERS]):
        if name in _DECODERS:
            body = _DECODERS[name](body, most)
    return body[:most]


def _without_chunks(body: bytes) -> bytes:
    pieces: list[bytes] = []
    at = 0
    while (head := _CHUNK.match(body, at)) is not None:
        size = int(head[1], 16)
        if size == 0:
            break
        pieces.append(body[head.end() : head.end() + size])
        at = head.end() + size
        at += 2 if body[at : at + 2] == b"\r\n" else 1
    return b"".join(pieces) if pieces or head is not None else body


def _inflated(body: bytes, most: int, *wbits: int) -> bytes:
    """By the first of these formats that begins well; a damaged end costs only what follows it."""
    for bits in wbits:
        inflater = zlib.decompressobj(wbits=bits)
        pieces: list[bytes] = []
        room, rest = most, body
        try:
            while rest and room > 0 and not inflater.eof:
                pieces.append(inflater.decompress(rest, min(room, _STEP)))
                room -= len(pieces[-1])
                rest = inflater.unconsumed_tail
        except zlib.error:
            if not any(pieces):
                continue
        return b"".join(pieces)
    return body


def _gunzipped(body: bytes, most: int) -> bytes:
    return _inflated(body, most, 31) if body.startswith(b"\x1f\x8b") else body


def _unbrotlied(body: bytes, most: int) -> bytes:
    decoder = brotli.Decompressor()
    pieces: list[bytes] = []
    room, rest = most, body
    try:
        while room > 0 and not decoder.is_finished() and (rest or not decoder.can_accept_more_data()):
            pieces.append(decoder.process(rest, output_buffer_limit=min(room, _STEP)))
            room -= len(pieces[-1])
            rest = b""
    except brotli.error:
        return b"".join(pieces) or body
    return b"".join(pieces)


_DECODERS: dict[str, Callable[[bytes, int], bytes]] = {
    "gzip": _gunzipped,
    "x-gzip": _gunzipped,
    "deflate": lambda body, most: _inflated(body, most, 15, -15),
    "br": _unbrotlied,
}
