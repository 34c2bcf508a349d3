"""No host sees two requests closer than its delay, whoever asks, and whoever dies."""

from __future__ import annotations

import asyncio
import random
import signal
import sys
import time
from asyncio.subprocess import PIPE
from collections import defaultdict

from tests.integration.stages.crawl.tiny_web import TinyWeb, page

from lumbung.store import frontier

HOSTS = 20
LEASE_SECONDS = 3.0
RUN_SECONDS = 10.0


async def start_worker(logins, web):
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "tests.integration.stages.crawl.worker_process",
        logins.machine, str(web.port), str(HOSTS), str(LEASE_SECONDS), stdout=PIPE,
    )  # fmt: skip
    assert process.stdout is not None
    assert await process.stdout.readline() == b"ready\n"
    return process


async def test_two_workers_and_a_kill_never_come_too_early_and_waste_little(bench, logins):
    draw = random.Random(7)
    delays = {f"h{number}.example": draw.uniform(0.3, 1.0) for number in range(HOSTS)}
    web = TinyWeb(seed=7)
    web.endless, web.service_seconds = True, 0.15
    for host in delays:
        web.add(f"http://{host}/p0", page("Tari", "/p1", "/p2"))
    async with bench(web) as made:
        for host, delay in delays.items():
            await made.seed(f"http://{host}/p0", delay=delay)
        workers = [await start_worker(logins, web) for _ in range(2)]
        started = time.monotonic()
        await asyncio.sleep(RUN_SECONDS * 0.3)
        workers[0].send_signal(signal.SIGKILL)
        workers[0] = await start_worker(logins, web)
        await asyncio.sleep(max(0.0, started + RUN_SECONDS - time.monotonic()))
        for worker in workers:
            worker.kill()
            await worker.wait()
    by_host = defaultdict(list)
    for asked in web.log:
        by_host[asked.host].append(asked)
    for host, requests in by_host.items():
        for before, after in zip(requests, requests[1:], strict=False):
            assert before.ended, f"{host}: {after.path} was asked while {before.path} was still being answered"
            assert after.started - before.ended >= delays[host], f"{host}: {before} {after}"
    assert len(by_host) == HOSTS
    possible = sum(RUN_SECONDS / (delay + web.service_seconds / 2) for delay in delays.values())
    assert len(web.log) >= 0.2 * possible, "how much is used on a quiet machine is measured in benchmarks/politeness"


async def test_the_urls_of_a_dead_worker_are_asked_again_after_its_lease_and_the_delay(bench, logins):
    web = TinyWeb()
    web.endless = True
    web.add("http://h0.example/p0", page("Tari", "/p1"))
    web.answers["h0.example", "/p0"].seconds = 30.0
    async with bench(web) as made:
        await made.seed("http://h0.example/p0", delay=0.5)
        worker = await start_worker(logins, web)
        while "/p0" not in web.paths("h0.example"):
            await asyncio.sleep(0.05)
        worker.kill()
        await worker.wait()
        killed = time.monotonic()
        web.answers["h0.example", "/p0"].seconds = 0.0
        second = await start_worker(logins, web)
        while web.paths("h0.example").count("/p0") < 2:
            await asyncio.sleep(0.05)
            assert time.monotonic() - killed < LEASE_SECONDS + 30
        waited = time.monotonic() - killed
        second.kill()
        await second.wait()
    assert waited >= 0.5


async def test_a_lease_is_renewed_as_long_as_the_request_runs(bench, logins):
    web = TinyWeb()
    web.add("http://h0.example/", page("Tari"))
    web.answers["h0.example", "/"].seconds = 2.5 * LEASE_SECONDS
    async with bench(web) as made:
        await made.seed("http://h0.example/", delay=0.2)
        workers = [await start_worker(logins, web) for _ in range(2)]
        end = time.monotonic() + 20 * LEASE_SECONDS
        while not await made.is_dry():
            assert time.monotonic() < end
            await asyncio.sleep(0.1)
        for worker in workers:
            worker.kill()
            await worker.wait()
        async with made.database.transaction() as tx:
            found = await frontier.find(tx, "http://h0.example/")
    assert web.paths("h0.example").count("/") == 1
    assert found is not None
    assert found["state"] == "fetched"
