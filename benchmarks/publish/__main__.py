"""Entries a second into the reference library: whole entries of four facts, sources and a revision, through the real handler.

Run: python -m benchmarks.publish [entries ...]
"""

from __future__ import annotations

import asyncio
import json
import shutil
import sys
import tempfile
import time
from pathlib import Path

import psycopg

from lumbung.governance.actions.demo_governance import demo_governance
from lumbung.governance.installation import install
from lumbung.model.job import Job
from lumbung.model.permission import OPERATOR_AT_THE_MACHINE
from lumbung.profiles.loader import load_profile
from lumbung.runtime.engines import Engines, RunningEngines
from lumbung.stages.publish.handler import PublishHandler
from lumbung.store.database import Database
from lumbung.store.migrate import migrate

FACTS = (
    ("fungsi", "hiburan rakyat"),
    ("makna", "ungkapan syukur"),
    ("iringan", "talempong; saluang"),
    ("busana", "baju kurung"),
)
FILL = """
insert into document (url, final_url, host, domain, digest, status, content_type, kind)
select 'https://h' || n || '.example/1', 'https://h' || n || '.example/1', 'h' || n || '.example', 'h' || n || '.example', 'd' || n, 200, 'text/html', 'item'
from generate_series(%(start)s::int, %(end)s::int) n;
"""
REST = """
insert into page_text (document, cleaner, title, text, language, script)
select d.id, '1', '', 'hiburan rakyat, ungkapan syukur, talempong; saluang, baju kurung', 'ind', 'Latn' from document d
where not exists (select 1 from page_text t where t.document = d.id);
insert into candidate (digest, document, cleaner, segment, extractor, name, name_key, category)
select 'c' || substr(d.digest, 2), d.id, '1', 0, 'bench', 'Tari', 'tari', 'tarian' from document d
where not exists (select 1 from candidate c where c.document = d.id);
insert into claim (candidate, document, cleaner, attribute, value, value_key, quote, span, language, confidence)
select c.digest, c.document, '1', f.attribute, f.value, f.value, f.value, int4range(f.start, f.start + length(f.value)), 'ind', 0.9
from candidate c, (values ('fungsi', 'hiburan rakyat', 0), ('makna', 'ungkapan syukur', 16), ('iringan', 'talempong; saluang', 33), ('busana', 'baju kurung', 53))
    as f (attribute, value, start)
where not exists (select 1 from claim k where k.candidate = c.digest);
insert into item (identity, category, content, digest)
select 'i' || substr(c.digest, 2), 'tarian', jsonb_build_object('verdict', 'publish', 'reasons', '[]'::jsonb, 'category', 'tarian',
    'title', 'Tari Uji ' || c.digest, 'name_key', 'tariuji' || c.digest, 'aliases', jsonb_build_array('Tarian ' || c.digest), 'regions', '["ID-SB"]'::jsonb,
    'primary_region', 'ID-SB', 'supplement_of', null, 'sensitive', false, 'probability', 0.95, 'independent', 1, 'media', '[]'::jsonb,
    'facts', (select jsonb_agg(jsonb_build_object('attribute', k.attribute, 'value', k.value, 'value_key', k.value_key, 'log_odds', 3.0, 'probability', 0.95,
        'independent', 1, 'state', 'published', 'flagged', false, 'reason', '', 'rank', 1, 'claims', jsonb_build_array(k.id))) from claim k where k.candidate = c.digest)), c.digest
from candidate c where not exists (select 1 from item i where i.identity = 'i' || substr(c.digest, 2));
insert into item_member (candidate, item) select 'c' || substr(i.identity, 2), i.id from item i on conflict do nothing;
analyze;
"""


async def publish(machine: Database, handler: PublishHandler, numbers: list[int]) -> float:
    """Seconds for all of them, in the handler's own batches."""
    started = time.perf_counter()
    for start in range(0, len(numbers), handler.batch_size):
        jobs = [
            Job(number, "publish", str(number), {"item": number}, 0)
            for number in numbers[start : start + handler.batch_size]
        ]
        async with machine.transaction() as tx:
            prepared = await handler.prepare(tx, jobs)
        outcome = await handler.perform(prepared, jobs)
        async with machine.transaction() as tx:
            await handler.commit(tx, jobs, outcome)
    return time.perf_counter() - started


def filled(engines: RunningEngines, first: int, last: int) -> list[int]:
    """Items that wait to be published, made by the superuser because making them is not what is measured."""
    with psycopg.connect(engines.postgres_url("superuser"), autocommit=True) as connection:
        connection.execute(FILL, {"start": first, "end": last})
        for statement in REST.strip().split(";\n"):
            connection.execute(statement)
        rows = connection.execute(
            "select i.id from item i where not exists (select 1 from entry e where e.identity = i.identity) order by i.id"
        ).fetchall()
    return [row[0] for row in rows]


async def measured(engines: RunningEngines, sizes: list[int]) -> None:
    migrate(engines.postgres_url("owner"), engines.postgres_url("machine"), engines.postgres_url("people"))
    profile = load_profile("pdbi")
    machine, people = Database(engines.postgres_url("machine")), Database(engines.postgres_url("people"))
    await machine.open()
    await people.open()
    try:
        async with people.transaction() as tx:
            await install(tx, profile)
            await demo_governance(tx, OPERATOR_AT_THE_MACHINE, profile, embedded_library=True)
        handler = PublishHandler(profile, "benchmark")
        held = 0
        for size in sizes:
            numbers = await asyncio.to_thread(filled, engines, held + 1, size)
            await publish(machine, handler, numbers[: max(0, len(numbers) - 1000)])
            seconds = await publish(machine, handler, numbers[-1000:])
            held = size
            print(
                json.dumps(
                    {
                        "entries": size,
                        "measured": len(numbers[-1000:]),
                        "per_second": round(len(numbers[-1000:]) / seconds, 1),
                    }
                )
            )
    finally:
        await machine.close()
        await people.close()


def main() -> None:
    sizes = sorted(int(each) for each in sys.argv[1:]) or [2_000, 20_000]
    folder = Path(tempfile.mkdtemp(prefix="lumbung-publish-"))
    try:
        with Engines.attach(folder / "data") as engines:
            asyncio.run(measured(engines, sizes))
    finally:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
