"""A process that asks a model one question through ledger, breaker and memory, and says what it was answered."""

from __future__ import annotations

import asyncio
import sys

from pydantic import BaseModel

from lumbung.ports.inference import Prompt
from lumbung.providers.inference.endpoint import Endpoint
from lumbung.providers.inference.gateway import GuardedInference
from lumbung.runtime.failpoints import passage
from lumbung.store.breakers import SharedBreakers
from lumbung.store.database import Database
from lumbung.store.inference_cache import SharedAnswers
from lumbung.store.ledger import SharedLedger

PROMPT = Prompt("taste", "1", "Say what it is.", "Rendang is a dish.", max_output_tokens=100, subject="document:1")


class Taste(BaseModel):
    verdict: str


async def ask(address: str, url: str) -> str:
    database = Database(address, size=2)
    await database.open()
    endpoint = Endpoint(url, "m", input_micros_per_million=1_000_000, output_micros_per_million=2_000_000)
    ledger = SharedLedger(database, passage)
    inference = GuardedInference([endpoint], ledger, SharedBreakers(database), SharedAnswers(database))
    try:
        return (await inference.answer(PROMPT, Taste, "extract", "job-1")).value.verdict
    finally:
        await inference.close()
        await database.close()


if __name__ == "__main__":
    print(asyncio.run(ask(*sys.argv[1:])))
