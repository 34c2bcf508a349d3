"""What an edited sensitive list would change: the matcher itself over what the library holds, as far as it looks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from lumbung.model.profile import Profile, SensitiveTerm
from lumbung.store.database import Row
from lumbung.text.sensitive import Sensitivity

CATEGORY = "category "


@dataclass(frozen=True, slots=True)
class ListEffect:
    looked_at: int
    touched: list[Row]
    """Entries of the machine that the edited list finds and the one in force does not, with the reasons."""
    released: list[Row]
    """Entries that the list in force finds and the edited one does not."""


def effect_of(
    rows: Sequence[Row], profile: Profile, before: Sequence[SensitiveTerm], after: Sequence[SensitiveTerm]
) -> ListEffect:
    """A category that is sensitive as a whole is no matter of the list and counts on neither side."""
    old, new = (Sensitivity(replace(profile, sensitive=tuple(terms))) for terms in (before, after))
    touched, released = [], []
    for row in rows:
        was, will = by_the_list(old, row), by_the_list(new, row)
        if will and not was:
            touched.append(row | {"why": will})
        elif was and not will:
            released.append(row | {"why": was})
    return ListEffect(len(rows), touched, released)


def by_the_list(matcher: Sensitivity, row: Row) -> list[str]:
    found = matcher.reasons(row["title"], row["category"], row["body"] or "")
    return [reason for reason in found if not reason.startswith(CATEGORY)]
