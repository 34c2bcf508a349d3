"""The program at the ends of pipes that are closed, full, of another character set or interrupted."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = str(Path(sys.executable).with_name("lumbung"))
LINE = '{"id":1,"text":"Kidung pujaan di Bali, dinyanyikan saat piodalan é"}\n'


def shell(command: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["/bin/bash", "-c", command.replace("lumbung", PROGRAM)],
        input=LINE,
        capture_output=True,
        encoding="utf-8",
        timeout=60,
        check=False,
        env={**os.environ, **environment},
    )


def test_a_closed_input_is_an_empty_one() -> None:
    ended = shell("lumbung language - <&-")
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "", "")


@pytest.mark.parametrize("output", [">&-", ">/dev/full"])
def test_an_output_that_takes_nothing_is_told_in_one_sentence(output: str) -> None:
    ended = shell(f"lumbung language - {output}")
    assert ended.returncode == 1
    assert ended.stderr.startswith("lumbung: ")
    assert ended.stderr.count("\n") == 1


@pytest.mark.parametrize(("line", "command"), [(LINE.strip(), "language -"), ("http://127.0.0.1/", "fetch --check -")])
def test_a_reader_who_leaves_ends_the_program_quietly(line: str, command: str) -> None:
    ended = shell(f"yes '{line}' | head -3000 | lumbung {command} | head -1; exit ${{PIPESTATUS[2]}}")
    assert ended.returncode == 1
    assert ended.stdout.count("\n") == 1
    assert ended.stderr == ""


def test_every_locale_gets_utf_8() -> None:
    ended = shell(
        """echo '{"input":"http://é/é"}' | lumbung url parse -""",
        LC_ALL="C",
        PYTHONIOENCODING="ascii",
        HOME="/nonexistent",
    )
    assert ended.stdout == '{"input":"http://é/é","href":"http://xn--9ca/%C3%A9","reason":null}\n'


def test_an_unknown_profile_is_wrong_usage() -> None:
    ended = shell("lumbung gate --profile nihil -")
    assert ended.returncode == 2
    assert "There is no profile nihil" in ended.stderr


def test_an_interrupt_leaves_no_traceback() -> None:
    with subprocess.Popen(
        [PROGRAM, "language", "-"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as running:
        assert running.stdin is not None
        assert running.stdout is not None
        assert running.stderr is not None
        running.stdin.write(LINE.encode())
        running.stdin.flush()
        assert running.stdout.readline()
        running.send_signal(signal.SIGINT)
        assert running.wait(30) == 130
        assert running.stderr.read() == b""
