"""Our crawl of the local site, with durable frontier, robots, gate and evidence; prints one JSON line of figures.

python ours.py PORT HOSTS PAGES [0 to leave the gate out]
"""

from __future__ import annotations

import asyncio
import json
import resource
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path

import psutil
import uvloop

from lumbung.bootstrap import LocalNames, open_system
from lumbung.config import load_settings
from lumbung.funnel import make_fetcher
from lumbung.governance.actions.inject_seeds import inject_seeds
from lumbung.governance.steward.archiver import archive_once
from lumbung.model.permission import OPERATOR_AT_THE_MACHINE
from lumbung.providers.parser.pool import ParserPool
from lumbung.runtime.heartbeat import start_beating
from lumbung.stages.crawl.crawler import Crawler
from lumbung.stages.crawl.lanes import Lanes
from lumbung.stages.crawl.links import LinkRanker
from lumbung.stages.crawl.visit import Visitor
from lumbung.store import documents, frontier
from lumbung.text.gate import Gate
from lumbung.text.url import registrable_domain


def own_seconds() -> float:
    """CPU of this process and of the children that parse for it; the engines are no children of ours."""
    parsers = (sum(child.cpu_times()[:2]) for child in psutil.Process().children())
    return time.process_time() + sum(parsers)


def no_passage(_name: str) -> None:
    return


def postgres_seconds(folder: Path) -> float:
    """CPU of the embedded server of this folder: the postmaster, its backends, and those that ended."""
    [pid_file] = folder.rglob("postmaster.pid")
    postmaster = psutil.Process(int(pid_file.read_text().split()[0]))
    total = sum(postmaster.cpu_times()[:4])
    for child in postmaster.children(recursive=True):
        with suppress(psutil.Error):
            total += sum(child.cpu_times()[:2])
    return total


async def main(port: int, hosts: int, pages: int, with_gate: int = 1) -> None:
    folder = Path(tempfile.mkdtemp(prefix="lumbung-bench-"))
    settings, _ = load_settings({"data_dir": str(folder)})
    names = LocalNames({f"h{number}.example": ("127.0.0.1", port) for number in range(hosts)})
    async with open_system(settings, names=names) as system, ParserPool(1) as pool, make_fetcher(system) as fetcher:
        async with system.people.transaction() as tx:
            await frontier.set_delay(tx, [(host, registrable_domain(host)) for host in names.hosts], 0.0)
            seeds = [f"http://{host}:{port}/halaman/0" for host in names.hosts]
            await inject_seeds(tx, OPERATOR_AT_THE_MACHINE, seeds, "bench", "a benchmark")
        beating = await start_beating(system.machine)
        gate = Gate(system.profile) if with_gate else None
        visitor = Visitor(fetcher, pool, gate, LinkRanker(system.profile), system.settings.crawl.user_agent)
        crawler = Crawler(system.machine, visitor, Lanes(system.settings.crawl.requests_at_once), no_passage)
        before_postgres, before = postgres_seconds(folder), own_seconds()
        started = time.monotonic()
        running = asyncio.create_task(crawler.run())
        while True:
            await asyncio.sleep(0.5)
            if running.done():
                running.result()
            moved = await archive_once(system.machine, system.archive, no_passage)
            async with system.machine.transaction() as tx:
                if not moved and await frontier.is_dry(tx) and not await documents.archive_waits(tx):
                    break
        wall = time.monotonic() - started
        crawler.stop()
        await running
        own = own_seconds() - before
        postgres = postgres_seconds(folder) - before_postgres
        async with system.machine.transaction() as tx:
            states = await frontier.states(tx)
        beating.cancel()
        fetched = states.get("fetched", 0)
        print(
            json.dumps(
                {
                    "crawler": "lumbung" if with_gate else "lumbung without the gate",
                    "pages": fetched,
                    "seconds": round(wall, 2),
                    "own_cpu": round(own, 2),
                    "postgres_cpu": round(postgres, 2),
                    "pages_per_cpu_second": round(fetched / own, 1),
                    "pages_per_cpu_second_with_postgres": round(fetched / (own + postgres), 1),
                    "peak_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
                    "states": states,
                    "wanted": pages,
                }
            )
        )


if __name__ == "__main__":
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(main(*map(int, sys.argv[1:5])))
