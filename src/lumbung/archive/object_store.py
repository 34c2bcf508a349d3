"""A prefix of an S3-compatible bucket: whole objects in, ranges out. Foreign errors become ours here."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from lumbung.errors import ContractError, EngineUnavailable, SettingsError, StaleRead

if TYPE_CHECKING:
    from obstore.store import S3Config, S3Store
    from pydantic import SecretStr

CONNECT_SECONDS = 10
REQUEST_SECONDS = 120
RETRY_SECONDS = 60
"""Shorter than the archiver's transaction may last; whoever calls tries again anyway, for as long as it takes."""
RETRIES = 2
OUT_OF_RANGE = "416"
FORBIDDEN = "403"
_STATUS = re.compile(r"status code: (\d{3})")


@dataclass(frozen=True, slots=True)
class Bucket:
    """Where objects go; without keys those of the environment (AWS_*) or of the machine's role are taken."""

    url: str
    endpoint: str | None
    region: str
    access_key: SecretStr | None
    secret_key: SecretStr | None


class ObjectStore:
    def __init__(self, bucket: Bucket, folder: str) -> None:
        self.url = f"{bucket.url.rstrip('/')}/{folder}"
        self._store = opened(bucket, self.url)

    def put(self, key: str, content: bytes) -> None:
        """Whole or not at all, and durable on return: in one request, whose digest the server compares."""
        with self._telling(f"{key} was not written"):
            self._store.put(key, content, use_multipart=False)

    def get(self, key: str) -> bytes | None:
        with self._telling(f"{key} was not read"):
            try:
                return bytes(self._store.get(key).bytes())
            except FileNotFoundError:
                return None

    def part(self, key: str, start: int, length: int) -> tuple[bytes, int]:
        """A range of an object and the size of the whole."""
        with self._telling(f"{key} was not read"):
            try:
                got = self._store.get(key, options={"range": (start, start + length)})
                return bytes(got.bytes()), got.meta["size"]
            except FileNotFoundError:
                raise StaleRead(f"There is no object {key} at {self.url}.") from None

    def size(self, key: str) -> int | None:
        with self._telling(f"{key} was not looked at"):
            try:
                return int(self._store.head(key)["size"])
            except FileNotFoundError:
                return None

    def delete(self, key: str) -> None:
        with self._telling(f"{key} was not removed"):
            try:
                self._store.delete(key)
            except FileNotFoundError:
                return

    def listed(self) -> Iterator[str]:
        with self._telling("its objects were not listed"):
            for entries in self._store.list():
                yield from (entry["path"] for entry in entries)

    @contextmanager
    def _telling(self, what: str) -> Iterator[None]:
        """The server's words are left out: they repeat what was signed, and by whom."""
        from obstore.exceptions import BaseError

        try:
            yield
        except FileNotFoundError:
            raise EngineUnavailable(f"Object storage at {self.url}: {what}, there is no such bucket.") from None
        except BaseError as error:
            status = _STATUS.search(str(error))
            if status and status[1] == OUT_OF_RANGE:
                raise ContractError(f"Object storage at {self.url}: {what}, it ends before.") from None
            told = f"it answered {status[1]}" if status else "it does not answer"
            told += (
                " (the key is not allowed, or this machine's clock is wrong)"
                if status and status[1] == FORBIDDEN
                else ""
            )
            raise EngineUnavailable(f"Object storage at {self.url}: {what}, {told}.") from None


class RangeStream(io.RawIOBase):
    """An object from an offset on; each read is a request for the range that it wants."""

    def __init__(self, store: ObjectStore, key: str, start: int) -> None:
        self._store = store
        self._key = key
        self._position = start
        self._size: int | None = None

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: object) -> int:
        view = memoryview(buffer)  # type: ignore[arg-type]
        if self._size is not None and self._position >= self._size:
            return 0
        content, self._size = self._store.part(self._key, self._position, len(view))
        view[: len(content)] = content
        self._position += len(content)
        return len(content)


def opened(bucket: Bucket, url: str) -> S3Store:
    try:
        from obstore.store import S3Store
    except ImportError:
        raise SettingsError("archive_url needs the extra `s3`: install lumbung[s3].") from None
    parts = urlsplit(url)
    given: S3Config = {"region": bucket.region, "virtual_hosted_style_request": False}
    if bucket.endpoint:
        given["endpoint"] = bucket.endpoint
    if bucket.access_key and bucket.secret_key:
        given["access_key_id"] = bucket.access_key.get_secret_value()
        given["secret_access_key"] = bucket.secret_key.get_secret_value()
    return S3Store(
        parts.netloc,
        prefix=parts.path.strip("/"),
        config=given,
        client_options={
            "allow_http": (bucket.endpoint or "").startswith("http://"),
            "connect_timeout": timedelta(seconds=CONNECT_SECONDS),
            "timeout": timedelta(seconds=REQUEST_SECONDS),
        },
        retry_config={"max_retries": RETRIES, "retry_timeout": timedelta(seconds=RETRY_SECONDS)},
    )
