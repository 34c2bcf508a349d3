"""The LLM extractor in the running stage: what a model is not shown is written down with its reason."""

from __future__ import annotations

from contextlib import asynccontextmanager

import pytest
from tests.integration.stages.test_order import GAZETTEER, PROFILE

from lumbung.demo.protocol_server import ProtocolServer
from lumbung.model.job import NewJob
from lumbung.providers.inference.endpoint import Endpoint
from lumbung.providers.inference.gateway import GuardedInference
from lumbung.providers.parser.pool import ParserPool
from lumbung.runtime.worker import Worker
from lumbung.stages.extract.handler import LEFT_OUT, UNASKED, ExtractHandler
from lumbung.stages.extract.llm import LlmExtractor
from lumbung.store import documents, governed, jobs
from lumbung.store.breakers import BreakerRules, SharedBreakers
from lumbung.store.documents import NewDocument
from lumbung.store.inference_cache import SharedAnswers
from lumbung.store.ledger import SharedLedger

DANCE = (
    "<html lang='id'><title>Tari Lilin</title><article><h1>Tari Lilin</h1><p>Tari Lilin adalah tarian dari Sumatera Barat "
    "yang diiringi talempong.</p><h2>Cara Menuju Lokasi</h2><p>Naik bus dari bandara, tiket Rp40.000.</p></article></html>"
)
SHOP = (
    "<html lang='id'><title>Toko Ponsel</title><article><h1>Keranjang belanja</h1><p>Beli sekarang, gratis ongkir! Harga "
    "promo ponsel pintar, stok terbatas, bayar di tempat, garansi resmi satu tahun.</p></article></html>"
)
ANSWER = {
    "name": "Tari Lilin",
    "category": "tarian",
    "facts": [
        {"attribute": "iringan", "value": "talempong", "quote": "diiringi talempong", "confidence": 0.9},
        {"attribute": "iringan", "value": "saluang", "quote": "diiringi saluang dan rebana besar", "confidence": 0.9},
    ],
}


@asynccontextmanager
async def reading(bench, *, hosted=False):
    async with (
        bench() as made,
        ProtocolServer(mind=lambda _: {"items": [ANSWER]}) as server,
        ParserPool(1, "pdbi") as pool,
    ):
        url = f"http://127.0.0.1:{server.port}/v1"
        endpoint = Endpoint(url, "small", hosted=hosted, input_micros_per_million=0, output_micros_per_million=0)
        stores = SharedLedger(made.machine), SharedBreakers(made.machine, BreakerRules()), SharedAnswers(made.machine)
        inference = GuardedInference([endpoint], *stores)
        extractor = LlmExtractor(inference, PROFILE, GAZETTEER, "small")
        made.handlers = {"extract": ExtractHandler(PROFILE, pool, None, extractor)}
        made.worker = Worker(made.machine, None, made.handlers)
        try:
            yield made, server
        finally:
            await inference.close()


async def planted(tx, body):
    page = NewDocument(
        "https://a.example/1", "https://a.example/1", "a.example", "a.example", "d1", 200, "text/html", [], [],
        body.encode(), "item",
    )  # fmt: skip
    number = await documents.add(tx, page)
    await jobs.add(tx, [NewJob("extract", "k1", {"document": number})])


async def governed_row(made, name, value):
    async with made.people.transaction() as tx:
        action = await governed.append_action(tx, None, "set", name, "a test", {})
        await governed.set_value(tx, name, value, action)


@pytest.mark.parametrize(
    ("body", "questions", "reason", "detail"),
    [(DANCE, 1, LEFT_OUT, {"aside": 1, "ungrounded": 1}), (SHOP, 0, UNASKED, {"off-topic": 1})],
)
async def test_what_is_left_out_of_a_page_is_recorded(bench, body, questions, reason, detail):
    async with reading(bench) as (made, server):
        async with made.machine.transaction() as tx:
            await planted(tx, body)
        await made.run()
        async with made.machine.transaction() as tx:
            [row] = await tx.rows("select reason, detail from refusal where stage = 'extract'")
        assert server.requests == questions
        assert (row["reason"], row["detail"]) == (reason, detail)


async def test_the_guardians_list_in_force_keeps_a_page_from_hosted_models(bench):
    async with reading(bench, hosted=True) as (made, server):
        term = {"term": "tari lilin", "category": "", "reason": "a guardian asks for care"}
        await governed_row(made, "sensitive.list", [term])
        async with made.machine.transaction() as tx:
            await planted(tx, DANCE)
        await made.run()
        assert server.requests == 0
        async with made.machine.transaction() as tx:
            assert await tx.value("select count(*) from candidate") == 0


async def test_the_gates_threshold_in_force_decides_whether_a_model_is_asked(bench):
    async with reading(bench) as (made, server):
        await governed_row(made, "gate.threshold", 0.0)
        async with made.machine.transaction() as tx:
            await planted(tx, SHOP)
        await made.run()
        assert server.requests == 1
