from __future__ import annotations

from ipaddress import IPv4Address, IPv6Address

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lumbung.errors import UsageError
from lumbung.providers.fetch.addresses import AddressGuard, parse_network, special_purpose

REFUSED = {
    "127.0.0.1": "loopback",
    "127.255.255.254": "loopback",
    "0.0.0.0": "this-network",  # noqa: S104 - an address to refuse
    "10.0.0.1": "private",
    "172.16.0.1": "private",
    "172.31.255.255": "private",
    "192.168.1.1": "private",
    "169.254.169.254": "link-local",
    "100.64.0.1": "shared",
    "100.100.100.200": "shared",
    "168.63.129.16": "cloud-metadata",
    "192.0.0.192": "protocol-assignment",
    "192.31.196.1": "protocol-assignment",
    "192.52.193.1": "protocol-assignment",
    "192.175.48.1": "protocol-assignment",
    "2620:4f:8000::1": "protocol-assignment",
    "192.0.2.1": "documentation",
    "198.51.100.7": "documentation",
    "203.0.113.7": "documentation",
    "198.18.0.1": "benchmarking",
    "198.19.255.255": "benchmarking",
    "224.0.0.1": "multicast",
    "239.255.255.255": "multicast",
    "240.0.0.1": "reserved",
    "255.255.255.255": "reserved",
    "192.88.99.1": "ipv4-in-ipv6",
    "::": "this-network",
    "::1": "loopback",
    "::7f00:1": "ipv4-in-ipv6",
    "::ffff:127.0.0.1": "ipv4-in-ipv6",
    "::ffff:8.8.8.8": "ipv4-in-ipv6",
    "::ffff:0:127.0.0.1": "ipv4-in-ipv6",
    "64:ff9b::7f00:1": "ipv4-in-ipv6",
    "64:ff9b::808:808": "ipv4-in-ipv6",
    "64:ff9b:1::a00:1": "ipv4-in-ipv6",
    "2002:7f00:1::": "ipv4-in-ipv6",
    "2002:a9fe:a9fe::1": "ipv4-in-ipv6",
    "2001:0:7f00:1::": "ipv4-in-ipv6",
    "2001:0:4136:e378:8000:63bf:3fff:fdd2": "ipv4-in-ipv6",
    "2400:cb00::5efe:7f00:1": "ipv4-in-ipv6",
    "2400:cb00::200:5efe:a00:1": "ipv4-in-ipv6",
    "fc00::1": "private",
    "fd00:ec2::254": "private",
    "fe80::1": "link-local",
    "fe80::1%eth0": "zone-id",
    "2400:cb00::1%1": "zone-id",
    "fec0::1": "private",
    "ff02::1": "multicast",
    "2001:db8::1": "documentation",
    "3fff::1": "documentation",
    "100::1": "discard",
    "2001:2::1": "benchmarking",
    "2001:20::1": "protocol-assignment",
    "5f00::1": "protocol-assignment",
    "4000::1": "reserved",
    "1::1": "reserved",
}
PUBLIC = ["8.8.8.8", "1.1.1.1", "103.10.10.10", "172.32.0.1", "172.15.255.255", "100.63.255.255", "100.128.0.1"]
PUBLIC += ["192.0.1.1", "198.17.255.255", "198.20.0.1", "223.255.255.255", "11.0.0.1", "169.253.1.1", "126.255.255.255"]
PUBLIC += ["2400:cb00:2048:1::c629:d7a2", "2606:4700::1111", "2a00:1450::1", "2001:4860:4860::8888", "128.0.0.1"]


@pytest.mark.parametrize(("address", "reason"), REFUSED.items())
def test_special_addresses_are_refused_by_their_kind(address: str, reason: str) -> None:
    assert AddressGuard().refusal(address) == reason


@pytest.mark.parametrize("address", PUBLIC)
def test_the_public_web_is_open(address: str) -> None:
    assert AddressGuard().refusal(address) is None


@settings(max_examples=300, derandomize=True)
@given(st.integers(0, 2**32 - 1))
def test_no_ipv4_address_outside_the_global_ones_passes(number: int) -> None:
    address = IPv4Address(number)
    if special_purpose(address) is None:
        assert address.is_global
        assert not address.is_multicast
        assert not address.is_reserved


@settings(max_examples=300, derandomize=True)
@given(st.integers(0, 2**128 - 1), st.sampled_from([0, 2, 3, 0xF]))
def test_no_ipv6_address_outside_the_global_ones_passes(number: int, first: int) -> None:
    address = IPv6Address(number & ~(0xF << 124) | first << 124)
    if special_purpose(address) is None:
        assert address.is_global
        assert address.ipv4_mapped is None
        assert address.sixtofour is None
        assert address.teredo is None


def test_the_operator_opens_what_is_listed_and_nothing_beside_it() -> None:
    guard = AddressGuard([parse_network("127.0.0.1/32"), parse_network("fd00::/8")])
    assert guard.refusal("127.0.0.1") is None
    assert guard.is_listed("fd12::1")
    assert guard.refusal("127.0.0.2") == "loopback"
    assert guard.refusal("::1") == "loopback"
    assert guard.refusal("::ffff:127.0.0.1") == "ipv4-in-ipv6"
    assert not guard.is_listed("8.8.8.8")


@pytest.mark.parametrize(
    "text", ["", "127.1", "0x7f000001", "127.0.0.1.", "localhost", "[::1]", "127.0.0.1:80", "１.1.1.1"]
)
def test_what_is_no_canonical_address_is_refused(text: str) -> None:
    assert AddressGuard().refusal(text) == "not-an-address"


@pytest.mark.parametrize("text", ["", "127.0.0.1/33", "example.id/8", "127.0.0.1/-1", "x"])
def test_a_network_that_is_none_gets_one_clear_sentence(text: str) -> None:
    with pytest.raises(UsageError, match="ADDRESS/BITS"):
        parse_network(text)
