"""Children that parse: killed at their limit, replaced, and never the worker's end."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Coroutine
from dataclasses import replace
from typing import Any, TypeVar

import psutil
import pytest

from lumbung.errors import InputRefused
from lumbung.providers.parser.pool import ParserPool
from lumbung.text.lexicon import SHIPPED
from lumbung.text.markup import Unreadable

URL = "https://budaya.example/x"
PAGE = b"<h1>Tari Piring</h1><p>Tari Piring adalah tarian yang berasal dari Minangkabau, Sumatera Barat.</p>"
HEAVY = b"<table>" + b"<tr><td>a</td><td>b</td></tr>" * 40_000 + b"</table>"
Answer = TypeVar("Answer")


def run(work: Coroutine[Any, Any, Answer]) -> Answer:
    return asyncio.run(work)


async def refusal_of(pool: ParserPool, body: bytes, content_type: str = "text/html") -> str:
    with pytest.raises(InputRefused) as refusal:
        await pool.read(body, URL, content_type)
    return refusal.value.reason


def test_a_page_is_read_and_its_candidates_extracted_in_one_round_trip() -> None:
    async def work() -> None:
        async with ParserPool(1) as pool:
            page = await pool.read(PAGE, URL, "text/html")
            again, candidates = await pool.extract(PAGE, URL, "text/html")
            assert page == again
            assert [candidate.name for candidate in candidates] == ["Tari Piring"]
            assert all(page.text[fact.start : fact.end] == fact.quote for fact in candidates[0].facts)

    run(work())


def test_hostile_pages_are_refused_and_the_pool_goes_on() -> None:
    hostile = {
        "too-many-attributes": b"<div " + b" ".join(b"a%d=1" % n for n in range(200_000)) + b">",
        "too-deep": b"<div>" * 100_000,
        "too-many-elements": b"<p>x" * 1_000_000,
        "too-many-links": b'<a href="/x">y</a>' * 500_000,
        "unsupported-type": b"\x89PNG\r\n\x1a\n" + bytes(1_000),
        "empty": b"",
        "damaged-pdf": b"%PDF-1.7\n" + b"\xff" * 10_000,
    }

    async def work() -> None:
        async with ParserPool(1) as pool:
            for reason, body in hostile.items():
                assert await refusal_of(pool, body) == reason
            assert (await pool.read(PAGE, URL, "text/html")).title == "Tari Piring"

    run(work())


def test_a_page_that_takes_too_long_costs_its_child_alone() -> None:
    async def work() -> None:
        async with ParserPool(1, seconds=0.05) as pool:
            assert await refusal_of(pool, HEAVY) == Unreadable.TIME_LIMIT
        async with ParserPool(1) as pool:
            assert (await pool.read(PAGE, URL, "text/html")).title == "Tari Piring"

    run(work())


def test_a_page_that_waits_for_the_processor_is_read_all_the_same() -> None:
    async def work() -> None:
        async with ParserPool(1, seconds=0.5) as pool:
            await pool.read(PAGE, URL, "text/html")
            child = pool._idle[0].number
            os.kill(child, signal.SIGSTOP)
            asyncio.get_running_loop().call_later(1.5, os.kill, child, signal.SIGCONT)
            assert (await pool.read(PAGE, URL, "text/html")).title == "Tari Piring"

    run(work())


def test_a_page_whose_reader_never_goes_on_is_refused_in_the_end() -> None:
    async def work() -> None:
        async with ParserPool(1, seconds=0.2) as pool:
            await pool.read(PAGE, URL, "text/html")
            os.kill(pool._idle[0].number, signal.SIGSTOP)
            assert await refusal_of(pool, PAGE) == Unreadable.TIME_LIMIT

    run(work())


def test_a_page_that_takes_too_much_memory_is_refused() -> None:
    async def work() -> None:
        async with ParserPool(1, memory_bytes=165_000_000) as pool:
            text = ("\N{JAVANESE LETTER KA}" * 60 + "\n\n").encode() * 120_000
            reason = await refusal_of(pool, text, "text/plain")
            assert reason in {Unreadable.MEMORY_LIMIT, Unreadable.PARSER_CRASHED}

    run(work())


def test_a_child_that_somebody_killed_is_replaced_and_its_page_read() -> None:
    async def work() -> None:
        async with ParserPool(1) as pool:
            await pool.read(PAGE, URL, "text/html")
            os.kill(pool._idle[0].number, signal.SIGKILL)
            assert (await pool.read(PAGE, URL, "text/html")).title == "Tari Piring"

    run(work())


def test_when_whoever_bears_the_children_is_killed_with_them_the_next_page_is_read() -> None:
    async def work() -> None:
        async with ParserPool(2) as pool:
            await asyncio.gather(*(pool.read(PAGE, URL, "text/html") for _ in range(2)))
            children = [psutil.Process(child.number) for child in pool._idle]
            (parent,) = {child.parent() for child in children}
            parent.kill()
            assert len((await asyncio.to_thread(psutil.wait_procs, children, 60))[0]) == 2
            assert (await pool.read(PAGE, URL, "text/html")).title == "Tari Piring"

    run(work())


def test_a_reader_asked_to_learn_other_words_finishes_the_page_in_hand() -> None:
    async def work() -> None:
        async with ParserPool(1) as pool:
            await pool.read(PAGE, URL, "text/html")
            child = pool._idle[0].number
            os.kill(child, signal.SIGSTOP)
            reading = asyncio.create_task(pool.read(PAGE, URL, "text/html"))
            while pool._idle:
                await asyncio.sleep(0)
            await pool.follow(replace(SHIPPED, version=2))
            os.kill(child, signal.SIGCONT)
            assert (await reading).title == "Tari Piring"
            assert not psutil.pid_exists(child)
            assert (await pool.read(PAGE, URL, "text/html")).title == "Tari Piring"
            assert pool._idle[0].number != child

    run(work())


def test_closing_leaves_no_child_behind() -> None:
    async def work() -> int:
        pool = ParserPool(1)
        await pool.read(PAGE, URL, "text/html")
        pid = pool._idle[0].number
        await pool.close()
        return pid

    with pytest.raises(ProcessLookupError):
        os.kill(run(work()), 0)
