"""URLs: the WHATWG parse, and the identity under which the frontier knows a page.

One parser (ada) serves identity, guard and fetch. Its serialised form is canonical, so taking it apart again by
a pattern is safe, and cheaper than asking the parser for each part.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib import resources

import ada_url
from publicsuffixlist import PublicSuffixList

from lumbung.errors import InputRefused

MAX_LENGTH = 2048
"""What sitemaps, browsers and servers agree to carry; longer ones are parameters run wild."""

DEFAULT_PORTS = {"http": 80, "https": 443}

_SERIALISED = re.compile(
    r"(https?)://(?:([^/?#@]*)@)?(\[[^\]]*\]|[^/?#:@]*)(?::([0-9]+))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?",
    re.DOTALL,
)
_HOST_NAME = re.compile(r"(?!.{254})[a-z0-9_-]{1,63}(?:\.[a-z0-9_-]{1,63})*")
_ESCAPE = re.compile(r"%([0-9A-Fa-f]{2})")
_STRAY_PERCENT = re.compile(r"%(?![0-9A-Fa-f]{2})")
_UNRESERVED = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
_TOKEN_VALUE = re.compile(r"(?=[^&]*[0-9])[0-9A-Za-z_.%-]{16,}")


@dataclass(frozen=True, slots=True)
class ParsedUrl:
    href: str
    scheme: str
    host: str
    """As serialised: lower case, punycode; an IPv6 address keeps its brackets."""
    port: int
    """The default port of the scheme where the URL names none."""
    path: str
    query: str
    has_credentials: bool

    @property
    def request_url(self) -> str:
        """What is sent for: no fragment and no credentials, which a crawler has no business using."""
        return self.origin + self.target

    @property
    def target(self) -> str:
        """Of a request to the origin."""
        return f"{self.path}?{self.query}" if self.query else self.path

    @property
    def origin(self) -> str:
        port = "" if self.port == DEFAULT_PORTS[self.scheme] else f":{self.port}"
        return f"{self.scheme}://{self.host}{port}"


@dataclass(frozen=True, slots=True)
class UrlRules:
    """`url_rules.csv`, sorted by use."""

    dropped: frozenset[str]
    """Parameters that never change the page."""
    dropped_prefixes: tuple[str, ...]
    session_like: frozenset[str]
    """Parameters that are a session only when their value looks like one."""
    static_documents: frozenset[str]
    dynamic_documents: frozenset[str]
    path_sessions: re.Pattern[str]


@cache
def url_rules() -> UrlRules:
    rows = resources.files("lumbung.text").joinpath("url_rules.csv").read_text("utf-8").splitlines()
    by_kind: dict[str, list[str]] = {}
    for row in csv.DictReader(rows):
        by_kind.setdefault(row["kind"], []).append(row["pattern"])
    dropped = by_kind["tracking"] + by_kind["session"]
    return UrlRules(
        dropped=frozenset(name for name in dropped if not name.endswith("*")),
        dropped_prefixes=tuple(name[:-1] for name in dropped if name.endswith("*")),
        session_like=frozenset(by_kind["session-like"]),
        static_documents=frozenset(by_kind["document"]),
        dynamic_documents=frozenset(by_kind["dynamic-document"]),
        path_sessions=re.compile("|".join(by_kind["path-session"]), re.IGNORECASE),
    )


def usv_string(text: str) -> str:
    """Lone surrogates become U+FFFD, as the URL standard converts its input."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text


def href_of(reference: str, base: str | None = None) -> str:
    """The WHATWG serialisation, of any scheme."""
    try:
        if base is None:
            return ada_url.normalize_url(reference)
        return ada_url.join_url(base, reference)
    except ValueError as error:
        clean, clean_base = usv_string(reference), None if base is None else usv_string(base)
        if clean != reference or clean_base != base:
            return href_of(clean, clean_base)
        message = "not-a-url: this cannot be read as a URL"
        if base is not None and not ada_url.check_url(base):
            message = "bad-base: the base cannot be read as a URL"
        elif base is None and not re.match(r"\s*[A-Za-z][A-Za-z0-9+.-]*:", reference):
            message = "not-a-url: a relative reference needs a base"
        raise InputRefused(message, reason=message.partition(":")[0]) from error


def parse(reference: str, base: str | None = None) -> ParsedUrl:
    """WHATWG parse, http and https only."""
    if base is None and len(reference) <= MAX_LENGTH:
        return _parsed(reference)
    return _parts(href_of(reference, base))


@lru_cache(maxsize=8192)
def _parsed(reference: str) -> ParsedUrl:
    """A crawl asks for the parts of one URL where it finds it, and again in its turn: policy, guard, request."""
    return _parts(href_of(reference))


def _parts(href: str) -> ParsedUrl:
    scheme, user, host, port, path, query, _ = _split(href)
    return ParsedUrl(
        href=href,
        scheme=scheme,
        host=host,
        port=int(port) if port else DEFAULT_PORTS[scheme],
        path=path,
        query=query or "",
        has_credentials=user is not None,
    )


def _split(href: str) -> tuple[str, str | None, str, str | None, str, str | None, str | None]:
    """Scheme, credentials, host, port where it is not the default, path, query, fragment."""
    found = _SERIALISED.fullmatch(href)
    if found is None:
        scheme = href.partition(":")[0]
        raise InputRefused(f"scheme: only http and https are read, not {scheme}", reason="scheme")
    scheme, user, host, port, path, query, fragment = found.groups()
    return scheme, user, host, port, path, query, fragment


def normalize(reference: str, base: str | None = None) -> str:
    """The identity of a page in the frontier. Idempotent; refused with a reason when never crawled."""
    href = href_of(reference, base)
    for _ in range(8):
        identity, settled = _normalized_once(href)
        if settled:
            if len(identity) > MAX_LENGTH:
                raise InputRefused(f"too-long: {len(identity)} characters, over {MAX_LENGTH}", reason="too-long")
            return identity
        href = href_of(identity)
    raise InputRefused("unstable: no normal form was reached", reason="unstable")


def identities(references: Iterable[str], base: str) -> list[str]:
    """The distinct identities among the links of a page, in order; what is never crawled is left out."""
    found: dict[str, None] = {}
    for reference in dict.fromkeys(references):
        try:
            found[normalize(reference, base)] = None
        except InputRefused:
            continue
    return list(found)


def _normalized_once(href: str) -> tuple[str, bool]:
    """One round of the rules. Not settled when a session was cut out of the path, for that may lay bare what
    the parser has to read again: `/..;jsessionid=1` becomes `/..`.
    """
    scheme, _, host, port, path, query, _ = _split(href)
    if query:
        query = _normal_query(query)
    if "%" in path:
        path = _normal_escapes(path)
    settled = True
    if ";" in path or "(" in path:
        whole = path
        path = url_rules().path_sessions.sub("", path) or "/"
        settled = path == whole
    path = _without_default_document(path, has_query=bool(query))
    return f"{scheme}://{_normal_host(host)}{':' + port if port else ''}{path}{'?' + query if query else ''}", settled


@lru_cache(maxsize=4096)
def _normal_host(host: str) -> str:
    if host.startswith("["):
        return host
    bare = host.removesuffix(".")
    if not _HOST_NAME.fullmatch(bare):
        raise InputRefused(f"bad-host: {host!r} cannot be a name in the DNS", reason="bad-host")
    return bare


def _without_default_document(path: str, *, has_query: bool) -> str:
    rules = url_rules()
    folder, _, document = path.rpartition("/")
    name = document.lower()
    if name in rules.static_documents or (name in rules.dynamic_documents and not has_query):
        return folder + "/"
    return path


def _normal_query(query: str) -> str:
    parts = query.split("&")
    if "%" in query:
        # Each by itself: a part that is dropped must leave no trace on the escapes of the others.
        parts = [_normal_escapes(part) for part in parts]
    kept = [part for part in parts if part and not _is_dropped(part)]
    # A part without "=" may be positional (`?/forum/3&print`): then the order stays as the page wrote it.
    if len(kept) > 1 and all(part.find("=") > 0 for part in kept):
        kept.sort(key=lambda part: part.partition("=")[0])
    return "&".join(kept)


def _is_dropped(part: str) -> bool:
    rules = url_rules()
    name, _, value = part.partition("=")
    name = name.lower()
    if name in rules.dropped or name.startswith(rules.dropped_prefixes):
        return True
    return name in rules.session_like and _TOKEN_VALUE.fullmatch(value) is not None


def _normal_escapes(text: str) -> str:
    """Escapes of unreserved characters decoded, the others in upper case.

    Decoding beside a stray percent sign could make a new escape (`%%36%31`): such text keeps its escapes.
    """
    if _STRAY_PERCENT.search(text):
        return _ESCAPE.sub(lambda found: found.group().upper(), text)
    return _ESCAPE.sub(_normal_escape, text)


def _normal_escape(found: re.Match[str]) -> str:
    character = chr(int(found.group(1), 16))
    return character if character in _UNRESERVED else found.group().upper()


@cache
def _suffixes() -> PublicSuffixList:
    return PublicSuffixList()


@lru_cache(maxsize=16384)
def registrable_domain(host: str) -> str:
    """The part of a host name that somebody registered; a public suffix or an address stands for itself."""
    bare = host.lower().rstrip(".")
    if bare.startswith("[") or ":" in bare or bare.replace(".", "").isdigit():
        return bare
    return _suffixes().privatesuffix(bare) or bare


def registered_domain(host: str) -> str:
    """The same where the ending is one that exists, otherwise empty: for names that may be no host names at all."""
    return _suffixes().privatesuffix(host.lower().rstrip("."), accept_unknown=False) or ""


def host_of(url: str) -> str:
    return parse(url).host
