"""Open-loop load on the public pages: `python -m tests.integration.web.load 100000 [--folder FOLDER]`.

Requests leave on a fixed clock, whether or not earlier ones were answered; beside them entries are published. The library is that of
`benchmarks.corpus`; pages of what readers open most are of entries of all sizes of blocks.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import tempfile
import time
import uuid
from pathlib import Path

import aiohttp
from benchmarks.corpus import COMMONEST, FOOD, grow, library, skew, thing, vocabulary

from lumbung.bootstrap import Addresses, LocalNames, System
from lumbung.config import Settings
from lumbung.governance.installation import install
from lumbung.profiles.loader import load_profile
from lumbung.store import entries
from lumbung.store.database import Database
from lumbung.store.entries import HumanEntry
from lumbung.web.server import web_server


def asked_paths(number, chooser):
    """What readers open: entries most of all, searches by names and by common words, lists, the home page."""
    kind = chooser.random()
    one = thing(chooser.randint(1, number))
    if kind < 0.5:
        return "entry", f"/entri/i{one.number}"
    if kind < 0.7:
        common = chooser.choice(vocabulary()[:COMMONEST])
        words = chooser.choice((one.words, (one.alias,), (common,), (chooser.choice(skew()[0][FOOD]), common)))
        return "search", f"/cari?q={'+'.join(words)}"
    if kind < 0.85:
        return "browse", f"/cari?kategori={one.category}&wilayah={one.province}"
    return ("list", "/cari") if kind < 0.9 else ("home", "/")


async def one_request(session, kind, path, due, times):
    await asyncio.sleep(max(0.0, due - time.monotonic()))
    async with session.get(path) as answer:
        body = await answer.read()
    times.append((kind, time.monotonic() - due, len(body), answer.status))


async def publish(people, a_second, until, counted):
    begun, number, run = time.monotonic(), 0, uuid.uuid4().hex[:8]
    while time.monotonic() < until:
        number += 1
        name = f"Tari Baru {number}"
        entry = HumanEntry(
            f"new{run}{number}", "tarian", name, name.lower(), [], [], ["ID-SB"], "ID-SB", "Isi baru. " * 50, [], None, None, "reference", f"{run}{number}", None,
        )  # fmt: skip
        async with people.transaction() as tx:
            await entries.write_human(tx, entry, None)
        counted.append(number)
        await asyncio.sleep(max(0.0, begun + number / a_second - time.monotonic()))


def told(times):
    groups = {"all": times} | {
        kind: [each for each in times if each[0] == kind] for kind in sorted({each[0] for each in times})
    }
    for kind, rows in groups.items():
        took = sorted(each[1] for each in rows)
        at = [took[min(len(took) - 1, int(len(took) * share))] * 1000 for share in (0.5, 0.95, 0.99)]
        wrong = sum(each[3] != 200 for each in rows)
        print(
            f"{kind:8} n {len(rows):5}  p50 {at[0]:6.0f}  p95 {at[1]:6.0f}  p99 {at[2]:6.0f} ms  largest {max(each[2] for each in rows)} B  not 200: {wrong}"
        )


async def measure(engines, data_dir, options):
    logins = {role: engines.postgres_url(role) for role in ("machine", "people")}
    people, machine, writer = (
        Database(logins["people"]),
        Database(logins["machine"]),
        Database(logins["people"], size=1),
    )
    for database in (people, machine, writer):
        await database.open()
    profile = load_profile("pdbi")
    async with people.transaction() as tx:
        await install(tx, profile)
    settings = Settings.model_validate({"data_dir": data_dir, "web": {"port": 0}})
    addresses = Addresses(None, logins["machine"], logins["people"], "")
    system = System(settings, addresses, machine, people, profile, LocalNames())
    async with (
        web_server(system) as address,
        aiohttp.ClientSession(address, connector=aiohttp.TCPConnector(limit=0)) as session,
    ):
        for beside in (0, options.publish):
            await measure_once(session, writer, beside, options)
    for database in (people, machine, writer):
        await database.close()


async def measure_once(session, writer, beside, options):
    chooser, times, counted = random.Random(7), [], []
    for _ in range(20):
        await one_request(session, *asked_paths(options.entries, chooser), 0.0, [])
    asked = [asked_paths(options.entries, chooser) for _ in range(int(options.seconds * options.rate))]
    begun = time.monotonic() + 0.5
    until = begun + options.seconds
    writing = asyncio.create_task(publish(writer, beside, until, counted)) if beside else None
    due = [begun + number / options.rate for number in range(len(asked))]
    used = time.process_time()
    await asyncio.gather(*(one_request(session, *each, at, times) for each, at in zip(asked, due, strict=True)))
    used = time.process_time() - used
    if writing:
        await writing
    print(
        f"\n{options.entries} entries, {options.rate} requests/s, {len(counted) / options.seconds:.1f} entries/s published beside, "
        f"{1000 * used / len(asked):.1f} ms of CPU a request in this process, load {os.getloadavg()[0]:.1f}"
    )
    told(times)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("entries", type=int, nargs="?", default=100_000)
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--rate", type=float, default=30.0)
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument("--publish", type=float, default=20.0)
    options = parser.parse_args()
    with library(options.folder) as engines, tempfile.TemporaryDirectory() as data_dir:
        grow(engines.postgres_url("superuser"), options.entries, told=True)
        asyncio.run(measure(engines, data_dir, options))


if __name__ == "__main__":
    main()
