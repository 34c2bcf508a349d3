"""Whose page it is and which site it says it was taken from: as declared. Two pages of one origin are one witness."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from lumbung.errors import InputRefused
from lumbung.text.markup.linkeddata import LinkedItem
from lumbung.text.url import host_of, registered_domain, registrable_domain

MOST_ORIGINS = 20
_REACH = 150
_LONGEST_PUBLISHER = 200
_PUBLISHERS = ("publisher", "dc.publisher", "dcterms.publisher")
_PLATFORMS = frozenset(
    [
        "blogger",
        "blogspot",
        "wordpress",
        "wordpress.com",
        "medium",
        "google",
        "youtube",
        "facebook",
        "wix",
        "weebly",
        "admin",
        "blog",
        "home",
        "website",
    ]
)
"""Names that templates fill in: they say which software made the page, not who stands behind it."""
_SYNDICATED = ("syndication-source", "original-source", "dc.source", "dcterms.source")
_DERIVED = ("isBasedOn", "isBasedOnUrl")
_TAKEN_FROM = re.compile(
    r"\b(?:telah (?:tayang|terbit) di|di(?:kutip|lansir|sadur|salin|petik) dari|bersumber dari|melansir|mengutip|sumber"
    r"|originally (?:published|appeared) (?:at|on|in)|re(?:published|posted) from|source|bron|overgenomen van)\b"
    r" ?:? ?(?:(?:laman|situs|portal|website) )?(?:https?://)?(?P<host>(?:[a-z0-9-]{1,63}\.){1,6}[a-z]{2,24})\b",
    re.IGNORECASE,
)


def publisher_of(metas: Mapping[str, str], items: Iterable[LinkedItem], site: str) -> str:
    """The organisation that the page names as its publisher, else its site; empty if a template named it."""
    declared = [item.first("publisher") for item in items] + [metas.get(name, "") for name in _PUBLISHERS]
    for name in (*declared, site):
        plain = " ".join(name.casefold().split())
        if plain and plain not in _PLATFORMS:
            return plain[:_LONGEST_PUBLISHER]
    return ""


def syndicated_from(metas: Mapping[str, str], items: Iterable[LinkedItem]) -> list[str]:
    """Addresses that the head gives as the page's original."""
    derived = [value for item in items for name in _DERIVED for value in item.values.get(name, ())]
    return [*(metas.get(name, "") for name in _SYNDICATED), *derived]


def origins_of(url: str, addresses: Iterable[str], text: str) -> tuple[str, ...]:
    """Domains of other sites that the page's head or its own words declare to be where it comes from."""
    hosts = {match["host"].lower() for part in _around_dots(text) for match in _TAKEN_FROM.finditer(part)}
    hosts |= {host for address in addresses if (host := _host(address))}
    own = registrable_domain(_host(url))
    domains = {domain for host in hosts if (domain := registered_domain(host)) and domain != own}
    return tuple(sorted(domains)[:MOST_ORIGINS])


def _around_dots(text: str) -> Iterator[str]:
    """Where a host name may stand: the pattern is dear, and hardly any text has a dot within a word."""
    place = text.find(".")
    while place >= 0:
        after = place + 1
        if text[place - 1 : place].isalnum() and text[after : after + 1].isalpha():
            after = place + _REACH
            yield text[max(0, place - _REACH) : after]
        place = text.find(".", after)


def _host(address: str) -> str:
    try:
        return host_of(address)
    except InputRefused:
        return ""
