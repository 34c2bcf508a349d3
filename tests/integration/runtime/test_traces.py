"""Traces: one page's way through all five stages, recorded only where somebody asked for it."""

from __future__ import annotations

import asyncio

import pytest
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from tests.chaos.pages import PageServer

from lumbung.bootstrap import Addresses, LocalNames, System
from lumbung.config import Settings
from lumbung.errors import SettingsError
from lumbung.funnel import Parts, running_funnel
from lumbung.governance.actions.demo_governance import demo_governance
from lumbung.governance.actions.inject_seeds import inject_seeds
from lumbung.governance.installation import install
from lumbung.governance.reports.funnel import is_dry
from lumbung.model.job import STAGES
from lumbung.model.permission import OPERATOR_AT_THE_MACHINE
from lumbung.profiles.loader import load_profile
from lumbung.queues.jetstream import JetStreamQueue
from lumbung.store import frontier
from lumbung.store.database import Database
from lumbung.telemetry import begin_step, record_steps, set_up_traces

HOST = "desa-00.example"
PAGES = f"http://{HOST}/budaya/"
FIVE = ["crawl", "extract", "encode", "decide", "publish"]


@pytest.fixture
def spans():
    exporter = InMemorySpanExporter()
    record_steps(SimpleSpanProcessor(exporter))
    yield exporter
    record_steps(None)


async def test_one_page_is_followed_through_all_five_stages(spans, logins, engines, tmp_path):
    server = PageServer(1)
    await server.start()
    server.open()
    queue = await JetStreamQueue.connect(engines.nats_url)
    for stage in STAGES:
        await queue._context.purge_stream(f"lumbung_{stage}")
    await queue.close()
    machine, people = Database(logins.machine), Database(logins.people)
    await machine.open()
    await people.open()
    addresses = Addresses(logins.owner, logins.machine, logins.people, engines.nats_url)
    names = LocalNames({HOST: ("127.0.0.1", server.port)})
    system = System(Settings(data_dir=tmp_path), addresses, machine, people, load_profile("pdbi"), names)
    try:
        async with people.transaction() as tx:
            await install(tx, system.profile)
            await demo_governance(tx, OPERATOR_AT_THE_MACHINE, system.profile, True)
            await frontier.set_delay(tx, [(HOST, "desa-00.example")], 0.0)
            await inject_seeds(tx, OPERATOR_AT_THE_MACHINE, [f"http://{HOST}/"], "traces", "a page to follow")
        async with running_funnel(system, "traces", Parts(parsers=1)), asyncio.timeout(60):
            while not await dry(people):
                await asyncio.sleep(0.05)
    finally:
        await machine.close()
        await people.close()
        await server.stop()
    recorded = spans.get_finished_spans()
    roots = [span for span in recorded if span.name == "crawl" and span.attributes["url"].startswith(PAGES)]
    ways = [chain(recorded, root) for root in roots]
    assert all(way[:4] == FIVE[:4] for way in ways)
    assert FIVE in ways  # the three pages speak of one item: what they change together is published once


async def dry(people):
    async with people.transaction() as tx:
        return await is_dry(tx)


def chain(recorded, root):
    """The names of a line of spans, each the parent of the next, as long as there is one."""
    names, last = [root.name], root
    while True:
        following = [span for span in recorded if span.parent and span.parent.span_id == last.context.span_id]
        assert all(span.context.trace_id == root.context.trace_id for span in following)
        if not following:
            return names
        last = following[0]
        names.append(last.name)


def test_a_failed_step_keeps_its_error(spans):
    begin_step("extract", None, job="a").end(ValueError("not there"))
    (span,) = spans.get_finished_spans()
    assert span.attributes["error.type"] == "ValueError"


@pytest.mark.parametrize("forged", ["", "00-zz-1-01", "00-" + "1" * 32 + "-" + "2" * 16 + "-01x"])
def test_a_trace_that_is_none_begins_a_new_one(spans, forged):
    step = begin_step("extract", forged)
    step.end()
    (span,) = spans.get_finished_spans()
    assert span.parent is None
    assert step.trace == f"00-{span.context.trace_id:032x}-{span.context.span_id:016x}-01"


def test_without_traces_a_step_hands_on_what_it_was_given():
    step = begin_step("extract", "00-given-by-another-worker")
    step.end(ValueError())
    assert step.trace == "00-given-by-another-worker"


def test_traces_that_are_wanted_need_their_packages(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "opentelemetry.exporter.otlp.proto.http.trace_exporter", None)
    with pytest.raises(SettingsError, match=r"lumbung\[tracing\]"):
        set_up_traces("http://localhost:4318/v1/traces")
