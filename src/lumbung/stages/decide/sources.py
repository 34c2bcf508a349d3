"""Source types in force: the curator's rules before the profile's."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from lumbung.model.profile import Profile, SourceRule, SourceType
from lumbung.text.sources import SourceTypes


class CuratedSources:
    def __init__(self, profile: Profile) -> None:
        self._profile = profile
        self._version = 0
        self._curated: SourceTypes | None = None
        self._given = SourceTypes(profile)

    def follow(self, rules: Sequence[Mapping[str, Any]], version: int) -> None:
        """Take over a newer version of the curator's list."""
        if version == self._version:
            return
        listed = tuple(SourceRule(SourceType(r["type"]), r["rule"], r["pattern"], r["reason"]) for r in rules)
        self._curated = SourceTypes(replace(self._profile, sources=listed)) if listed else None
        self._version = version

    def type_of(self, url: str) -> SourceType:
        if self._curated:
            curated, reason = self._curated.type_of(url)
            if curated is not SourceType.UNKNOWN or "no rule" not in reason:
                return curated
        return self._given.type_of(url)[0]
