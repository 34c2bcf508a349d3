from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lumbung.text.robots import MAX_BYTES, Robots, product_tokens

SITE = "http://situs.id"


def allowed(file: str | bytes, agent: str, path: str) -> bool:
    body = file if isinstance(file, bytes) else file.encode()
    return Robots.parse(body).check(agent, path if "://" in path or not path else SITE + path).allowed


def one_rule(rule: str) -> str:
    return f"User-agent: *\nDisallow: {rule}\n"


@pytest.mark.parametrize(
    ("rule", "path", "matches"),
    [
        ("/fish", "/fish.html", True),
        ("/fish", "/fishheads/yummy.html?x=1", True),
        ("/fish", "/Fish", False),
        ("/fish", "/catfish", False),
        ("/fish", "/?id=fish", False),
        ("/fish*", "/fish", True),
        ("/fish/", "/fish", False),
        ("/fish/", "/fish/?id=1", True),
        ("/*.php", "/folder/a.php?x", True),
        ("/*.php", "/php/", False),
        ("/*.php$", "/a.php", True),
        ("/*.php$", "/a.php?x", False),
        ("/*.php$", "/a.php5", False),
        ("/fish*.php", "/fishheads/catfish.php?p", True),
        ("/fish*.php", "/Fish.PHP", False),
        ("/a*b*c", "/a-b-b-c", True),
        ("/a*b*c", "/a-c-b", False),
        ("/a**b", "/ab", True),
        ("/*", "/", True),
        ("*", "/x", True),
        ("*.jpg$", "/x/y.jpg", True),
        ("/$", "/", True),
        ("/$", "/x", False),
        ("/a$b", "/a$bc", True),
        ("/a$$", "/a$", True),
        ("/aab$", "/aaab", False),
        ("/*aab$", "/aaab", True),
        ("/a*a$", "/a", False),
        ("/x-%2A.html", "/x-*.html", True),
        ("/x-%2A.html", "/x-a.html", False),
        ("/x-%24", "/x-$", True),
        ("/a%3cd", "/a%3Cd", True),
        ("/%7ejoe/", "/~joe/x", True),
        ("/~joe/", "/%7Ejoe/x", True),
        ("/a%2fb", "/a/b", False),
        ("/a/b", "/a%2fb", False),
        ("/foo/bar/%62%61%7A", "/foo/bar/baz", True),
        ("/foo/bar/ツ", "/foo/bar/%E3%83%84", True),
        ("/foo/bar/%E3%83%84", "/foo/bar/ツ", True),
        ("/foo/bar?baz=https://foo.bar", "/foo/bar?baz=https%3A%2F%2Ffoo.bar", True),
        ("/b?", "/b?", True),
        ("/b?", "/b", False),
        ("/a/../b", "/b", False),
        ("/b", "/a/../b", True),
        ("/x#y", "/x", True),
        ("fish/", "/fish/1", True),
        ("", "/x", False),
    ],
)
def test_a_rule_matches_paths_as_the_rfc_compares_them(rule: str, path: str, matches: bool) -> None:
    assert allowed(one_rule(rule), "Bot", path) is not matches


@pytest.mark.parametrize(
    ("rules", "path", "expected"),
    [
        ("Allow: /p\nDisallow: /", "/page", True),
        ("Allow: /folder\nDisallow: /folder", "/folder/page", True),
        ("Disallow: /folder\nAllow: /folder", "/folder/page", True),
        ("Allow: /page\nDisallow: /*.htm", "/page.htm", False),
        ("Allow: /page\nDisallow: /*.ph", "/page.php5", True),
        ("Allow: /$\nDisallow: /", "/", True),
        ("Allow: /$\nDisallow: /", "/page.htm", False),
        ("Disallow: /x/page.html\nAllow: /x/", "/x/page.html", False),
        ("Disallow:\nAllow:", "/x", True),
    ],
)
def test_the_longest_rule_decides_and_allow_wins_a_tie(rules: str, path: str, expected: bool) -> None:
    assert allowed("User-agent: *\n" + rules, "Bot", path) is expected


GROUPS = """allow: /early/
user-agent: FooBot
disallow: /
allow: /x/
user-agent: BarBot
disallow: /
allow: /y/


allow: /w/
user-agent: BazBot

user-agent: FooBot
allow: /z/
disallow: /
"""


@pytest.mark.parametrize(
    ("agent", "path", "expected"),
    [
        ("FooBot", "/x/b", True),
        ("FooBot", "/z/d", True),
        ("FooBot", "/y/c", False),
        ("BarBot", "/y/c", True),
        ("BarBot", "/w/a", True),
        ("BarBot", "/z/d", False),
        ("BazBot", "/z/d", True),
        ("BazBot", "/early/", False),
        ("QuxBot", "/anything", True),
    ],
)
def test_groups_of_one_agent_are_one_group(agent: str, path: str, expected: bool) -> None:
    assert allowed(GROUPS, agent, path) is expected


@pytest.mark.parametrize("other", ["Sitemap: http://situs.id/s.xml", "Crawl-delay: 3", "Unknown: x", "", "# note"])
def test_other_records_end_no_group(other: str) -> None:
    file = f"User-agent: FooBot\n{other}\nUser-agent: *\nDisallow: /\n"
    assert not allowed(file, "FooBot", "/x")
    assert not allowed(file, "BarBot", "/x")


@pytest.mark.parametrize(
    ("value", "agent", "is_addressed"),
    [
        ("Lumbung", "lumbung", True),
        ("LUMBUNG/2.0", "Lumbung", True),
        ("Lumbung", "Lumbung/0.1 (+https://situs.id/bot)", True),
        ("Lumbung", "Mozilla/5.0 (compatible; Lumbung/0.1; +https://situs.id/bot)", True),
        ("figtree", "FigTree Robot libwww-perl/5.04", True),
        ("Lumbung", "Lumbung-Image", False),
        ("Lumbung-Image", "Lumbung", False),
        ("Lumb", "Lumbung", False),
        ("Jävla-Bot", "Jävla-Bot", True),
        ("Kjære-bot", "Mozilla/5.0 (compatible; Kjære-bot/1.1)", True),
        ("Bot2", "bot2", True),
        ("Bot2", "Bot", True),
        ("Bot", "Bot2", False),
        ("* with words", "Anybody", True),
        ("", "Lumbung", False),
    ],
)
def test_a_group_binds_the_agents_that_it_names(value: str, agent: str, is_addressed: bool) -> None:
    assert allowed(f"User-agent: {value}\nDisallow: /\n", agent, "/x") is not is_addressed


def test_a_named_agent_is_not_bound_by_the_group_for_everybody() -> None:
    file = "User-agent: *\nDisallow: /\nUser-agent: Lumbung\nDisallow: /rahasia/\n"
    assert allowed(file, "Lumbung", "/x")
    assert not allowed(file, "Lumbung", "/rahasia/x")
    assert not allowed(file, "Lain", "/x")


def test_a_name_guessed_from_a_line_binds_but_excuses_nobody() -> None:
    file = "User-agent: *\nDisallow: /\nUser-agent: Bot2\nAllow: /\n"
    assert allowed(file, "Bot2", "/x")
    assert not allowed(file, "Bot", "/x")


def test_an_agent_line_of_two_words_is_bound_by_both_readings() -> None:
    file = "User-Agent: *\nDisallow: /\nUser-Agent: Foo Bar\nAllow: /x/\nDisallow: /\n"
    assert allowed(file, "Foo", "/x/y")
    assert not allowed(file, "Foo Bar", "/x/y")


@pytest.mark.parametrize("character", list("<>\"`{}|^'!();=&,+@:[]\\") + [" ", "é"])
@pytest.mark.parametrize("place", ["/a%sb", "/a?x=%sb"])
def test_a_rule_holds_for_the_very_path_it_spells(character: str, place: str) -> None:
    path = place.replace("%s", character)
    assert not allowed(one_rule(path), "Bot", path)


@pytest.mark.parametrize("character", list("<>\"`{}|^!();=&,+@:[]'"))
@pytest.mark.parametrize("place", ["/a%sb", "/a?x=%sb"])
def test_reserved_characters_compare_in_their_encoded_form(character: str, place: str) -> None:
    raw, encoded = place.replace("%s", character), place.replace("%s", f"%{ord(character):02x}")
    assert not allowed(one_rule(raw), "Bot", encoded)
    assert not allowed(one_rule(encoded), "Bot", raw)


@pytest.mark.parametrize("rule", ["/a<d", "/a%3cd", "/~joe", "/%7Ejoe", "/%7ejoe"])
@pytest.mark.parametrize("path", ["/a<d", "/a%3Cd", "/~joe", "/%7ejoe"])
def test_an_allowance_holds_for_other_spellings_of_its_path(rule: str, path: str) -> None:
    file = f"User-agent: *\nDisallow: /\nAllow: {rule}\n"
    assert allowed(file, "Bot", path) is ((rule[1] == "a") is (path[1] == "a"))


def test_an_allowance_needs_both_readings_of_its_escapes() -> None:
    file = "User-agent: *\nDisallow: /\nAllow: /foo/bar/%62%61%7A\n"
    assert allowed(file, "Bot", "/foo/bar/%62%61%7A")
    assert not allowed(file, "Bot", "/foo/bar/baz")


@pytest.mark.parametrize("end", ["\n", "\r", "\r\n"])
@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf", b"\xef\xbb", b"\xef"])
def test_line_ends_and_byte_order_marks(end: str, mark: bytes) -> None:
    file = mark + end.join(["User-agent: a", "User-agent: Lumbung", "Disallow: /x", "Disallow: /q"]).encode()
    assert not allowed(file, "Lumbung", "/x")
    assert not allowed(file, "Lumbung", "/q")


def test_a_file_in_utf_16_is_read() -> None:
    assert not allowed("User-agent: *\r\nDisallow: /\r\n".encode("utf-16"), "Lumbung", "/x")


@pytest.mark.parametrize(
    "file",
    [
        "user-agent FooBot\ndisallow /\n",
        "USER-AGENT:FooBot\nDISALLOW:/\n",
        " user-agent : FooBot # us\n\tdisallow : /  # all\n",
        "useragent: FooBot\ndissallow: /\n",
        "user agent: FooBot\ndisalow: /\n",
        "user agent FooBot\ndisallow /x/y:z\nDisallow /x/y\n",
    ],
)
def test_common_slips_of_the_pen_still_disallow(file: str) -> None:
    assert not allowed(file, "FooBot", "/x/y")


def test_a_line_of_several_words_without_a_colon_adds_a_name_and_ends_no_group() -> None:
    file = "User-agent: Satu\nDisallow: /a\nuser agent Dua Tiga\nDisallow: /b\n"
    assert not allowed(file, "Satu", "/b")
    assert not allowed(file, "Dua Tiga", "/b")
    assert allowed(file, "Dua Tiga", "/a")


def test_a_path_with_a_colon_is_disallowed_even_without_the_colon_of_its_key() -> None:
    assert not allowed("User-agent: *\nDisallow /w/Istimewa:Cari\n", "Bot", "/w/Istimewa:Cari?x")
    assert Robots.parse(b"Sitemap http://situs.id/s.xml\n").sitemaps == ("http://situs.id/s.xml",)


def test_what_is_no_robots_file_allows() -> None:
    for file in ("", "foo: FooBot\nbar: /\n", "<html><body>Disallow: /</body></html>", "\x00\x01\x02"):
        assert allowed(file, "FooBot", "/x")


def test_only_the_first_500_kib_are_read_and_no_rule_is_cut_in_half() -> None:
    head = b"User-agent: *\nDisallow: /a\n"
    filler = b"#" * (MAX_BYTES - len(head) - len(b"\nAllow: /a/b")) + b"\n"
    file = head + filler + b"Allow: /a/bc\nDisallow: /late\n"
    assert not allowed(file, "Bot", "/a/bd")
    assert allowed(file, "Bot", "/late")
    assert not allowed(head + b"#" * 400_000 + b"\nDisallow: /still\n", "Bot", "/still")


def test_a_very_long_path_to_disallow_disallows_its_beginning() -> None:
    long = "/x/" + "a" * 17_000
    assert not allowed(one_rule(long + "/qux"), "Bot", long + "/fux")


def test_robots_txt_itself_may_always_be_asked_for() -> None:
    assert allowed(one_rule("/"), "Bot", "/robots.txt")
    assert not allowed(one_rule("/"), "Bot", "/robots.txt.bak")


def test_empty_arguments() -> None:
    file = "user-agent: FooBot\ndisallow: /\n"
    assert allowed("", "FooBot", "")
    assert allowed(file, "", "")
    assert not allowed(file, "FooBot", "")


def test_the_verdict_names_the_rule_and_the_delay() -> None:
    file = "User-agent: lumbung\nCrawl-delay: 2.5\nDisallow: /x*\n\nUser-agent: Lumbung\nCrawl-delay: 7 s\n"
    verdict = Robots.parse(file.encode()).check("Lumbung", SITE + "/xyz")
    assert (verdict.allowed, verdict.rule, verdict.crawl_delay) == (False, "Disallow: /x*", 7.0)
    assert Robots.parse(file.encode()).check("Lumbung", SITE + "/robots.txt").crawl_delay == 7.0


@pytest.mark.parametrize("value", ["", "soon", "-3", "inf", "nan", "9" * 400])
def test_a_delay_that_is_no_number_is_no_delay(value: str) -> None:
    assert Robots.parse(f"User-agent: *\nCrawl-delay: {value}\n".encode()).crawl_delay("Bot") is None


def test_bytes_that_are_no_text_are_rules_like_any_other() -> None:
    robots = Robots.parse(b"User-agent: *\nDisallow: /caf\xe9\nSitemap: http://a/\xff\n")
    verdict = robots.check("Bot", "http://situs.id/caf%E9/x")
    assert not verdict.allowed
    assert verdict.rule is not None
    verdict.rule.encode()
    robots.sitemaps[0].encode()


def test_sitemaps_belong_to_no_group() -> None:
    file = b"Sitemap: http://situs.id/a.xml\nUser-agent: x\nDisallow: /\nsitemap:http://situs.id/b.xml\n"
    assert Robots.parse(file).sitemaps == ("http://situs.id/a.xml", "http://situs.id/b.xml")


@pytest.mark.parametrize(
    ("status", "expected"),
    [(200, True), (204, True), (404, True), (403, True), (410, True), (429, False), (500, False), (503, False)]
    + [(None, False), (301, False)],
)
def test_what_an_answer_without_a_file_means(status: int | None, expected: bool) -> None:
    assert Robots.of_response(status).check("Bot", SITE + "/x").allowed is expected


def test_hostile_patterns_are_matched_in_linear_time() -> None:
    evil = b"User-agent: *\nDisallow: /" + b"*a" * 100_000 + b"b\n" + b"Disallow: /*a*a*a*a*a*a*a*ab\n" * 5000
    robots = Robots.parse(evil)
    start = time.process_time()
    assert robots.check("Bot", SITE + "/" + "a" * 4000).allowed
    assert time.process_time() - start < 2.0


def reference_match(pattern: str, path: str) -> bool:
    """A slow matcher written another way: sets of positions, one character of the pattern at a time."""
    anchored = pattern.endswith("$")
    places = {0}
    for character in pattern[:-1] if anchored else pattern:
        if character == "*":
            places = set(range(min(places), len(path) + 1)) if places else set()
        else:
            places = {place + 1 for place in places if path[place : place + 1] == character}
    return len(path) in places if anchored else bool(places)


@settings(max_examples=500, derandomize=True, deadline=None)
@given(st.text("ab*$", max_size=8), st.text("ab", max_size=8))
def test_wildcards_agree_with_a_matcher_by_positions(rule: str, rest: str) -> None:
    pattern, path = "/" + rule.replace("$", "") + ("$" if rule.endswith("$") else ""), "/" + rest
    assert allowed(one_rule(pattern), "Bot", path) is not reference_match(pattern, path)


@settings(max_examples=200, derandomize=True, deadline=None)
@given(st.binary(max_size=200), st.text(max_size=20), st.text(max_size=20))
def test_any_bytes_get_an_answer(body: bytes, agent: str, rest: str) -> None:
    verdict = Robots.parse(body).check(agent, "http://situs.id/" + rest)
    assert isinstance(verdict.allowed, bool)


def test_generic_browser_names_do_not_hide_the_crawlers_own() -> None:
    line = "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; Lumbung/1.0; +http://x.id/bot) Chrome/1 Safari/2"
    assert product_tokens(line) == (("lumbung",), True)


def test_thousands_of_agents_with_thousands_of_rules_are_put_together_only_when_asked_for() -> None:
    agents = "".join(f"User-agent: bot{number}\n" for number in range(5_000))
    rules = "".join(f"Disallow: /{number}/\n" for number in range(10_000))
    robots = Robots.parse((agents + rules + "Crawl-delay: 7\nUser-agent: bot3\nAllow: /5/x\n").encode())
    assert not robots.check("bot4999", "http://situs.id/9999/").allowed
    assert robots.check("bot3", "http://situs.id/5/x").allowed
    assert not robots.check("bot4", "http://situs.id/5/x").allowed
    assert robots.check("bot5000", "http://situs.id/5/").allowed
    assert robots.crawl_delay("bot3") == 7


def test_an_agent_named_after_some_rules_hears_only_the_later_ones() -> None:
    robots = Robots.parse(b"User-agent: a\nDisallow: /1\nuser agent b c\nDisallow: /2\n")
    assert [robots.check("a", f"http://situs.id/{number}").allowed for number in (1, 2)] == [False, False]
    assert [robots.check("b", f"http://situs.id/{number}").allowed for number in (1, 2)] == [True, False]
