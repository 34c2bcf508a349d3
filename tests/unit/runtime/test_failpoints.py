"""Every boundary of a side effect has a name that a run of faults can strike."""

from __future__ import annotations

import re
from pathlib import Path

from lumbung.runtime import failpoints

SOURCE = Path(failpoints.__file__).parents[1]


def test_the_names_are_those_of_the_passages_in_the_source():
    passed = {
        name
        for file in SOURCE.rglob("*.py")
        for name in re.findall(r"passage\(\"([a-z.]+)\"\)", file.read_text(encoding="utf-8"))
    }
    assert passed == set(failpoints.NAMES)


def test_a_setting_names_the_passage_that_ends_the_process():
    assert failpoints.parse("worker.committed=3,relay.published") == {"worker.committed": 3, "relay.published": 1}
