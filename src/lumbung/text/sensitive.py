"""Sensitive items."""

from __future__ import annotations

from lumbung.model.profile import Profile


class Sensitivity:
    def __init__(self, profile: Profile) -> None:
        self._profile = profile

    def reasons(self, name: str, category: str | None, text: str) -> tuple[str, ...]:
        known = self._profile.categories.get(category or "")
        found = ["category"] if known and known.sensitive else []
        words = f" {name} {text} ".casefold()
        found += [term.term for term in self._profile.sensitive if term.term and f" {term.term.casefold()} " in words]
        return tuple(found)
