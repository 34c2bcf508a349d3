from __future__ import annotations

import asyncio
import gzip
import inspect
import shutil
import socket
import ssl
import subprocess
from collections.abc import Iterator
from pathlib import Path

import aiohttp
import brotli  # type: ignore[import-untyped]
import pytest
from tests.integration.providers.fetch.local_servers import Serve, answer, fixed

from lumbung.providers.fetch.addresses import AddressGuard, parse_network
from lumbung.providers.fetch.failures import failure_of
from lumbung.providers.fetch.fetcher import Fetcher
from lumbung.providers.fetch.limits import Reason, Verdict
from lumbung.providers.fetch.resolver import Endpoint

PAGE = b"<html><title>Tari Kecak</title>" + b"<p>Tari dari Bali.</p>" * 100 + b"</html>"


async def test_a_page_comes_home_with_all_that_an_archive_needs(serve: Serve, loopback: AddressGuard) -> None:
    server = await serve(
        fixed(answer(PAGE, "200 Oke", "Content-Type: text/html; charset=utf-8", "X-Dua: 1", "x-dua: 2"))
    )
    async with Fetcher("Lumbung/0.1 (+mailto:a@b.id)", loopback) as fetcher:
        result = await fetcher.fetch(server.url("/a?b=1#c"))
    assert (result.verdict, result.reason, result.status, result.status_phrase) == (Verdict.FETCHED, None, 200, "Oke")
    assert result.url == server.url("/a?b=1#c")
    assert result.final_url == server.url("/a?b=1")
    assert result.body == PAGE
    assert result.content is result.body
    assert [pair for pair in result.headers if pair[0].lower() == b"x-dua"] == [(b"X-Dua", b"1"), (b"x-dua", b"2")]
    assert dict(result.request_headers)[b"User-Agent"] == b"Lumbung/0.1 (+mailto:a@b.id)"
    assert result.http_version == "1.1"
    assert result.content_type == "text/html; charset=utf-8"
    assert result.remote_address == "127.0.0.1"
    assert 0 < result.started <= result.ended
    assert result.header("x-DUA") == "1"


async def test_headers_come_home_byte_for_byte(serve: Serve, loopback: AddressGuard) -> None:
    head = b"HTTP/1.0 200 Bukan \xc3\xa9\r\nX-Satu: caf\xe9\r\nX-Dua: \xc3\xa9\r\n"
    server = await serve(fixed(head + b"Content-Length: 2\r\n\r\nhi"))
    async with Fetcher("Lumbung", loopback) as fetcher:
        result = await fetcher.fetch(server.url())
    lines = [result.status_line, *(f"{name}: {value}" for name, value in result.text_headers()[:2])]
    assert "".join(f"{line}\r\n" for line in lines).encode("latin-1") == head


async def test_the_server_sees_exactly_the_parsed_url(serve: Serve, loopback: AddressGuard) -> None:
    server = await serve(fixed(answer()))
    paths = ["/a|b'c", "/%7e%2F%e9", "/a;b=c?d=%41&e=[x]{y}", "/a//b/", "/?a+b%20c", "/%", '/x?y=^`|"']
    async with Fetcher("Lumbung", loopback) as fetcher:
        results = [await fetcher.fetch(server.url(path)) for path in paths]
    assert server.paths() == [result.final_url.removeprefix(server.url("")) for result in results]
    assert server.paths()[:3] == ["/a|b'c", "/%7e%2F%e9", "/a;b=c?d=%41&e=[x]{y}"]


async def test_the_request_is_remembered_as_it_was_sent(serve: Serve, loopback: AddressGuard) -> None:
    server = await serve(fixed(answer()))
    async with Fetcher("Lumbung/0.1 (+mailto:a@b.id)", loopback) as fetcher:
        results = [await fetcher.fetch(server.url(path)) for path in ("/a?b=1", "/c")]
    for result, path, (_, head) in zip(results, ("/a?b=1", "/c"), server.requests, strict=True):
        lines = "".join(f"{name.decode()}: {value.decode()}\r\n" for name, value in result.request_headers)
        assert head == f"GET {path} HTTP/1.1\r\n{lines}\r\n"
        assert dict(result.request_headers)[b"Host"] == f"127.0.0.1:{server.port}".encode()


async def test_credentials_cookies_and_referrers_are_never_sent(serve: Serve, loopback: AddressGuard) -> None:
    server = await serve(fixed(answer(b"x", "200 OK", "Set-Cookie: a=b")))
    async with Fetcher("Lumbung", loopback) as fetcher:
        await fetcher.fetch(f"http://user:secret@127.0.0.1:{server.port}/")
        await fetcher.fetch(server.url())
    heads = "".join(head.lower() for _, head in server.requests)
    assert len(server.requests) == 2
    assert not any(word in heads for word in ("cookie", "authorization", "referer", "secret"))


@pytest.mark.parametrize(
    ("encoding", "packed"), [("gzip", gzip.compress(PAGE, mtime=0)), ("br", brotli.compress(PAGE))]
)
async def test_the_body_stays_as_sent_and_the_content_is_decoded(
    serve: Serve, loopback: AddressGuard, encoding: str, packed: bytes
) -> None:
    server = await serve(fixed(answer(packed, "200 OK", f"Content-Encoding: {encoding}")))
    async with Fetcher("Lumbung", loopback) as fetcher:
        result = await fetcher.fetch(server.url())
    assert (result.body, result.content, result.reason) == (packed, PAGE, None)


async def test_one_connection_serves_many_pages(serve: Serve, loopback: AddressGuard) -> None:
    ports: set[int] = set()

    async def note(_: str, writer: asyncio.StreamWriter) -> None:
        ports.add(writer.get_extra_info("peername")[1])
        writer.write(answer(PAGE))

    server = await serve(note)
    async with Fetcher("Lumbung", loopback) as fetcher:
        for number in range(20):
            assert (await fetcher.fetch(server.url(f"/{number}"))).fetched
    assert len(ports) == 1


async def test_local_resolution_may_lead_to_another_port(serve: Serve, loopback: AddressGuard) -> None:
    server = await serve(fixed(answer()))
    names = {("budaya.test", 80): Endpoint("127.0.0.1", server.port)}
    async with Fetcher("Lumbung", loopback, resolve=names) as fetcher:
        result = await fetcher.fetch("http://budaya.test/a")
        other = await fetcher.fetch("http://lain.invalid/a")
    assert result.fetched
    assert "host: budaya.test\r\n" in server.requests[0][1].lower()
    assert (other.verdict, other.reason) == (Verdict.UNRESOLVED, Reason.NO_SUCH_NAME)


async def test_local_resolution_names_an_address_but_does_not_allow_it(serve: Serve) -> None:
    server = await serve(fixed(answer()))
    async with Fetcher(
        "Lumbung", AddressGuard(), resolve={("a.test", 80): Endpoint("127.0.0.1", server.port)}
    ) as fetcher:
        result = await fetcher.fetch("http://a.test/")
    assert (result.verdict, result.reason) == (Verdict.REFUSED, Reason.ADDRESS)
    assert server.requests == []


async def test_redirects_are_followed_hop_by_hop(serve: Serve, loopback: AddressGuard) -> None:
    async def hop(path: str, writer: asyncio.StreamWriter) -> None:
        target = {"/1": "two/../2#x", "/2": "//127.0.0.1:" + str(server.port) + "/3"}.get(path)
        writer.write(answer(b"", "302 Found", f"Location: {target}") if target else answer(PAGE))

    server = await serve(hop)
    asked: list[str] = []

    async def may_follow(url: str) -> str | None:
        asked.append(url)
        return None

    async with Fetcher("Lumbung", loopback) as fetcher:
        result = await fetcher.fetch(server.url("/1"), may_follow=may_follow)
    assert result.fetched
    assert result.final_url == server.url("/3")
    assert result.redirects == ((302, server.url("/2")), (302, server.url("/3")))
    assert asked == [server.url("/2"), server.url("/3")]


async def test_the_caller_may_stop_a_redirect(serve: Serve, loopback: AddressGuard) -> None:
    server = await serve(fixed(answer(b"", "301 Moved", "Location: /rahasia")))

    async def refuse(_: str) -> str | None:
        return "robots"

    async with Fetcher("Lumbung", loopback) as fetcher:
        result = await fetcher.fetch(server.url(), may_follow=refuse)
        alone = await fetcher.fetch(server.url(), max_redirects=0)
    assert (result.verdict, result.reason) == (Verdict.REFUSED, Reason.REDIRECT_REFUSED)
    assert (alone.verdict, alone.status, alone.location) == (Verdict.FETCHED, 301, server.url("/rahasia"))
    assert server.paths() == ["/", "/"]


@pytest.mark.parametrize(
    ("location", "reason"),
    [
        ("http://169.254.169.254/latest/meta-data/", Reason.ADDRESS),
        ("http://[::ffff:169.254.169.254]/", Reason.ADDRESS),
        ("http://2852039166/", Reason.ADDRESS),
        ("http://localhost:1/", Reason.PORT),
        ("file:///etc/passwd", Reason.BAD_REDIRECT),
        ("gopher://127.0.0.1/", Reason.BAD_REDIRECT),
        ("http://[bad", Reason.BAD_REDIRECT),
    ],
)
async def test_a_redirect_leads_nowhere_that_the_guard_forbids(serve: Serve, location: str, reason: Reason) -> None:
    server = await serve(fixed(answer(b"", "302 Found", f"Location: {location}")))
    name = {("a.test", 80): Endpoint("127.0.0.1", server.port)}
    async with Fetcher("Lumbung", AddressGuard([parse_network("127.0.0.1/32")]), resolve=name) as fetcher:
        result = await fetcher.fetch("http://a.test/")
    assert not result.fetched
    assert result.reason is (Reason.CONNECT if location.startswith("http://localhost") else reason)


async def test_endless_redirects_end(serve: Serve, loopback: AddressGuard) -> None:
    async def grow(path: str, writer: asyncio.StreamWriter) -> None:
        target = "/loop" if path == "/loop" else path + "x"
        writer.write(answer(b"", "302 Found", f"Location: {target}"))

    server = await serve(grow)
    async with Fetcher("Lumbung", loopback) as fetcher:
        loop = await fetcher.fetch(server.url("/loop"))
        chain = await fetcher.fetch(server.url("/a"))
    assert (loop.verdict, loop.reason) == (Verdict.FAILED, Reason.REDIRECT_LOOP)
    assert (chain.verdict, chain.reason) == (Verdict.FAILED, Reason.TOO_MANY_REDIRECTS)
    assert server.paths() == ["/loop", "/a", "/ax", "/axx", "/axxx", "/axxxx", "/axxxxx"]


async def test_public_hosts_are_not_asked_without_a_contact(serve: Serve, loopback: AddressGuard) -> None:
    server = await serve(fixed(answer()))
    async with Fetcher("Lumbung", loopback, ask_public=False) as fetcher:
        public = await fetcher.fetch("http://8.8.8.8/")
        listed = await fetcher.fetch(server.url())
    assert (public.verdict, public.reason) == (Verdict.REFUSED, Reason.NO_CONTACT)
    assert "LUMBUNG_CONTACT" in public.detail
    assert listed.fetched


@pytest.fixture
def closed_port() -> Iterator[int]:
    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))
        yield bound.getsockname()[1]


async def test_a_closed_port_is_a_failure_with_a_name(loopback: AddressGuard, closed_port: int) -> None:
    async with Fetcher("Lumbung", loopback) as fetcher:
        result = await fetcher.fetch(f"http://127.0.0.1:{closed_port}/")
    assert (result.verdict, result.reason) == (Verdict.FAILED, Reason.CONNECT)


async def test_a_server_that_speaks_no_tls_is_a_tls_failure(loopback: AddressGuard) -> None:
    async def shout(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(answer(b"", "400 Bad Request"))
        await writer.drain()

    server = await asyncio.start_server(shout, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    async with server, Fetcher("Lumbung", loopback) as fetcher:
        result = await fetcher.fetch(f"https://127.0.0.1:{port}/")
    assert (result.verdict, result.reason) == (Verdict.FAILED, Reason.TLS)


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """For the name aman.test, signed by itself."""
    openssl = shutil.which("openssl")
    if openssl is None:
        pytest.skip("the openssl program is not installed, so no certificate can be made")
    both = tmp_path_factory.mktemp("tls") / "both.pem"
    words = "req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=aman.test -addext subjectAltName=DNS:aman.test"
    subprocess.run([openssl, *words.split(), "-keyout", both, "-out", f"{both}.crt"], check=True, capture_output=True)
    both.write_bytes(both.read_bytes() + Path(f"{both}.crt").read_bytes())
    return both


async def test_a_certificate_must_be_for_the_name_that_was_asked(loopback: AddressGuard, certificate: Path) -> None:
    async def connection(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(answer(PAGE))
        await writer.drain()

    serving = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    serving.load_cert_chain(certificate)
    server = await asyncio.start_server(connection, "127.0.0.1", 0, ssl=serving)
    here = Endpoint("127.0.0.1", server.sockets[0].getsockname()[1])
    names = {("aman.test", 443): here, ("palsu.test", 443): here}
    trusting = ssl.create_default_context(cafile=f"{certificate}.crt")
    async with server, Fetcher("Lumbung", loopback, resolve=names, tls=trusting) as fetcher:
        assert (await fetcher.fetch("https://aman.test/")).content == PAGE
        wrong_name = await fetcher.fetch("https://palsu.test/")
    async with Fetcher("Lumbung", loopback, resolve=names) as fetcher:
        unknown_signer = await fetcher.fetch("https://aman.test/")
    assert wrong_name.reason is Reason.TLS
    assert not unknown_signer.fetched


@pytest.mark.parametrize("url", ["", "mailto:a@b", "http://", "http://a b/", "\x00", "http://[::1%25lo]/"])
async def test_what_is_no_url_is_refused(url: str, loopback: AddressGuard) -> None:
    async with Fetcher("Lumbung", loopback) as fetcher:
        result = await fetcher.fetch(url)
    assert (result.verdict, result.reason) == (Verdict.REFUSED, Reason.BAD_URL)


def test_every_error_of_the_http_client_has_a_name_of_ours() -> None:
    """Fails when the client grows an error that nobody has thought about."""
    kinds = [kind for kind in vars(aiohttp).values() if inspect.isclass(kind) and issubclass(kind, aiohttp.ClientError)]
    assert len(kinds) > 20
    nameless = {kind.__name__ for kind in kinds if failure_of(kind.__new__(kind))[1] is Reason.UNEXPECTED}
    assert nameless <= {"ClientError", "WSMessageTypeError", "UploadAbortedError"}
