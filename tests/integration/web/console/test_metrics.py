"""What a monitoring system reads."""

from __future__ import annotations

from prometheus_client.parser import text_string_to_metric_families

from lumbung.ports.ledger import Purpose
from lumbung.store.database import Database
from lumbung.store.ledger import SharedLedger
from lumbung.web.metrics import frontier_figures


async def test_metrics_tell_queues_stages_and_money_in_the_standard_form(office):
    async with office.people.transaction() as tx:
        await tx.run("insert into job (stage, key, state, reason) values ('extract', 'k', 'dead', 'broken')")
        await tx.run(
            "insert into stage_figure (stage, hour, outcome, jobs, busy_seconds) values ('extract', date_trunc('hour', clock_timestamp()), 'done', 7, 1.5)"
        )
        await tx.run("update stage set paused_reason = 'x' where name = 'crawl'")
    answer, text = await office.stranger().get("/metrics")
    assert answer.headers["Content-Type"].startswith("text/plain")
    found = {
        (sample.name, *sorted(sample.labels.values())): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }
    assert found["lumbung_jobs", "dead", "extract"] == 1
    assert found["lumbung_stage_jobs_total", "done", "extract"] == 7
    assert found["lumbung_stage_paused", "crawl"] == 1
    assert found["lumbung_stage_paused", "decide"] == 0
    assert found["lumbung_workers",] == 0
    assert any(name[0] == "lumbung_budget_cap" for name in found)


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


async def test_metrics_tell_m_and_q_of_the_frontier_and_when_it_is_dry(harvested):
    database = Database(harvested.settings.database_url.get_secret_value())
    await database.open()
    async with database.transaction() as tx:
        families = await frontier_figures(tx, 10)
    await database.close()
    found = {(each.name, each.labels["bound"]): each.value for family in families for each in family.samples}
    assert 0 < found["lumbung_frontier_offspring_mean", "value"] < 10
    assert 0 <= found["lumbung_frontier_extinction", "low"] <= found["lumbung_frontier_extinction", "high"] <= 1
    assert found["lumbung_frontier_dry_seconds", "high"] > 0
