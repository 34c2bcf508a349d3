"""The curators' denylist: hosts and addresses that the crawl leaves alone.

`kalender.example` denies the host and all below it, `situs.example/tag/` every address that begins so, `/cetak/` such
paths on every host; a `*` stands for anything.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from lumbung.errors import RefusedError, UsageError
from lumbung.text.url import host_of

DENIED = "denied"
MOST_STARS = 3
"""More of them in one pattern could make a look at a long address slow."""
LONGEST_PATTERN = 500
_SCHEME = re.compile(r"https?://", re.IGNORECASE)


def checked_pattern(pattern: str) -> str:
    """The pattern as it is kept: without a scheme, its host in small letters; raises UsageError for what means nothing."""
    bare = _SCHEME.sub("", pattern.strip(), count=1).removeprefix("*.")
    host, slash, path = bare.partition("/")
    if len(bare) > LONGEST_PATTERN or bare.count("*") > MOST_STARS or any(letter.isspace() for letter in bare):
        raise UsageError(
            f"A pattern has no spaces, at most {LONGEST_PATTERN} characters and at most {MOST_STARS} stars: {bare[:80]}"
        )
    if "*" in host or not (host or path.strip("*")):
        raise UsageError(f"A pattern is a host, an address or the beginning of a path, not {bare[:80]}.")
    if host:
        try:
            host = host_of(f"http://{host}/")
        except RefusedError as error:
            raise UsageError(f"{host[:80]} is no host.") from error
    return host + slash + path


def _beginning(path: str) -> re.Pattern[str]:
    return re.compile(".*".join(re.escape(piece) for piece in path.split("*")), re.DOTALL)


class Denylist:
    def __init__(self, patterns: Iterable[str] = ()) -> None:
        """Patterns as `checked_pattern` returns them."""
        self._hosts: set[str] = set()
        self._paths: dict[str, list[re.Pattern[str]]] = {}
        for pattern in patterns:
            host, slash, path = pattern.partition("/")
            if slash and (path or not host):
                self._paths.setdefault(host, []).append(_beginning("/" + path))
            else:
                self._hosts.add(host)

    def __bool__(self) -> bool:
        return bool(self._hosts or self._paths)

    def denies(self, url: str, host: str) -> bool:
        """`url` is normalised, `host` its host."""
        if not self:
            return False
        labels = host.split(".")
        above = [".".join(labels[place:]) for place in range(len(labels))]
        if not self._hosts.isdisjoint(above):
            return True
        rules = [rule for name in ("", *above) for rule in self._paths.get(name, ())]
        if not rules:
            return False
        path = "/" + url.partition("://")[2].partition("/")[2]
        return any(rule.match(path) for rule in rules)
