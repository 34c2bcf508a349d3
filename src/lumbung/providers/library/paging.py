"""Which page of a listing is asked for next, as its mapping says; a listing that goes in circles is stopped."""

from __future__ import annotations

from hashlib import sha256
from typing import Any, NamedTuple
from urllib.parse import urljoin, urlsplit, urlunsplit

from pydantic_core import to_json

from lumbung.errors import ContractError
from lumbung.providers.library.mapping import Listing, Mapping, at


class Turn(NamedTuple):
    """One page: its address, and the parameters to put to it."""

    url: str
    query: dict[str, str]


class Paging:
    def __init__(self, mapping: Mapping, listing: Listing) -> None:
        self._name = mapping.name
        self._base = mapping.base_url
        self._key = mapping.reading.remote_id
        self._listing = listing
        self._place = listing.first_page if listing.page_parameter else 0
        self._turns: set[str] = set()
        self._pages: set[bytes] = set()

    def first(self) -> Turn:
        return self._asked(self._counted())

    def take(self, items: list[Any]) -> None:
        """A page that came before never comes to an end: the server repeats itself, or the mapping is wrong."""
        if not items:
            return
        keys = sorted(to_json(at(item, self._key) or item) for item in items)
        page = sha256(b"\x1f".join(keys)).digest()
        if page in self._pages:
            raise self._circle()
        self._pages.add(page)

    def following(self, turn: Turn, items: list[Any], body: Any, link: str | None) -> Turn | None:
        """The page after this one; None at the end. `link` is what the answer's Link header calls next."""
        listing = self._listing
        told = at(body, listing.next) if listing.next else link
        if listing.page_parameter or listing.offset_parameter:
            if not items or (listing.next and not told):
                return None
            self._place += 1 if listing.page_parameter else len(items)
            return self._asked(self._counted())
        if not told:
            return None
        if not listing.next or self._is_address(str(told)):
            return self._asked(Turn(self._at_our_host(turn.url, str(told)), {}))
        return self._asked(self._turn({listing.next_parameter: str(told)}))

    def _counted(self) -> Turn:
        parameter = self._listing.page_parameter or self._listing.offset_parameter
        return self._turn({parameter: str(self._place)} if parameter else {})

    def _turn(self, query: dict[str, str]) -> Turn:
        listing = self._listing
        size = {listing.limit_parameter: str(listing.limit)} if listing.limit_parameter else {}
        return Turn(self._base.rstrip("/") + listing.path, query | size)

    def _asked(self, turn: Turn) -> Turn:
        said = f"{turn.url}\x1f{sorted(turn.query.items())}"
        if said in self._turns:
            raise self._circle()
        self._turns.add(said)
        return turn

    def _circle(self) -> ContractError:
        return ContractError(f"{self._name} gives a page of its list again; check [listing] of its mapping.")

    def _is_address(self, told: str) -> bool:
        kind = self._listing.next_is
        return kind == "address" if kind else told.startswith(("http://", "https://", "/", "?"))

    def _at_our_host(self, asked: str, told: str) -> str:
        """The library's own address with the path that it names: the token goes to no other host, nor over another scheme."""
        base = urlsplit(self._base)
        try:
            found = urlsplit(urljoin(asked, told))
            host = found.hostname
        except ValueError:
            host = None
        if host != base.hostname:
            raise ContractError(f"{self._name} names its next page at another host; it is not followed.")
        return urlunsplit((base.scheme, base.netloc, found.path, found.query, ""))
