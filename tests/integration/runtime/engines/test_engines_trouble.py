from __future__ import annotations

import errno
import os
import shutil
import signal
import subprocess
import sys
from typing import TYPE_CHECKING

import psycopg
import pytest

from lumbung.errors import EngineUnavailable, LumbungError, SettingsError
from lumbung.runtime.engines import Engines, engine_pids
from lumbung.runtime.engines.binaries import version_line
from lumbung.runtime.engines.layout import EngineFolder, folder_error
from lumbung.runtime.engines.lock import FileLock

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from conftest import Holder, Probe
    from lumbung.runtime.engines import RunningEngines

MEGABYTE = 1024 * 1024


def _allowed(*command: str) -> bool:
    try:
        return subprocess.run([*command], capture_output=True, check=False).returncode == 0
    except OSError:
        return False


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Callable[[str], Path]]:
    folder = tmp_path / "disk"
    folder.mkdir()

    def mount(options: str) -> Path:
        if not _allowed("mount", "-t", "tmpfs", "-o", options, "tmpfs", str(folder)):
            pytest.skip("mounting is not allowed here")
        return folder

    yield mount
    subprocess.run(["umount", "--lazy", folder], capture_output=True, check=False)


def test_a_set_up_that_was_killed_half_way_is_begun_anew(fresh_dir: Path, probe: Probe) -> None:
    half = EngineFolder(fresh_dir).root / "postgres.unfinished.abc"
    (half / "base").mkdir(parents=True)
    (half / "PG_VERSION").write_text("18\n")
    with Engines.attach(fresh_dir, fsync=False) as engines, probe.connect(engines) as connection:
        assert connection.execute("SELECT 1").fetchone() == (1,)
    assert not half.exists()


def test_a_supervisor_killed_during_the_set_up_leaves_a_folder_that_starts(
    fresh_dir: Path, probe: Probe, start_command: Callable[[Path], Holder]
) -> None:
    command = start_command(fresh_dir)
    folder = EngineFolder(fresh_dir)
    assert probe.eventually(lambda: list(folder.root.glob("postgres.unfinished.*/base/1")))
    supervisor = probe.pids(fresh_dir).supervisor
    command.kill()
    probe.kill(supervisor)
    assert not folder.cluster.exists()
    with Engines.attach(fresh_dir, fsync=False) as engines, probe.connect(engines) as connection:
        assert connection.execute("SELECT 1").fetchone() == (1,)
    assert list(folder.root.glob("postgres.unfinished.*")) == []


@pytest.mark.parametrize("whose", ["dead", "foreign"])
def test_a_pid_file_that_names_somebody_else_does_not_count(data_dir: Path, probe: Probe, whose: str) -> None:
    dead = subprocess.Popen(["true"])
    dead.wait()
    pid = dead.pid if whose == "dead" else os.getpid()
    cluster = EngineFolder(data_dir).cluster
    (cluster / "postmaster.pid").write_text(f"{pid}\n{cluster}\n1700000000\n5432\n\n\n  1 1\nready   \n")
    with Engines.attach(data_dir, fsync=False) as engines:
        assert probe.harvested(engines) == ["padi"]


def test_a_socket_lock_that_names_a_living_stranger_does_not_count(data_dir: Path, probe: Probe) -> None:
    with Engines.attach(data_dir, fsync=False) as engines:
        sockets = probe.socket_folder(engines)
        (sockets / ".s.PGSQL.5432.lock").write_text(f"{os.getpid()}\n/elsewhere\n1700000000\n5432\n{sockets}\n")
        probe.kill(probe.pids(data_dir).postgres)
        assert probe.eventually(lambda: probe.harvested(engines)) == ["padi"]


def test_a_shell_that_stands_in_the_cluster_folder_is_left_alone(data_dir: Path, probe: Probe) -> None:
    bystander = subprocess.Popen(["sleep", "60"], cwd=EngineFolder(data_dir).cluster)
    try:
        with Engines.attach(data_dir, fsync=False) as engines:
            probe.kill(probe.pids(data_dir).postgres)
            assert probe.eventually(lambda: probe.harvested(engines)) == ["padi"]
        assert bystander.poll() is None
    finally:
        bystander.kill()
        bystander.wait()


def test_a_very_long_data_folder_path_works(prepared_dir: Path, tmp_path: Path, probe: Probe) -> None:
    deep = tmp_path.joinpath(*["lumbung-padi-" + "x" * 40] * 4)
    deep.mkdir(parents=True)
    data_dir = deep / "data"
    subprocess.run(["cp", "-a", prepared_dir, data_dir], check=True)
    assert len(str(data_dir)) > 200
    with Engines.attach(data_dir, fsync=False) as engines:
        assert probe.harvested(engines) == ["padi"]
    assert engine_pids(data_dir) is None


def test_lost_passwords_are_made_anew(data_dir: Path, probe: Probe) -> None:
    EngineFolder(data_dir).secrets.unlink()
    with Engines.attach(data_dir, fsync=False) as engines:
        assert probe.harvested(engines) == ["padi"]


def test_a_cluster_of_another_version_is_named_and_left_alone(data_dir: Path) -> None:
    (EngineFolder(data_dir).cluster / "PG_VERSION").write_text("16\n")
    with pytest.raises(SettingsError, match=r"made by PostgreSQL 16, but the installed programs are PostgreSQL 18"):
        Engines.attach(data_dir, fsync=False)
    assert engine_pids(data_dir) is None


def test_a_damaged_cluster_gives_one_sentence(data_dir: Path) -> None:
    (EngineFolder(data_dir).cluster / "global" / "pg_control").write_bytes(b"\0" * 8192)
    with pytest.raises(EngineUnavailable, match=r"PostgreSQL does not start: .*postgres\.log\)\.$") as caught:
        Engines.attach(data_dir, fsync=False)
    assert "\n" not in str(caught.value)


def test_a_store_that_another_broker_holds_is_not_opened_twice(data_dir: Path) -> None:
    other = FileLock(EngineFolder(data_dir).nats_lock)
    assert other.take()
    with pytest.raises(EngineUnavailable, match="Another nats-server still uses"):
        Engines.attach(data_dir, fsync=False)
    other.release()
    with Engines.attach(data_dir, fsync=False):
        pass


def test_a_living_broker_keeps_its_store_locked_even_without_its_supervisor(
    data_dir: Path, probe: Probe, hold: Callable[[Path], Holder]
) -> None:
    holder = hold(data_dir)
    pids = probe.pids(data_dir)
    assert pids.nats is not None
    for frozen in (pids.nats, holder.process.pid):
        os.kill(frozen, signal.SIGSTOP)
    probe.kill(pids.supervisor)
    assert not FileLock(EngineFolder(data_dir).nats_lock).take()
    holder.kill()
    with Engines.attach(data_dir, fsync=False):
        assert probe.pids(data_dir).nats != pids.nats


def test_a_broker_port_taken_by_somebody_else_is_given_up_for_another(data_dir: Path, probe: Probe) -> None:
    import socket

    with Engines.attach(data_dir, fsync=False) as engines:
        port = int(engines.nats_url.rpartition(":")[2])
    with socket.create_server(("127.0.0.1", port)), Engines.attach(data_dir, fsync=False) as engines:
        assert int(engines.nats_url.rpartition(":")[2]) != port
        assert probe.harvested(engines) == ["padi"]


@pytest.mark.parametrize(
    ("number", "kind", "words"),
    [
        (errno.ENOSPC, EngineUnavailable, "full"),
        (errno.EDQUOT, EngineUnavailable, "full"),
        (errno.EROFS, SettingsError, "read-only"),
        (errno.EACCES, SettingsError, "may not be written"),
        (errno.ENOTDIR, SettingsError, "not a folder"),
        (errno.EIO, EngineUnavailable, "cannot be used"),
    ],
)
def test_each_trouble_with_the_folder_has_its_sentence(
    tmp_path: Path, number: int, kind: type[LumbungError], words: str
) -> None:
    error = folder_error(tmp_path, OSError(number, os.strerror(number)))
    assert isinstance(error, kind)
    assert words in str(error)
    assert str(tmp_path) in str(error)


def test_a_file_in_place_of_the_data_folder_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(SettingsError, match="is not a folder"):
        Engines.attach(tmp_path / "file")


def test_a_read_only_disk_is_named(small_disk: Callable[[str], Path]) -> None:
    with pytest.raises(SettingsError, match="read-only"):
        Engines.attach(small_disk("ro") / "data")


def test_a_disk_too_small_for_the_set_up_is_named_and_left_clean(small_disk: Callable[[str], Path]) -> None:
    data_dir = small_disk("size=24m") / "data"
    with pytest.raises(EngineUnavailable, match="is full"):
        Engines.attach(data_dir, fsync=False)
    assert list(EngineFolder(data_dir).root.glob("postgres*/*")) == []


def test_after_a_full_disk_the_engines_come_back_by_themselves(
    small_disk: Callable[[str], Path], prepared_dir: Path, probe: Probe
) -> None:
    disk = small_disk("size=128m")
    data_dir = disk / "data"
    subprocess.run(["cp", "-a", prepared_dir, data_dir], check=True)
    with Engines.attach(data_dir, fsync=False) as engines:
        free = shutil.disk_usage(disk).free
        ballast = disk / "ballast"
        ballast.write_bytes(b"\0" * (free - free % 4096 - MEGABYTE))
        with pytest.raises(psycopg.OperationalError):
            _write_until_it_breaks(probe, engines)
        ballast.unlink()
        assert probe.eventually(lambda: probe.harvested(engines)) == ["padi"]


def _write_until_it_breaks(probe: Probe, engines: RunningEngines) -> None:
    with probe.connect(engines, "superuser") as connection:
        for _ in range(64):
            connection.execute("SELECT pg_logical_emit_message(false, 'fill', repeat('x', 1000000))")


def test_a_program_for_another_processor_is_named(tmp_path: Path) -> None:
    program = tmp_path / "postgres"
    program.write_bytes(b"\x7fELF" + b"\0" * 60)
    program.chmod(0o755)
    with pytest.raises(SettingsError, match="cannot run on this machine"):
        version_line(program)


@pytest.mark.skipif(sys.platform != "linux", reason="needs Linux process namespaces")
def test_it_works_as_the_first_process_of_a_container(
    data_dir: Path, probe: Probe, hold: Callable[..., Holder]
) -> None:
    unshare = ("unshare", "--pid", "--fork", "--kill-child", "--mount-proc")
    if not _allowed(*unshare, "true"):
        pytest.skip("process namespaces are not allowed here")
    holder = hold(data_dir, *unshare)
    with Engines.attach(data_dir, fsync=False) as engines:
        assert probe.harvested(engines) == ["padi"]
        postgres = next(pid for pid in probe.running(data_dir) if _is_postmaster(pid))
        probe.kill(postgres)
        assert probe.eventually(lambda: probe.harvested(engines)) == ["padi"]
    assert holder.leave() == "left\n"
    assert probe.eventually(lambda: probe.running(data_dir) == [])


def _is_postmaster(pid: int) -> bool:
    from pathlib import Path as ProcessPath

    return b"\0-D\0" in ProcessPath(f"/proc/{pid}/cmdline").read_bytes()
