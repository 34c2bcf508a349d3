"""Content encodings, unpacked under a cap on what comes out."""

from __future__ import annotations

import zlib
from collections.abc import Callable
from dataclasses import dataclass

import brotli  # type: ignore[import-untyped]

from lumbung.providers.fetch.limits import FetchLimits, Reason

ACCEPTED = "gzip, br"
_MAX_LAYERS = 2
_STEP = 256 * 1024


@dataclass(frozen=True, slots=True)
class Unpacked:
    content: bytes
    reason: Reason | None = None


def unpack(body: bytes, encoding: str, limits: FetchLimits) -> Unpacked:
    """Undo a Content-Encoding header; a body that is not what the header says is taken as it is."""
    names = [name.strip().lower() for name in encoding.split(",") if name.strip().lower() not in {"", "identity"}]
    if not names:
        return Unpacked(body)
    if len(names) > _MAX_LAYERS or any(name not in _DECODERS for name in names):
        return Unpacked(b"", Reason.BAD_ENCODING)
    content, reason = body, None
    for name in reversed(names):
        if name in {"gzip", "x-gzip"} and not content.startswith(b"\x1f\x8b"):
            continue
        content, layer_reason = _DECODERS[name](content, limits)
        reason = reason or layer_reason
        if layer_reason in {Reason.BOMB, Reason.BAD_ENCODING}:
            return Unpacked(b"", layer_reason)
    return Unpacked(content, reason)


def _is_bomb(packed: int, unpacked: int, limits: FetchLimits) -> bool:
    return unpacked > limits.ratio_free_bytes and unpacked > limits.max_ratio * packed


def _inflate(body: bytes, wbits: int, limits: FetchLimits) -> tuple[bytes, Reason | None]:
    """Members of a gzip file follow each other; what follows the last one is padding."""
    pieces: list[bytes] = []
    size = 0
    rest = body
    while rest:
        inflater = zlib.decompressobj(wbits=wbits)
        while rest and not inflater.eof:
            try:
                piece = inflater.decompress(rest, _STEP)
            except zlib.error:
                return (b"".join(pieces), Reason.INCOMPLETE) if size else (b"", Reason.BAD_ENCODING)
            rest = inflater.unconsumed_tail
            size += len(piece)
            pieces.append(piece)
            if _is_bomb(len(body), size, limits):
                return b"", Reason.BOMB
            if size > limits.decoded_bytes:
                return b"".join(pieces)[: limits.decoded_bytes], Reason.CONTENT_CUT
        if not inflater.eof:
            return b"".join(pieces), Reason.INCOMPLETE
        rest = inflater.unused_data if inflater.unused_data.startswith(b"\x1f\x8b") else b""
    return b"".join(pieces), None


def _gunzip(body: bytes, limits: FetchLimits) -> tuple[bytes, Reason | None]:
    return _inflate(body, 31, limits)


def _deflate(body: bytes, limits: FetchLimits) -> tuple[bytes, Reason | None]:
    """The name means the zlib format, but servers send raw deflate too."""
    content, reason = _inflate(body, 15, limits)
    return _inflate(body, -15, limits) if reason is Reason.BAD_ENCODING else (content, reason)


def _unbrotli(body: bytes, limits: FetchLimits) -> tuple[bytes, Reason | None]:
    decoder = brotli.Decompressor()
    pieces: list[bytes] = []
    size = 0
    rest = body
    while not decoder.is_finished():
        try:
            piece = decoder.process(rest, output_buffer_limit=_STEP)
        except brotli.error:
            return (b"".join(pieces), Reason.INCOMPLETE) if size else (b"", Reason.BAD_ENCODING)
        rest = b""
        size += len(piece)
        pieces.append(piece)
        if _is_bomb(len(body), size, limits):
            return b"", Reason.BOMB
        if size > limits.decoded_bytes:
            return b"".join(pieces)[: limits.decoded_bytes], Reason.CONTENT_CUT
        if not piece and decoder.can_accept_more_data():
            return b"".join(pieces), Reason.INCOMPLETE
    return b"".join(pieces), None


_DECODERS: dict[str, Callable[[bytes, FetchLimits], tuple[bytes, Reason | None]]] = {
    "gzip": _gunzip,
    "x-gzip": _gunzip,
    "deflate": _deflate,
    "br": _unbrotli,
}
