"""Run inside a fresh network namespace by test_namespace.py; prints what the guard let through."""

from __future__ import annotations

import asyncio
import json
import socket
import subprocess

from lumbung.providers.fetch.addresses import AddressGuard, parse_network
from lumbung.providers.fetch.fetcher import Fetcher
from lumbung.providers.fetch.limits import FetchLimits, Verdict
from lumbung.providers.fetch.resolver import Endpoint

V4 = [
    "127.0.0.1",
    "10.0.0.1",
    "172.16.0.1",
    "192.168.1.1",
    "169.254.169.254",
    "100.64.0.1",
    "192.0.0.192",
    "198.18.0.1",
]
V4 += ["203.0.113.1", "168.63.129.16", "127.255.0.9", "240.0.0.1"]
V6 = [
    "::1",
    "fd00:ec2::254",
    "fe80::1",
    "fec0::1",
    "64:ff9b::7f00:1",
    "2002:7f00:1::1",
    "2001:0:7f00:1::1",
    "2001:db8::1",
]
V6 += ["::7f00:1", "2400:cb00::5efe:7f00:1", "64:ff9b:1::1", "4000::1"]
SPELLINGS = [
    "2130706433",
    "0x7f000001",
    "017700000001",
    "127.1",
    "0x7f.0.0.1",
    "0177.0.0.01",
    "127.0.0.1.",
    "0",
    "0.0.0.0",
]
SPELLINGS += ["１２７.0.0.1", "127。0。0。1", "%31%32%37.0.0.1", "localhost", "LOCALHOST.", "x.localhost", "2852039166"]
SPELLINGS += ["0xA9FEA9FE", "169.254.43518", "[::ffff:127.0.0.1]", "[::ffff:a9fe:a9fe]", "[0:0:0:0:0:ffff:7f00:1]"]
SPELLINGS += ["user@127.0.0.1", "example.id@127.0.0.1", "127.0.0.1#@example.id", "①②⑦.0.0.1", "[::127.0.0.1]"]


def prepare() -> bool:
    """Loopback up, the trap addresses on it; False where any other device exists, for then nothing may be tried."""
    devices = [name for _, name in socket.if_nameindex()]
    if devices != ["lo"]:
        return False
    subprocess.run(["ip", "link", "set", "lo", "up"], check=True, capture_output=True)
    for address in V4 + V6:
        bits = 128 if ":" in address else 32
        command = ["ip", "addr", "add", f"{address}/{bits}", "dev", "lo"]
        subprocess.run(command, check=False, capture_output=True)
    return True


def urls() -> list[str]:
    hosts = V4 + [f"[{address}]" for address in V6] + SPELLINGS
    return [f"http://{host}/" if "#" not in host else f"http://{host}" for host in hosts]


class LyingNames:
    """A name server that answers every name with forbidden addresses."""

    async def lookup(self, host: str) -> tuple[str, ...]:
        number = int(host.removeprefix("n").partition(".")[0])
        return ((V4 + V6)[number],)

    async def close(self) -> None:
        return None


async def main() -> dict[str, object]:
    if not prepare():
        return {"only_loopback": False}
    seen = 0

    async def metadata(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal seen
        await reader.readuntil(b"\r\n\r\n")
        seen += 1
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nsecret")
        await writer.drain()
        writer.close()

    server = await asyncio.start_server(metadata, ["0.0.0.0", "::"], 80)  # noqa: S104 - only loopback exists here
    async with server:
        limits = FetchLimits(connect_seconds=2, response_seconds=3, total_seconds=4)
        listed = AddressGuard([parse_network(f"{address}/{128 if ':' in address else 32}") for address in V4 + V6])
        async with Fetcher("Lumbung", listed, limits) as fetcher:
            answers = [
                await fetcher.fetch(f"http://{host}/") for host in ("127.0.0.1", "169.254.169.254", "[fd00:ec2::254]")
            ]
        listening, seen = all(result.content == b"secret" for result in answers), 0
        async with Fetcher("Lumbung", AddressGuard(), limits, names=LyingNames()) as fetcher:
            by_url = [await fetcher.fetch(url) for url in urls()]
            by_name = [await fetcher.fetch(f"http://n{number}.example/") for number in range(len(V4 + V6))]
        overrides = {(f"o{n}.test", 80): Endpoint(address, 80) for n, address in enumerate(V4 + V6)}
        async with Fetcher("Lumbung", AddressGuard(), limits, overrides) as fetcher:
            by_override = [await fetcher.fetch(f"http://{host}/") for host, _ in overrides]
    results = by_url + by_name + by_override
    return {
        "only_loopback": True,
        "server_answers_when_listed": listening,
        "tried": len(results),
        "reached": [result.url for result in results if result.content],
        "requests_seen": seen,
        "not_refused": [f"{r.url}: {r.explanation}" for r in results if r.verdict is not Verdict.REFUSED],
    }


if __name__ == "__main__":
    print(json.dumps(asyncio.run(main())))
