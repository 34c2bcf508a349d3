"""Scans in the running stage: they wait for a program that reads letters, and are read once there is one."""

from __future__ import annotations

import shutil

import pytest
from tests.integration.providers.parser.test_recognition import SCAN
from tests.integration.stages.test_order import PROFILE

from lumbung.model.job import NewJob
from lumbung.providers.parser.pool import ParserPool
from lumbung.providers.parser.recognition import find_recognition
from lumbung.runtime.worker import Worker
from lumbung.stages.extract.handler import RECOGNITION, ExtractHandler
from lumbung.store import documents, jobs
from lumbung.store.documents import NewDocument

PAGE = NewDocument(
    "https://a.example/1.pdf", "https://a.example/1.pdf", "a.example", "a.example", "d1", 200, "application/pdf", [], [],
    SCAN, "item",
)  # fmt: skip


async def read_by(made, pool):
    made.handlers = {"extract": ExtractHandler(PROFILE, pool, None)}
    made.worker = Worker(made.machine, None, made.handlers)
    await made.run()


@pytest.mark.skipif(shutil.which("tesseract") is None, reason="needs the package tesseract-ocr-ind")
async def test_a_scan_waits_and_is_read_once_its_letters_can_be(bench):
    async with bench() as made:
        async with made.machine.transaction() as tx:
            number = await documents.add(tx, PAGE)
            await jobs.add(tx, [NewJob("extract", "k1", {"document": number})])
        async with ParserPool(1) as pool:
            await read_by(made, pool)
        async with made.machine.transaction() as tx:
            [job] = await tx.rows("select state, capability from job where stage = 'extract'")
            assert (job["state"], job["capability"]) == ("parked", RECOGNITION)
            await jobs.unpark(tx, RECOGNITION)
        async with ParserPool(1, recognition=find_recognition("tesseract", ["ind"], 5)) as pool:
            await read_by(made, pool)
        async with made.machine.transaction() as tx:
            claims = await tx.rows(
                "select c.extractor, c.cleaner, k.attribute, k.value from candidate c join claim k on k.candidate = c.digest"
            )
    assert ("iringan", "gamelan") in {(row["attribute"], row["value"]) for row in claims}
    assert all(row["extractor"].startswith("ocr-lexical-") and "+tesseract-" in row["cleaner"] for row in claims)
