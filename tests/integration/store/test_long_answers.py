from __future__ import annotations

import os

import pytest
from psycopg.waiting import Ready, Wait

from lumbung.store.database import PIECES_AT_ONCE, reading_on


@pytest.fixture
def descriptors():
    reading, writing = os.pipe()
    yield reading, writing
    os.close(reading)
    os.close(writing)


def answer_in(pieces):
    for _ in range(pieces):
        yield Wait.R
    return "the whole"


def turns_of(waiting):
    """How often a reader waits for its descriptor until the answer is whole."""
    turns = 0
    try:
        next(waiting)
        while True:
            turns += 1
            waiting.send(Ready.R)
    except StopIteration as end:
        return turns, end.value


def test_pieces_that_are_there_cost_no_turn_of_the_loop(descriptors):
    reading, writing = descriptors
    os.write(writing, b"more")
    assert turns_of(reading_on(answer_in(10), reading)) == (1, "the whole")


def test_what_is_not_there_yet_is_waited_for(descriptors):
    reading, _ = descriptors
    assert turns_of(reading_on(answer_in(10), reading)) == (10, "the whole")


def test_a_very_long_answer_leaves_the_others_their_turn(descriptors):
    reading, writing = descriptors
    os.write(writing, b"more")
    assert turns_of(reading_on(answer_in(3 * (PIECES_AT_ONCE + 1)), reading)) == (3, "the whole")


def test_an_answer_that_is_there_at_once_waits_for_nothing(descriptors):
    assert turns_of(reading_on(answer_in(0), descriptors[0])) == (0, "the whole")
