from __future__ import annotations

from lumbung.stages.crawl.lanes import AHEAD_SECONDS, CROWDS, Lanes
from lumbung.store.hosts import Lane

PLACES = 4
LONG_AGO, NOW = 0.0, 100.0


def filled(lane: Lane, hosts: int) -> Lanes:
    lanes = Lanes(PLACES)
    for number in range(hosts):
        lanes.enter(f"h{number}", lane)
    return lanes


def since(hosts: int, started: float) -> dict[str, float]:
    return {f"h{number}": started for number in range(hosts)}


def test_a_full_lane_takes_no_place_of_another():
    rooms = filled(Lane.SLOW, PLACES).rooms({}, NOW)
    assert {lane: room.hosts for lane, room in rooms.items()} == {Lane.PROMPT: PLACES, Lane.UNMET: PLACES, Lane.SLOW: 0}


def test_a_host_that_lets_us_wait_gives_its_place_away_and_one_just_asked_does_not():
    lanes = filled(Lane.PROMPT, PLACES)
    assert lanes.rooms(since(PLACES, NOW), NOW)[Lane.PROMPT].hosts == 0
    assert lanes.rooms(since(3, LONG_AGO), NOW)[Lane.PROMPT].hosts == 3


def test_those_that_let_us_wait_are_bounded_too():
    for lane in Lane:
        most = CROWDS[lane] * PLACES
        assert filled(lane, most - 1).rooms(since(most - 1, LONG_AGO), NOW)[lane].hosts == 1
        assert filled(lane, most).rooms(since(most, LONG_AGO), NOW)[lane].hosts == 0


def test_a_host_that_left_frees_its_place():
    lanes = filled(Lane.UNMET, PLACES)
    lanes.leave("h0")
    assert lanes.rooms({}, NOW)[Lane.UNMET].hosts == 1


def test_hosts_are_taken_before_their_turn_only_where_places_are_plenty():
    rooms = filled(Lane.SLOW, PLACES // 2).rooms({}, NOW)
    assert {lane: room.ahead_seconds for lane, room in rooms.items()} == {
        Lane.PROMPT: AHEAD_SECONDS,
        Lane.UNMET: AHEAD_SECONDS,
        Lane.SLOW: 0.0,
    }


def test_the_next_place_is_awaited_no_longer_than_until_it_is_free():
    lanes = Lanes(PLACES, prompt_seconds=1.0)
    assert lanes.seconds_to_room({"h0": NOW - 0.75, "h1": NOW - 0.25, "h2": LONG_AGO}, NOW) == 0.25
    assert lanes.seconds_to_room({}, NOW) == 1.0
