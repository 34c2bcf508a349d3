"""Servers whose TLS is at fault, each in its own way: every fetch ends within its bounds, under a reason of the closed list."""

from __future__ import annotations

import asyncio
import shutil
import ssl
import subprocess
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
from tests.integration.providers.fetch.local_servers import answer

from lumbung.providers.fetch.addresses import AddressGuard
from lumbung.providers.fetch.fetcher import Fetcher
from lumbung.providers.fetch.limits import FetchLimits, Reason, Verdict
from lumbung.providers.fetch.polite import HostTurns
from lumbung.providers.fetch.resolver import Endpoint
from lumbung.providers.fetch.result import FetchResult
from lumbung.providers.fetch.visitor import RobotsFolder, Visitor
from lumbung.stages.crawl.answers import unanswered

NAME = "aman.test"
QUICK = FetchLimits(connect_seconds=1.0, response_seconds=2.0, total_seconds=4.0)
Connected = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


@dataclass(frozen=True)
class Authority:
    """One that the fetcher trusts, and the openssl program that signs in its name."""

    folder: Path
    openssl: str

    def run(self, *words: str | Path) -> None:
        subprocess.run([self.openssl, *words], check=True, capture_output=True, cwd=self.folder)

    @property
    def trusting(self) -> ssl.SSLContext:
        return ssl.create_default_context(cafile=str(self.folder / "ca.crt"))

    def signed(self, first: str, last: str) -> Path:
        """Key and certificate for NAME, valid between two times."""
        both = self.folder / f"{first}.pem"
        self.run("req", "-new", "-newkey", "rsa:2048", "-nodes", "-subj", f"/CN={NAME}", "-keyout", both, "-out", "asked.csr")  # fmt: skip
        self.run("ca", "-batch", "-config", "ca.cnf", "-startdate", first, "-enddate", last, "-in", "asked.csr", "-out", "given.crt", "-notext")  # fmt: skip
        both.write_bytes(both.read_bytes() + (self.folder / "given.crt").read_bytes())
        return both


CONFIGURATION = f"""
[ca]
default_ca = uji
[uji]
database = index
new_certs_dir = .
rand_serial = yes
certificate = ca.crt
private_key = ca.key
default_md = sha256
policy = any
x509_extensions = names
unique_subject = no
[any]
commonName = supplied
[names]
subjectAltName = DNS:{NAME}
"""


@pytest.fixture(scope="module")
def authority(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    openssl = shutil.which("openssl")
    if openssl is None:
        pytest.skip("the openssl program is not installed, so no certificate can be made")
    made = Authority(tmp_path_factory.mktemp("tls"), openssl)
    made.run("req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=Uji", "-keyout", "ca.key", "-out", "ca.crt")  # fmt: skip
    (made.folder / "ca.cnf").write_text(CONFIGURATION, "ascii")
    (made.folder / "index").touch()
    return made


@pytest.fixture(scope="module")
def good(authority: Authority) -> Path:
    return authority.signed("20200101000000Z", "21000101000000Z")


@dataclass
class Serving:
    port: int
    connections: int = 0


@asynccontextmanager
async def serving(connected: Connected, certificate: Path | None = None) -> AsyncIterator[Serving]:
    """With a certificate it speaks TLS before `connected` sees anything."""
    context = None
    if certificate is not None:
        context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        context.load_cert_chain(certificate)
    tasks: set[asyncio.Task[None]] = set()

    async def counted(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        counts.connections += 1
        tasks.add(asyncio.current_task())  # type: ignore[arg-type]
        try:
            await connected(reader, writer)
        except (asyncio.CancelledError, asyncio.IncompleteReadError, OSError):
            pass
        finally:
            writer.close()

    server = await asyncio.start_server(counted, "127.0.0.1", 0, ssl=context)
    counts = Serving(server.sockets[0].getsockname()[1])
    try:
        yield counts
    finally:
        server.close()
        for task in tasks:
            task.cancel()


async def page(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    await reader.readuntil(b"\r\n\r\n")
    writer.write(answer(b"halo"))
    await writer.drain()


async def hanging(reader: asyncio.StreamReader, _: asyncio.StreamWriter) -> None:
    """Takes the greeting and everything after it, and says nothing."""
    while await reader.read(65536):
        pass


async def plain(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    await reader.read(1)
    writer.write(answer(b"", "400 Bad Request"))
    await writer.drain()


def saying(*records: bytes) -> Connected:
    """Answers the greeting with these bytes and then waits."""

    async def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read(65536)
        for record in records:
            writer.write(record)
            await writer.drain()
        await hanging(reader, writer)

    return connected


async def resetting(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    await reader.read(1)
    writer.transport.abort()


async def closing(reader: asyncio.StreamReader, _: asyncio.StreamWriter) -> None:
    await reader.read(65536)


async def dripping(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """A record of the handshake that is announced as long and comes a byte at a time."""
    await reader.read(65536)
    writer.write(b"\x16\x03\x03\x40\x00")
    while True:
        writer.write(b"\x02")
        await writer.drain()
        await asyncio.sleep(0.05)


ALERT = b"\x15\x03\x03\x00\x02\x02\x28"
"""A fatal alert: handshake_failure (RFC 8446, 6)."""
WARNINGS = b"\x15\x03\x03\x00\x02\x01\x5a" * 1000
"""user_canceled without end, which is no end of the handshake."""
HELLO_REQUEST = b"\x16\x03\x03\x00\x04\x00\x00\x00\x00"
ENDLESS_HANDSHAKE = b"\x16\x03\x03\x40\x00\x0b\xff\xff\xff" + b"\x00" * 16380
"""A message that says it is 16 MB long."""
GARBAGE = bytes(range(256)) * 64

FAULTS: dict[str, tuple[Connected, Reason]] = {
    "hangs": (hanging, Reason.CONNECT_TIMEOUT),
    "drips": (dripping, Reason.CONNECT_TIMEOUT),
    "asks to begin anew": (saying(*[HELLO_REQUEST] * 100), Reason.CONNECT_TIMEOUT),
    "plain HTTP": (plain, Reason.TLS),
    "alert": (saying(ALERT), Reason.TLS),
    "warnings without end": (saying(*[WARNINGS] * 20), Reason.TLS),
    "message of 16 MB": (saying(*[ENDLESS_HANDSHAKE] * 200), Reason.TLS),
    "garbage": (saying(GARBAGE), Reason.TLS),
    "reset": (resetting, Reason.CONNECT),
    "closed": (closing, Reason.CONNECT),
}


async def fetched(loopback: AddressGuard, port: int, tls: ssl.SSLContext, host: str = NAME) -> FetchResult:
    names = {(host, 443): Endpoint("127.0.0.1", port)}
    async with Fetcher("Lumbung", loopback, QUICK, names, tls=tls) as fetcher:
        return await fetcher.fetch(f"https://{host}/")


@pytest.mark.parametrize("fault", FAULTS)
async def test_a_handshake_at_fault_ends_with_its_reason_after_one_connection(
    loopback: AddressGuard, authority: Authority, fault: str
) -> None:
    connected, reason = FAULTS[fault]
    async with serving(connected) as server:
        result = await fetched(loopback, server.port, authority.trusting)
    assert (result.verdict, result.reason) == (Verdict.FAILED, reason)
    assert server.connections == 1


async def test_the_server_of_these_tests_can_be_fetched_from(
    loopback: AddressGuard, authority: Authority, good: Path
) -> None:
    async with serving(page, good) as server:
        result = await fetched(loopback, server.port, authority.trusting)
    assert (result.verdict, result.content) == (Verdict.FETCHED, b"halo")


@pytest.mark.parametrize(
    "validity",
    [
        ("20200102000000Z", "20200201000000Z"),
        ("21000101000000Z", "21000201000000Z"),
    ],
    ids=["expired", "of the future"],
)
async def test_a_certificate_out_of_its_time_is_refused_for_good(
    loopback: AddressGuard, authority: Authority, validity: tuple[str, str]
) -> None:
    certificate = authority.signed(*validity)
    async with serving(page, certificate) as server:
        result = await fetched(loopback, server.port, authority.trusting)
    assert (result.verdict, result.reason) == (Verdict.FAILED, Reason.TLS)
    assert unanswered(result, attempts=1).outcome == "failed"


@pytest.mark.parametrize("host", ["palsu.test", "sub.aman.test"])
async def test_a_certificate_for_another_name_is_refused_for_good(
    loopback: AddressGuard, authority: Authority, good: Path, host: str
) -> None:
    async with serving(page, good) as server:
        result = await fetched(loopback, server.port, authority.trusting, host)
    assert (result.verdict, result.reason) == (Verdict.FAILED, Reason.TLS)
    assert unanswered(result, attempts=1).outcome == "failed"


async def test_a_certificate_that_nobody_known_signed_is_refused_for_good(loopback: AddressGuard, good: Path) -> None:
    async with serving(page, good) as server:
        result = await fetched(loopback, server.port, ssl.create_default_context())
    assert (result.verdict, result.reason) == (Verdict.FAILED, Reason.TLS)
    assert unanswered(result, attempts=1).outcome == "failed"


async def test_a_very_long_chain_of_certificates_is_bounded(
    loopback: AddressGuard, authority: Authority, good: Path
) -> None:
    long = authority.folder / "long.pem"
    long.write_bytes(good.read_bytes() + (authority.folder / "ca.crt").read_bytes() * 2_000)
    async with serving(page, long) as server:
        result = await fetched(loopback, server.port, authority.trusting)
    assert (result.verdict, result.reason) == (Verdict.FAILED, Reason.TLS)


async def test_an_old_protocol_is_not_spoken(loopback: AddressGuard, authority: Authority) -> None:
    """A server hello of TLS 1.0, with a cipher suite that we offered."""
    body = b"\x03\x01" + b"\x07" * 32 + b"\x00" + b"\xc0\x14" + b"\x00"
    hello = b"\x02" + len(body).to_bytes(3, "big") + body
    async with serving(saying(b"\x16\x03\x01" + len(hello).to_bytes(2, "big") + hello)) as server:
        result = await fetched(loopback, server.port, authority.trusting)
    assert (result.verdict, result.reason) == (Verdict.FAILED, Reason.TLS)


@pytest.mark.parametrize("fault", ["hangs", "plain HTTP", "alert", "reset"])
async def test_robots_that_cannot_be_read_for_tls_forbid_the_page(
    loopback: AddressGuard, authority: Authority, tmp_path: Path, fault: str
) -> None:
    async with serving(FAULTS[fault][0]) as server:
        names = {(NAME, 443): Endpoint("127.0.0.1", server.port)}
        async with Fetcher("Lumbung", loopback, QUICK, names, tls=authority.trusting) as fetcher:
            visitor = Visitor(
                fetcher, HostTurns(tmp_path / "turns", 30.0), RobotsFolder(tmp_path / "robots"), "Lumbung", 0.0
            )
            first = await visitor.visit(f"https://{NAME}/a")
            again = await visitor.visit(f"https://{NAME}/b")
    assert (first.verdict, first.reason) == (Verdict.REFUSED, Reason.ROBOTS_UNREACHABLE)
    assert (again.verdict, again.reason) == (Verdict.REFUSED, Reason.ROBOTS)
    assert server.connections == 1
