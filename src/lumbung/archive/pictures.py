"""Copies of pictures in a folder or an object store, named by the digest of their bytes."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path
from uuid import uuid4

from lumbung.archive.object_store import ObjectStore


class PictureFolder:
    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def file(self, digest: str) -> Path:
        return self.folder / digest[:2] / digest

    async def keep(self, digest: str, content: bytes) -> None:
        await asyncio.to_thread(self._write, digest, content)

    def _write(self, digest: str, content: bytes) -> None:
        """Whole or not at all: a reader never meets a half-written picture."""
        file = self.file(digest)
        if file.exists():
            return
        file.parent.mkdir(parents=True, exist_ok=True)
        unfinished = file.with_name(f".{digest}.{uuid4().hex}")
        with unfinished.open("wb") as stream:
            stream.write(content)
            stream.flush()
            os.fsync(stream.fileno())
        unfinished.replace(file)

    async def read(self, digest: str) -> bytes | None:
        try:
            return await asyncio.to_thread(self.file(digest).read_bytes)
        except FileNotFoundError:
            return None


class PictureObjects:
    def __init__(self, store: ObjectStore) -> None:
        self._store = store

    async def keep(self, digest: str, content: bytes) -> None:
        await asyncio.to_thread(self._store.put, f"{digest[:2]}/{digest}", content)

    async def read(self, digest: str) -> bytes | None:
        return await asyncio.to_thread(self._store.get, f"{digest[:2]}/{digest}")
