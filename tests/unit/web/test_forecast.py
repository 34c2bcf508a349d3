"""The forecast of the frontier, drawn by the same code as the command's picture."""

from __future__ import annotations

from xml.etree import ElementTree as ET

from lumbung.web.console.forecast import GENERATIONS, forecast_of
from lumbung.web.language import Words

SVG = "{http://www.w3.org/2000/svg}"
DYING = [0, 0, 1, 0, 2, 0, 0, 1] * 10


async def test_the_picture_names_itself_in_the_readers_language_and_has_the_numbers_beside_it() -> None:
    for language in ("id", "en"):
        words = Words(language)
        found = await forecast_of(DYING, 50, [20], 10, words)
        assert found is not None
        picture = ET.fromstring(found.picture)
        assert picture.findtext(f"{SVG}title") == words("picture_frontier")
        assert picture.findtext(f"{SVG}desc") == words("picture_frontier_told")
        assert found.rows[0] == (0, 50.0, 50.0, 50.0)
        assert all(low <= middle <= high for _, middle, low, high in found.rows)
        assert len(found.rows) <= GENERATIONS + 1


async def test_it_is_the_same_picture_while_the_frontier_is_the_same() -> None:
    words = Words("en")
    assert await forecast_of(DYING, 50, [], 10, words) == await forecast_of(DYING, 50, [], 10, words)


async def test_an_empty_frontier_is_drawn_only_when_something_is_proposed() -> None:
    words = Words("en")
    assert await forecast_of(DYING, 0, [], 10, words) is None
    assert await forecast_of([], 5, [], 10, words) is None
    assert await forecast_of([0, 0], 0, [5], 10, words) is not None
