"""Logs are told to stderr, whatever is behind it."""

from __future__ import annotations

import sys

import pytest

from lumbung.telemetry import log, set_up_logs


@pytest.fixture(autouse=True)
def usual_logs():
    yield
    set_up_logs()


class FullDisk:
    def write(self, text):
        raise OSError(28, "No space left on device")

    def flush(self):
        raise OSError(28, "No space left on device")

    def isatty(self):
        return False


def test_a_log_line_that_finds_no_room_costs_only_itself(monkeypatch):
    monkeypatch.setattr(sys, "stderr", FullDisk())
    set_up_logs("info", as_json=True)
    log.info("work.done", jobs=1)


def test_a_log_line_is_told_as_json(capsys):
    set_up_logs("info", as_json=True)
    log.info("work.done", jobs=1)
    assert '"event": "work.done"' in capsys.readouterr().err
