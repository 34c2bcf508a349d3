"""Pictures are decoded in killable children: one that hangs or starves a decoder costs its child, not the worker."""

from __future__ import annotations

from lumbung.providers.pictures.decoder import PictureDecoder

__all__ = ["PictureDecoder"]
