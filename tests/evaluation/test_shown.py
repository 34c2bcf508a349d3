"""What a model is shown of the gold set's pages: next to nothing that a page states of an item is left out."""

from __future__ import annotations

import pytest
from evaluation.extraction.shown import as_it_is, made_long, measured

LEAST_PAGES = 150
LEAST_SHOWN = 0.995
MOST_OF_LONG_PAGES = 0.4


@pytest.mark.parametrize(("change", "languages"), [(as_it_is, frozenset()), (made_long, frozenset({"ind"}))])
def test_the_names_and_facts_of_item_pages_are_shown(change, languages):
    measure = measured(change, languages)
    counts = measure.counts
    assert counts["item pages"] > LEAST_PAGES
    assert counts["item pages asked about"] >= LEAST_SHOWN * counts["item pages"]
    for what in ("names", "facts"):
        assert counts[f"{what} shown"] >= LEAST_SHOWN * counts[what] > 0, measure.lost
    if change is made_long:
        assert counts["item characters sent"] <= MOST_OF_LONG_PAGES * counts["item characters"]
