"""Servers that mean harm: every fetch ends in bounded time and memory, with a reason, and harms nobody else's."""

from __future__ import annotations

import asyncio
import gzip
import socket
import struct
import time
import tracemalloc

import brotli  # type: ignore[import-untyped]
import pytest
from tests.integration.providers.fetch.local_servers import Handler, Serve, answer, fixed

from lumbung.providers.fetch.addresses import AddressGuard
from lumbung.providers.fetch.fetcher import Fetcher
from lumbung.providers.fetch.limits import FetchLimits, Reason, Verdict
from lumbung.providers.fetch.result import FetchResult

QUICK = FetchLimits(
    connect_seconds=0.5,
    response_seconds=0.6,
    total_seconds=1.5,
    stall_seconds=0.4,
    grace_seconds=0.5,
    min_bytes_per_second=2000,
    body_bytes=100_000,
    decoded_bytes=400_000,
    ratio_free_bytes=100_000,
)


async def fetched(serve: Serve, guard: AddressGuard, handler: Handler, limits: FetchLimits = QUICK) -> FetchResult:
    server = await serve(handler)
    async with Fetcher("Lumbung", guard, limits) as fetcher:
        start = time.monotonic()
        result = await fetcher.fetch(server.url())
        assert time.monotonic() - start < limits.total_seconds + 10.0
    assert len(server.requests) <= 1
    return result


async def drip(writer: asyncio.StreamWriter, piece: bytes, seconds: float) -> None:
    while True:
        writer.write(piece)
        await writer.drain()
        await asyncio.sleep(seconds)


async def test_a_tarpit_that_never_answers(serve: Serve, loopback: AddressGuard) -> None:
    async def silence(_: str, __: asyncio.StreamWriter) -> None:
        await asyncio.sleep(60)

    result = await fetched(serve, loopback, silence)
    assert (result.verdict, result.reason) == (Verdict.FAILED, Reason.RESPONSE_TIMEOUT)


async def test_headers_that_drip(serve: Serve, loopback: AddressGuard) -> None:
    async def headers(_: str, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 200 OK\r\nX: ")
        await drip(writer, b"a", 0.02)

    assert (await fetched(serve, loopback, headers)).reason is Reason.RESPONSE_TIMEOUT


async def test_a_body_that_drips(serve: Serve, loopback: AddressGuard) -> None:
    async def body(_: str, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n")
        await drip(writer, b"a", 0.02)

    assert (await fetched(serve, loopback, body)).reason is Reason.TOO_SLOW


async def test_a_body_just_fast_enough_still_ends(serve: Serve, loopback: AddressGuard) -> None:
    async def body(_: str, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 200 OK\r\n\r\n")
        await drip(writer, b"a" * 200, 0.05)

    assert (await fetched(serve, loopback, body)).reason is Reason.TOTAL_TIMEOUT


async def test_a_body_that_stops(serve: Serve, loopback: AddressGuard) -> None:
    async def body(_: str, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 9000\r\n\r\nabc")
        await writer.drain()
        await asyncio.sleep(60)

    assert (await fetched(serve, loopback, body)).reason is Reason.STALLED


@pytest.mark.parametrize("head", [b"", b"Transfer-Encoding: chunked\r\n", b"Content-Length: 99999999999\r\n"])
async def test_an_endless_body_is_cut_at_the_cap(serve: Serve, loopback: AddressGuard, head: bytes) -> None:
    piece = b"2000\r\n" + b"a" * 0x2000 + b"\r\n" if b"chunked" in head else b"a" * 8192

    async def body(_: str, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 200 OK\r\n" + head + b"\r\n")
        while True:
            writer.write(piece)
            await writer.drain()

    result = await fetched(serve, loopback, body)
    assert (result.verdict, result.reason, len(result.body)) == (Verdict.FETCHED, Reason.BODY_CUT, 100_000)
    assert result.truncated is Reason.BODY_CUT


@pytest.mark.parametrize(
    ("encoding", "packed"),
    [
        ("gzip", gzip.compress(b"\x00" * 30_000_000, 1, mtime=0)),
        ("br", brotli.compress(b"\x00" * 30_000_000, quality=1)),
        ("gzip, gzip", gzip.compress(gzip.compress(b"\x00" * 60_000_000, 1, mtime=0), mtime=0)),
    ],
)
async def test_bombs_do_not_go_off(serve: Serve, loopback: AddressGuard, encoding: str, packed: bytes) -> None:
    tracemalloc.start()
    bomb = fixed(answer(packed, "200 OK", f"Content-Encoding: {encoding}"))
    result = await fetched(serve, loopback, bomb, FetchLimits(total_seconds=5))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert result.content == b""
    assert (result.verdict, result.reason) == (Verdict.FAILED, Reason.BOMB)
    assert peak < 8_000_000


@pytest.mark.parametrize(
    "content",
    [
        b"HTTP/1.1 200 OK\r\nX: " + b"a" * 10_000_000 + b"\r\n\r\n",
        b"HTTP/1.1 200 OK\r\n" + b"X-Many: abc\r\n" * 800_000 + b"\r\n",
        b"HTTP/1.1 200 " + b"O" * 10_000_000 + b"\r\n\r\n",
        b"HTTP/1.1 200 OK\r\n" + b"X" * 10_000_000 + b": 1\r\n\r\n",
    ],
    ids=["one-long", "many", "long-phrase", "long-name"],
)
async def test_ten_megabytes_of_headers(serve: Serve, loopback: AddressGuard, content: bytes) -> None:
    tracemalloc.start()
    result = await fetched(serve, loopback, fixed(content))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert (result.verdict, result.reason) == (Verdict.FAILED, Reason.HEADERS_TOO_LONG)
    assert peak < 25_000_000


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\x00\x01\x02\x03\r\n\r\n",
        b"SSH-2.0-OpenSSH_9.6\r\n\r\n",
        b"HTTP/1.1 abc OK\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhalo!!",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nabc\r\n",
        b"HTTP/1.1 200 OK\r\nBad Header\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nA: b\x00c\r\n\r\n",
    ],
)
async def test_answers_that_are_no_http_are_failures(serve: Serve, loopback: AddressGuard, content: bytes) -> None:
    async def send_and_close(_: str, writer: asyncio.StreamWriter) -> None:
        writer.write(content)
        await writer.drain()
        writer.close()

    result = await fetched(serve, loopback, send_and_close)
    assert result.verdict is Verdict.FAILED
    assert result.reason in {Reason.BAD_RESPONSE, Reason.DISCONNECTED, Reason.INCOMPLETE}


async def test_a_length_that_promises_too_much(serve: Serve, loopback: AddressGuard) -> None:
    async def short(_: str, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\nhalo")
        await writer.drain()
        writer.close()

    result = await fetched(serve, loopback, short)
    assert (result.verdict, result.reason) == (Verdict.FAILED, Reason.INCOMPLETE)


async def test_a_length_that_promises_too_little(serve: Serve, loopback: AddressGuard) -> None:
    result = await fetched(serve, loopback, fixed(b"HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nhalo selundupan"))
    assert b"selundupan" not in result.content
    assert (result.verdict, result.reason) in {(Verdict.FETCHED, None), (Verdict.FAILED, Reason.BAD_RESPONSE)}


async def test_a_reset_in_the_middle_of_the_body(serve: Serve, loopback: AddressGuard) -> None:
    async def reset(_: str, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 5000\r\n\r\nhalo")
        await writer.drain()
        writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        writer.transport.abort()

    result = await fetched(serve, loopback, reset)
    assert result.verdict is Verdict.FAILED
    assert result.reason in {Reason.INCOMPLETE, Reason.DISCONNECTED}


async def test_a_server_that_hangs_up_is_not_asked_again_at_once(serve: Serve, loopback: AddressGuard) -> None:
    async def hang_up(_: str, writer: asyncio.StreamWriter) -> None:
        writer.close()

    server = await serve(hang_up)
    async with Fetcher("Lumbung", loopback, QUICK) as fetcher:
        result = await fetcher.fetch(server.url())
    assert (result.verdict, result.reason) == (Verdict.FAILED, Reason.DISCONNECTED)
    assert len(server.requests) == 1


async def test_a_server_that_hangs_up_after_its_answers_costs_one_page_at_most(
    serve: Serve, loopback: AddressGuard
) -> None:
    """It does not say that it will, so that the connection looks as if it could be used again."""

    async def answer_and_leave(path: str, writer: asyncio.StreamWriter) -> None:
        writer.write(answer(path.encode()))
        await writer.drain()
        writer.close()

    server = await serve(answer_and_leave)
    async with Fetcher("Lumbung", loopback, QUICK) as fetcher:
        results = [await fetcher.fetch(server.url(f"/{number}")) for number in range(12)]
    lost = [result for result in results if not result.fetched]
    assert len(lost) <= 1
    assert all(result.reason is Reason.DISCONNECTED for result in lost)
    assert all(result.url.endswith(result.content.decode()) for result in results)


async def test_an_answer_nobody_asked_for_is_never_taken_for_the_next_page(
    serve: Serve, loopback: AddressGuard
) -> None:
    unasked = asyncio.Event()

    async def answer_twice(path: str, writer: asyncio.StreamWriter) -> None:
        writer.write(answer(path.encode()))
        await writer.drain()
        if path == "/first":
            await unasked.wait()
            writer.write(answer(b"something else"))

    server = await serve(answer_twice)
    async with Fetcher("Lumbung", loopback, QUICK) as fetcher:
        first = await fetcher.fetch(server.url("/first"))
        unasked.set()
        # Its way over loopback is short, but it must have come before the next question.
        other = await asyncio.open_connection("127.0.0.1", server.port)
        for _ in range(50):
            await asyncio.sleep(0)
        other[1].close()
        second = await fetcher.fetch(server.url("/second"))
    assert (first.content, second.content) == (b"/first", b"/second")


async def test_endless_informational_answers_end_at_once_and_not_by_the_clock(
    serve: Serve, loopback: AddressGuard
) -> None:
    async def maybe(_: str, writer: asyncio.StreamWriter) -> None:
        await drip(writer, b"HTTP/1.1 103 Early Hints\r\n\r\n" * 50, 0.01)

    result = await fetched(serve, loopback, maybe, FetchLimits())
    assert (result.verdict, result.reason) == (Verdict.FAILED, Reason.BAD_RESPONSE)


async def test_a_few_informational_answers_are_passed_over(serve: Serve, loopback: AddressGuard) -> None:
    early = b"HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n" * 3
    result = await fetched(serve, loopback, fixed(early + answer(b"page")))
    assert (result.verdict, result.content) == (Verdict.FETCHED, b"page")


@pytest.mark.parametrize("start", [b"2;", b"2\r\nok\r\n"], ids=["extension of a chunk", "chunks of one byte"])
async def test_a_frame_without_end_is_cut_though_no_page_ever_comes(
    serve: Serve, loopback: AddressGuard, start: bytes
) -> None:
    sent = 0

    async def framed(_: str, writer: asyncio.StreamWriter) -> None:
        nonlocal sent
        writer.write(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + start)
        piece = b"x" * 16_384 if start.endswith(b";") else b"1;" + b"e" * 900 + b"\r\nx\r\n"
        while not writer.is_closing():
            writer.write(piece)
            sent += len(piece)
            await writer.drain()

    limits = FetchLimits(body_bytes=100_000, frame_bytes=200_000, stall_seconds=30.0)
    result = await fetched(serve, loopback, framed, limits)
    assert (result.verdict, result.reason) == (Verdict.FAILED, Reason.BAD_RESPONSE)
    assert sent < 20_000_000


async def test_lying_labels_come_through_as_bytes(serve: Serve, loopback: AddressGuard) -> None:
    result = await fetched(
        serve, loopback, fixed(answer(b"%PDF-1.4", "200 OK", "Content-Type: text/html; charset=\xff"))
    )
    assert result.fetched
    (result.content_type or "").encode()


async def test_no_page_of_another_host_waits_for_a_tarpit(serve: Serve, loopback: AddressGuard) -> None:
    async def tarpit(_: str, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n")
        await drip(writer, b"a", 0.05)

    good, bad = await serve(fixed(answer(b"x" * 5000))), await serve(tarpit)
    patient = FetchLimits(response_seconds=60.0, stall_seconds=60.0, grace_seconds=60.0, total_seconds=60.0)
    async with Fetcher("Lumbung", loopback, patient) as fetcher:
        stuck = [asyncio.create_task(fetcher.fetch(bad.url(f"/{n}"))) for n in range(60)]
        async with asyncio.timeout(30):
            while len(bad.requests) < len(stuck):
                await asyncio.sleep(0.01)
            for _ in range(30):
                assert (await fetcher.fetch(good.url())).fetched
        assert not any(task.done() for task in stuck)
        for task in stuck:
            task.cancel()
        await asyncio.gather(*stuck, return_exceptions=True)
