"""What a monitoring system reads."""

from __future__ import annotations

from prometheus_client.parser import text_string_to_metric_families


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
