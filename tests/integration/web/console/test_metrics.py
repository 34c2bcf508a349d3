"""What a monitoring system reads."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from prometheus_client.parser import text_string_to_metric_families

from lumbung.model.job import STAGES
from lumbung.ports.ledger import Purpose
from lumbung.store.ledger import SharedLedger
from lumbung.web import metrics
from lumbung.web.metrics import REASONS_SHOWN, UNFINISHED, families, frontier_figures, refused

DOCS = Path(__file__).parents[4] / "docs" / "how-to" / "operator"


async def test_metrics_tell_queues_stages_and_money_in_the_standard_form(office):
    async with office.people.transaction() as tx:
        await tx.run("insert into job (stage, key, state, reason) values ('extract', 'k', 'dead', 'broken')")
        await tx.run(
            "insert into stage_figure (stage, hour, outcome, jobs, busy_seconds) values ('extract', date_trunc('hour', clock_timestamp()), 'done', 7, 1.5)"
        )
        await tx.run("update stage set paused_reason = 'x' where name = 'crawl'")
        await tx.run("insert into outbox (stage, jobs) values ('extract', '{1}'), ('extract', '{2,3}')")
    answer, text = await office.stranger().get("/metrics")
    assert answer.headers["Content-Type"].startswith("text/plain")
    found = {
        (sample.name, *sorted(sample.labels.values())): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }
    assert found["lumbung_jobs", "dead", "extract"] == 1
    assert found["lumbung_outbox_messages", "extract"] == 2
    assert found["lumbung_stage_jobs_total", "done", "extract"] == 7
    assert found["lumbung_stage_paused", "crawl"] == 1
    assert found["lumbung_stage_paused", "decide"] == 0
    assert found["lumbung_workers",] == 0
    assert any(name[0] == "lumbung_budget_cap" for name in found)


async def test_metrics_name_every_queue_and_provider_also_where_nothing_waits_or_failed(office):
    settings = office.system.settings
    search = settings.search.model_copy(update={"url": "http://s.example:8080/search"})
    office.system.settings = settings.model_copy(update={"search": search})
    async with office.people.transaction() as tx:
        named = {
            (sample.name, *sorted(sample.labels.values())): sample.value
            for family in await families(tx, office.system)
            for sample in family.samples
        }
    for stage in STAGES:
        assert named["lumbung_outbox_messages", stage] == 0
        assert [named["lumbung_jobs", *sorted((stage, state))] for state in UNFINISHED] == [0] * len(UNFINISHED)
    for figure in ("lumbung_breaker_open", "lumbung_provider_failures"):
        assert named[figure, "s.example:8080", "search"] == 0


async def test_metrics_tell_what_was_refused_and_why_and_what_became_of_candidates(office):
    async with office.people.transaction() as tx:
        await tx.run(
            "insert into refusal (stage, subject, reason) values ('crawl', 'a', 'gate: length'), ('crawl', 'b', 'gate: length'), ('extract', '1', 'robots')"
        )
        document = await tx.value(
            """insert into document (url, final_url, host, domain, digest, status, content_type, kind)
               values ('http://a.example/', 'http://a.example/', 'a.example', 'a.example', 'd', 200, 'text/html', 'item') returning id"""
        )
        await tx.run(
            "insert into page_text (document, cleaner, title, text, language, script) values (%(document)s, 'c', 't', 't', 'ind', 'Latn')",
            {"document": document},
        )
        await tx.run(
            """insert into candidate (digest, document, cleaner, segment, extractor, name, name_key, state, state_reason)
               values ('x', %(document)s, 'c', 0, 'e', 'Tari', 'tari', 'live', null), ('y', %(document)s, 'c', 1, 'e', 'Batik', 'batik', 'parked', 'category')""",
            {"document": document},
        )
    _, text = await office.stranger().get("/metrics")
    found = {
        (sample.name, *sorted(sample.labels.values())): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }
    assert found["lumbung_refusals", "crawl", "gate: length"] == 2
    assert found["lumbung_refusals", "extract", "robots"] == 1
    assert found["lumbung_candidates", "live"] == found["lumbung_candidates", "parked"] == 1


def test_refusals_of_very_many_reasons_are_few_series_and_add_up():
    rows = [{"stage": "crawl", "reason": f"reason {number}", "refusals": 2} for number in range(REASONS_SHOWN + 50)]
    samples = refused(rows).samples
    assert len(samples) == REASONS_SHOWN + 1
    assert sum(sample.value for sample in samples) == 2 * len(rows)


async def test_metrics_tell_what_each_provider_did(office):
    async with office.people.transaction() as tx:
        await tx.run("insert into breaker (capability, provider, failures) values ('inference', 'near', 3)")
        assert await frontier_figures(tx, 10) == []
    machine = SharedLedger(office.system.machine)
    await machine.begin(reserved := await machine.reserve(Purpose("extract", "near", "small", "k"), 2_000, 60.0))
    await machine.settle(reserved, 1_500)
    _, text = await office.stranger().get("/metrics")
    found = {
        (sample.name, *sorted(sample.labels.values())): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }
    assert found["lumbung_provider_failures", "inference", "near"] == 3
    assert found["lumbung_provider_calls_day", "extract", "near", "small"] == 1
    assert found["lumbung_provider_cost_day", "extract", "near", "small"] == 0.0015


@pytest.mark.parametrize("page", ["monitoring.md", "monitoring.id.md"])
def test_every_figure_is_explained_to_the_operator(page):
    names = set(re.findall(r'"(lumbung_\w+)"', Path(metrics.__file__).read_text(encoding="utf-8")))
    explained = (DOCS / page).read_text(encoding="utf-8")
    assert len(names) > 15
    assert [name for name in sorted(names) if name not in explained] == []


async def test_metrics_tell_m_and_q_of_the_frontier_and_when_it_is_dry(office):
    async with office.people.transaction() as tx:
        await tx.run(
            """with page as (
                   insert into document (url, final_url, host, domain, digest, status, content_type, kind)
                   select 'http://a.example/' || g, 'http://a.example/' || g, 'a.example', 'a.example', 'd', 200, 'text/html', 'item'
                   from generate_series(0, 99) g returning id
               )
               insert into offspring (document, new_links) select id, id % 3 from page"""
        )
        families = await frontier_figures(tx, 10)
    found = {(each.name, each.labels["bound"]): each.value for family in families for each in family.samples}
    assert 0.9 < found["lumbung_frontier_offspring_mean", "value"] < 1.1
    assert 0 <= found["lumbung_frontier_extinction", "low"] <= found["lumbung_frontier_extinction", "high"] <= 1
    assert found["lumbung_frontier_dry_seconds", "high"] > 0
