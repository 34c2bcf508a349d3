"""Source types from rules."""

from __future__ import annotations

from lumbung.model.profile import Profile, SourceType
from lumbung.text.url import host_of


class SourceTypes:
    def __init__(self, profile: Profile) -> None:
        self._rules = profile.sources

    def type_of(self, url: str) -> tuple[SourceType, str]:
        host = host_of(url)
        for rule in self._rules:
            if rule.rule == "host" and host == rule.pattern:
                return rule.type, rule.reason
        for rule in self._rules:
            if rule.rule == "suffix" and (host == rule.pattern.lstrip(".") or host.endswith("." + rule.pattern.lstrip("."))):
                return rule.type, rule.reason
        return SourceType.UNKNOWN, "no rule"
