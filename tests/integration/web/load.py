"""Open-loop load on the public pages: `python -m tests.integration.web.load --entries 100000`.

Requests leave on a fixed clock, whether or not earlier ones were answered; beside them entries are published.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import shutil
import tempfile
import time
from pathlib import Path

import aiohttp
import psycopg

from lumbung.bootstrap import Addresses, LocalNames, System
from lumbung.config import Settings
from lumbung.governance.installation import install
from lumbung.profiles.loader import load_profile
from lumbung.runtime.engines import Engines
from lumbung.store import entries
from lumbung.store.database import Database
from lumbung.store.entries import HumanEntry
from lumbung.store.migrate import migrate
from lumbung.web.server import web_server
from tests.conftest import Logins

HEADS = "tari kain gamelan rumah adat masakan cerita lagu ukir tenun keris batik topeng upacara perahu".split()
WORDS = [
    *HEADS,
    *(
        f"{a}{b}{c}"
        for a in ("ka", "lu", "me", "pa", "ri", "so", "ta")
        for b in ("bu", "da", "ga", "li", "na", "ra", "wi")
        for c in ("k", "n", "ng", "s", "h")
    ),
]
"""A few words that head very many names, and many that are in few."""
REGIONS = [
    f"ID-{code}"
    for code in ("AC", "SU", "SB", "RI", "JB", "JT", "JI", "YO", "BA", "NT", "KB", "KI", "SN", "ST", "PA", "ML")
]
CATEGORIES = ("tarian", "motif-kain", "alat-musik", "makanan-minuman", "cerita-rakyat", "ornamen")
FILL = (
    """insert into document (url, final_url, host, domain, digest, status, content_type, kind)
    select 'http://a.example/' || n, 'http://a.example/' || n, 'a.example', 'a.example', 'd' || n, 200, 'text/html', 'item' from generate_series(1, %(docs)s) n""",
    """insert into page_text (document, cleaner, title, text, language, script)
    select id, 'c1', 'T', repeat('Sebuah kalimat tentang tarian tradisional. ', 30), 'ind', 'Latn' from document""",
    """insert into candidate (digest, document, cleaner, segment, extractor, name, name_key, category)
    select 'cand-' || id, id, 'c1', 0, 'x', 'T', 't', 'tarian' from document""",
    """insert into claim (candidate, document, cleaner, attribute, value, value_key, quote, span, language, confidence)
    select 'cand-' || id, id, 'c1', 'asal', 'tradisional', 'k', 'tarian tradisional', int4range(23, 41), 'ind', .9 from document""",
    """insert into entry (identity, owner, status, category, title, name_key, regions, body)
    select 'e' || n, case when n %% 2 = 0 then 'machine' else 'human' end, 'published', (%(categories)s::text[])[1 + n %% 6],
        (%(words)s::text[])[1 + n %% 15] || ' ' || (%(words)s::text[])[16 + (n / 15) %% 245] || ' ' || n, 'k' || n, array[(%(regions)s::text[])[1 + n %% 16]],
        repeat('Isi entri yang ditulis orang tentang warisan budaya. ', 20) from generate_series(1, %(n)s) n""",
    """insert into entry_search (entry, names, words)
    select 'e' || n, array_to_tsvector(array[(%(words)s::text[])[1 + n %% 15], (%(words)s::text[])[16 + (n / 15) %% 245], n::text]) || facets.terms,
        array_to_tsvector(array[(%(words)s::text[])[1 + n %% 15], (%(words)s::text[])[16 + (n / 15) %% 245], n::text, 'isi', 'entri', 'waris']) || facets.terms
    from generate_series(1, %(n)s) n,
        lateral (select facets_of((%(categories)s::text[])[1 + n %% 6], array[(%(regions)s::text[])[1 + n %% 16]]) as terms) facets""",
    "insert into entry_place (region, category, title, identity) select regions[1], category, title, identity from entry",
    """insert into fact (entry, attribute, value, value_key, log_odds, probability, independent, state)
    select 'e' || n, 'a' || f, 'nilai ' || n, 'k', 3, .95, 1, 'published' from generate_series(2, %(n)s, 2) n, generate_series(1, 4) f""",
    "insert into fact_claim (fact, claim) select f.id, 1 + f.id %% %(docs)s from fact f",
    "insert into revision (entry, number, owner, content) select 'e' || n, 1, 'human', '{}' from generate_series(1, %(n)s) n",
    "vacuum analyze",
)  # fmt: skip


def fill(superuser, number):
    values = {"n": number, "docs": 2000, "words": WORDS, "regions": REGIONS, "categories": list(CATEGORIES)}
    with psycopg.connect(superuser, autocommit=True) as connection:
        connection.execute("set session_replication_role = replica")
        for statement in FILL:
            started = time.monotonic()
            connection.execute(statement, values if "%(" in statement else None)
            print(f"  {time.monotonic() - started:6.1f} s  {' '.join(statement.split())[:60]}", flush=True)


def asked_paths(number, chooser):
    """What readers open: entries most of all, searches, lists, the home page."""
    kind = chooser.random()
    one = chooser.randrange(1, number)
    if kind < 0.5:
        return "entry", f"/entri/e{one}"
    if kind < 0.7:
        words = [chooser.choice(WORDS)] if kind < 0.6 else [chooser.choice(HEADS), chooser.choice(WORDS)]
        return "search", f"/cari?q={'+'.join(words)}"
    if kind < 0.85:
        return "browse", f"/cari?kategori={chooser.choice(CATEGORIES)}&wilayah={chooser.choice(REGIONS)}"
    return ("list", "/cari") if kind < 0.9 else ("home", "/")


async def one_request(session, kind, path, due, times):
    await asyncio.sleep(max(0.0, due - time.monotonic()))
    async with session.get(path) as answer:
        body = await answer.read()
    times.append((kind, time.monotonic() - due, len(body), answer.status))


async def publish(people, a_second, until, counted):
    number = 0
    while time.monotonic() < until:
        number += 1
        name = f"Tari Baru {number}"
        entry = HumanEntry(
            f"new{number}", "tarian", name, name.lower(), [], [], ["ID-SB"], "ID-SB", "Isi baru. " * 50, [], None, None, "reference", str(number), None,
        )  # fmt: skip
        async with people.transaction() as tx:
            await entries.write_human(tx, entry, None)
        counted.append(number)
        await asyncio.sleep(max(0.0, until - time.monotonic()) and 1 / a_second)


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


async def measure(logins, folder, options):
    people, machine = Database(logins.people), Database(logins.machine)
    await people.open()
    await machine.open()
    profile = load_profile("pdbi")
    async with people.transaction() as tx:
        await install(tx, profile)
    settings = Settings.model_validate({"data_dir": folder, "web": {"port": 0}})
    system = System(
        settings, Addresses(None, logins.machine, logins.people, ""), machine, people, profile, LocalNames()
    )
    async with (
        web_server(system) as address,
        aiohttp.ClientSession(address, connector=aiohttp.TCPConnector(limit=0)) as session,
    ):
        for beside in (0, options.publish):
            chooser, times, counted = random.Random(7), [], []
            for _ in range(20):
                await one_request(session, *asked_paths(options.entries, chooser), 0.0, [])
            begun = time.monotonic() + 0.5
            until = begun + options.seconds
            writing = asyncio.create_task(publish(people, beside, until, counted)) if beside else None
            due = [begun + number / options.rate for number in range(int(options.seconds * options.rate))]
            await asyncio.gather(
                *(one_request(session, *asked_paths(options.entries, chooser), at, times) for at in due)
            )
            if writing:
                await writing
            print(
                f"\n{options.entries} entries, {options.rate} requests/s, {len(counted) / options.seconds:.1f} entries/s published beside"
            )
            told(times)
    await people.close()
    await machine.close()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--entries", type=int, default=100_000)
    parser.add_argument("--rate", type=float, default=30.0)
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument("--publish", type=float, default=20.0)
    options = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="lumbung-load-"))
    try:
        with Engines.attach(folder / "data", fsync=False) as running:
            with psycopg.connect(running.postgres_url("superuser", "postgres"), autocommit=True) as connection:
                connection.execute("create database load owner lumbung_owner")
            logins = Logins(running, "load")
            with psycopg.connect(logins.superuser, autocommit=True) as connection:
                connection.execute("create extension if not exists vector")
            migrate(logins.owner, logins.machine, logins.people)
            fill(logins.superuser, options.entries)
            asyncio.run(measure(logins, folder, options))
    finally:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
