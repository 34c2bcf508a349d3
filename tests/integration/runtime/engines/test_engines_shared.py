from __future__ import annotations

import os
import signal
import subprocess
import time
from typing import TYPE_CHECKING

import pytest

from lumbung.errors import UsageError
from lumbung.runtime.engines import Engines, engine_pids, sockets, stop_engines
from lumbung.runtime.engines.layout import EngineFolder

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from conftest import Holder, Probe


def test_the_first_start_makes_a_database_with_three_logins_and_vectors(fresh_dir: Path, probe: Probe) -> None:
    told: list[str] = []
    with Engines.attach(fresh_dir, told.append, fsync=False) as engines:
        for role in ("owner", "machine", "people"):
            with probe.connect(engines, role) as connection:
                answer = connection.execute(
                    "SELECT current_user, rolsuper, rolbypassrls, rolcreaterole, '[1,2]'::vector::text"
                    " FROM pg_roles WHERE rolname = current_user"
                ).fetchone()
            assert answer == (f"lumbung_{role}", False, False, False, "[1,2]")
        with probe.connect(engines, "owner") as connection:
            assert connection.execute(
                "SELECT pg_get_userbyid(datdba) FROM pg_database WHERE datname = current_database()"
            ).fetchone() == ("lumbung_owner",)
    assert any("first time" in text for text in told)


def test_a_login_that_is_not_one_of_ours_is_refused(data_dir: Path) -> None:
    with Engines.attach(data_dir, fsync=False) as engines, pytest.raises(UsageError, match="owner, machine, people"):
        engines.postgres_url("root")


def test_what_was_stored_is_there_after_a_stop_and_a_start(data_dir: Path, probe: Probe) -> None:
    with Engines.attach(data_dir, fsync=False) as engines, probe.connect(engines) as connection:
        connection.execute("INSERT INTO harvest VALUES ('jagung')")
    assert engine_pids(data_dir) is None
    with Engines.attach(data_dir, fsync=False) as engines:
        assert probe.harvested(engines) == ["jagung", "padi"]
    assert "was not properly shut down" not in probe.log(data_dir)


def test_addresses_stay_the_same_over_a_restart(data_dir: Path) -> None:
    with Engines.attach(data_dir, fsync=False) as engines:
        before = (engines.postgres_url(), engines.nats_url)
    with Engines.attach(data_dir, fsync=False) as engines:
        assert (engines.postgres_url(), engines.nats_url) == before


def test_two_commands_share_one_pair_of_engines(data_dir: Path, probe: Probe, hold: Callable[[Path], Holder]) -> None:
    other = hold(data_dir)
    before = probe.pids(data_dir)
    with Engines.attach(data_dir, fsync=False) as engines:
        assert probe.pids(data_dir) == before
        assert other.leave() == "left\n"
        assert probe.harvested(engines) == ["padi"]
        assert probe.pids(data_dir) == before
    assert engine_pids(data_dir) is None
    assert probe.running(data_dir) == []


def test_the_engines_outlive_the_command_that_started_them(
    data_dir: Path, probe: Probe, hold: Callable[[Path], Holder]
) -> None:
    starter = hold(data_dir)
    with Engines.attach(data_dir, fsync=False) as engines:
        starter.kill()
        assert probe.harvested(engines) == ["padi"]
        with Engines.attach(data_dir, fsync=False):
            pass
        assert probe.harvested(engines) == ["padi"]


def test_the_engines_leave_when_the_last_command_is_killed(
    data_dir: Path, probe: Probe, hold: Callable[[Path], Holder]
) -> None:
    last = hold(data_dir)
    last.kill()
    assert probe.eventually(lambda: engine_pids(data_dir) is None and not probe.running(data_dir))
    assert "database system is shut down" in probe.log(data_dir)


def test_many_commands_that_start_at_once_agree_on_one_supervisor(
    data_dir: Path, probe: Probe, start_command: Callable[[Path], Holder]
) -> None:
    commands = [start_command(data_dir) for _ in range(4)]
    for command in commands:
        command.await_attached()
    assert probe.log(data_dir).count("starting PostgreSQL") == probe.log(data_dir).count("is shut down") + 1
    assert [command.leave() for command in commands] == ["left\n"] * 4
    assert engine_pids(data_dir) is None


def test_stopping_on_purpose_tells_those_who_are_attached(data_dir: Path, probe: Probe) -> None:
    with Engines.attach(data_dir, fsync=False) as engines:
        assert stop_engines(data_dir)
        assert engines.stopped.wait(10)
        assert probe.running(data_dir) == []
    assert not stop_engines(data_dir)


def test_a_terminated_supervisor_shuts_both_engines_down_cleanly(data_dir: Path, probe: Probe) -> None:
    with Engines.attach(data_dir, fsync=False) as engines:
        os.kill(probe.pids(data_dir).supervisor, signal.SIGTERM)
        assert engines.stopped.wait(20)
    assert engine_pids(data_dir) is None
    assert probe.running(data_dir) == []
    assert probe.log(data_dir).rstrip().endswith("database system is shut down")


def test_a_forked_child_that_closes_does_not_detach_its_parent(data_dir: Path, probe: Probe) -> None:
    with Engines.attach(data_dir, fsync=False) as engines:
        child = os.fork()
        if child == 0:
            engines.close()
            os._exit(0)
        assert os.waitpid(child, 0)[1] == 0
        with Engines.attach(data_dir, fsync=False):
            pass
        assert probe.harvested(engines) == ["padi"]


def test_a_copied_data_folder_gets_engines_of_its_own(data_dir: Path, tmp_path: Path, probe: Probe) -> None:
    copy = tmp_path / "copy"
    with Engines.attach(data_dir, fsync=False):
        pass
    subprocess.run(["cp", "-a", data_dir, copy], check=True)
    with Engines.attach(data_dir, fsync=False) as one, Engines.attach(copy, fsync=False) as two:
        assert one.postgres_url() != two.postgres_url()
        assert one.nats_url != two.nats_url
        with probe.connect(one) as connection:
            connection.execute("INSERT INTO harvest VALUES ('ubi')")
        assert probe.harvested(two) == ["padi"]


def test_nothing_stays_behind_outside_the_data_folder(data_dir: Path, probe: Probe) -> None:
    with Engines.attach(data_dir, fsync=False) as engines:
        place = probe.socket_folder(engines)
        assert (place / ".s.PGSQL.5432").exists()
    assert not place.exists()
    assert EngineFolder(data_dir).cluster.exists()


def test_socket_folders_of_supervisors_killed_long_ago_are_swept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sockets, "_short_parent", lambda: tmp_path)
    folder = EngineFolder(tmp_path.joinpath(*["deep" * 20] * 2))
    folder.prepare()
    for name, age_seconds in (("lumbung-old", 7200), ("lumbung-young", 60), ("other-old", 7200)):
        (tmp_path / name / "pg").mkdir(parents=True)
        (tmp_path / name / "pg" / ".s.PGSQL.5432").touch()
        then = time.time() - age_seconds
        os.utime(tmp_path / name, (then, then))
    made = sockets.prepare_socket_folder(folder, None)
    left = {path.name for path in tmp_path.iterdir()} - {made.name, "deep" * 20}
    assert left == {"lumbung-young", "other-old"}
    assert made.parent == tmp_path
