"""The short form of `make chaos`: one seed on a smaller set of pages."""

from __future__ import annotations

import os

import pytest

from tests.chaos.installation import prepared_folder
from tests.chaos.run import ChaosRun, Plan

HOSTS = 20
FAULTS = 25
SEED = int(os.environ.get("CHAOS_SEED", "21"))


@pytest.mark.timeout(900)
async def test_whatever_is_killed_the_library_is_the_one_of_a_run_without_faults(tmp_path):
    prepared = await prepared_folder(tmp_path / "prepared", HOSTS)
    calm = (await ChaosRun(prepared, tmp_path / "calm", Plan(HOSTS)).run()).told()
    rough = await ChaosRun(prepared, tmp_path / "rough", Plan(HOSTS, SEED, FAULTS, talk=True)).run()
    assert len(calm.pages) == HOSTS * 4
    assert calm.ledger == []
    assert rough.told().differences(calm) == [], f"seed {SEED}"
    assert len(rough.survived) >= FAULTS, f"seed {SEED}: {rough.survived}"
