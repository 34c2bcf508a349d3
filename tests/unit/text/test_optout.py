from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lumbung.text.optout import (
    TdmRules,
    check_ai_txt,
    directives_of_headers,
    directives_of_meta,
    directives_of_signals,
    keeping_refused,
    links_refused,
)

NOW = datetime(2026, 5, 1, tzinfo=UTC)


@pytest.mark.parametrize(
    ("value", "found"),
    [
        ("noindex", {"noindex"}),
        ("NOINDEX, NoFollow", {"noindex", "nofollow"}),
        ("none", {"noindex", "nofollow"}),
        ("noai, noimageai", {"noai", "noimageai"}),
        ("all, max-image-preview:large", set()),
        ("max-snippet: 0", {"nosnippet"}),
        ("max-snippet:50, noarchive", {"noarchive"}),
        ("lumbung: noindex", {"noindex"}),
        ("Lumbung: noindex, noai", {"noindex", "noai"}),
        ("otherbot: noindex, nofollow", set()),
        ("*: noai", {"noai"}),
        ("otherbot: noindex, lumbung: nofollow", {"nofollow"}),
        ("lumbung: nofollow, otherbot: noindex", {"nofollow"}),
        ("noarchive, otherbot: noindex, *: noai", {"noarchive", "noai"}),
        ("noai, lumbung: max-snippet: 0, nofollow", {"noai", "nosnippet", "nofollow"}),
        ("otherbot: unavailable_after: Fri, 25 Jun 2010 15:00:00 GMT", set()),
        ("otherbot: noindex, lumbung: unavailable_after: Fri, 25 Jun 2010 15:00:00 GMT", {"noindex"}),
        ("unavailable_after: 25 Jun 2010 15:00:00 GMT", {"noindex"}),
        ("unavailable_after: 2010-06-25", {"noindex"}),
        ("unavailable_after: Wed, 01 Jan 2098 00:00:00 GMT", set()),
        ("nofollow, unavailable_after: Fri, 25 Jun 2010 15:00:00 GMT", {"nofollow", "noindex"}),
        ("unavailable_after: soon", set()),
        ("", set()),
    ],
)
def test_robots_tags_are_read_for_our_agent(value: str, found: set[str]) -> None:
    assert directives_of_headers([("X-Robots-Tag", value)], "Lumbung", NOW) == found


def test_several_headers_add_up() -> None:
    headers = [("x-robots-tag", "nofollow"), ("X-Robots-Tag", "lumbung: noai"), ("TDM-Reservation", "1")]
    assert directives_of_headers(headers, "Lumbung/0.1 (+mailto:a@b.id)") == {"nofollow", "noai", "tdm-reservation"}
    assert directives_of_headers([("tdm-reservation", "0"), ("Content-Type", "noindex")], "Lumbung") == frozenset()


def test_meta_elements_speak_to_everybody_or_by_name() -> None:
    assert directives_of_meta("Robots", "noindex,noai", "Lumbung") == {"noindex", "noai"}
    assert directives_of_meta("lumbung", "noarchive", "Lumbung") == {"noarchive"}
    assert directives_of_meta("googlebot", "noindex", "Lumbung") == frozenset()
    assert directives_of_meta("tdm-reservation", " 1 ", "Lumbung") == {"tdm-reservation"}


def test_content_signals_about_training_do_not_bind_a_reader() -> None:
    assert directives_of_signals(["search=yes, ai-train=no"]) == frozenset()
    assert directives_of_signals(["search=yes,ai-input=no"]) == {"noai"}
    assert directives_of_headers([("Content-Usage", "tdm=n")], "Lumbung") == {"tdm-reservation"}


def test_what_may_not_be_kept_says_why() -> None:
    for directive in ("noindex", "noarchive", "nosnippet", "noai", "tdm-reservation"):
        assert directive in (keeping_refused({directive}) or "")
    assert keeping_refused({"nofollow", "noimageai"}) is None
    assert links_refused({"nofollow"})
    assert not links_refused({"noindex"})


def test_the_longest_tdm_location_decides() -> None:
    rules = TdmRules.parse(
        b'[{"location":"/","tdm-reservation":0},{"location":"/naskah/","tdm-reservation":1},'
        b'{"location":"/naskah/terbuka/*.html$","tdm-reservation":0},{"location":7},"x"]'
    )
    assert not rules.reserved("http://situs.id/berita")
    assert rules.reserved("http://situs.id/naskah/1")
    assert not rules.reserved("http://situs.id/naskah/terbuka/a.html")
    assert rules.reserved("http://situs.id/naskah/terbuka/a.pdf")


@settings(max_examples=100, derandomize=True, deadline=None)
@given(st.binary(max_size=80))
def test_a_tdm_file_that_cannot_be_read_reserves_nothing(body: bytes) -> None:
    assert TdmRules.parse(body).reserved("http://situs.id/") is False
    assert TdmRules.parse(b"[" * 100_000).rules == ()


def test_ai_txt_has_the_form_of_robots_txt() -> None:
    assert not check_ai_txt(b"User-Agent: *\nDisallow: *.html\n", "Lumbung", "http://situs.id/a.html").allowed
    assert check_ai_txt(b"User-Agent: *\nDisallow: *.jpg\n", "Lumbung", "http://situs.id/a.html").allowed


@pytest.mark.parametrize("line", ["a" * 400_000, "a " * 200_000, "x-" * 200_000])
def test_a_line_of_preferences_without_end_is_read_once(line: str) -> None:
    assert directives_of_signals([line + " ai-input = no"]) == {"noai"}
