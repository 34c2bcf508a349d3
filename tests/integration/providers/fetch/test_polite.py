from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import time
from pathlib import Path

import pytest

from lumbung.errors import SettingsError
from lumbung.providers.fetch.polite import HostTurns, TooLongToWait, pause

HOLDER = """
import asyncio, sys, time
from pathlib import Path
from lumbung.providers.fetch.polite import HostTurns
async def main():
    turns = HostTurns(Path(sys.argv[1]), 30.0)
    for _ in range(int(sys.argv[2])):
        async with turns.turn("situs.id", float(sys.argv[3])):
            print("start", time.monotonic(), flush=True)
            await asyncio.sleep(float(sys.argv[4]))
            print("end", time.monotonic(), flush=True)
asyncio.run(main())
"""


def holder(folder: Path, rounds: int, delay: float, held: float) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", HOLDER, str(folder), str(rounds), str(delay), str(held)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


def test_processes_take_turns_and_keep_the_delay_after_the_end(tmp_path: Path) -> None:
    programs = [holder(tmp_path, 3, 0.15, 0.05) for _ in range(3)]
    lines = [line.split() for program in programs for line in program.communicate(timeout=60)[0].splitlines()]
    marks = sorted((float(when), what) for what, when in lines)
    assert [what for _, what in marks] == ["start", "end"] * 9
    gaps = [later[0] - earlier[0] for earlier, later in zip(marks[1::2], marks[2::2], strict=False)]
    assert len(gaps) == 8
    assert min(gaps) >= 0.15


async def test_a_program_killed_in_its_turn_leaves_the_host_alone_until_its_request_must_be_over(
    tmp_path: Path,
) -> None:
    program = holder(tmp_path, 1, 1.0, 60.0)
    assert program.stdout is not None
    assert program.stdout.readline().startswith("start")
    program.kill()
    program.wait()
    with pytest.raises(TooLongToWait) as waiting:
        async with HostTurns(tmp_path, 30.0, max_wait_seconds=2.0).turn("situs.id", 1.0):
            pytest.fail("the host was asked too early")
    assert 25 < waiting.value.seconds <= 31


async def test_hosts_do_not_wait_for_each_other(tmp_path: Path) -> None:
    turns = HostTurns(tmp_path, 30.0)
    start = time.monotonic()
    async with turns.turn("a.id", 9.0), turns.turn("b.id", 9.0):
        pass
    assert time.monotonic() - start < 9.0


async def test_a_longer_pause_may_be_asked_for_during_the_turn(tmp_path: Path) -> None:
    turns = HostTurns(tmp_path, 30.0, max_wait_seconds=1.0)
    async with turns.turn("a.id", 0.0) as turn:
        turn.pause_seconds = 120.0
    with pytest.raises(TooLongToWait):
        async with turns.turn("a.id", 0.0):
            pass


@pytest.mark.parametrize(
    "content", ["", "{", "[]", '{"boot":1}', '{"boot":"x","monotonic":"y","wall":0,"pause":1}', "\x00"]
)
async def test_a_damaged_file_does_not_block_a_host(tmp_path: Path, content: str) -> None:
    turns = HostTurns(tmp_path, 30.0, max_wait_seconds=1.0)
    async with turns.turn("a.id", 0.0):
        pass
    (path,) = tmp_path.iterdir()
    path.write_text(content)
    async with turns.turn("a.id", 0.0):
        pass


async def test_after_a_reboot_the_pause_is_bounded_whatever_the_clock_says(tmp_path: Path) -> None:
    turns = HostTurns(tmp_path, 30.0, max_wait_seconds=1.0)
    async with turns.turn("a.id", 0.0):
        pass
    (path,) = tmp_path.iterdir()
    path.write_text(json.dumps({"boot": "other", "monotonic": 0, "wall": time.time() + 1e6, "pause": 0.2}))
    start = time.monotonic()
    async with turns.turn("a.id", 0.0):
        assert time.monotonic() - start > 0.15


async def test_a_waiting_turn_can_be_given_up(tmp_path: Path) -> None:
    turns = HostTurns(tmp_path, 30.0)
    async with turns.turn("a.id", 0.0):
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.2), turns.turn("a.id", 0.0):
                pytest.fail("two turns at once")


async def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("")
    with pytest.raises(SettingsError, match="LUMBUNG_DATA_DIR"):
        async with HostTurns(blocked / "turns", 1.0).turn("a.id", 0.0):
            pass


async def test_a_pause_is_never_a_moment_shorter() -> None:
    for thousandths in range(40):
        seconds = thousandths / 10_000
        started = time.monotonic()
        await pause(seconds)
        assert time.monotonic() - started >= seconds
