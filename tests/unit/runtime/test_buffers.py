"""What the embedded database keeps in memory follows the machine it is on."""

from __future__ import annotations

import pytest

from lumbung.runtime.engines.postgres import buffer_megabytes


@pytest.mark.parametrize(("gigabytes", "megabytes"), [(0.5, 64), (4, 256), (8, 512), (64, 1024)])
def test_a_small_machine_keeps_little_and_a_large_one_not_without_end(gigabytes, megabytes):
    assert buffer_megabytes(int(gigabytes * 1024**3)) == megabytes
