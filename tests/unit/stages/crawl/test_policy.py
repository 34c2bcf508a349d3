from __future__ import annotations

import pytest

from lumbung.stages.crawl.policy import KEPT_SECONDS, UNREACHABLE_SECONDS, PolicyBook

ORIGIN, HOST = "http://a.example", "a.example"
URL = "http://a.example/tari"


class Clock:
    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def book(clock) -> PolicyBook:
    return PolicyBook(clock)


def test_files_are_asked_for_in_their_order_and_all_must_allow(book):
    policy = book.of(ORIGIN)
    asked = []
    while (name := policy.missing()) is not None:
        asked.append(name)
        book.learn(ORIGIN, HOST, name, 404, b"")
    assert asked == ["robots", "tdm", "ai"]
    assert policy.refusal("LumbungBot/0.1", URL) is None


@pytest.mark.parametrize(
    ("status", "reachable"), [(200, True), (404, True), (403, True), (429, False), (500, False), (0, False)]
)
def test_only_a_missing_file_allows(book, status, reachable):
    kept = book.learn(ORIGIN, HOST, "robots", status, b"")
    assert book.of(ORIGIN).reachable is reachable
    assert kept.keep_seconds == (KEPT_SECONDS if reachable else UNREACHABLE_SECONDS)


def test_what_was_read_is_forgotten_when_its_time_is_over(book, clock):
    book.load([HOST], [])
    assert book.unread([HOST]) == []
    book.learn(ORIGIN, HOST, "robots", 503, b"")
    clock.now += UNREACHABLE_SECONDS + 1
    assert book.of(ORIGIN).reachable
    assert book.of(ORIGIN).missing() == "robots"
    assert book.unread([HOST]) == [HOST]


def test_stored_answers_are_used_for_the_time_they_have_left(book, clock):
    row = {
        "host": HOST,
        "origin": ORIGIN,
        "name": "robots",
        "status": 200,
        "body": b"User-agent: *\nDisallow: /",
        "seconds_left": 60.0,
    }
    book.load([HOST], [row])
    assert book.of(ORIGIN).refusal("LumbungBot/0.1", URL) == "robots.txt: Disallow: /"
    clock.now += 61
    assert book.of(ORIGIN).missing() == "robots"


def test_a_page_in_place_of_ai_txt_forbids_nothing(book):
    book.learn(ORIGIN, HOST, "ai", 200, b"<!DOCTYPE html><p>User-agent: *\nDisallow: /")
    assert book.of(ORIGIN).refusal("LumbungBot/0.1", URL) is None


def test_signals_of_robots_txt_that_reserve_the_use_bind(book):
    book.learn(ORIGIN, HOST, "robots", 200, b"User-agent: *\nContent-Signal: ai-input=no\nAllow: /")
    assert (book.of(ORIGIN).refusal("LumbungBot/0.1", URL) or "").startswith("robots.txt: noai")
