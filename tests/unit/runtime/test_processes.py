"""How long `lumbung up` waits before it starts a process again."""

from __future__ import annotations

import pytest

from lumbung.errors import SettingsError
from lumbung.runtime import processes
from lumbung.runtime.processes import (
    LONGEST_PAUSE_SECONDS,
    SHORTEST_PAUSE_SECONDS,
    STEADY_SECONDS,
    WRONG_SETTINGS,
    ChildProcess,
    keep_all,
    next_pause,
)


def test_a_process_that_cannot_stay_up_is_tried_less_and_less_often():
    pauses = [0.0]
    for _ in range(12):
        pauses.append(next_pause(pauses[-1], lived_seconds=0.5))
    assert pauses[1] == SHORTEST_PAUSE_SECONDS
    assert pauses == sorted(pauses)
    assert pauses[-1] == LONGEST_PAUSE_SECONDS


def test_a_process_that_ran_well_is_started_again_at_once():
    assert next_pause(LONGEST_PAUSE_SECONDS, lived_seconds=STEADY_SECONDS) == SHORTEST_PAUSE_SECONDS


async def test_a_process_that_its_settings_keep_from_working_ends_them_all_and_is_not_tried_again(
    monkeypatch, tmp_path
):
    program = tmp_path / "program"
    program.write_text(
        f"#!/bin/sh\necho once >> {tmp_path}/starts\ncase $* in *wrong*) exit {WRONG_SETTINGS};; esac\nread line\n"
    )
    program.chmod(0o700)
    monkeypatch.setattr(processes, "sys", type("Python", (), {"executable": str(program)}))
    with pytest.raises(SettingsError, match="worker 2"):
        await keep_all([ChildProcess("worker 1", []), ChildProcess("worker 2", ["wrong"])])
    assert (tmp_path / "starts").read_text().count("once") == 2
