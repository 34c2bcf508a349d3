"""Packed bodies, of the wire, of archives and of sitemaps: unpacked under a cap on what comes out."""

from __future__ import annotations

import re
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from enum import Enum, auto

import brotli  # type: ignore[import-untyped]

_CHUNK = re.compile(rb"[ \t]*([0-9A-Fa-f]{1,8})[ \t]*(?:;[^\r\n]*)?\r?\n")
_GZIP = b"\x1f\x8b"
_MOST_LAYERS = 2
_MOST_MEMBERS = 5_000
"""Of one gzip body. Members that hold nothing take time, whatever comes out of them."""
_UNREAD = frozenset({"compress", "x-compress", "zstd", "dcb", "dcz", "exi", "pack200-gzip", "aes128gcm"})
"""Registered encodings that we have not asked for. Other names are some server's idea of a charset or of nothing."""
_STEP = 256 * 1024
_SLICE = 16 * 1024


class Flaw(Enum):
    """Why what came out is not all, or nothing."""

    UNREADABLE = auto()
    BOMB = auto()
    CUT = auto()
    INCOMPLETE = auto()


@dataclass(frozen=True, slots=True)
class Bounds:
    most_bytes: int
    most_ratio: float = float("inf")
    """Of what comes out to what went in, weighed as soon as so many bytes are out:"""
    ratio_free_bytes: int = 0


@dataclass(frozen=True, slots=True)
class Unpacked:
    content: bytes
    flaw: Flaw | None = None


def unpack(body: bytes, encoding: str, bounds: Bounds) -> Unpacked:
    """Undo a Content-Encoding; what is said to be gzip and is not is taken as it is."""
    names = [name for name in _names(encoding) if name in _DECODERS or name in _UNREAD]
    if len(names) > _MOST_LAYERS or not _UNREAD.isdisjoint(names):
        return Unpacked(b"", Flaw.UNREADABLE)
    content, flaw = body, None
    for name in reversed(names):
        if name.endswith("gzip") and not content.startswith(_GZIP):
            continue
        layer = _DECODERS[name](content, bounds)
        if layer.flaw in {Flaw.BOMB, Flaw.UNREADABLE}:
            return layer
        content, flaw = layer.content, flaw or layer.flaw
    return Unpacked(content, flaw)


def unpacked(body: bytes, transfer_encoding: str, content_encoding: str, most_bytes: int) -> bytes:
    """The content of an archived body, at most so many bytes of it.

    Recorders often keep the headers of the wire beside a body that they have unpacked already. What is not as its
    headers say is taken as it is: one such record must not cost the archive.
    """
    if "chunked" in transfer_encoding.lower():
        body = _without_chunks(body)
    known = ",".join(name for name in _names(content_encoding) if name in _DECODERS)
    content = unpack(body, known, Bounds(most_bytes))
    return (body if content.flaw is Flaw.UNREADABLE else content.content)[:most_bytes]


def _names(encoding: str) -> list[str]:
    return [name.partition(";")[0].strip().lower() for name in encoding.split(",")]


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


@dataclass(slots=True)
class _Output:
    """What has come out so far, weighed against what went in."""

    bounds: Bounds
    fed: int = 0
    size: int = 0
    pieces: list[bytes] = field(default_factory=list)

    def take(self, piece: bytes) -> Flaw | None:
        """Keeps a piece; the reason to stop when it was one too many."""
        self.pieces.append(piece)
        self.size += len(piece)
        if self.size > self.bounds.ratio_free_bytes and self.size > self.bounds.most_ratio * self.fed:
            return Flaw.BOMB
        return Flaw.CUT if self.size > self.bounds.most_bytes else None

    def ended(self, flaw: Flaw | None) -> Unpacked:
        if flaw is Flaw.BOMB:
            return Unpacked(b"", flaw)
        if flaw is Flaw.INCOMPLETE and not self.size:
            return Unpacked(b"", Flaw.UNREADABLE)
        return Unpacked(b"".join(self.pieces)[: self.bounds.most_bytes], flaw)


def _slices(body: bytes) -> Iterator[bytes]:
    """Small, so that a bomb is known by the ratio of its first slices, long before it fills the cap."""
    return (body[start : start + _SLICE] for start in range(0, len(body), _SLICE))


def _inflate(body: bytes, wbits: int, bounds: Bounds) -> Unpacked:
    """Members of a gzip file follow each other; what follows the last one is padding."""
    output = _Output(bounds)
    inflater = zlib.decompressobj(wbits=wbits)
    members = 1
    for piece in _slices(body):
        output.fed += len(piece)
        rest = piece
        while rest:
            if inflater.eof:
                if not rest.startswith(_GZIP[:1]):
                    return output.ended(None)
                members += 1
                if members > _MOST_MEMBERS:
                    return output.ended(Flaw.CUT)
                inflater = zlib.decompressobj(wbits=wbits)
            try:
                flaw = output.take(inflater.decompress(rest, _STEP))
            except zlib.error:
                return output.ended(Flaw.INCOMPLETE)
            if flaw is not None:
                return output.ended(flaw)
            rest = inflater.unused_data if inflater.eof else inflater.unconsumed_tail
    return output.ended(None if inflater.eof else Flaw.INCOMPLETE)


def _gunzip(body: bytes, bounds: Bounds) -> Unpacked:
    return _inflate(body, 31, bounds)


def _deflate(body: bytes, bounds: Bounds) -> Unpacked:
    """The name means the zlib format, but servers send raw deflate too."""
    content = _inflate(body, 15, bounds)
    return _inflate(body, -15, bounds) if content.flaw is Flaw.UNREADABLE else content


def _unbrotli(body: bytes, bounds: Bounds) -> Unpacked:
    output = _Output(bounds)
    decoder = brotli.Decompressor()
    for piece in _slices(body):
        output.fed += len(piece)
        rest = piece
        while rest or not decoder.can_accept_more_data():
            try:
                flaw = output.take(decoder.process(rest, output_buffer_limit=_STEP))
            except brotli.error:
                return output.ended(Flaw.INCOMPLETE)
            if flaw is not None:
                return output.ended(flaw)
            rest = b""
        if decoder.is_finished():
            return output.ended(None)
    return output.ended(Flaw.INCOMPLETE)


_DECODERS: dict[str, Callable[[bytes, Bounds], Unpacked]] = {
    "gzip": _gunzip,
    "x-gzip": _gunzip,
    "deflate": _deflate,
    "br": _unbrotli,
}
