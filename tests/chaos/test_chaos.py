"""The short form of `make chaos`: one seed and a few faults on a smaller set of pages."""

from __future__ import annotations

from tests.chaos.installation import copy_of, prepared_folder
from tests.chaos.run import ChaosRun

HOSTS = 15
FAULTS = 10
AT_LEAST = 5
SEED = 21


async def test_whatever_is_killed_the_library_is_the_one_of_a_run_without_faults(tmp_path):
    prepared = await prepared_folder(tmp_path / "prepared", HOSTS)
    calm = await ChaosRun(copy_of(prepared, tmp_path / "calm"), HOSTS, 0, 0, talk=False).run()
    rough = await ChaosRun(copy_of(prepared, tmp_path / "rough"), HOSTS, SEED, FAULTS, talk=True).run()
    assert calm.outcome is not None
    assert rough.outcome is not None
    assert len(calm.outcome.pages) == HOSTS * 4
    assert rough.outcome.differences(calm.outcome) == [], f"seed {SEED}"
    assert len(rough.survived) >= AT_LEAST, f"seed {SEED}: {rough.survived}"
