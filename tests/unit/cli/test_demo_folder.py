from __future__ import annotations

import socket
from pathlib import Path

import pytest

from lumbung.cli.demo import FOLDER, empty, show
from lumbung.errors import SettingsError, TransientError
from lumbung.runtime.presence import WorkPresence


async def test_a_fresh_demo_beside_a_running_one_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LUMBUNG_DATA_DIR", str(tmp_path))
    running = WorkPresence(tmp_path / FOLDER)
    assert running.take()
    (tmp_path / FOLDER / "library").mkdir()
    with pytest.raises(TransientError, match="A demo runs in this folder"):
        await show(once=True, fresh=True, with_model=False)
    assert (tmp_path / FOLDER / "library").is_dir()


def test_an_emptied_folder_keeps_only_the_lock_of_who_works_there(tmp_path: Path) -> None:
    presence = WorkPresence(tmp_path)
    assert presence.take()
    (tmp_path / "archive").mkdir()
    (tmp_path / "archive" / "a.warc.gz").write_bytes(b"x")
    (tmp_path / "session").write_text("x")
    empty(tmp_path)
    assert [file.name for file in tmp_path.iterdir()] == ["work.lock"]
    assert not WorkPresence(tmp_path).take()


async def test_a_port_that_is_taken_is_told_before_anything_is_touched(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / FOLDER / "library").mkdir(parents=True)
    with socket.create_server(("127.0.0.1", 0)) as taken:
        monkeypatch.setenv("LUMBUNG_DATA_DIR", str(tmp_path))
        monkeypatch.setenv("LUMBUNG_WEB__HOST", "127.0.0.1")
        monkeypatch.setenv("LUMBUNG_WEB__PORT", str(taken.getsockname()[1]))
        with pytest.raises(SettingsError, match="LUMBUNG_WEB__PORT"):
            await show(once=False, fresh=True, with_model=False)
    assert (tmp_path / FOLDER / "library").is_dir()
