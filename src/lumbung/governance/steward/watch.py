"""The steward's round: samples drawn, trickle released, modes watched, the human corpus digested, yields updated, the matcher trained."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial

from lumbung.errors import LumbungError, TransientError
from lumbung.governance.reports.coverage import ProvincesOf
from lumbung.governance.steward import (
    corpus,
    matcher,
    monitor,
    reencoding,
    reminders,
    retention,
    sampling,
    trickle,
    yields,
)
from lumbung.store.database import Database, Transaction
from lumbung.telemetry import log

INTERVAL_SECONDS = 20.0
LOCK = 7231006
Duty = Callable[[Transaction], Awaitable[object]]
DUTIES: dict[str, Duty] = {
    "sampling": sampling.draw,
    "trickle": trickle.release,
    "monitor": monitor.watch,
    "corpus": corpus.digest_when_due,
    "yields": yields.update,
    "matcher": matcher.train,
    "reminders": reminders.remind,
    "retention": retention.look,
    "re-encoding": reencoding.begin,
}


async def round_once(database: Database, provinces_of: ProvincesOf = yields.as_named) -> dict[str, str]:
    """Each duty in a transaction of its own; what one of them could not do, by duty."""
    failed: dict[str, str] = {}
    duties: dict[str, Duty] = {**DUTIES, "yields": partial(yields.update, provinces_of=provinces_of)}
    for name, duty in duties.items():
        try:
            async with database.transaction() as tx:
                if await tx.value("select pg_try_advisory_xact_lock(%(lock)s)", {"lock": LOCK}):
                    await duty(tx)
        except TransientError as error:
            failed[name] = str(error)
        except LumbungError as error:
            failed[name] = str(error)
            log.warning("steward.duty_failed", duty=name, reason=str(error))
    return failed


async def keep_watching(database: Database, provinces_of: ProvincesOf) -> None:
    while True:
        await round_once(database, provinces_of)
        await asyncio.sleep(INTERVAL_SECONDS)
