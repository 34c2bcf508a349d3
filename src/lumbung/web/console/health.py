"""Whether all is well: what keeps the machine from its work, each with the page where it is mended."""

from __future__ import annotations

from lumbung.governance.reports.funnel import FunnelReport
from lumbung.store import breakers, ledger, stages
from lumbung.store.database import Transaction

MENDED_AT = {
    "workers": "/mesin",
    "paused": "/mesin",
    "providers": "/mesin",
    "dead": "/gagal",
    "alarms": "/anggaran",
}


async def troubles(tx: Transaction, report: FunnelReport) -> dict[str, int]:
    """How many of each kind there are; nothing for what is well."""
    found = {
        "workers": int(not await stages.workers(tx)),
        "paused": sum(row["paused_reason"] is not None for row in await stages.all_stages(tx)),
        "providers": sum(row["state"] != "closed" for row in await breakers.all_breakers(tx)),
        "dead": sum(number for name, number in report.jobs.items() if name.endswith(" dead")),
        "alarms": len(await ledger.alarms(tx)),
    }
    return {name: number for name, number in found.items() if number}
