"""The lines of a `--hosts` file: local name resolution for the demo world."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


def hosts_lines(hosts: Iterable[str], addresses: Sequence[str], port: int) -> list[str]:
    """`host address:port`, hosts in alphabetical order, dealt round over the addresses."""
    return [f"{host} {addresses[number % len(addresses)]}:{port}" for number, host in enumerate(sorted(hosts))]
