"""Seeds that a search service proposes: how it is asked, and its findings as seeds for a curator to look at."""

from __future__ import annotations

from collections.abc import Sequence

from lumbung.errors import UsageError
from lumbung.model.profile import Profile, Seed
from lumbung.ports.search import Found

LONGEST_NOTE = 200


def query_for(profile: Profile, category: str, region: str) -> str:
    """In the library's language: the category's name and the region's."""
    if category and category not in profile.categories:
        raise UsageError(f"There is no category {category}.")
    if region and region not in profile.regions:
        raise UsageError(f"There is no region {region}.")
    if not category and not region:
        raise UsageError("Say what to search for: words, a category or a region.")
    named = [profile.categories[category].label if category else "", profile.regions[region].name if region else ""]
    return " ".join(each for each in named if each)


def seeds_from(found: Sequence[Found], category: str, region: str) -> list[Seed]:
    return [Seed(each.url, category, region, 1.0, f"search: {each.title}"[:LONGEST_NOTE]) for each in found]
