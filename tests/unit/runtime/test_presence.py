"""Who does the work on a data folder is told by a kernel lock, and only that process is ever asked to stop."""

from __future__ import annotations

import subprocess
import sys

import pytest

from lumbung.runtime.presence import LOCK_NAME, WorkPresence

HOLDER = """
import fcntl, os, sys
file = os.open(sys.argv[1], os.O_RDWR | os.O_CREAT)
fcntl.flock(file, fcntl.LOCK_EX)
if len(sys.argv) > 2:
    os.ftruncate(file, 0)
    os.pwrite(file, str(os.getpid()).encode(), 0)
print("held", flush=True)
sys.stdin.read()
"""


@pytest.fixture
def bystander():
    process = subprocess.Popen(["sleep", "60"])
    yield process
    process.kill()
    process.wait()


@pytest.fixture
def hold(tmp_path, bystander):
    """A process that holds the lock on a file that names another one, and signs it or not."""
    (tmp_path / LOCK_NAME).write_text(str(bystander.pid))
    started = []

    def start(*signs):
        command = [sys.executable, "-c", HOLDER, str(tmp_path / LOCK_NAME), *signs]
        process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        started.append(process)
        assert process.stdout.readline() == "held\n"
        return process

    yield start
    for process in started:
        process.kill()
        process.communicate()


def test_a_number_that_somebody_dead_left_behind_is_no_holder_whosever_it_is_now(tmp_path, bystander):
    (tmp_path / LOCK_NAME).write_text(str(bystander.pid))
    presence = WorkPresence(tmp_path)
    assert presence.holder() is None
    assert not presence.stop_holder()
    assert bystander.poll() is None


def test_a_holder_that_has_not_signed_yet_costs_nobody_else_its_life(tmp_path, bystander, hold):
    hold()
    presence = WorkPresence(tmp_path)
    assert not presence.take()
    assert not presence.stop_holder()
    assert bystander.poll() is None


def test_the_holder_is_asked_to_stop_and_waited_for(tmp_path, bystander, hold):
    holder = hold("signed")
    presence = WorkPresence(tmp_path)
    assert presence.holder() == holder.pid
    assert presence.stop_holder()
    assert holder.poll() is not None or holder.wait(10) is not None
    assert bystander.poll() is None
