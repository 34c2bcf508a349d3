"""Published entries that only the new version of the features brings together are proposed to people, never merged by that alone."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from lumbung.governance.steward.blocking import described, near
from lumbung.model.item import pair
from lumbung.store import audits, entries, feature_versions, items
from lumbung.store.database import Transaction
from lumbung.text.comparison import Comparable, compare
from lumbung.text.namesakes import NameReader

NOTICE = "entries-alike"


async def propose_merges(tx: Transaction, reader: NameReader, published: Mapping[str, str], version: int) -> None:
    """`published`: nodes with the entry that rests on each. A pair that was compared before is no news."""
    for node, entry in published.items():
        own = (await described(tx, [node])).get(node)
        if own is None:
            continue
        category, provinces = await feature_versions.block_of(tx, node, version)
        found = await near(tx, reader, node, own, version, reader.compared_with(category), provinces)
        known = await items.verdicts(tx, [node])
        fresh = sorted(each for each in found if pair(node, each) not in known)
        held = await feature_versions.entries_of(tx, fresh)
        for other, candidate in (await described(tx, fresh)).items():
            if held.get(other, entry) != entry and is_proposed(own, candidate):
                first, second = sorted((entry, held[other]))
                titles = {each: (await entries.get(tx, each) or {}).get("title", each) for each in (first, second)}
                detail = {"other": second, "title": titles[first], "other_title": titles[second]}
                await audits.add_notice(tx, NOTICE, first, detail, f"{NOTICE}:{first}:{second}")


def is_proposed(own: Comparable, other: Comparable) -> bool:
    """As the rules have it, the category left aside: people mix up those that are searched together."""
    return compare(own, replace(other, category=own.category)).verdict == "same"
