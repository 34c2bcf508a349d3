"""The address guard: which addresses a fetch may reach.

An allow-list by shape: of IPv6 only global unicast, of IPv4 what no special-purpose registry entry covers; then
what the operator lists. IPv4 inside IPv6 is refused in every form, since no public page needs it.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network

from lumbung.errors import UsageError

Address = IPv4Address | IPv6Address
Network = IPv4Network | IPv6Network

WEB_PORTS = frozenset({80, 443, 8000, 8008, 8080, 8081, 8088, 8443, 8888})
"""The registered ports of the web and the alternates that public sites use. Between 8000 and 8999 stand also
databases, message brokers and consoles, so no range is open."""

_SPECIAL_V4 = tuple(
    (IPv4Network(network), reason)
    for network, reason in (
        ("0.0.0.0/8", "this-network"),
        ("10.0.0.0/8", "private"),
        ("100.64.0.0/10", "shared"),
        ("127.0.0.0/8", "loopback"),
        ("168.63.129.16/32", "cloud-metadata"),
        ("169.254.0.0/16", "link-local"),
        ("172.16.0.0/12", "private"),
        ("192.0.0.0/24", "protocol-assignment"),
        ("192.0.2.0/24", "documentation"),
        ("192.31.196.0/24", "protocol-assignment"),
        ("192.52.193.0/24", "protocol-assignment"),
        ("192.88.99.0/24", "ipv4-in-ipv6"),
        ("192.168.0.0/16", "private"),
        ("192.175.48.0/24", "protocol-assignment"),
        ("198.18.0.0/15", "benchmarking"),
        ("198.51.100.0/24", "documentation"),
        ("203.0.113.0/24", "documentation"),
        ("224.0.0.0/4", "multicast"),
        ("240.0.0.0/4", "reserved"),
    )
)
_SPECIAL_V6 = tuple(
    (IPv6Network(network), reason)
    for network, reason in (
        ("::/128", "this-network"),
        ("::1/128", "loopback"),
        ("::/96", "ipv4-in-ipv6"),
        ("::ffff:0:0/96", "ipv4-in-ipv6"),
        ("::ffff:0:0:0/96", "ipv4-in-ipv6"),
        ("64:ff9b::/96", "ipv4-in-ipv6"),
        ("64:ff9b:1::/48", "ipv4-in-ipv6"),
        ("100::/64", "discard"),
        ("2001::/32", "ipv4-in-ipv6"),
        ("2001:db8::/32", "documentation"),
        ("2001:2::/48", "benchmarking"),
        ("2001::/23", "protocol-assignment"),
        ("2002::/16", "ipv4-in-ipv6"),
        ("2620:4f:8000::/48", "protocol-assignment"),
        ("3ffe::/16", "reserved"),
        ("3fff::/20", "documentation"),
        ("5f00::/16", "protocol-assignment"),
        ("fc00::/7", "private"),
        ("fe80::/10", "link-local"),
        ("fec0::/10", "private"),
        ("ff00::/8", "multicast"),
    )
)
_GLOBAL_UNICAST = IPv6Network("2000::/3")
_ISATAP_MARKS = frozenset({0x00005EFE, 0x02005EFE})


def special_purpose(address: Address) -> str | None:
    """Why this address is none of the public web; None when it is."""
    if isinstance(address, IPv4Address):
        return next((reason for network, reason in _SPECIAL_V4 if address in network), None)
    if address.scope_id is not None:
        return "zone-id"
    reason = next((reason for network, reason in _SPECIAL_V6 if address in network), None)
    if reason is not None:
        return reason
    if address not in _GLOBAL_UNICAST:
        return "reserved"
    if (int(address) >> 32) & 0xFFFFFFFF in _ISATAP_MARKS:
        return "ipv4-in-ipv6"
    return None


def parse_network(text: str) -> Network:
    """`ADDRESS/BITS`, or an address that stands for itself."""
    try:
        return ip_network(text.strip(), strict=False)
    except ValueError as error:
        message = f"{text!r} is no network; write ADDRESS/BITS, such as 127.0.0.0/8."
        raise UsageError(message) from error


class AddressGuard:
    """Answers for one installation: the public web, and the networks that its operator lists."""

    def __init__(self, listed: Iterable[Network] = ()) -> None:
        self._listed = tuple(listed)
        self.refusal = lru_cache(maxsize=4096)(self._refusal)
        """Why an address may not be asked; None when it may."""
        self.is_listed = lru_cache(maxsize=4096)(self._is_listed)
        """Whether the operator listed an address."""

    @property
    def lists_any(self) -> bool:
        return bool(self._listed)

    def _is_listed(self, address: str) -> bool:
        try:
            number = ip_address(address)
        except ValueError:
            return False
        return any(number.version == network.version and number in network for network in self._listed)

    def _refusal(self, address: str) -> str | None:
        try:
            number = ip_address(address)
        except ValueError:
            return "not-an-address"
        if self.is_listed(address):
            return None
        return special_purpose(number)
