"""What callers are told when they must wait."""

from __future__ import annotations

from lumbung.errors import EngineUnavailable, RateLimited
from lumbung.web.app import wait_of


def test_what_is_away_for_a_while_says_when_to_ask_again():
    assert wait_of(EngineUnavailable("PostgreSQL does not answer.")) == {"Retry-After": "5"}
    assert wait_of(RateLimited("asks for less", 7.2)) == {"Retry-After": "8"}
