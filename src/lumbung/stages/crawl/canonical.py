"""When a page is believed that names another address of its site as its own.

By the two addresses alone, so that it depends neither on which page came first nor on which worker read it. A false
belief loses a page, a false doubt only keeps it twice: what is doubtful is not believed. Of two addresses that name
each other one at most gives way, because the one that is believed always stands lower in one order.
"""

from __future__ import annotations

import re

from lumbung.text.url import ParsedUrl, parse, registrable_domain

_PRESENTATION_KEYS = frozenset(
    {
        "print",
        "cetak",
        "printable",
        "amp",
        "output",
        "outputtype",
        "format",
        "view",
        "share",
        "replytocom",
        "like_comment",
    }
    | {"sort", "order", "orderby", "dir", "highlight", "mobile", "theme", "ref", "from", "source", "nb"}
)
_PERMALINK_KEYS = frozenset(
    {"p", "page_id", "post", "post_id", "id", "article", "article_id", "node", "nid", "attachment_id"}
)
_NUMBER = re.compile(r"[0-9]{1,12}")
_ENDING = re.compile(r"\.(?:html?|php|aspx?|jsp|amp)$")
_VARIANT_SEGMENTS = frozenset({"amp", "print", "cetak", "mobile", "index", "default", "feed"})
_PLAIN_HOSTS = ("www.", "m.", "mobile.", "amp.", "wap.")
_FEWEST_LETTERS = 3


def canonical_elsewhere(url: str, canonical: str | None) -> str | None:
    """The address under which the page is to be asked instead; None where it stays under its own."""
    if canonical is None or canonical == url:
        return None
    here, there = parse(url), parse(canonical)
    if not _is_same_site(here.host, there.host) or _rank(here) <= _rank(there):
        return None
    believed = _says_the_same(here, there) if _segments(here) == _segments(there) else _is_permalink(here, there)
    return canonical if believed or _has_same_name(here, there) else None


def _is_same_site(here: str, there: str) -> bool:
    return registrable_domain(here) == registrable_domain(there) and _plain_host(here) == _plain_host(there)


def _plain_host(host: str) -> str:
    return next((host.removeprefix(prefix) for prefix in _PLAIN_HOSTS if host.startswith(prefix)), host)


def _rank(address: ParsedUrl) -> tuple[int, bool, int, str]:
    return len(_parameters(address)), address.scheme != "https", len(address.href), address.href


def _parameters(address: ParsedUrl) -> dict[str, str]:
    return dict(part.partition("=")[::2] for part in address.query.split("&") if part)


def _segments(address: ParsedUrl) -> list[str]:
    """Without what only says how the page is shown."""
    named = [_ENDING.sub("", segment) for segment in address.path.split("/") if segment]
    while named and named[-1].lower() in _VARIANT_SEGMENTS:
        named.pop()
    return named


def _says_the_same(here: ParsedUrl, there: ParsedUrl) -> bool:
    """The same path; what the parameters no longer say was about the presentation."""
    ours, theirs = _parameters(here), _parameters(there)
    dropped = ours.keys() - theirs.keys()
    return all(ours.get(key) == value for key, value in theirs.items()) and dropped <= _PRESENTATION_KEYS


def _is_permalink(here: ParsedUrl, there: ParsedUrl) -> bool:
    """A number at the site's root stands for a page with a name."""
    parameters = _parameters(here)
    numbered = [key for key, value in parameters.items() if key in _PERMALINK_KEYS and _NUMBER.fullmatch(value)]
    rest = parameters.keys() - set(numbered) - _PRESENTATION_KEYS
    return not _segments(here) and len(numbered) == 1 and not rest and bool(_segments(there)) and not there.query


def _has_same_name(here: ParsedUrl, there: ParsedUrl) -> bool:
    """The same page filed in another place: its last segment is a name, and the same."""
    ours, theirs = _segments(here), _segments(there)
    if not ours or not theirs or ours == theirs or ours[-1] != theirs[-1]:
        return False
    is_name = sum(letter.isalpha() for letter in ours[-1]) >= _FEWEST_LETTERS
    return is_name and not there.query and _parameters(here).keys() <= _PRESENTATION_KEYS
