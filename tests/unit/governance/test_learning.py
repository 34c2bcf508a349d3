"""Labels propose, people decide."""

from __future__ import annotations

import pytest

from lumbung.governance.audit.learning import ratio_proposals

VALUES = {"fusion.ratio.academic": 19.0, "fusion.ratio.community": 4.0, "fusion.ratio.encyclopaedia": 1.0}


def type_of(url):
    return url.split(":")[0]


def test_a_type_that_errs_more_than_believed_is_proposed_lower_and_one_that_errs_less_higher():
    labelled = [(["academic:1"], n % 5 != 0) for n in range(100)] + [(["community:1"], True) for _ in range(100)]
    found = {each.name: each for each in ratio_proposals(labelled, VALUES, type_of)}
    assert found["fusion.ratio.academic"].suggested < 19 / 2
    assert found["fusion.ratio.community"].suggested > 4


def test_few_labels_move_a_ratio_little_and_mixed_sources_not_at_all():
    found = ratio_proposals([(["academic:1"], True)], VALUES, type_of)
    assert found[0].suggested == pytest.approx(20.0, abs=1.5)
    assert ratio_proposals([(["academic:1", "community:2"], False)], VALUES, type_of) == []
    assert ratio_proposals([(["encyclopaedia:1"], True)], VALUES, type_of) == []
