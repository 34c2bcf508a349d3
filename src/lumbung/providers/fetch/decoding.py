"""Content encodings, unpacked under a cap on what comes out."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import brotli  # type: ignore[import-untyped]

from lumbung.providers.fetch.limits import FetchLimits, Reason

ACCEPTED = "gzip, br"
_MAX_LAYERS = 2
_STEP = 256 * 1024
_SLICE = 16 * 1024


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


@dataclass(slots=True)
class _Output:
    """What has come out so far, weighed against what went in."""

    limits: FetchLimits
    fed: int = 0
    size: int = 0
    pieces: list[bytes] = field(default_factory=list)

    def take(self, piece: bytes) -> Reason | None:
        """Keeps a piece; the reason to stop when it was one too many."""
        self.pieces.append(piece)
        self.size += len(piece)
        if self.size > self.limits.ratio_free_bytes and self.size > self.limits.max_ratio * self.fed:
            return Reason.BOMB
        return Reason.CONTENT_CUT if self.size > self.limits.decoded_bytes else None

    def ended(self, reason: Reason | None) -> tuple[bytes, Reason | None]:
        if reason is Reason.BOMB:
            return b"", reason
        if reason is Reason.INCOMPLETE and not self.size:
            return b"", Reason.BAD_ENCODING
        return b"".join(self.pieces)[: self.limits.decoded_bytes], reason


def _slices(body: bytes) -> Iterator[bytes]:
    """Small, so that a bomb is known by the ratio of its first slices, long before it fills the cap."""
    return (body[start : start + _SLICE] for start in range(0, len(body), _SLICE))


def _inflate(body: bytes, wbits: int, limits: FetchLimits) -> tuple[bytes, Reason | None]:
    """Members of a gzip file follow each other; what follows the last one is padding."""
    output = _Output(limits)
    inflater = zlib.decompressobj(wbits=wbits)
    for piece in _slices(body):
        output.fed += len(piece)
        rest = piece
        while rest:
            if inflater.eof:
                if not rest.startswith(b"\x1f"):
                    return output.ended(None)
                inflater = zlib.decompressobj(wbits=wbits)
            try:
                reason = output.take(inflater.decompress(rest, _STEP))
            except zlib.error:
                return output.ended(Reason.INCOMPLETE)
            if reason is not None:
                return output.ended(reason)
            rest = inflater.unused_data if inflater.eof else inflater.unconsumed_tail
    return output.ended(None if inflater.eof else Reason.INCOMPLETE)


def _gunzip(body: bytes, limits: FetchLimits) -> tuple[bytes, Reason | None]:
    return _inflate(body, 31, limits)


def _deflate(body: bytes, limits: FetchLimits) -> tuple[bytes, Reason | None]:
    """The name means the zlib format, but servers send raw deflate too."""
    content, reason = _inflate(body, 15, limits)
    return _inflate(body, -15, limits) if reason is Reason.BAD_ENCODING else (content, reason)


def _unbrotli(body: bytes, limits: FetchLimits) -> tuple[bytes, Reason | None]:
    output = _Output(limits)
    decoder = brotli.Decompressor()
    for piece in _slices(body):
        output.fed += len(piece)
        rest = piece
        while rest or not decoder.can_accept_more_data():
            try:
                reason = output.take(decoder.process(rest, output_buffer_limit=_STEP))
            except brotli.error:
                return output.ended(Reason.INCOMPLETE)
            if reason is not None:
                return output.ended(reason)
            rest = b""
        if decoder.is_finished():
            return output.ended(None)
    return output.ended(Reason.INCOMPLETE)


_DECODERS: dict[str, Callable[[bytes, FetchLimits], tuple[bytes, Reason | None]]] = {
    "gzip": _gunzip,
    "x-gzip": _gunzip,
    "deflate": _deflate,
    "br": _unbrotli,
}
