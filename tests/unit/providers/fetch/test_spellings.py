"""Every way to write an address that is not of the public web; nothing here connects anywhere."""

from __future__ import annotations

from ipaddress import IPv4Address

import pytest

from lumbung.providers.fetch.addresses import AddressGuard
from lumbung.providers.fetch.fetcher import Fetcher
from lumbung.providers.fetch.result import Verdict

SPECIAL = ["127.0.0.1", "10.0.0.1", "169.254.169.254", "192.168.1.1", "172.16.0.1", "100.64.0.1", "0.0.0.0"]  # noqa: S104 - to refuse
SPECIAL += ["224.0.0.1", "255.255.255.255", "192.0.2.1", "198.18.0.1"]


def spellings(address: str) -> list[str]:
    """Numbers of one to four parts in three bases, dots and digits of other scripts, escapes, a final dot."""
    number, parts = int(IPv4Address(address)), [int(part) for part in address.split(".")]
    wide = str.maketrans({str(digit): chr(0xFF10 + digit) for digit in range(10)})
    return [
        address,
        address + ".",
        str(number),
        hex(number),
        f"0{number:o}",
        f"{parts[0]}.{number & 0xFFFFFF}",
        f"{parts[0]}.{parts[1]}.{number & 0xFFFF}",
        f"0x{parts[0]:X}.0{number & 0xFFFFFF:o}",
        ".".join(f"0{part:o}" for part in parts),
        ".".join(f"0x{part:02x}" for part in parts),
        address.replace(".", "。"),
        address.replace(".", "%2e"),
        address.translate(wide),
        "".join(f"%{ord(character):02x}" for character in address),
    ]


def embeddings(address: str) -> list[str]:
    """Every form in which IPv6 carries an IPv4 address."""
    number = int(IPv4Address(address))
    pair, turned = f"{number >> 16:x}:{number & 0xFFFF:x}", number ^ 0xFFFFFFFF
    return [
        f"[::{pair}]",
        f"[::{address}]",
        f"[::ffff:{pair}]",
        f"[::ffff:{address}]",
        f"[::FFFF:0:{address}]",
        f"[64:ff9b::{address}]",
        f"[64:ff9b:1::{pair}]",
        f"[64:ff9b:1:ffff:ffff:ffff:{pair}]",
        f"[2002:{pair}::1]",
        f"[2001:0:{pair}::]",
        f"[2001::ffff:ffff:{turned >> 16:x}:{turned & 0xFFFF:x}]",
        f"[2400:cb00::5efe:{address}]",
        f"[2400:cb00::200:5efe:{pair}]",
    ]


async def verdict(url: str) -> Verdict | None:
    async with Fetcher("", AddressGuard()) as fetcher:
        stop = await fetcher.admit(url)
        return stop.verdict if stop else None


@pytest.mark.parametrize("address", SPECIAL)
async def test_no_spelling_of_a_special_address_passes(address: str) -> None:
    for host in spellings(address) + embeddings(address):
        assert await verdict(f"http://{host}/") == Verdict.REFUSED, host


@pytest.mark.parametrize("address", ["8.8.8.8", "103.10.10.10"])
async def test_every_spelling_of_a_public_address_passes_but_none_inside_ipv6(address: str) -> None:
    for host in spellings(address):
        assert await verdict(f"http://{host}/") is None, host
    for host in embeddings(address):
        assert await verdict(f"http://{host}/") == Verdict.REFUSED, host


@pytest.mark.parametrize(
    "url",
    [
        "http://user:secret@127.0.0.1/",
        "http://example.org@127.0.0.1/",
        "http:\\\\127.0.0.1\\",
        "http:127.0.0.1",
        "http:///127.0.0.1/",
        "http://127.0.0.1\\@example.org/",
        "http://127.0.0.1#@example.org/",
        "h\tttp://127.0.0.1/",
        "http://[::1%25lo]/",
        "http://[fe80::1%25eth0]/",
        "http://localhost/",
        "http://a.LocalHost./",
        "http://[0:0:0:0:0:0:0:1]/",
        "http://8.8.8.8:22/",
        "http://8.8.8.8:0/",
        "http://256.1.1.1/",
        "http://1.2.3.4.5/",
        "ftp://8.8.8.8/",
        "file:///etc/passwd",
        "gopher://127.0.0.1:25/",
        "//127.0.0.1/",
        "",
    ],
)
async def test_no_trick_of_the_url_reaches_a_special_address(url: str) -> None:
    assert await verdict(url) == Verdict.REFUSED
