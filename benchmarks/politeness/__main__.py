"""Politeness by the servers' own log: 8 crawlers, 200 hosts, random delays, service times and clocks, kills.

python -m benchmarks.politeness [SECONDS] [KILL_EVERY] [CRAWLERS] [HOSTS] [SEED] [SHORTEST_DELAY] [LONGEST_DELAY]

Every crawler is a process whose clocks are set off at random by up to a minute. A killed one is started again at once.
No host runs dry and none is another's mirror, so that each could be asked all the time; the use of the rate is counted
once all crawlers run. Two hundred hosts with delays of 2 to 8 seconds are some forty requests a second.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import os
import random
import sys
import tempfile
import time
from asyncio.subprocess import DEVNULL, PIPE, Process
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

import psutil

from benchmarks.crawl.ours import postgres_seconds
from benchmarks.politeness.server import SlowSite
from lumbung.bootstrap import open_system
from lumbung.config import load_settings
from lumbung.governance.actions.inject_seeds import inject_seeds
from lumbung.model.permission import OPERATOR_AT_THE_MACHINE
from lumbung.store import frontier
from lumbung.text.url import registrable_domain

SETTLING_SECONDS = 10.0
"""After the last crawler has started."""
TOLERANCE_SECONDS = 0.005
"""The server's own clock: two callbacks of one loop may swap."""


@dataclass
class Crawlers:
    database: str
    port: int
    hosts: int
    draw: random.Random
    running: list[Process] = field(default_factory=list)
    kills: int = 0

    async def start(self) -> None:
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "benchmarks.politeness.crawler",
            self.database, str(self.port), str(self.hosts), str(self.draw.uniform(-60, 60)), stdout=PIPE, stderr=DEVNULL,
        )  # fmt: skip
        assert process.stdout is not None
        await process.stdout.readline()
        self.running.append(process)

    async def kill_one(self) -> None:
        victim = self.running.pop(self.draw.randrange(len(self.running)))
        victim.kill()
        await victim.wait()
        self.kills += 1
        await self.start()

    async def end(self) -> None:
        for process in self.running:
            process.kill()
            await process.wait()


def judged(site: SlowSite, delays: dict[str, float], since: float, until: float) -> dict[str, object]:
    """Two requests to a host: the second begins no sooner than the delay after the first ended."""
    too_early, worst, used = 0, 0.0, []
    for host, delay in delays.items():
        asked = sorted(site.log.get(host, ()))
        for (_, ended), (begun, _) in itertools.pairwise(asked):
            if begun < ended + delay - TOLERANCE_SECONDS:
                too_early, worst = too_early + 1, max(worst, ended + delay - begun)
        inside = [(begun, ended) for begun, ended in asked if since <= begun < until]
        if inside:
            service = sum(ended - begun for begun, ended in inside) / len(inside)
            used.append(len(inside) * (delay + service) / (until - since))
    return {
        "requests": sum(len(asked) for asked in site.log.values()),
        "too_early": too_early,
        "worst_seconds_too_early": round(worst, 3),
        "rate_used": round(sum(used) / len(delays), 3),
        "rate_used_median": round(median(used), 3) if used else 0.0,
    }


def spent_seconds(group: Crawlers) -> float:
    """CPU of the crawlers that run now."""
    return sum(sum(psutil.Process(each.pid).cpu_times()[:2]) for each in group.running)


async def main(
    seconds: int = 180,
    kill_every: int = 0,
    crawlers: int = 8,
    hosts: int = 200,
    seed: int = 1,
    shortest: int = 2,
    longest: int = 8,
) -> None:
    draw = random.Random(seed)  # noqa: S311 - the same delays at every run
    names = [f"h{number}.example" for number in range(hosts)]
    delays = {name: draw.uniform(shortest, longest) for name in names}
    folder = Path(tempfile.mkdtemp(prefix="lumbung-polite-"))
    settings, _ = load_settings({"data_dir": str(folder)})
    async with SlowSite(seed) as site, open_system(settings) as system:
        async with system.people.transaction() as tx:
            for name, delay in delays.items():
                await frontier.set_delay(tx, [(name, registrable_domain(name))], delay)
            await inject_seeds(
                tx, OPERATOR_AT_THE_MACHINE, [f"http://{name}/p0" for name in names], "bench", "a benchmark"
            )
        group = Crawlers(system.addresses.machine, site.port, hosts, draw)
        for _ in range(crawlers):
            await group.start()
        started = time.monotonic()
        own, engine = spent_seconds(group), postgres_seconds(folder)
        next_kill = started + kill_every
        while time.monotonic() < started + seconds:
            await asyncio.sleep(0.2)
            if kill_every and time.monotonic() >= next_kill:
                next_kill += kill_every
                await group.kill_one()
        until = time.monotonic()
        cpu = {
            "crawlers_cpu_share": round((spent_seconds(group) - own) / seconds, 3) if not kill_every else None,
            "postgres_cpu_share": round((postgres_seconds(folder) - engine) / seconds, 3),
            "load": round(os.getloadavg()[0], 1),
        }
        await group.end()
        figures = judged(site, delays, started + SETTLING_SECONDS, until)
        run = {"crawlers": crawlers, "hosts": hosts, "delays": [shortest, longest], "seconds": seconds, "seed": seed}
        print(json.dumps(run | {"kills": group.kills} | figures | cpu))
        if figures["too_early"]:
            sys.exit(1)


if __name__ == "__main__":
    asyncio.run(main(*map(int, sys.argv[1:8])))
