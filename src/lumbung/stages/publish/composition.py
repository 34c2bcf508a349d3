"""Readable Indonesian text from facts: every sentence rests on one, and none is added."""

from __future__ import annotations

from collections.abc import Sequence

from lumbung.model.item import ItemContent, ItemFact
from lumbung.model.profile import Profile

SUPPLEMENT_TITLE = "{name} — data pelengkap"


def entry_title(content: ItemContent, human_title: str | None) -> str:
    return SUPPLEMENT_TITLE.format(name=human_title) if human_title else content.title


def compose(content: ItemContent, facts: Sequence[ItemFact], profile: Profile) -> str:
    """One paragraph a fact, in the order of the profile's attributes; a sentence stands as it is, a phrase gets its label."""
    order = {code: place for place, code in enumerate(profile.attributes)}
    lines = [opening(content, profile)]
    for fact in sorted(facts, key=lambda each: (order.get(each.attribute, len(order)), each.rank, each.value_key)):
        label = profile.attributes[fact.attribute].label if fact.attribute in profile.attributes else fact.attribute
        lines.append(f"{label}: {fact.value.rstrip()}")
    return "\n\n".join(line for line in lines if line)


def opening(content: ItemContent, profile: Profile) -> str:
    category = profile.categories.get(content.category)
    kind = category.label if category else content.category
    places = [profile.regions[code].name for code in content.regions if code in profile.regions]
    where = f" — {', '.join(places)}" if places else ""
    return f"{content.title} ({kind}{where})."
