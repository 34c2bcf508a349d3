"""In trickle, held entries are released at random, at most N in any 24 hours, whatever the number of stewards."""

from __future__ import annotations

from lumbung.store import audits, batches, entries, governed, stages
from lumbung.store.database import Transaction

ROW = "autonomy.trickle_per_day"


async def release(tx: Transaction) -> list[str]:
    """Under one lock until the commit: what is counted cannot change before what is released is counted too."""
    await audits.lock_trickle(tx)
    rows = await governed.values_now(tx)
    categories = [
        name.removeprefix("mode.") for name, mode in rows.items() if name.startswith("mode.") and mode == "trickle"
    ]
    left = int(rows.get(ROW, 0)) - await audits.released_in_a_day(tx)
    if not categories or left <= 0 or await is_paused(tx):
        return []
    run = await batches.run_of_today(tx, "release")
    released = []
    for held in await audits.draw_held(tx, categories, left):
        revision = await audits.release(tx, held["identity"], held["category"])
        if revision is None:
            continue
        batch = await entries.open_batch(tx, run, held["category"])
        content = {"status": "published"}
        await entries.add_revision(tx, held["identity"], revision, "machine", content, note="released", batch=batch)
        await entries.add_publication(tx, held["identity"], batch, revision, held["digest"])
        released.append(held["identity"])
    return released


async def is_paused(tx: Transaction) -> bool:
    """An emergency stop holds releases back too."""
    return any(row["name"] == "publish" and row["paused_reason"] for row in await stages.all_stages(tx))
