"""A library over HTTP, spoken as its mapping file says. A lost answer to a write is an unknown outcome, not a failure."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import asdict
from hashlib import sha256
from types import TracebackType
from typing import Any, Self
from urllib.parse import quote

import aiohttp
from pydantic_core import from_json, to_json

from lumbung.errors import ContractError, PolicyRefused, RateLimited, StaleRead, TransientError
from lumbung.ports.library import HumanOwned, LibraryEntry, OutcomeUnknown, SeenEntry, words_digest
from lumbung.providers.json_service import rest_asked_for
from lumbung.providers.library.mapping import Call, Mapping, at, put
from lumbung.providers.library.paging import Paging, Turn
from lumbung.text.url import host_of

LARGEST_ANSWER_BYTES = 8_000_000


class Answer:
    def __init__(self, status: int, body: bytes, retry: float | None, link: str | None = None) -> None:
        self.status = status
        self.body = body
        self.retry_after_seconds = retry
        self.link = link
        """The Link header's next page."""

    def json(self) -> Any:
        try:
            return from_json(self.body, allow_inf_nan=False)
        except ValueError:
            return None


class HttpLibrary:
    def __init__(self, mapping: Mapping, token: str | None, read_only: bool = False) -> None:
        self.name = mapping.name
        self.read_only = read_only
        self._mapping = mapping
        headers = {"Accept": "application/json", "Accept-Encoding": "identity"}
        if token:
            headers[mapping.authentication.header] = mapping.authentication.format.format(token=token)
        self._session = aiohttp.ClientSession(
            timeout=aiohttp.ClientTimeout(total=mapping.timeout_seconds), headers=headers, auto_decompress=False
        )

    @property
    def hosts(self) -> frozenset[str]:
        """The hosts that stand for this library: the one it is spoken to at, and those its pages are likely shown at."""
        host = host_of(self._mapping.base_url)
        bare = host.removeprefix("api.").removeprefix("www.")
        return frozenset({host, bare, f"www.{bare}"})

    async def close(self) -> None:
        await self._session.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def look(self, identity: str, remote_id: str | None = None) -> SeenEntry | None:
        mapping = self._mapping
        if remote_id is None and "{remote_id}" in mapping.look.path:
            return await self._find(identity)
        answer = await self._ask(mapping.look, identity, remote_id)
        if answer.status in mapping.errors.missing:
            return None
        if answer.status in mapping.errors.removed:
            return SeenEntry(remote_id or identity, "human", True, "", "", "")
        if answer.status != 200:
            raise self._failure(answer)
        return self._seen(answer.json())

    async def _find(self, identity: str) -> SeenEntry | None:
        if self._mapping.find is None:
            raise ContractError(f"The mapping of {self.name} needs [find]: its look asks for the remote id.")
        answer = await self._ask(self._mapping.find, identity, None)
        if answer.status in self._mapping.errors.missing:
            return None
        if answer.status != 200:
            raise self._failure(answer)
        found = at(answer.json(), self._mapping.find_items)
        return self._seen(found[0]) if isinstance(found, list) and found else None

    async def write(self, entry: LibraryEntry, seen: SeenEntry | None) -> SeenEntry:
        self._may_write()
        writing = self._mapping.writing
        headers = self._revision(seen) | self._once(entry.identity, entry.digest, seen)
        call = writing.create if seen is None else writing.update
        remote_id = None if seen is None else seen.remote_id
        answer = await self._tell(call, entry.identity, remote_id, self._body(entry), headers)
        written = answer.json()
        remote = at(written, writing.answer_remote_id) if writing.answer_remote_id else remote_id
        revision = at(written, writing.answer_revision) if writing.answer_revision else None
        if remote is None or revision is None:
            raise OutcomeUnknown(f"{self.name} does not say what it wrote.")
        return SeenEntry(str(remote), "machine", False, str(revision), entry.digest, entry.title)

    async def withdraw(self, identity: str, seen: SeenEntry, reason: str) -> None:
        self._may_write()
        call = self._mapping.writing.withdraw
        if call is None:
            raise PolicyRefused(f"{self.name} offers no withdrawal; ask its people.", "no-withdrawal")
        body = {
            name: reason if value == "{reason}" else value
            for name, value in self._mapping.writing.withdraw_body.items()
        }
        headers = self._revision(seen) | self._once(identity, f"withdrawn:{reason}", seen)
        await self._tell(call, identity, seen.remote_id, body, headers)

    async def records(self) -> AsyncIterator[dict[str, Any]]:
        """The library's own records, page by page, in the fields of an import."""
        listing = self._mapping.listing
        if listing is None:
            raise ContractError(f"The mapping of {self.name} has no [listing].")
        paging = Paging(self._mapping, listing)
        turn: Turn | None = paging.first()
        while turn is not None:
            answer = await self._page(turn)
            body = answer.json()
            found = at(body, listing.items)
            items = found if isinstance(found, list) else []
            paging.take(items)
            for item in items:
                whole = await self._whole(item)
                if whole is not None and not self._ours(whole):
                    yield {
                        field: self._mapping.ours(field, at(whole, theirs)) for field, theirs in listing.fields.items()
                    }
            turn = paging.following(turn, items, body, answer.link)

    async def _page(self, turn: Turn) -> Answer:
        try:
            answer = await self._request("GET", turn.url, None, {}, turn.query)
        except (TimeoutError, aiohttp.ClientError, OSError):
            raise self._broken_off() from None
        if answer.status != 200:
            raise self._failure(answer)
        return answer

    async def _whole(self, item: Any) -> Any:
        listing = self._mapping.listing
        if listing is None or listing.detail is None:
            return item
        answer = await self._ask(listing.detail, "", str(at(item, self._mapping.reading.remote_id)))
        if answer.status in (*self._mapping.errors.missing, *self._mapping.errors.removed):
            return None
        if answer.status != 200:
            raise self._failure(answer)
        return answer.json()

    def _ours(self, item: Any) -> bool:
        return str(at(item, self._mapping.reading.owner)) in self._mapping.reading.machine_owners

    def _may_write(self) -> None:
        if self.read_only:
            raise PolicyRefused(f"{self.name} is only looked at (library.read_only).", "read-only")

    def _revision(self, seen: SeenEntry | None) -> dict[str, str]:
        writing = self._mapping.writing
        if seen is None or writing.revision_header is None:
            return {}
        return {writing.revision_header: writing.revision_format.format(revision=seen.revision)}

    def _once(self, identity: str, content: str, seen: SeenEntry | None) -> dict[str, str]:
        name = self._mapping.writing.idempotency_header
        base = "" if seen is None else seen.revision
        return {name: sha256(f"{identity}:{content}:{base}".encode()).hexdigest()} if name else {}

    def _body(self, entry: LibraryEntry) -> dict[str, Any]:
        ours = asdict(entry) | {
            "digest": entry.digest,
            "category": self._mapping.categories.get(entry.category, entry.category),
            "regions": [self._mapping.regions.get(code, code) for code in entry.regions],
        }
        body: dict[str, Any] = {}
        for theirs, constant in self._mapping.writing.constants.items():
            put(body, theirs, constant)
        for theirs, own in self._mapping.writing.fields.items():
            put(body, theirs, ours.get(own))
        return body

    def _seen(self, answer: Any) -> SeenEntry:
        reading = self._mapping.reading
        remote_id, owner = at(answer, reading.remote_id), at(answer, reading.owner)
        if remote_id is None or owner is None:
            raise TransientError(f"{self.name} does not say whose the entry is; check [reading] of its mapping.")
        status = at(answer, reading.status) if reading.status else None
        title = str(at(answer, reading.title) or "")
        digest = at(answer, reading.digest) if reading.digest else None
        if digest is None and reading.text:
            digest = words_digest(title, str(at(answer, reading.text) or ""))
        return SeenEntry(
            remote_id=str(remote_id),
            owner="machine" if str(owner) in reading.machine_owners else "human",
            removed=str(status) in reading.removed_statuses,
            revision=str(at(answer, reading.revision)),
            digest=str(digest) if digest is not None else "",
            title=title,
        )

    async def _ask(self, call: Call, identity: str, remote_id: str | None) -> Answer:
        try:
            return await self._send(call, identity, remote_id, None, {})
        except (TimeoutError, aiohttp.ClientError, OSError):
            raise self._broken_off() from None

    def _broken_off(self) -> TransientError:
        return TransientError(f"{self.name} cannot be reached or broke off.")

    async def _tell(
        self, call: Call, identity: str, remote_id: str | None, body: dict[str, Any], headers: dict[str, str]
    ) -> Answer:
        """A write: whatever is lost after the first byte went out leaves the outcome open."""
        try:
            answer = await self._send(call, identity, remote_id, body, headers)
        except aiohttp.ClientConnectorError:
            raise TransientError(f"{self.name} cannot be reached.") from None
        except (TimeoutError, aiohttp.ClientError, OSError):
            raise OutcomeUnknown(f"{self.name} broke off after a write was sent.") from None
        if 200 <= answer.status < 300:
            return answer
        errors = self._mapping.errors
        if answer.status in errors.human_owned or answer.status in errors.removed:
            raise HumanOwned(f"{self.name} says that people own this entry.", "human-owned")
        if answer.status in errors.stale:
            raise StaleRead(f"{self.name} says that the entry has changed.")
        if answer.status >= 500:
            raise OutcomeUnknown(f"{self.name} failed after a write was sent ({answer.status}).")
        raise self._failure(answer)

    async def _send(
        self, call: Call, identity: str, remote_id: str | None, body: dict[str, Any] | None, headers: dict[str, str]
    ) -> Answer:
        path = call.path.format(identity=quote(identity, safe=""), remote_id=quote(remote_id or identity, safe=""))
        return await self._request(call.method, self._mapping.base_url.rstrip("/") + path, body, headers)

    async def _request(
        self,
        method: str,
        url: str,
        body: dict[str, Any] | None,
        headers: dict[str, str],
        query: dict[str, str] | None = None,
    ) -> Answer:
        data = None if body is None else to_json(body)
        kind = {} if data is None else {"Content-Type": "application/json"}
        async with self._session.request(
            method, url, data=data, headers=headers | kind, params=query, allow_redirects=False
        ) as response:
            read = b""
            async for chunk in response.content.iter_chunked(65536):
                read += chunk
                if len(read) > LARGEST_ANSWER_BYTES:
                    raise TransientError(f"{self.name} answers with more than any answer may be.")
            following = response.links.get("next")
            link = None if following is None else str(following["url"])
            return self._meant(Answer(response.status, read, rest_asked_for(response.headers), link))

    def _meant(self, answer: Answer) -> Answer:
        """Where errors are told inside a good answer: the status that is meant."""
        errors = self._mapping.errors
        if errors.told is None or not 200 <= answer.status < 300:
            return answer
        told = at(answer.json(), errors.told)
        said = to_json(told).decode() if isinstance(told, bool | dict | list) else str(told)
        if told and said not in errors.told_fine:
            answer.status = errors.told_as.get(said, 400)
        return answer

    def _failure(self, answer: Answer) -> Exception:
        """What the library says in its errors stays outside: it may echo a key."""
        if answer.status == 429:
            return RateLimited(f"{self.name} asks for less.", answer.retry_after_seconds)
        if answer.status >= 500 or answer.status == 408:
            return TransientError(f"{self.name} fails ({answer.status}).")
        return PolicyRefused(
            f"{self.name} refuses ({answer.status}); check its token and mapping.", f"http {answer.status}"
        )
