"""The peers' no-op task. Runs in a Python that has them: `python peers.py NAME DSN NUMBER BATCH`."""

from __future__ import annotations

import asyncio
import json
import sys
import time


async def procrastinate_noop(dsn: str, number: int, _batch: int) -> float:
    import procrastinate

    app = procrastinate.App(connector=procrastinate.PsycopgConnector(conninfo=dsn, min_size=4, max_size=8))
    left = number
    worker: asyncio.Task[None] | None = None

    @app.task(name="noop")
    async def noop(place: int) -> None:  # noqa: ARG001
        nonlocal left
        left -= 1
        if not left and worker:
            worker.cancel()

    async with app.open_async():
        await app.schema_manager.apply_schema_async()
        await noop.batch_defer_async(*({"place": place} for place in range(number)))
        await app.connector.execute_query_async("analyze procrastinate_jobs")
        print("ready", flush=True)
        sys.stdin.readline()
        started = time.monotonic()
        worker = asyncio.create_task(app.run_worker_async(concurrency=4, wait=True, install_signal_handlers=False))
        await asyncio.gather(worker, return_exceptions=True)
        return time.monotonic() - started


async def pgqueuer_noop(dsn: str, number: int, batch: int) -> float:
    import asyncpg
    from pgqueuer import PgQueuer
    from pgqueuer.db import AsyncpgDriver
    from pgqueuer.queries import Queries

    connection = await asyncpg.connect(dsn)
    driver = AsyncpgDriver(connection)
    queries = Queries(driver)
    await queries.install()
    await queries.enqueue(["noop"] * number, [None] * number, [0] * number)
    await connection.execute("analyze")
    queue = PgQueuer(driver)
    left = number

    @queue.entrypoint("noop")
    async def noop(_job: object) -> None:
        nonlocal left
        left -= 1
        if not left:
            queue.shutdown.set()

    print("ready", flush=True)
    sys.stdin.readline()
    started = time.monotonic()
    await queue.run(batch_size=batch)
    return time.monotonic() - started


def main() -> None:
    name, dsn, number, batch = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
    measure = {"procrastinate": procrastinate_noop, "pgqueuer": pgqueuer_noop}[name]
    print(json.dumps({"seconds": asyncio.run(measure(dsn, number, batch))}), flush=True)
    sys.stdin.readline()


if __name__ == "__main__":
    main()
