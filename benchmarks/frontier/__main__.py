"""What a page costs the frontier when ten thousand URLs are known, and when a million are.

python -m benchmarks.frontier [LARGEST]

The known URLs are made at once and vacuumed: in an installation they come over days, with the autovacuum behind them.
"""

from __future__ import annotations

import asyncio
import json
import random
import sys
import tempfile
import time
from pathlib import Path
from uuid import uuid4

from benchmarks.crawl.ours import postgres_seconds
from lumbung.bootstrap import open_system
from lumbung.config import load_settings
from lumbung.runtime.heartbeat import start_beating
from lumbung.store import frontier, hosts
from lumbung.store.database import Database
from lumbung.store.frontier import FrontierUrl, Lease
from lumbung.store.hosts import FreedHost, Lane, Room

HOSTS = 2_000
WAITING_SHARE = 0.2
PAGES = 3_000
LINKS = 40
ROOMS = dict.fromkeys(Lane, Room(32))
NEW_LINKS = 4
SIZES = (10_000, 100_000, 1_000_000, 10_000_000)
SEED = 1
FILL_HOSTS = """
insert into host (name, domain, delay_seconds)
select 'h' || n || '.example', 'h' || n || '.example', 0 from generate_series(0, %(hosts)s - 1) n on conflict (name) do nothing"""
FILL = """
insert into frontier (url, url_key, host, priority, depth, state)
select url, md5(url)::uuid, host, random() * 5, 2, case when random() < %(waiting)s then 'waiting' else 'fetched' end from (
    select 'http://h' || n %% %(hosts)s || '.example/halaman/' || n as url, 'h' || n %% %(hosts)s || '.example' as host
    from generate_series(%(known)s::bigint, %(wanted)s::bigint - 1) n) u on conflict do nothing"""
COUNT = """
update host set waiting = f.urls, best = f.best, stopped = null, leased_by = null, next_slot = '-infinity', ended_at = null from (
    select host, count(*) as urls, max(priority) as best from frontier where state = 'waiting' group by host) f where host.name = f.host"""


async def fill(database: Database, known: int, wanted: int) -> None:
    async with database.transaction() as tx:
        await tx.run("set local statement_timeout = 0")
        await tx.run(FILL_HOSTS, {"hosts": HOSTS})
        await tx.run(FILL, {"hosts": HOSTS, "waiting": WAITING_SHARE, "known": known, "wanted": wanted})
        await tx.run(COUNT)


def found_links(draw: random.Random, lease: Lease, known: int) -> list[FrontierUrl]:
    """Nine of ten are known already, as on real pages."""
    numbers = [draw.randrange(known) for _ in range(LINKS - NEW_LINKS)]
    urls = [(f"http://h{n % HOSTS}.example/halaman/{n}", f"h{n % HOSTS}.example") for n in numbers]
    urls += [(f"http://{lease.host}/baru/{draw.getrandbits(60):x}", lease.host) for _ in range(NEW_LINKS)]
    return [FrontierUrl(url, host, host, draw.random() * 5, 3, (), None, lease.id) for url, host in urls]


async def crawl(database: Database, draw: random.Random, known: int, pages: int) -> int:
    """Lease, add what was found, end, free: the frontier's share of a crawl, in the crawler's own batches."""
    token, done = uuid4(), 0
    while done < pages:
        async with database.transaction() as tx:
            leases = await frontier.lease(tx, token, ROOMS, 0.0, 20.0, 2)
        async with database.transaction() as tx:
            await frontier.end_urls(tx, token, ((lease.id, "fetched", None) for lease in leases))
            await frontier.add_all(tx, [link for lease in leases for link in found_links(draw, lease, known)])
            freed = [FreedHost(host, 0.0, pages=0) for host in sorted({lease.host for lease in leases})]
            await hosts.free(tx, token, freed, 1_000_000_000)
        done += len(leases)
    return done


async def main(largest: int = 1_000_000) -> None:
    folder = Path(tempfile.mkdtemp(prefix="lumbung-frontier-"))
    settings, _ = load_settings({"data_dir": str(folder)})
    draw = random.Random(SEED)  # noqa: S311 - the same links at every run
    async with open_system(settings) as system:
        owner = Database(system.addresses.owner or "", size=1)
        await owner.open()
        beating = await start_beating(system.machine)
        known, first = 0, 0.0
        for size in (size for size in SIZES if size <= largest):
            await fill(system.machine, known, size)
            known = size
            await owner.statement("vacuum analyze frontier")
            await crawl(system.machine, draw, known, 200)
            before, cpu, started = postgres_seconds(folder), time.process_time(), time.monotonic()
            pages = await crawl(system.machine, draw, known, PAGES)
            spent = postgres_seconds(folder) - before + time.process_time() - cpu
            first = first or spent / pages
            print(
                json.dumps(
                    {
                        "known_urls": known,
                        "pages": pages,
                        "cpu_ms_a_page": round(1000 * spent / pages, 3),
                        "wall_ms_a_page": round(1000 * (time.monotonic() - started) / pages, 3),
                        "to_the_first": round(spent / pages / first, 2),
                    }
                ),
                flush=True,
            )
        beating.cancel()
        await owner.close()


if __name__ == "__main__":
    asyncio.run(main(*map(int, sys.argv[1:2])))
