"""The guard where a fault could do no harm: in a network namespace that has loopback and nothing else.

Inside it the private and link-local addresses are given to the loopback device and a server listens on all of
them, so a guard with a hole would really reach a "metadata service".
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

INSIDE = Path(__file__).with_name("inside_namespace.py")


def namespace_command() -> list[str]:
    unshare = shutil.which("unshare")
    if unshare is None or shutil.which("ip") is None:
        pytest.skip("LOUD: the guard was NOT tried inside a namespace: the programs unshare and ip are needed")
    for flags in (["-n"], ["-r", "-n"]):
        if subprocess.run([unshare, *flags, "true"], capture_output=True, check=False).returncode == 0:
            return [unshare, *flags]
    pytest.skip("LOUD: the guard was NOT tried inside a namespace: this machine does not permit unshare")


def test_no_spelling_of_a_forbidden_address_is_reached_even_where_it_answers() -> None:
    done = subprocess.run(
        [*namespace_command(), sys.executable, str(INSIDE)], capture_output=True, text=True, timeout=100, check=False
    )
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    assert report["only_loopback"]
    assert report["server_answers_when_listed"], "the trap does not work: nothing listens there"
    assert report["tried"] > 60
    assert report["reached"] == []
    assert report["requests_seen"] == 0
    assert report["not_refused"] == []
