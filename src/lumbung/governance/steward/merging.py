"""Published entries that only the new version of the features brings together are proposed to people, never merged by that alone."""

from __future__ import annotations

from collections.abc import Mapping

from lumbung.governance.steward.blocking import NEIGHBOURS, described
from lumbung.model.item import pair
from lumbung.store import audits, feature_versions, features, items
from lumbung.store.database import Transaction
from lumbung.text.comparison import compare
from lumbung.text.features import content_vector

NOTICE = "entries-alike"


async def propose_merges(tx: Transaction, published: Mapping[str, str], version: int) -> None:
    """`published`: nodes with the entry that rests on each. A pair that was compared before is no news."""
    for node, entry in published.items():
        own = (await described(tx, [node])).get(node)
        if own is None:
            continue
        category, provinces = await feature_versions.block_of(tx, node, version)
        content = content_vector(own.name, own.aliases, own.regions, own.facts, own.category)
        found = await features.neighbours(tx, node, version, [category, ""], provinces, content, NEIGHBOURS)
        known = await items.verdicts(tx, [node])
        fresh = [each.node for each in found if pair(node, each.node) not in known]
        entries = await feature_versions.entries_of(tx, fresh)
        for other, candidate in (await described(tx, fresh)).items():
            if entries.get(other, entry) != entry and compare(own, candidate).verdict == "same":
                first, second = sorted((entry, entries[other]))
                await audits.add_notice(tx, NOTICE, first, {"other": second}, f"{NOTICE}:{first}:{second}")
