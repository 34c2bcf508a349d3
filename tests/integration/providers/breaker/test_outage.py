"""Sixteen worker processes, a provider that dies and returns; the long form is `python -m tests.long.breaker`."""

from __future__ import annotations

import pytest
from tests.integration.providers.breaker.outage import outage


@pytest.mark.parametrize("seed", [5])
def test_sixteen_processes_make_one_probe_a_cooldown_lose_nothing_and_remember_through_restarts(logins, engines, seed):
    assert outage(logins.machine, logins.owner, engines.nats_url, seed, cooldowns=1).probes == 5
