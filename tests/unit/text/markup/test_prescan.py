"""Markup that no parser survives is turned away by its shape."""

from __future__ import annotations

import time

import pytest

from lumbung.errors import InputRefused
from lumbung.text.markup.prescan import refuse_hostile

HOSTILE = {
    "too-many-attributes": "<div " + " ".join(f"a{n}=1" for n in range(200_000)) + ">x</div>",
    "too-deep": "<div>" * 100_000 + "x" + "</div>" * 100_000,
    "too-many-elements": "<p>x" * 1_000_000,
    "too-many-links": '<a href="/x">y</a>' * 500_000,
    "too-large": "x" * 9_000_000,
    "empty": " \n\t ",
}


@pytest.mark.parametrize("reason", HOSTILE)
def test_hostile_markup_is_refused_at_once(reason: str) -> None:
    started = time.process_time()
    with pytest.raises(InputRefused) as refusal:
        refuse_hostile(HOSTILE[reason])
    assert refusal.value.reason == reason
    assert time.process_time() - started < 2


@pytest.mark.parametrize(
    "markup",
    [
        "<p>Tari Piring",
        "<ul>" + "<li>satu" * 5_000 + "</ul>",
        "<table>" + "<tr><td>a<td>b" * 5_000 + "</table>",
        "<div>" * 500 + "x" + "</div>" * 500,
        "<img data-x='" + "a=b " * 10_000 + "'>",
        "5 < 6 and 7 > 2",
    ],
)
def test_large_but_honest_markup_passes(markup: str) -> None:
    refuse_hostile(markup)
