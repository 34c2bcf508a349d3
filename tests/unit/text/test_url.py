from __future__ import annotations

import csv
from importlib import resources

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lumbung.errors import InputRefused
from lumbung.text import url

SAME_PAGE = [
    ("HTTP://Example.ID:80/a", "http://example.id/a"),
    ("https://example.id:443/", "https://example.id/"),
    ("http://example.id:8080/", "http://example.id:8080/"),
    ("http://example.id", "http://example.id/"),
    ("http://example.id./a", "http://example.id/a"),
    ("http://example.id/a#bagian", "http://example.id/a"),
    ("http://example.id/a?", "http://example.id/a"),
    ("http://example.id/a?&&b=1&", "http://example.id/a?b=1"),
    ("http://example.id/a/./b/../c", "http://example.id/a/c"),
    ("http://example.id/%7ejoe/%c3%a9", "http://example.id/~joe/%C3%A9"),
    ("http://example.id/?utm_source=x&UTM_Medium=y&fbclid=z", "http://example.id/"),
    ("http://example.id/?%75tm_source=x&a=1", "http://example.id/?a=1"),
    ("http://example.id/?b=2&a=1&c=3", "http://example.id/?a=1&b=2&c=3"),
    ("http://example.id/?a=2&a=1", "http://example.id/?a=2&a=1"),
    ("http://example.id/?/forum/3&print", "http://example.id/?/forum/3&print"),
    ("http://example.id/budaya/index.html", "http://example.id/budaya/"),
    ("http://example.id/Default.ASPX", "http://example.id/"),
    ("http://example.id/index.php", "http://example.id/"),
    ("http://example.id/index.php?id=3", "http://example.id/index.php?id=3"),
    ("http://example.id/index.php?utm_source=a", "http://example.id/"),
    ("http://example.id/index.php/jurnal/article/view/1", "http://example.id/index.php/jurnal/article/view/1"),
    ("http://example.id/a;jsessionid=1A2B.node3?b=1", "http://example.id/a?b=1"),
    ("http://example.id/(S(0123456789abcdefghijklmn))/a.aspx", "http://example.id/a.aspx"),
    ("http://example.id/?PHPSESSID=ab&b=1", "http://example.id/?b=1"),
    ("http://example.id/?sid=0123456789abcdef0123456789abcdef", "http://example.id/"),
    ("http://example.id/?sid=42", "http://example.id/?sid=42"),
    ("http://example.id/?s=batik", "http://example.id/?s=batik"),
    ("http://user:secret@example.id/a", "http://example.id/a"),
    ("http://kafé.example/Ünüm", "http://xn--kaf-dma.example/%C3%9Cn%C3%BCm"),
    ("http://0x7f.1/", "http://127.0.0.1/"),
    ("http://[2001:DB8::0:1]/", "http://[2001:db8::1]/"),
]


@pytest.mark.parametrize(("written", "identity"), SAME_PAGE)
def test_spellings_of_one_page_have_one_identity(written: str, identity: str) -> None:
    assert url.normalize(written) == identity


@pytest.mark.parametrize(
    ("written", "reason"),
    [
        ("mailto:a@example.id", "scheme"),
        ("javascript:void(0)", "scheme"),
        ("ftp://example.id/a", "scheme"),
        ("file:///etc/passwd", "scheme"),
        ("data:text/html,x", "scheme"),
        ("http://", "not-a-url"),
        ("/relatif", "not-a-url"),
        ("http://a..b/", "bad-host"),
        ("http://a!b/", "bad-host"),
        ("http://" + "a" * 64 + ".id/", "bad-host"),
        ("http://" + "a." * 130 + "id/", "bad-host"),
        ("http://example.id/" + "a" * 2048, "too-long"),
        ("http://[fe80::1%25eth0]/", "not-a-url"),
        ("http://256.256.256.256/", "not-a-url"),
    ],
)
def test_what_is_never_crawled_is_refused_with_its_reason(written: str, reason: str) -> None:
    with pytest.raises(InputRefused) as refused:
        url.normalize(written)
    assert refused.value.reason == reason


def test_a_bad_base_is_named_as_the_fault() -> None:
    with pytest.raises(InputRefused) as refused:
        url.parse("a", "not a base")
    assert refused.value.reason == "bad-base"


def test_a_session_cut_from_the_path_lets_the_parser_read_again() -> None:
    assert url.normalize("http://example.id/a/..;jsessionid=1/b") == "http://example.id/b"


def test_an_escape_next_to_a_stray_percent_sign_is_not_decoded_into_a_new_escape() -> None:
    assert url.normalize("http://example.id/%%36%31") == "http://example.id/%%36%31"


def test_references_are_read_relative_to_their_page() -> None:
    assert url.normalize("../b?y=1&x=2#z", "https://example.id/a/c/d") == "https://example.id/a/b?x=2&y=1"


def test_lone_surrogates_become_the_replacement_character() -> None:
    assert url.parse("http://example.id/\ud800x").href == "http://example.id/%EF%BF%BDx"
    assert url.parse("http://example.id/\ud83d\ude00").href == "http://example.id/%F0%9F%98%80"


def test_the_parts_of_a_url() -> None:
    parsed = url.parse("https://u:p@[::1]:8443/a;b?c=d#e")
    assert (parsed.scheme, parsed.host, parsed.port, parsed.path, parsed.query) == (
        "https",
        "[::1]",
        8443,
        "/a;b",
        "c=d",
    )
    assert parsed.has_credentials
    assert parsed.request_url == "https://[::1]:8443/a;b?c=d"
    assert parsed.origin == "https://[::1]:8443"
    assert url.parse("http://example.id").port == 80


WHATWG = [
    ("http://A.B.c.XN--pokxncvks/", None, "http://a.b.c.xn--pokxncvks/"),
    ("http://xn--a.é/", None, None),
    ("http://example\t.\norg", None, "http://example.org/"),
    ("http:\\\\x:y@foo.id\\a", None, "http://x:y@foo.id/a"),
    ("http://foo:21/ bar ? qux # e ", None, "http://foo:21/%20bar%20?%20qux%20#%20e"),
    ("http:foo.com", "http://example.org/foo/bar", "http://example.org/foo/foo.com"),
    ("//foo/bar", "https://example.org/x", "https://foo/bar"),
    ("?q", "http://example.org/foo/bar", "http://example.org/foo/bar?q"),
    ("http://%30%78%63%30%2e%30%32%35%30.01", None, "http://192.168.0.1/"),
    ("http://GOO\u200b\u2060\ufeffgoo.com", None, "http://googoo.com/"),
    ("http://你好你好", None, "http://xn--6qqa088eba/"),
    ("http://[1::2]:3:4", None, None),
    ("http://a b", None, None),
    ("http://foo:-80/", None, None),
    ("http://foo:65536/", None, None),
    ("http://ho%20st/", None, None),
    ("https://%EF%BF%BD", None, None),
    ("http://a:b@c:29/d", None, "http://a:b@c:29/d"),
    ("http://::@c@d:2", None, "http://:%3A%40c@d:2/"),
    ("/%2e%2E/a", "http://example.org/x/y", "http://example.org/a"),
    ("", "http://example.org/foo", "http://example.org/foo"),
    ("x", "mailto:a@b", None),
]


@pytest.mark.parametrize(("reference", "base", "href"), WHATWG)
def test_parsing_agrees_with_the_url_standard(reference: str, base: str | None, href: str | None) -> None:
    if href is None:
        with pytest.raises(InputRefused):
            url.parse(reference, base)
    else:
        assert url.parse(reference, base).href == href


PIECES = st.sampled_from(
    ["/", "//", "..", ".", ";jsessionid=", "index.html", "index.php", "%2e", "%", "%41", "%zz", "?", "&", "=", "utm_id"]
    + [
        "a",
        "B",
        "é",
        "#",
        ";",
        "(S(",
        "))",
        "sid=0123456789abcdef",
        "\\",
        "@",
        ":",
        "+",
        "%2F",
        " ",
        "id",
        "\t",
        "[",
        "|",
    ]
)


@settings(max_examples=600, derandomize=True, deadline=None)
@given(
    st.lists(PIECES, max_size=14).map("".join),
    st.sampled_from(["http://Ex.id", "https://ex.id./", "http://u@ex.id:80/"]),
)
def test_the_identity_of_an_identity_is_itself(rest: str, start: str) -> None:
    try:
        identity = url.normalize(start + rest)
    except InputRefused:
        return
    assert url.normalize(identity) == identity
    assert url.parse(identity).href == identity


@settings(max_examples=300, derandomize=True, deadline=None)
@given(st.text(max_size=60))
def test_any_text_is_an_identity_or_a_reason(text: str) -> None:
    for base in (None, "http://example.id/a/"):
        try:
            assert url.normalize(text, base).startswith("http")
        except InputRefused as refused:
            assert refused.reason


def test_links_of_a_page_are_told_apart_once() -> None:
    links = ["/a", "a#x", "/a?utm_source=1", "mailto:x@y", "/b", "http://[bad", "/a"]
    assert url.identities(links, "http://example.id/") == ["http://example.id/a", "http://example.id/b"]


@pytest.mark.parametrize(
    ("host", "domain"),
    [
        ("www.kebudayaan.kemdikbud.go.id", "kemdikbud.go.id"),
        ("desaku.desa.id", "desaku.desa.id"),
        ("a.b.blogspot.com", "b.blogspot.com"),
        ("go.id", "go.id"),
        ("localhost", "localhost"),
        ("127.0.0.1", "127.0.0.1"),
        ("[::1]", "[::1]"),
        ("WWW.Example.CO.UK.", "example.co.uk"),
    ],
)
def test_the_registrable_domain_is_what_somebody_registered(host: str, domain: str) -> None:
    assert url.registrable_domain(host) == domain


def test_every_rule_has_a_reason_and_stands_once() -> None:
    rows = list(
        csv.DictReader(resources.files("lumbung.text").joinpath("url_rules.csv").read_text("utf-8").splitlines())
    )
    assert all(len(row["reason"]) > 10 for row in rows)
    names = [(row["kind"], row["pattern"]) for row in rows]
    assert len(names) == len(set(names))
    assert all(row["pattern"] == row["pattern"].lower() for row in rows if row["kind"] != "path-session")


def test_a_dropped_parameter_leaves_no_trace_on_the_others():
    once = url.normalize("http://a.id/?q=%7Ea%2E&utm_source=%zz")
    assert once == url.normalize(once) == "http://a.id/?q=~a."
