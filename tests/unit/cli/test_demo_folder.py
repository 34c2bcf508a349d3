from __future__ import annotations

from pathlib import Path

import pytest

from lumbung.cli.demo import FOLDER, empty, show
from lumbung.errors import TransientError
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
