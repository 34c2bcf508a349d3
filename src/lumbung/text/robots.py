"""robots.txt as RFC 9309 words it.

Where the RFC and the most used parser read a file differently, the reading that allows less is taken: a rule to
allow must hold in both, a rule to disallow in one.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache

from lumbung.text.robots_pattern import PathForms, RulePattern, path_forms
from lumbung.text.url import parse as parse_url

MAX_BYTES = 500 * 1024
MAX_AGENT_LINE = 8_192
MAX_DISALLOW_PATH = 16_000
"""A longer path to disallow is cut here, which disallows more."""

_PRODUCT_TOKEN = re.compile(r"[A-Za-z_-]+")
_WORD = re.compile(r"[^\s/();]+")
_PRODUCT = re.compile(r"(?<![\w./:-])((?:[^\W\d]|-)+)/[0-9]")
_LEADING_NUMBER = re.compile(r"[0-9]+(?:\.[0-9]*)?|\.[0-9]+")
_MOST_BUILT = 64
_GUESSED = " ?"
"""Marks a name that only some parsers read out of a line: it binds, but excuses nobody from `*`."""
_GENERIC_PRODUCTS = frozenset({"mozilla", "applewebkit", "khtml", "gecko", "chrome", "safari", "version", "mobile"})
_DISALLOW_SPELLINGS = ("disallow", "dissallow", "dissalow", "disalow", "diasllow", "disallaw")
_AGENT_SPELLINGS = frozenset({"user-agent", "useragent", "user agent"})
_AGENT_WORDS = re.compile(r"user[- ]?agent\s+", re.IGNORECASE)
_ADDED_AGENT = "user-agent, perhaps"
"""A line that some parsers read as the name of an agent and others not at all: it adds a name and ends no group."""
_SITEMAP_SPELLINGS = frozenset({"sitemap", "site-map"})


@dataclass(frozen=True, slots=True)
class RobotsVerdict:
    allowed: bool
    rule: str | None
    """The rule that decided, as the file words it; None when none did."""
    crawl_delay: float | None


@dataclass(frozen=True, slots=True)
class Rule:
    allow: bool
    text: str
    pattern: RulePattern
    octets: int

    @classmethod
    def of(cls, path: str, *, allow: bool) -> Rule:
        pattern = RulePattern.of(path)
        text = path.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
        octets = min(pattern.octets) if allow else max(pattern.octets)
        return cls(allow, f"{'Allow' if allow else 'Disallow'}: {text}", pattern, octets)


@dataclass(frozen=True, slots=True)
class Group:
    """What the file says to one product token, all its groups together."""

    rules: tuple[Rule, ...] = ()
    """By rank: the most octets first, allow before disallow; so the first that matches decides."""
    prefixes: tuple[str, ...] = ()
    """What a path must begin with for any rule to match: most paths are answered by this alone."""
    crawl_delay: float | None = None

    @classmethod
    def of(cls, rules: Iterable[Rule], crawl_delay: float | None) -> Group:
        ranked = sorted(rules, key=lambda rule: (rule.octets, rule.allow), reverse=True)
        prefixes = {prefix for rule in ranked for prefix in rule.pattern.prefixes}
        return cls(tuple(ranked), tuple(prefixes), crawl_delay)

    def verdict(self, forms: PathForms) -> RobotsVerdict:
        if forms.compared.startswith(self.prefixes) or forms.written.startswith(self.prefixes):
            for rule in self.rules:
                if rule.pattern.matches_every(forms) if rule.allow else rule.pattern.matches_any(forms):
                    return RobotsVerdict(rule.allow, rule.text, self.crawl_delay)
        return RobotsVerdict(True, None, self.crawl_delay)


@dataclass(slots=True)
class _Block:
    """The rules and delays that follow a list of agents."""

    rules: list[Rule] = field(default_factory=list)
    delays: list[float] = field(default_factory=list)


class Groups:
    """By product token, or whole value, in lower case; `*` is for everybody else.

    A group is put together when it is asked for: a file may name thousands of agents, each with thousands of rules.
    """

    def __init__(self) -> None:
        self._joined: dict[str, list[tuple[_Block, int, int]]] = {}
        self._built: dict[str, Group] = {}
        self._binding: dict[str, list[Group]] = {}

    def join(self, name: str, block: _Block) -> None:
        """What the block says from now on is said to this agent too."""
        joined = self._joined.setdefault(name, [])
        if not joined or joined[-1][0] is not block:
            joined.append((block, len(block.rules), len(block.delays)))

    def __contains__(self, name: str) -> bool:
        return name in self._joined

    def __getitem__(self, name: str) -> Group:
        if name not in self._built:
            if len(self._built) >= _MOST_BUILT:
                self._built.clear()
            rules = [rule for block, start, _ in self._joined[name] for rule in block.rules[start:]]
            delays = [delay for block, _, start in self._joined[name] for delay in block.delays[start:]]
            self._built[name] = Group.of(rules, max(delays, default=None))
        return self._built[name]

    def binding(self, agent: str) -> list[Group]:
        """The groups that bind this agent: all of them must allow."""
        found = self._binding.get(agent)
        if found is None:
            if len(self._binding) >= _MOST_BUILT:
                self._binding.clear()
            found = self._binding[agent] = self._named(agent)
        return found

    def _named(self, agent: str) -> list[Group]:
        tokens, is_plain = product_tokens(agent[:MAX_AGENT_LINE])
        names = [name for name in tokens if name in self and name != "*"]
        guessed = [name + _GUESSED for name in tokens if name + _GUESSED in self]
        # An agent line that is no product token is matched by guess, so what is said to everybody binds it too.
        if not names or not is_plain:
            names = [*names, "*"]
        return [self[name] for name in (*names, *guessed) if name in self]


@dataclass(frozen=True, slots=True)
class Robots:
    groups: Groups = field(default_factory=Groups)
    sitemaps: tuple[str, ...] = ()
    signals: tuple[str, ...] = ()
    """Values of Content-Signal and Content-Usage lines, which speak of uses rather than of visits."""

    @classmethod
    def parse(cls, body: bytes) -> Robots:
        reader = _Reader()
        for key, value in _records(body):
            reader.take(key, value)
        return reader.finished()

    @classmethod
    def of_response(cls, status: int | None, body: bytes = b"") -> Robots:
        """What an answer to the request for robots.txt means; None is a server that could not be reached.

        400 to 499 means there is no file, so everything is allowed, except 429, by which a server says that it
        is asked too much already. Whatever else is not a file disallows everything.
        """
        if status is not None and 200 <= status < 300:
            return cls.parse(body)
        if status is not None and 400 <= status < 500 and status != 429:
            return cls()
        return cls.parse(b"User-agent: *\nDisallow: /\n")

    def check(self, agent: str, url: str) -> RobotsVerdict:
        """`agent` is a product token or a whole User-Agent line, `url` a URL or a path with its query."""
        path = _path_and_query(url)
        if path == "/robots.txt":
            return RobotsVerdict(allowed=True, rule=None, crawl_delay=self._strictest(agent, None).crawl_delay)
        return self._strictest(agent, path_forms(path))

    def crawl_delay(self, agent: str) -> float | None:
        return self._strictest(agent, None).crawl_delay

    def _strictest(self, agent: str, forms: PathForms | None) -> RobotsVerdict:
        verdicts = [
            group.verdict(forms) if forms is not None else RobotsVerdict(True, None, group.crawl_delay)
            for group in self.groups.binding(agent)
        ]
        if not verdicts:
            return RobotsVerdict(allowed=True, rule=None, crawl_delay=None)
        delays = [verdict.crawl_delay for verdict in verdicts if verdict.crawl_delay is not None]
        decisive = next((verdict for verdict in verdicts if not verdict.allowed), verdicts[0])
        return RobotsVerdict(decisive.allowed, decisive.rule, max(delays, default=None))


@lru_cache(maxsize=64)
def product_tokens(agent: str) -> tuple[tuple[str, ...], bool]:
    """The names under which a file may address this agent, in lower case, and whether they are beyond doubt."""
    line = agent.strip()
    if _WORD.fullmatch(line):
        return (line.lower(),), True
    products = list(dict.fromkeys(name.lower() for name in _PRODUCT.findall(line)))
    specific = [name for name in products if name not in _GENERIC_PRODUCTS] or products
    if specific and _PRODUCT.match(line):
        return tuple(specific), True
    leading = _WORD.match(line)
    guesses = [line.lower(), *([leading.group().lower()] if leading else []), *specific]
    return tuple(dict.fromkeys(guesses)), False


@dataclass(slots=True)
class _Reader:
    """Groups records by the agents named before them; only a rule ends the list of agents."""

    groups: Groups = field(default_factory=Groups)
    sitemaps: list[str] = field(default_factory=list)
    signals: list[str] = field(default_factory=list)
    block: _Block | None = None
    in_rules: bool = False

    def take(self, key: str, value: str) -> None:
        if key in _AGENT_SPELLINGS:
            self.block = None if self.in_rules else self.block
            self.in_rules = False
            self._take_agent(value)
        elif key == _ADDED_AGENT:
            self._take_agent(value)
        elif key.startswith(_DISALLOW_SPELLINGS):
            self._take_rule(value, allow=False)
        elif key == "allow":
            self._take_rule(value, allow=True)
        elif key == "crawl-delay":
            self._take_crawl_delay(value)
        elif key in _SITEMAP_SPELLINGS and value:
            self.sitemaps.append(value.encode("utf-8", "surrogateescape").decode("utf-8", "replace"))
        elif key in {"content-signal", "content-usage"}:
            self.signals.append(value)

    def _take_agent(self, value: str) -> None:
        names = {"*"} if value == "*" or value.startswith(("* ", "*\t")) else _agent_names(value)
        self.block = self.block or _Block()
        for name in names:
            self.groups.join(name, self.block)

    def _take_rule(self, value: str, *, allow: bool) -> None:
        self.in_rules = True
        if not value or self.block is None:
            return
        if not value.startswith(("/", "*")):
            if allow:
                return
            value = "/" + value
        self.block.rules.append(Rule.of(value if allow else value[:MAX_DISALLOW_PATH], allow=allow))

    def _take_crawl_delay(self, value: str) -> None:
        number = _LEADING_NUMBER.match(value)
        seconds = float(number.group()) if number else math.inf
        if math.isfinite(seconds) and self.block is not None:
            self.block.delays.append(seconds)

    def finished(self) -> Robots:
        return Robots(self.groups, tuple(self.sitemaps), tuple(self.signals))


def _agent_names(value: str) -> set[str]:
    """The whole value, its first word, and as a guess the product token that the word begins with."""
    whole = value.lower()
    word, token = _WORD.match(whole), _PRODUCT_TOKEN.match(whole)
    names = {whole} | ({word.group()} if word else set())
    return names | {token.group() + _GUESSED} if token and token.group() not in names else names


def _records(body: bytes) -> Iterable[tuple[str, str]]:
    for line in re.split(r"\r\n|\r|\n", _decoded(body)):
        content = line.partition("#")[0].strip(" \t\v\f\x00")
        key, colon, value = content.partition(":")
        if colon:
            yield key.strip().lower(), value.strip(" \t\v\f\x00")
        yield from _without_colon(content, has_colon=bool(colon))


def _without_colon(content: str, *, has_colon: bool) -> Iterable[tuple[str, str]]:
    """People forget the colon: two words, and no more, are read as key and value, even where the value has one."""
    words = content.split()
    if len(words) == 2 and (not has_colon or words[0].lower() in _SITEMAP_SPELLINGS | {"disallow"}):
        yield words[0].lower(), words[1]
    elif len(words) > 2 and not has_colon and _AGENT_WORDS.match(content):
        yield _ADDED_AGENT, _AGENT_WORDS.sub("", content)


def _decoded(body: bytes) -> str:
    if body.startswith((b"\xff\xfe", b"\xfe\xff")):
        return body[: 2 * MAX_BYTES].decode("utf-16", "replace")
    for mark in (b"\xef\xbb\xbf", b"\xef\xbb", b"\xef"):
        if body.startswith(mark):
            body = body[len(mark) :]
            break
    if len(body) > MAX_BYTES:
        # The line that the limit cuts through is left out: half a rule is another rule.
        body = body[:MAX_BYTES]
        body = body[: max(body.rfind(b"\n"), body.rfind(b"\r")) + 1]
    return body.decode("utf-8", "surrogateescape")


def _path_and_query(url: str) -> str:
    """The part that rules speak of, as the URL standard serialises it; an empty URL is the root."""
    if not url or (url.startswith("/") and not url.startswith("//")):
        href = parse_url("http://host" + url).href
    elif "://" in url.partition("?")[0]:
        href = parse_url(url).href
    else:
        href = parse_url("http://" + url.removeprefix("//")).href
    without_fragment = href.partition("#")[0]
    return without_fragment[without_fragment.index("/", len("https://")) :]
