"""What kind of source an address is, by the profile's rules; a page's own markup never raises it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Any
from urllib.parse import unquote

from lumbung.errors import RefusedError
from lumbung.model.profile import Profile, SourceRule, SourceType
from lumbung.text.url import parse

_RANK = {"path": 2, "host": 1, "suffix": 0}


@dataclass(frozen=True, slots=True)
class _Matcher:
    rule: SourceRule
    host: re.Pattern[str]
    path: str

    def fits(self, host: str, path: str) -> bool:
        return path.startswith(self.path) and self.host.fullmatch(host) is not None


class SourceTypes:
    """A path rule goes before a host rule, a host rule before a suffix, and among equals the longer pattern."""

    def __init__(self, profile: Profile) -> None:
        ordered = sorted(profile.sources, key=lambda rule: (_RANK[rule.rule], len(rule.pattern)), reverse=True)
        self._suffixes = {rule.pattern.strip("."): rule for rule in ordered if rule.rule == "suffix"}
        self._matchers = [_matcher(rule) for rule in ordered if rule.rule != "suffix"]

    def type_of(self, url: str) -> tuple[SourceType, str]:
        """The type and the reason; an address that no rule knows, or that is none, is unknown."""
        host, path = _host_and_path(url)
        if not host:
            return SourceType.UNKNOWN, "not a web address"
        for matcher in self._matchers:
            if matcher.fits(host, path):
                return matcher.rule.type, matcher.rule.reason
        labels = host.split(".")
        for start in range(len(labels)):
            rule = self._suffixes.get(".".join(labels[start:]))
            if rule:
                return rule.type, rule.reason
        return SourceType.UNKNOWN, "no rule knows this host"


class CuratedSources:
    """Source types in force: the curator's rules before the profile's."""

    def __init__(self, profile: Profile) -> None:
        self._profile = profile
        self._version = 0
        self._curated: SourceTypes | None = None
        self._given = SourceTypes(profile)

    def follow(self, rules: Sequence[Mapping[str, Any]], version: int) -> None:
        """Take over a newer version of the curator's list."""
        if version == self._version:
            return
        listed = tuple(self.rule(row) for row in rules)
        self._curated = SourceTypes(replace(self._profile, sources=listed)) if listed else None
        self._version = version

    @staticmethod
    def rule(row: Mapping[str, Any]) -> SourceRule:
        return SourceRule(SourceType(row["type"]), row["rule"], row["pattern"], row["reason"])

    def type_of(self, url: str) -> SourceType:
        if self._curated:
            curated, reason = self._curated.type_of(url)
            if curated is not SourceType.UNKNOWN or "no rule" not in reason:
                return curated
        return self._given.type_of(url)[0]


def addresses_told_apart(rules: Sequence[SourceRule], others: Sequence[SourceRule] = ()) -> set[str]:
    """An address for every rule, and for every host of one with every path of another that may meet on it."""
    examples = [[_example(rule) for rule in each] for each in (rules, (*rules, *others))]
    (hosts, paths), (all_hosts, all_paths) = [({h for h, _ in each}, {p for _, p in each}) for each in examples]
    return {f"http://{h}{p}" for h, p in {*product(hosts, all_paths), *product(all_hosts, paths)}}


def _example(rule: SourceRule) -> tuple[str, str]:
    """A host and a path that the rule fits; of a suffix, a host under it."""
    host, slash, path = rule.pattern.partition("/")
    named = host.strip(".").replace("*", "x")
    return (f"x.{named}" if rule.rule == "suffix" else named), (slash or "/") + path


def _host_and_path(url: str) -> tuple[str, str]:
    try:
        parsed = parse(url)
    except RefusedError:
        return "", ""
    return parsed.host.rstrip(".").removeprefix("www."), unquote(parsed.path).lower()


def _matcher(rule: SourceRule) -> _Matcher:
    host, slash, path = rule.pattern.partition("/")
    pattern = ".*".join(re.escape(part) for part in host.strip(".").split("*"))
    if rule.rule == "path" and host != "*":
        pattern = rf"(?:.+\.)?{pattern}"
    return _Matcher(rule, re.compile(pattern), slash + path)
